"""Spans that share one padded attention product: decoding spans together, each longer prompt chunk alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import torch
from torch import Tensor

__all__ = ["Group", "attend_group", "ring_positions", "split_groups"]

# Spans up to this many rows share a product; padding costs little for them.
_SHORT = 16


class SpanLike(Protocol):
    """What a group needs to know of a span."""

    @property
    def slot(self) -> int: ...
    @property
    def start(self) -> int: ...
    @property
    def length(self) -> int: ...


class Group:
    """G spans of up to n rows each, rows `[begin, stop)` of the pass.

    `positions [G, n]`: padding rows count on behind their span, so the causal mask hides them as keys.
    """

    def __init__(self, spans: Sequence[SpanLike], floors: Sequence[int], begin: int, device: torch.device) -> None:
        lengths = [span.length for span in spans]
        self.begin, self.stop, self.width = begin, begin + sum(lengths), max(lengths)
        self.start = max(span.start for span in spans)
        self.end = max(span.start + span.length for span in spans)
        self.starts = torch.tensor([span.start for span in spans], device=device)
        self.floors = torch.tensor(list(floors), device=device)
        self.ends = self.starts + torch.tensor(lengths, device=device)
        # Rows behind the start that every span holds, and the end that every span reaches.
        self._held = min(span.start - floor for span, floor in zip(spans, floors, strict=True))
        self._reached = min(span.start + span.length for span in spans)
        self.positions = self.starts[:, None] + torch.arange(self.width, device=device)
        slots = [span.slot for span in spans]
        self.slots = torch.tensor(slots, device=device)
        adjacent = slots == list(range(slots[0], slots[0] + len(slots)))
        self._slot_range = slice(slots[0], slots[0] + len(slots)) if adjacent else None
        self._uniform = len(set(lengths)) == 1
        if not self._uniform:
            counts = torch.tensor(lengths, device=device)
            inside = torch.arange(self.width, device=device) < counts[:, None]
            offsets = begin + counts.cumsum(0) - counts
            # Padding repeats the span's own last row, so that nothing of a neighbour, NaN included, comes in.
            self._gather = offsets[:, None] + torch.arange(self.width, device=device).minimum(counts[:, None] - 1)
            self._inside = inside.flatten().nonzero()[:, 0]

    def take(self, rows: Tensor) -> Tensor:
        """`[N, ...]` -> `[G, n, ...]`."""
        if self._uniform:
            padded: Tensor = rows[self.begin : self.stop].unflatten(0, (-1, self.width))
            return padded
        return rows[self._gather]

    def give(self, padded: Tensor) -> Tensor:
        """`[G, n, ...]` -> the group's rows `[stop - begin, ...]`."""
        flat = padded.flatten(0, 1)
        return flat if self._uniform else flat[self._inside]

    def slots_of(self, pool: Tensor) -> Tensor:
        """`pool [slots, ...]` -> `[G, ...]`: a view when the slots are neighbours."""
        return pool[self._slot_range] if self._slot_range is not None else pool[self.slots]

    def past(self, ring: Tensor) -> Tensor:
        """Rows of `ring [slots, ring, d]` before the pass, `[G, columns, d]`.

        What another request left there is zeroed where it would be read: weight 0 does not stop a NaN.
        """
        columns = min(self.start, ring.shape[1])
        rows = self.slots_of(ring)[:, :columns]
        if self._held >= columns:
            return rows
        held = ring_positions(self.starts, columns, ring.shape[1]) >= self.floors[:, None].clamp_min(0)
        return rows.masked_fill(~held[..., None], 0)

    def own_entries(self, entries: Tensor, ratio: int) -> Tensor:
        """`entries [G, count, d]` with those behind a span's own last group zeroed, for the same reason."""
        count = entries.shape[1]
        if self._reached // ratio >= count:
            return entries
        others = torch.arange(count, device=entries.device) >= (self.ends // ratio)[:, None]
        return entries.masked_fill(others[..., None], 0)

    def sees(self, keys: Tensor, window: int) -> Tensor:
        """Window visibility `[G, n, K]` of keys at positions `[G, K]`: [max(floor, i - window + 1, 0), i]."""
        key, query = keys[:, None], self.positions[..., None]
        return (key >= self.floors[:, None, None]) & (key > query - window) & (key <= query) & (key >= 0)

    def sees_own(self, window: int) -> Tensor:
        """The same for the rows of the pass themselves: `[G, n, n]`."""
        return self.sees(self.positions, window)


def split_groups(spans: Sequence[SpanLike], floors: Sequence[int], device: torch.device) -> list[Group]:
    """Neighbouring short spans form a group; order is kept, so groups lie one after the other in the pass."""
    groups: list[Group] = []
    pending: list[int] = []
    begin = 0

    def close() -> None:
        nonlocal begin
        if pending:
            group = Group([spans[i] for i in pending], [floors[i] for i in pending], begin, device)
            groups.append(group)
            begin = group.stop
            pending.clear()

    for number, span in enumerate(spans):
        if span.length > _SHORT:
            close()
            pending.append(number)
            close()
        else:
            pending.append(number)
    close()
    return groups


def ring_positions(starts: Tensor, columns: int, ring: int) -> Tensor:
    """Position in ring column s of a request with `start` processed positions, negative if none: `[G, columns]`."""
    last = starts[:, None] - 1
    return last - (last - torch.arange(columns, device=starts.device)) % ring


def attend_group(queries: Tensor, keys: Sequence[Tensor], sink: Tensor, mask: Tensor) -> Tensor:
    """Softmax over all key parts and the sink; the keys are the values.

    `queries [G, n, H, d]` already scaled, `keys` parts `[G, K_i, d]`, `sink [H]`, `mask [G, n, 1, K + 1]` additive.
    """
    shape = queries.shape
    flat = queries.flatten(1, 2)
    scores = [torch.matmul(flat, part.transpose(1, 2)).unflatten(1, shape[1:3]) for part in keys]
    column = sink.to(flat.dtype)[:, None].expand(*shape[:3], 1)
    logits = torch.cat((*scores, column), -1)
    wide = logits.float() if logits.dtype.itemsize < 4 else logits
    share = (wide + mask).softmax(-1).to(flat.dtype).flatten(1, 2)
    out, start = torch.zeros_like(flat), 0
    for part in keys:
        count = part.shape[1]
        if count:
            out = torch.baddbmm(out, share[..., start : start + count], part)
        start += count
    return out.view(shape)
