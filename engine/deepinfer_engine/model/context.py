"""What the rows of one forward pass may see of each other and of the past: the seam between model and cache."""

from __future__ import annotations

from typing import Protocol

from torch import Tensor

from deepinfer_engine.cache.context import Closing
from deepinfer_engine.model.rope import Rotation

__all__ = ["Closing", "Context"]


class Context(Protocol):
    """Rows are flat `[N]`: all requests of the pass one after the other. Implementations: the serving cache,
    the draft block, and packed training rows."""

    def rotation(self, compressed: bool) -> Rotation:
        """Angles of the rows' own positions."""

    def rotation_at(self, positions: Tensor) -> Rotation:
        """Angles of compressed entries at `positions`."""

    def close_groups(self, layer: int, content: Tensor, gate: Tensor | None, ratio: int) -> Closing:
        """Take the rows' compressor inputs, keep the unfinished tail, return the groups that are complete."""

    def store(self, layer: int, entries: Tensor, keys: Tensor, closing: Closing) -> None:
        """Publish main KV `[E, head_dim]` and index keys `[E, index_dim]` of a KV source."""

    def select(self, layer: int, queries: Tensor, weights: Tensor) -> None:
        """Score index keys for `queries [N, heads, index_dim]`, head weights `[N, heads]`; keep the selection."""

    def attend(self, layer: int, queries: Tensor, window: Tensor, sink: Tensor) -> Tensor:
        """Window and selected compressed entries in one softmax with the sink: `[N, H, d]` -> `[N, H, d]`.

        `window [N, d]` are the rows' own window keys, which double as values.
        """
