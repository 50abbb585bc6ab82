"""Names and text of the bundled grammars, and the only reader of them; parses nothing."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from deepinfer_structured.errors import GrammarSyntaxError

_PLACES = (Path(__file__).parent / "grammars", Path(__file__).parent.parent / "grammars")


@lru_cache(maxsize=1)
def names() -> tuple[str, ...]:
    """The bundled grammars, sorted."""
    return tuple(sorted(path.stem for path in _folder().glob("*.ebnf")))


@lru_cache(maxsize=64)
def text(name: str) -> str:
    """The EBNF of a bundled grammar."""
    if name not in names():
        raise GrammarSyntaxError(f"there is no bundled grammar {name!r}; there are {', '.join(names())}")
    return (_folder() / f"{name}.ebnf").read_text(encoding="utf-8")


def _folder() -> Path:
    """In the wheel the grammars lie in the package, in a checkout beside it."""
    return next((place for place in _PLACES if place.is_dir()), _PLACES[0])
