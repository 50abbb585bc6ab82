"""Packed training rows as a Context: several documents a row, each sees itself alone, by the rules of serving."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple, Protocol

import torch
from torch import Tensor

from deepinfer_engine.config import ModelConfig
from deepinfer_engine.model.context import Closing
from deepinfer_engine.model.rope import Rotation, frequencies, rotation

__all__ = [
    "Attend",
    "Layout",
    "PackedContext",
    "PlainAttention",
    "Probe",
    "Sees",
    "attend_plain",
    "lookback",
    "visibility",
]

Sees = Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]
"""(row, head, query, key) -> visible; the indices broadcast. Keys: the row's tokens, then its compressed entries."""


class Attend(Protocol):
    """Softmax attention of packed rows with a sink; made anew for each batch, for it knows who sees whom."""

    def __call__(self, queries: Tensor, keys: Tensor, sink: Tensor, ratio: int) -> Tensor:
        """`queries [B, T, H, d]` scaled, `keys [B, T + entries, d]` (also the values) -> `[B, T, H, d]`."""


def visibility(documents: Tensor, window: int, ratio: int) -> Sees:
    """Who sees whom in rows of `documents [B, T]` (document number of each token; padding has one of its own).

    A token sees its document's last `window` tokens, itself included, and every entry whose group is complete.
    Documents start at multiples of the ratio, so groups of a row are groups of a document.
    """
    length = documents.shape[1]

    def window_alone(row: Tensor, _head: Tensor, query: Tensor, key: Tensor) -> Tensor:
        same = documents[row, key] == documents[row, query]
        return same & (key <= query) & (query - key < window)

    def with_entries(row: Tensor, _head: Tensor, query: Tensor, key: Tensor) -> Tensor:
        is_token = key < length
        first = torch.where(is_token, key, (key - length) * ratio)
        last = torch.where(is_token, key, first + (ratio - 1))
        same = documents[row, first] == documents[row, query]
        return same & (last <= query) & ((query - key < window) | (key >= length))

    return with_entries if ratio else window_alone


def attend_plain(queries: Tensor, keys: Tensor, sink: Tensor, mask: Tensor) -> Tensor:
    """The definition: `mask [B, T, K]` true where visible; softmax in fp32 or wider."""
    scores = torch.einsum("bthd,bkd->bhtk", queries, keys)
    wide = scores.float() if scores.dtype.itemsize < 4 else scores
    wide = wide.masked_fill(~mask[:, None], -math.inf)
    column = sink.to(wide.dtype)[:, None, None].expand(*wide.shape[:3], 1)
    share = torch.cat((wide, column), -1).softmax(-1)[..., :-1].to(keys.dtype)
    return torch.einsum("bhtk,bkd->bthd", share, keys)


class PlainAttention:
    """`Attend` by materialised masks, one a kind of layer: for the CPU and as reference."""

    def __init__(self, documents: Tensor, window: int) -> None:
        self.documents, self.window = documents, window
        self._masks: dict[int, Tensor] = {}

    def __call__(self, queries: Tensor, keys: Tensor, sink: Tensor, ratio: int) -> Tensor:
        if ratio not in self._masks:
            self._masks[ratio] = self._mask(keys.shape[1], ratio)
        return attend_plain(queries, keys, sink, self._masks[ratio])

    def _mask(self, keys: int, ratio: int) -> Tensor:
        rows, length = self.documents.shape
        device = self.documents.device
        row = torch.arange(rows, device=device)[:, None, None]
        query = torch.arange(length, device=device)[None, :, None]
        key = torch.arange(keys, device=device)[None, None]
        if not ratio:
            return visibility(self.documents, self.window, 0)(row, row, query, key)
        # Index tensors must stay inside the row where a key is an entry.
        sees = visibility(self.documents, self.window, ratio)
        return sees(row, row, query, key)


class Layout:
    """What every batch of `rows` x `length` shares: the angles. Positions count from the row's start, not the
    document's: only differences of positions matter, keys and queries of a document lie in one row."""

    def __init__(self, config: ModelConfig, rows: int, length: int, device: torch.device) -> None:
        ratios = {config.compress_ratios[s] for s in config.kv_source_layer_ids}
        if any(length % ratio for ratio in ratios):
            raise ValueError(f"rows of {length} tokens do not divide into groups of {sorted(ratios)}")
        self.config, self.rows, self.length, self.device = config, rows, length, device
        self.positions = torch.arange(length, device=device).repeat(rows)
        self._compressed = frequencies(config, compressed=True, device=device)
        plain = frequencies(config, compressed=False, device=device)
        self.rotations = (rotation(self.positions, plain), rotation(self.positions, self._compressed))
        self.starts = {r: torch.arange(0, length, r, device=device).repeat(rows) for r in ratios}
        self._entries = {r: rotation(self.starts[r], self._compressed) for r in ratios}

    def of_entries(self, positions: Tensor) -> Rotation:
        """Angles of compressed entries; known ahead for whole batches."""
        for ratio, starts in self.starts.items():
            if starts is positions:
                return self._entries[ratio]
        return rotation(positions, self._compressed)


