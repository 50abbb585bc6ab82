"""Fenced blocks of a Markdown page, with the line each begins on."""

import dataclasses
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^(?P<indent> *)(?P<fence>`{3,}|~{3,})(?P<info>[^`]*)$")


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    language: str
    options: tuple[str, ...]
    text: str
    line: int  # of the first line of text, counted from 1


def pages() -> list[Path]:
    return [page for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))) if page.exists()]


def is_run(page: Path) -> bool:
    """Design pages sketch signatures and steps; every other page shows code that runs."""
    return (ROOT / "docs" / "design") not in page.parents


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def blocks(text: str) -> list[Block]:
    found: list[Block] = []
    opening: re.Match[str] | None = None
    first = 0
    lines = text.splitlines()
    for number, line in enumerate(lines, start=1):
        match = FENCE.match(line)
        if opening is None:
            opening, first = match, number + 1
        elif match and not match["info"].strip() and match["fence"].startswith(opening["fence"]):
            words = opening["info"].split() or [""]
            indent = len(opening["indent"])
            inside = "".join(row[indent:] + "\n" for row in lines[first - 1 : number - 1])
            found.append(Block(language=words[0], options=tuple(words[1:]), text=inside, line=first))
            opening = None
    return found
