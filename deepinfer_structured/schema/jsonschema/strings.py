"""JSON strings: escapes, lengths, patterns, formats and keys that must differ; one spelling a character."""

from __future__ import annotations

from collections.abc import Iterable

from deepinfer_structured.schema.grammar import (
    EMPTY,
    MAX_CHAR,
    Literal,
    Node,
    Ref,
    alt,
    chars,
    intersect_ranges,
    invert_ranges,
    optional,
    repeat,
    seq,
)
from deepinfer_structured.schema.jsonschema.keywords import dumps
from deepinfer_structured.schema.regex import ANY, Ranges

CHAR = "json_char"
QUOTE = Literal('"')
_PLAIN: Ranges = ((0x20, 0x21), (0x23, 0x5B), (0x5D, MAX_CHAR))
_SHORT = {8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\"}
_HEX = chars([(48, 57), (97, 102)])


def escape(ranges: Ranges) -> Node:
    """One character of the ranges, as it is spelled inside a JSON string."""
    if ranges == ANY:
        return Ref(CHAR)
    plain = intersect_ranges(ranges, _PLAIN)
    special = [code for low, high in ranges for code in range(low, min(high, 92) + 1) if code < 32 or code in _SHORT]
    parts = [chars(plain)] if plain else []
    short = [ord(_SHORT[code][1]) for code in special if code in _SHORT]
    if short:
        parts.append(seq(Literal("\\"), chars((code, code) for code in short)))
    parts += [Literal(f"\\u{code:04x}") for code in special if code not in _SHORT]
    return alt(*parts)


def char_rule() -> Node:
    """Any character of a JSON string."""
    controls = alt(
        seq(Literal("0"), chars([(48, 55), (98, 98), (101, 102)])),
        seq(Literal("1"), _HEX),
    )
    letters = chars((ord(text[1]), ord(text[1])) for text in _SHORT.values())
    return alt(chars(_PLAIN), seq(Literal("\\"), alt(letters, seq(Literal("u00"), controls))))


def quoted(body: Node) -> Node:
    """A string with this content."""
    return seq(QUOTE, body, QUOTE)


def any_string(low: int = 0, high: int | None = None) -> Node:
    """A string of `low` to `high` characters."""
    return quoted(repeat(Ref(CHAR), low, high))


def key(name: str) -> Node:
    """A property name and its colon."""
    return Literal(dumps(name) + ":")


def string_except(names: Iterable[str]) -> Node:
    """Any string that is none of these."""
    return seq(QUOTE, _except(sorted(set(names))), QUOTE)


def _except(names: list[str]) -> Node:
    """The content of a string that is none of `names`, by their first characters."""
    anything = repeat(Ref(CHAR), 0, None)
    heads: dict[str, list[str]] = {}
    for name in names:
        if name:
            heads.setdefault(name[0], []).append(name[1:])
    if not heads:
        return repeat(Ref(CHAR), 1, None) if "" in names else anything
    others = escape(invert_ranges((ord(head), ord(head)) for head in heads))
    longer = alt(
        seq(others, anything),
        *(seq(escape(((ord(head), ord(head)),)), _except(tails)) for head, tails in heads.items()),
    )
    return longer if "" in names else optional(longer)


__all__ = ["CHAR", "EMPTY", "any_string", "char_rule", "escape", "key", "quoted", "string_except"]
