"""A walk over a constraint that undoes itself: nothing that only asks may leave a grammar moved, or fail."""

from __future__ import annotations

from types import TracebackType

from deepinfer_engine.constraint import Constraint

__all__ = ["Trial"]


class Trial:
    """`with Trial(constraint) as trial: trial.accept(token)`; leaving the block takes everything back.

    What the constraint raises over a token means that it is refused here; the commit, if it comes so far, meets it
    again. `fault` is what it raised when it was to go back: then its state is lost.
    """

    __slots__ = ("_accepted", "constraint", "fault")

    def __init__(self, constraint: Constraint) -> None:
        self.constraint = constraint
        self._accepted = 0
        self.fault: Exception | None = None

    def __enter__(self) -> Trial:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._accepted:
            try:
                self.constraint.rollback(self._accepted)
            except Exception as fault:  # noqa: BLE001 - the fault of one request; commit ends it
                self.fault = fault
            self._accepted = 0

    def accept(self, token: int) -> bool:
        """Advance over `token` for the length of the block; False if it is illegal."""
        try:
            moved = not self.constraint.terminated and self.constraint.accept(token)
        except Exception:  # noqa: BLE001 - a question that has no answer is answered no
            return False
        self._accepted += moved
        return moved
