"""What the engine asks of a grammar: four members, satisfied by shape. Knows no grammar."""

from typing import Protocol, runtime_checkable

from torch import Tensor

__all__ = ["Constraint"]


@runtime_checkable
class Constraint(Protocol):
    """A cursor over the tokens of one request."""

    @property
    def terminated(self) -> bool:
        """Whether the end of sequence was accepted."""
        ...

    def fill(self, row: Tensor) -> None:
        """Write the legal next tokens into `row`, int32 `[words]`: bit t % 32 of word t // 32 set = token t is legal.

        Never all zeros; never called once `terminated`.
        """
        ...

    def accept(self, token: int) -> bool:
        """Advance over `token`; `False` leaves the state as it was."""
        ...

    def rollback(self, count: int) -> None:
        """Undo the last `count` accepted tokens, the end of sequence included."""
        ...
