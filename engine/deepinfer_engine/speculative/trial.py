"""A walk over a constraint that undoes itself: nothing that only asks may leave a grammar moved."""

from __future__ import annotations

from types import TracebackType

from deepinfer_engine.constraint import Constraint

__all__ = ["Trial"]


class Trial:
    """`with Trial(constraint) as trial: trial.accept(token)`; leaving the block takes everything back."""

    __slots__ = ("_accepted", "constraint")

    def __init__(self, constraint: Constraint) -> None:
        self.constraint = constraint
        self._accepted = 0

    def __enter__(self) -> Trial:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._accepted:
            self.constraint.rollback(self._accepted)
            self._accepted = 0

    def accept(self, token: int) -> bool:
        """Advance over `token` for the length of the block; False if it is illegal."""
        moved = self.constraint.accept(token)
        self._accepted += moved
        return moved
