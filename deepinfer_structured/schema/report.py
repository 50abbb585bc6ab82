"""What became of each keyword of a schema; a record, it decides nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

Verdict: TypeAlias = Literal["enforced", "rewritten", "checked", "annotation", "refused"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One keyword at one place of the schema."""

    pointer: str
    keyword: str
    verdict: Verdict
    note: str = ""

    def __str__(self) -> str:
        note = f": {self.note}" if self.note else ""
        return f"{self.pointer or '/'} {self.keyword} {self.verdict}{note}"


@dataclass(frozen=True, slots=True)
class Report:
    """Every keyword that was met, in the order of the walk."""

    entries: tuple[Entry, ...] = ()

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __str__(self) -> str:
        return "\n".join(map(str, self.entries))

    def of(self, verdict: Verdict) -> tuple[Entry, ...]:
        """The entries with this verdict."""
        return tuple(entry for entry in self.entries if entry.verdict == verdict)


class Notes:
    """Collects entries during a walk, each only once."""

    def __init__(self) -> None:
        self._entries: dict[Entry, None] = {}

    def add(self, pointer: str, keyword: str, verdict: Verdict, note: str = "") -> None:
        self._entries[Entry(pointer=pointer, keyword=keyword, verdict=verdict, note=note)] = None

    def report(self) -> Report:
        return Report(tuple(self._entries))
