"""A progress bar on standard error for long batches; nothing where nobody watches."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

__all__ = ["Progress"]

LONG = 16  # rows from which on a batch is worth a bar


class Progress:
    """`wanted=None` shows a bar for a long batch when standard error is a terminal; True always, False never."""

    def __init__(self, total: int, *, wanted: bool | None) -> None:
        if wanted is None:
            wanted = total >= LONG and sys.stderr.isatty()
        self._bar = _bar() if wanted else None
        self._task = self._bar.add_task("generate", total=total) if self._bar else None

    def show(self, done: int) -> None:
        """Move the bar."""
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=done)

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()


def _bar() -> Bar:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Bar(*columns, TimeRemainingColumn(), console=Console(stderr=True))