class Probe(NamedTuple):
    """A sample of queries whose index scores are compared with attention: rows `[R]` and positions `[Q]` in each."""

    rows: Tensor
    positions: Tensor


class PackedContext:
    """Context of `rows` x `length` packed tokens, flattened (see model.context.Context).

    Every visible entry is attended, whatever `index_topk`: selection is serving's. With a `probe`, `index_losses`
    collects one scalar an index source: how far its scores are from where attention looks.
    """

    def __init__(self, layout: Layout, documents: Tensor, attend: Attend, probe: Probe | None = None) -> None:
        self.layout, self.config, self.documents, self.probe = layout, layout.config, documents, probe
        self._attend = attend
        self.entries: dict[int, Tensor] = {}
        self.keys: dict[int, Tensor] = {}
        self._indexed: dict[int, tuple[Tensor, Tensor]] = {}
        self.index_losses: list[Tensor] = []

    def rotation(self, compressed: bool) -> Rotation:
        return self.layout.rotations[compressed]

    def rotation_at(self, positions: Tensor) -> Rotation:
        return self.layout.of_entries(positions)

    def close_groups(self, layer: int, content: Tensor, gate: Tensor | None, ratio: int) -> Closing:
        """Every aligned group closes; one that ends in padding is seen by nobody."""
        starts = self.layout.starts[ratio]
        rows = torch.arange(ratio - 1, len(content), ratio, device=content.device)
        grouped = None if gate is None else gate.unflatten(0, (-1, ratio))
        return Closing(content.unflatten(0, (-1, ratio)), grouped, starts, rows)

    def store(self, layer: int, entries: Tensor, keys: Tensor, closing: Closing) -> None:
        self.entries[layer] = entries.unflatten(0, (self.layout.rows, -1))
        self.keys[layer] = keys.unflatten(0, (self.layout.rows, -1))

    def select(self, layer: int, queries: Tensor, weights: Tensor) -> None:
        if self.probe is not None:
            self._indexed[layer] = (queries, weights)

    def attend(self, layer: int, queries: Tensor, window: Tensor, sink: Tensor) -> Tensor:
        c = self.config
        shape = (self.layout.rows, self.layout.length)
        keys, ratio = window.unflatten(0, shape), c.compress_ratios[layer]
        source = c.kv_source(layer)
        scaled = (queries * c.head_dim**-0.5).unflatten(0, shape)
        if source is not None:
            keys = torch.cat((keys, self.entries[source].to(keys.dtype)), 1)
            if layer in self._indexed:
                self.index_losses.append(self._index_loss(layer, scaled, source, ratio))
        return self._attend(scaled, keys, sink, ratio).flatten(0, 1)

    def _index_loss(self, layer: int, scaled: Tensor, source: int, ratio: int) -> Tensor:
        """KL(head-averaged attention over the entries || softmax of index scores), mean over the probed queries."""
        if self.probe is None:
            raise ValueError("no probe")
        rows, positions = self.probe
        take = (rows[:, None], positions[None])
        shape = (self.layout.rows, self.layout.length)
        index_queries, weights = (x.unflatten(0, shape)[take].float() for x in self._indexed[layer])
        keys = self.keys[source][rows].float()
        start = torch.arange(keys.shape[1], device=keys.device) * ratio
        of_query, of_entry = self.documents[take], self.documents[rows][:, ::ratio]
        complete = start[None] + ratio - 1 <= positions[:, None]
        visible = (of_query[..., None] == of_entry[:, None]) & complete[None]
        with torch.no_grad():
            entries = self.entries[source][rows].float()
            main = torch.einsum("rqhd,red->rqhe", scaled[take].float(), entries)
            target = main.masked_fill(~visible[:, :, None], -1e9).softmax(-1).mean(2)
        dots = torch.einsum("rqhd,red->rqhe", index_queries, keys).relu()
        score = (dots * weights[..., None]).sum(2).masked_fill(~visible, -1e9)
        kl = (torch.xlogy(target, target) - target * score.log_softmax(-1)).sum(-1)
        some = visible.any(-1)
        loss: Tensor = (kl * some).sum() / some.sum().clamp_min(1)
        return loss


def lookback(tokens: Tensor, documents: Tensor, ngram: int) -> Tensor:
    """The last `ngram` ids of each token's document, newest first, -1 before its start: `[B * T, ngram]`."""
    parts = [tokens]
    for back in range(1, ngram):
        earlier, of = tokens.roll(back, 1), documents.roll(back, 1)
        inside = of == documents
        inside[:, :back] = False
        parts.append(earlier.masked_fill(~inside, -1))
    return torch.stack(parts, -1).flatten(0, 1)
