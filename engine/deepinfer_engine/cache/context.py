"""Serving contexts: what rows of a step, or of a draft block, see through the rings and pages of their requests."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from deepinfer_engine.cache.groups import Group, attend_group, ring_positions, split_groups
from deepinfer_engine.cache.memory import CacheMemory
from deepinfer_engine.errors import ConfigError

__all__ = ["Closing", "DraftContext", "Rotations", "ServingContext", "Span"]


class Rotations(NamedTuple):
    """Frequencies of window-only layers and of compressed layers, `[rope / 2]` each."""

    plain: Tensor
    compressed: Tensor


@dataclass(frozen=True, slots=True)
class Span:
    """Consecutive positions of one request in a step: `[start, start + length)` in cache slot `slot`.

    `keep_from`: with bounded replay, the first position that runs through the decoder (`T - KEEP`); else 0.
    """

    slot: int
    start: int
    length: int
    keep_from: int = 0


class Closing(NamedTuple):
    """Compression groups that close in this pass: content `[E, r, d]`, gate `[E, r, d]` (None at ratio 1),
    position of each group's first token `[E]`, and `rows` `[E]`, the pass's row at which the group closed."""

    content: Tensor
    gate: Tensor | None
    positions: Tensor
    rows: Tensor


class ServingContext:
    """Context of one pass of the backbone over `spans` (see model.context.Context). Selections live as long as it.

    `decoder=True` narrows the windows to `keep_from`; made by `narrow` from the encoder's context.
    """

    def __init__(
        self,
        memory: CacheMemory,
        table: Tensor,
        spans: Sequence[Span],
        rotations: Rotations,
        *,
        decoder: bool = False,
    ) -> None:
        self.memory, self.table, self.spans, self.rotations = memory, table, spans, rotations
        self.config = memory.model
        device = table.device
        positions: list[int] = []
        slots: list[int] = []
        for span in spans:
            positions.extend(range(span.start, span.start + span.length))
            slots.extend([span.slot] * span.length)
        self.positions = torch.tensor(positions, dtype=torch.int64, device=device)
        self.slots = torch.tensor(slots, dtype=torch.int64, device=device)
        floors = [span.keep_from if decoder else 0 for span in spans]
        self.groups = split_groups(spans, floors, device)
        self._angles: dict[bool, tuple[Tensor, Tensor]] = {}
        self._gathered: dict[tuple[int, int], Tensor] = {}
        self._chosen: list[Tensor | None] = [None] * len(self.groups)
        self._candidates: list[Tensor | None] = [None] * len(self.groups)
        self._masks: dict[tuple[int, int], Tensor] = {}
        lengths = torch.tensor([span.length for span in spans], device=device)
        self._starts = torch.tensor([span.start for span in spans], device=device).repeat_interleave(lengths)
        to_end = self._starts + lengths.repeat_interleave(lengths) - self.positions
        # Rows that the ring still holds after this pass; only a chunk longer than the ring leaves some out.
        self._kept = slice(None) if int(lengths.max()) <= memory.ring else (to_end <= memory.ring).nonzero()[:, 0]
        self._to_end = to_end

    def rotation(self, compressed: bool) -> tuple[Tensor, Tensor]:
        if compressed not in self._angles:
            self._angles[compressed] = _rotation(self.positions, self.rotations[compressed])
        return self._angles[compressed]

    def rotation_at(self, positions: Tensor) -> tuple[Tensor, Tensor]:
        return _rotation(positions, self.rotations.compressed)

    # ---- publishing

    def close_groups(self, layer: int, content: Tensor, gate: Tensor | None, ratio: int) -> Closing:
        if gate is None:
            rows = torch.arange(len(content), device=content.device)
            return Closing(content[:, None], None, self.positions, rows)
        tails = self.memory.tails[layer]
        pair = torch.cat((content, gate), -1).to(tails.dtype)
        length = self.memory.tail
        rows = ((self.positions + 1) % ratio == 0).nonzero()[:, 0]
        back = torch.arange(ratio - 1, -1, -1, device=rows.device)
        wanted = self.positions[rows][:, None] - back
        in_span = wanted >= self._starts[rows][:, None]
        source = torch.where(
            in_span,
            rows[:, None] - back,
            len(pair) + self.slots[rows][:, None] * length + wanted.clamp_min(0) % length,
        )
        # Clone the closed groups before the tail is overwritten by this step's rows.
        closed = torch.cat((pair, tails.flatten(0, 1)))[source]
        last = self._to_end <= length
        tails[self.slots[last], self.positions[last] % length] = pair[last]
        size = content.shape[-1]
        return Closing(closed[..., :size], closed[..., size:], wanted[:, 0], rows)

    def store(self, layer: int, entries: Tensor, keys: Tensor, closing: Closing) -> None:
        ratio = self.config.compress_ratios[layer]
        rows = self.memory.page_tokens // ratio
        index = closing.positions // ratio
        page = self.table[self.slots[closing.rows], index // rows]
        self.memory.entries[layer][page, index % rows] = entries.to(self.memory.entries[layer].dtype)
        self.memory.keys[layer][page, index % rows] = keys.to(self.memory.keys[layer].dtype)

    # ---- selection

    def select(self, layer: int, queries: Tensor, weights: Tensor) -> None:
        c = self.config
        source, ratio = c.kv_source(layer), c.compress_ratios[layer]
        if source is None:
            return
        for number, group in enumerate(self.groups):
            count = group.end // ratio
            # Every visible entry is selected, and no block is left out: nothing to score.
            if count <= c.index_topk and (count <= c.candidate_topk_blocks * c.candidate_block_size):
                self._chosen[number] = None
                self._candidates[number] = None
                continue
            keys = self._gather(self.memory.keys[source], group, count)
            q, w = group.take(queries), group.take(weights)
            dots = torch.matmul(q.flatten(1, 2), keys.transpose(1, 2)).unflatten(1, q.shape[1:3])
            score = (dots.relu() * w[..., None]).sum(2)
            seen = (group.positions + 1) // ratio
            score = score.masked_fill(torch.arange(count, device=score.device) >= seen[..., None], -math.inf)
            if layer == c.candidate_source_layer_id:
                self._candidates[number] = _candidate_entries(
                    score, seen, c.candidate_topk_blocks, c.candidate_block_size
                )
            elif layer > c.candidate_source_layer_id and self._candidates[number] is not None:
                score = score.masked_fill(~self._candidates[number], -math.inf)  # type: ignore[operator]
            self._chosen[number] = _top_entries(score, c.index_topk)
        self._masks = {key: mask for key, mask in self._masks.items() if key[1] == 0}

    # ---- attention

    def attend(self, layer: int, queries: Tensor, window: Tensor, sink: Tensor) -> Tensor:
        c = self.config
        source, ratio = c.kv_source(layer), c.compress_ratios[layer]
        ring = self.memory.rings[layer]
        scaled = queries * c.head_dim**-0.5
        parts = []
        for number, group in enumerate(self.groups):
            keys = [group.past(ring), group.take(window)]
            if source is not None and (count := group.end // ratio):
                keys.append(self._entries(source, number, group, count))
            parts.append(attend_group(group.take(scaled), keys, sink, self._mask(number, group, ratio)))
        self._write_ring(ring, window)
        return torch.cat([group.give(part) for group, part in zip(self.groups, parts, strict=True)])

    def _mask(self, number: int, group: Group, ratio: int) -> Tensor:
        """Additive mask `[G, n, 1, keys + 1]`: ring, own rows, entries, and the sink that is always seen."""
        key = (number, ratio)
        if key not in self._masks:
            past = ring_positions(group.starts, min(group.start, self.memory.ring), self.memory.ring)
            seen = [group.sees(past, self.config.sliding_window), group.sees_own(self.config.sliding_window)]
            if ratio and (count := group.end // ratio):
                chosen = self._chosen[number]
                visible = torch.arange(count, device=past.device) < ((group.positions + 1) // ratio)[..., None]
                seen.append(visible if chosen is None else chosen)
            self._masks[key] = _additive(torch.cat(seen, -1), self.memory.rings[0].dtype)
        return self._masks[key]

    def _entries(self, source: int, number: int, group: Group, count: int) -> Tensor:
        """Main KV of a group, gathered once a pass: sources are written before any layer reads them."""
        key = (source, number)
        if key not in self._gathered:
            entries = self._gather(self.memory.entries[source], group, count)
            self._gathered[key] = group.own_entries(entries, self.config.compress_ratios[source])
        return self._gathered[key]

    def _gather(self, pool: Tensor, group: Group, count: int) -> Tensor:
        pages = -(-count // pool.shape[1])
        return pool[self.table[group.slots, :pages]].flatten(1, 2)[:, :count]

    def _write_ring(self, ring: Tensor, window: Tensor) -> None:
        rows = self._kept
        ring[self.slots[rows], self.positions[rows] % self.memory.ring] = window[rows].to(ring.dtype)

    def write_stage(self, stage: int, window: Tensor) -> None:
        """Stage keys `[N, head_dim]` of the rows, also of rows that may be rejected: the next block overwrites them."""
        self._write_ring(self.memory.rings[self.config.num_hidden_layers + stage], window)


class DraftContext:
    """Context of one draft block of `length` rows a request, at positions P, P + 1, ...

    Every row sees the stage ring at [P - window, P) and all rows of its own block (model-architecture 3.9).
    """

    def __init__(
        self, memory: CacheMemory, slots: Sequence[int], starts: Sequence[int], length: int, rotations: Rotations
    ) -> None:
        device = memory.rings[0].device
        self.memory, self.rotations, self.config = memory, rotations, memory.model
        spans = [Span(slot, start, length) for slot, start in zip(slots, starts, strict=True)]
        self.group = Group(spans, [0] * len(spans), 0, device)
        self._rotation = _rotation(self.group.positions.flatten(), rotations.plain)
        self._columns = min(self.group.start, memory.ring)
        past = ring_positions(self.group.starts, self._columns, memory.ring)
        floor = self.group.starts[:, None] - self.config.sliding_window
        seen = (past >= floor.clamp_min(0))[:, None].expand(-1, length, -1)
        own = torch.ones(len(spans), length, length, dtype=torch.bool, device=device)
        self._mask = _additive(torch.cat((seen, own), -1), memory.rings[0].dtype)

    def rotation(self, compressed: bool) -> tuple[Tensor, Tensor]:
        return self._rotation

    def rotation_at(self, positions: Tensor) -> tuple[Tensor, Tensor]:
        raise _no_compression()

    def close_groups(self, layer: int, content: Tensor, gate: Tensor | None, ratio: int) -> Closing:
        raise _no_compression()

    def store(self, layer: int, entries: Tensor, keys: Tensor, closing: Closing) -> None:
        raise _no_compression()

    def select(self, layer: int, queries: Tensor, weights: Tensor) -> None:
        raise _no_compression()

    def attend(self, layer: int, queries: Tensor, window: Tensor, sink: Tensor) -> Tensor:
        keys = [self.group.past(self.memory.rings[layer]), self.group.take(window)]
        scaled = self.group.take(queries * self.config.head_dim**-0.5)
        return self.group.give(attend_group(scaled, keys, sink, self._mask))


def _no_compression() -> ConfigError:
    return ConfigError("a DSpark stage has ratio 0: it neither compresses nor selects")


def _rotation(positions: Tensor, frequencies: Tensor) -> tuple[Tensor, Tensor]:
    angle = positions.float()[:, None] * frequencies
    cos, sin = angle.cos(), angle.sin()
    return torch.repeat_interleave(cos, 2, -1), torch.stack((-sin, sin), -1).flatten(-2)


def _additive(seen: Tensor, dtype: torch.dtype) -> Tensor:
    """Bool `[G, n, K]` to an additive mask `[G, n, 1, K + 1]`; the last column, the sink, is always seen."""
    wide = torch.float32 if dtype.itemsize < 4 else dtype
    mask = torch.zeros(*seen.shape[:2], 1, seen.shape[2] + 1, dtype=wide, device=seen.device)
    mask[:, :, 0, :-1].masked_fill_(~seen, -math.inf)
    return mask


def _top_entries(score: Tensor, count: int) -> Tensor:
    """Bool mask of the `count` highest finite scores of the last axis, ties to the lowest index."""
    count = min(count, score.shape[-1])
    least = score.topk(count, -1).values[..., -1:]
    above = score > least
    tied = (score == least) & (score > -math.inf)
    return above | (tied & (tied.cumsum(-1) <= count - above.sum(-1, keepdim=True)))


def _candidate_entries(score: Tensor, seen: Tensor, blocks: int, size: int) -> Tensor:
    """Entries of the best blocks: a block scores its maximum, the one with the newest visible entry is forced in."""
    count = score.shape[-1]
    best = F.pad(score, (0, -count % size), value=-math.inf).unflatten(-1, (-1, size)).amax(-1)
    newest = torch.arange(best.shape[-1], device=best.device) == ((seen - 1) // size)[..., None]
    best = best.masked_fill(newest, math.inf)
    return _top_entries(best, blocks).repeat_interleave(size, -1)[..., :count]
