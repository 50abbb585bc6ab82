"""JSON strings: escapes, lengths, patterns, formats and keys that must differ; one spelling a character."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from deepinfer_structured.schema.automaton import TooLargeError, automaton
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
from deepinfer_structured.schema.jsonschema.context import Walk
from deepinfer_structured.schema.jsonschema.keywords import dumps
from deepinfer_structured.schema.regex import ANY, Ranges

CHAR = "json_char"
BLOCK = 128
QUOTE = Literal('"')
_PLAIN: Ranges = ((0x20, 0x21), (0x23, 0x5B), (0x5D, MAX_CHAR))
_SHORT = {8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\"}


def escape(ranges: Ranges) -> Node:
    """One character of the ranges, as it is spelled inside a JSON string."""
    return Ref(CHAR) if ranges == ANY else alt(*spellings(ranges))


def spellings(ranges: Ranges) -> list[Node]:
    """The ways to spell the characters, without alternatives inside: what mask engines are quickest with."""
    plain = intersect_ranges(ranges, _PLAIN)
    special = [code for low, high in ranges for code in range(low, min(high, 92) + 1) if code < 32 or code in _SHORT]
    parts = [chars(plain)] if plain else []
    short = [ord(_SHORT[code][1]) for code in special if code in _SHORT]
    if short:
        parts.append(seq(Literal("\\"), chars((code, code) for code in short)))
    for sixteen in (0, 1):
        digits = [f"{code:02x}"[1] for code in special if code not in _SHORT and code // 16 == sixteen]
        if digits:
            parts.append(seq(Literal(f"\\u00{sixteen}"), chars((ord(digit), ord(digit)) for digit in digits)))
    return parts


def char_rule() -> Node:
    """Any character of a JSON string."""
    return alt(*spellings(ANY))


def linear(walk: Walk, nodes: Sequence[Node], low: int = 0, high: int | None = None) -> Node | None:
    """A string whose content every node matches, as right-linear rules down to the closing quote; None if too large."""
    try:
        states = automaton(nodes, low, high)
    except TooLargeError:
        return None
    names = [walk.fresh() for _ in states]
    for name, state in zip(names, states, strict=True):
        ways = [seq(way, Ref(names[to])) for ranges, to in state.edges for way in spellings(ranges)]
        walk.rules[name] = alt(*ways, *([QUOTE] if state.final else []))
    return seq(QUOTE, Ref(names[0]))


def counted(walk: Walk, low: int, high: int | None) -> Node:
    """A string of `low` to `high` characters. Its rules are shared by all lengths; long ones count in blocks."""
    blocks, rest = divmod(low, BLOCK)
    exact = [_exactly(walk, BLOCK)] * blocks + [_exactly(walk, rest)]
    if high is None:
        return seq(QUOTE, *exact, repeat(Ref(CHAR), 0, None), QUOTE)
    return seq(QUOTE, *exact, _at_most(walk, high - low))


def _exactly(walk: Walk, count: int) -> Node:
    """So many characters."""
    if count == 0:
        return EMPTY
    for length in range(1, count + 1):
        name = f"exactly_{length}"
        if name not in walk.rules:
            after = Ref(f"exactly_{length - 1}") if length > 1 else EMPTY
            walk.rules[name] = alt(*(seq(way, after) for way in spellings(ANY)))
    return Ref(f"exactly_{count}")


def _at_most(walk: Walk, count: int) -> Node:
    """Up to so many characters, then the quote."""
    direct = min(count, BLOCK)
    for length in range(direct + 1):
        name = f"at_most_{length}"
        if name not in walk.rules:
            ways = [seq(way, Ref(f"at_most_{length - 1}")) for way in spellings(ANY)] if length else []
            walk.rules[name] = alt(*ways, QUOTE)
    blocks, rest = divmod(count - direct, BLOCK)
    node: Node = Ref(f"at_most_{direct}")
    if count > BLOCK:
        node = _at_most(walk, rest) if rest else QUOTE
        short, block = Ref(f"at_most_{BLOCK}"), _exactly(walk, BLOCK)
        for _ in range(blocks + 1):
            node = Ref(walk.fresh(alt(short, seq(block, node))))
    return node


def quoted(body: Node) -> Node:
    """A string with this content."""
    return seq(QUOTE, body, QUOTE)


def any_string() -> Node:
    """Any string."""
    return quoted(repeat(Ref(CHAR), 0, None))


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
