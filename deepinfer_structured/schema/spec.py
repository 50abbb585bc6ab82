"""What `schema=` accepts besides Python types: one small value a kind; nothing is compiled here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class JSONSchema:
    """A JSON Schema; the value is plain Python data. `resources` maps URIs to schemas for remote references."""

    schema: Mapping[str, Any] | bool
    resources: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.schema, (bool, Mapping)):
            raise TypeError(f"JSONSchema takes a dict or a bool, not {type(self.schema).__name__}: {self.schema!r}")


@dataclass(frozen=True, slots=True)
class Regex:
    """A Python regular expression; the whole text matches it. The value is the text."""

    pattern: str

    def __post_init__(self) -> None:
        _is_text("Regex", self.pattern)


@dataclass(frozen=True, slots=True)
class EBNF:
    """A grammar in EBNF or GBNF (`name ::= ...`). The value is the text."""

    text: str
    root: str = "root"

    def __post_init__(self) -> None:
        _is_text("EBNF", self.text)
        _is_text("EBNF root", self.root)


@dataclass(frozen=True, slots=True)
class Lark:
    """A grammar in the notation of Lark. The value is the text."""

    text: str
    start: str = "start"

    def __post_init__(self) -> None:
        _is_text("Lark", self.text)
        _is_text("Lark start", self.start)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the given texts, written as it is. The value is the text."""

    options: tuple[str, ...]

    def __init__(self, options: Sequence[str]) -> None:
        if isinstance(options, str) or not isinstance(options, Sequence):
            raise TypeError(f"Choice takes a sequence of strings, not {type(options).__name__}: {options!r}")
        for option in options:
            _is_text("Choice", option)
        object.__setattr__(self, "options", tuple(options))


@dataclass(frozen=True, slots=True)
class Grammar:
    """A bundled grammar by its name, such as Grammar("json"). The value is the text."""

    name: str

    def __post_init__(self) -> None:
        _is_text("Grammar", self.name)


Spec: TypeAlias = JSONSchema | Regex | EBNF | Lark | Choice | Grammar
"""A schema whose value is plain text or plain Python data."""

TextSpec: TypeAlias = Regex | EBNF | Lark | Choice | Grammar
"""A schema whose value is the text itself."""

SchemaLike: TypeAlias = type[T] | Mapping[str, Any] | bool | Spec | None
"""What `schema=` takes, as far as the type system can say it; `type[T]` gives T."""


def _is_text(name: str, value: object) -> None:
    if not isinstance(value, str):
        raise TypeError(f"{name} takes a str, not {type(value).__name__}: {value!r}")
