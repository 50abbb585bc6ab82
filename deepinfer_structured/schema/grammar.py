"""The intermediate form: rules over characters, frozen; knows neither schemas nor tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from deepinfer_structured.errors import CompileLimitError

MAX_CHAR = 0x10FFFF
SURROGATES = (0xD800, 0xDFFF)


@dataclass(frozen=True, slots=True)
class Literal:
    """This text."""

    text: str


@dataclass(frozen=True, slots=True)
class Chars:
    """One character out of sorted, disjoint, inclusive ranges."""

    ranges: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Seq:
    """One after the other."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Alt:
    """One of them; none means that nothing matches."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """`low` to `high` times; no `high` means without end."""

    item: Node
    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class Ref:
    """The rule of this name."""

    name: str


Node: TypeAlias = Literal | Chars | Seq | Alt | Repeat | Ref
EMPTY = Literal("")
NEVER = Alt(())


@dataclass(frozen=True, slots=True)
class Rules:
    """A grammar: named rules and the one to begin with."""

    rules: dict[str, Node] = field(hash=False)
    root: str = "root"


def seq(*items: Node) -> Node:
    """A sequence, flattened; a part that never matches makes the whole never match."""
    flat: list[Node] = []
    for item in items:
        if item == NEVER:
            return NEVER
        parts = item.items if isinstance(item, Seq) else (item,)
        for part in parts:
            if part == EMPTY:
                continue
            if flat and isinstance(part, Literal) and isinstance(flat[-1], Literal):
                flat[-1] = Literal(flat[-1].text + part.text)
            else:
                flat.append(part)
    return flat[0] if len(flat) == 1 else Seq(tuple(flat)) if flat else EMPTY


def alt(*items: Node) -> Node:
    """An alternative, flattened, without repeats and parts that never match."""
    flat: dict[Node, None] = {}
    for item in items:
        flat.update(dict.fromkeys(item.items if isinstance(item, Alt) else (item,)))
    return next(iter(flat)) if len(flat) == 1 else Alt(tuple(flat))


def repeat(item: Node, low: int, high: int | None) -> Node:
    """A repetition, simplified."""
    if high == 0 or item == EMPTY:
        return EMPTY
    if item == NEVER or (high is not None and high < low):
        return EMPTY if low == 0 and item == NEVER else NEVER
    return item if low == high == 1 else Repeat(item, low, high)


def optional(item: Node) -> Node:
    """The item or nothing."""
    return EMPTY if item in (NEVER, EMPTY) else Repeat(item, 0, 1)


def chars(ranges: Iterable[tuple[int, int]]) -> Node:
    """A class out of any ranges; surrogates are left out."""
    merged = merge_ranges(ranges)
    return Chars(merged) if merged else NEVER


def merge_ranges(ranges: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Sorted, disjoint ranges without surrogates."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted(_without_surrogates(ranges)):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return tuple(merged)


def invert_ranges(ranges: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The characters outside the ranges."""
    gaps: list[tuple[int, int]] = []
    start = 0
    for low, high in merge_ranges(ranges):
        if low > start:
            gaps.append((start, low - 1))
        start = high + 1
    if start <= MAX_CHAR:
        gaps.append((start, MAX_CHAR))
    return merge_ranges(gaps)


def intersect_ranges(left: Iterable[tuple[int, int]], right: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The characters in both."""
    right = tuple(right)
    return merge_ranges((max(a, c), min(b, d)) for a, b in left for c, d in right if max(a, c) <= min(b, d))


def walk(node: Node) -> Iterator[Node]:
    """The node and every node inside it."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        if isinstance(current, (Seq, Alt)):
            stack.extend(reversed(current.items))
        elif isinstance(current, Repeat):
            stack.append(current.item)


def reachable(grammar: Rules) -> Rules:
    """The grammar without the rules that its root cannot reach."""
    seen: dict[str, Node] = {}
    todo = [grammar.root]
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen[name] = grammar.rules[name]
        todo.extend(node.name for node in walk(seen[name]) if isinstance(node, Ref))
    return Rules(seen, grammar.root)


def weigh(grammar: Rules, limit: int) -> int:
    """A rough count of automaton states, the currency of compile time; above `limit` it is an error."""
    total = sum(_weight(node, limit) for node in grammar.rules.values())
    if total > limit:
        raise CompileLimitError(f"the grammar needs about {total} states, the limit is {limit}")
    return total


def _weight(node: Node, limit: int) -> int:
    match node:
        case Literal(text):
            return 1 + len(text)
        case Chars(ranges):
            return 1 + len(ranges)
        case Seq(items) | Alt(items):
            return 1 + sum(_weight(item, limit) for item in items)
        case Repeat(item, low, high):
            times = max(low, high if high is not None else low, 1)
            return min(times * _weight(item, limit), limit + 1)
        case Ref():
            return 1


def _without_surrogates(ranges: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    first, last = SURROGATES
    for low, high in ranges:
        if low < first:
            yield low, min(high, first - 1)
        if high > last:
            yield max(low, last + 1), high
