"""Texts of a grammar in order of length, shortest first; knows only rules."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from itertools import count

from deepinfer_structured.schema.grammar import Alt, Chars, Literal, Node, Ref, Repeat, Rules, Seq
from deepinfer_structured.schema.productive import cost_of, costs

MAX_STEPS = 50_000
MAX_LENGTH = 8_000
"""In characters; longer texts are not spelled out."""
_SAMPLES = 3
_Stack = tuple[Node, "_Stack"] | None


def texts(grammar: Rules) -> Iterator[str]:
    """Shortest first, by best-first search: the cost of what is left is exact, so the first is a shortest."""
    found = costs(grammar)
    order = count()
    start = Ref(grammar.root)
    if cost_of(start, found) > MAX_LENGTH:
        return
    heap: list[tuple[float, float, int, str, _Stack]] = [(cost_of(start, found), 0, 0, "", (start, None))]
    for _ in range(MAX_STEPS):
        if not heap:
            return
        total, _, _, text, stack = heapq.heappop(heap)
        if stack is None:
            yield text
            continue
        node, rest = stack
        before = cost_of(node, found)
        for written, pushed in _expand(node, grammar):
            after = len(written) + sum(cost_of(item, found) for item in pushed)
            below = rest
            for item in reversed(pushed):
                below = (item, below)
            cost = total - before + after
            if cost < float("inf"):
                heapq.heappush(heap, (cost, -len(text + written), next(order), text + written, below))


def _expand(node: Node, grammar: Rules) -> list[tuple[str, tuple[Node, ...]]]:
    """What a node may begin with: text, and the nodes that follow."""
    match node:
        case Literal(text):
            return [(text, ())]
        case Chars(ranges):
            return [(chr(code), ()) for code in _sample(ranges)]
        case Seq(items):
            return [("", items)]
        case Alt(items):
            return [("", (item,)) for item in items]
        case Ref(name):
            return [("", (grammar.rules[name],))]
        case Repeat(item, low, high):
            more = Repeat(item, max(0, low - 1), None if high is None else high - 1)
            taken = ("", (item,) if high == 1 else (item, more))
            return [taken] if low else [("", ()), taken]


def _sample(ranges: tuple[tuple[int, int], ...]) -> list[int]:
    """A few characters that read well, or the first ones."""
    inside = [
        code
        for code in (*range(0x61, 0x7B), *range(0x30, 0x3A), *range(0x41, 0x5B), *range(0x20, 0x7F))
        if any(low <= code <= high for low, high in ranges)
    ]
    if not inside:
        inside = [code for low, high in ranges for code in range(low, min(high, low + _SAMPLES) + 1)]
    digits = [code for code in inside if 0x30 <= code <= 0x39]
    return list(dict.fromkeys([*inside[:_SAMPLES], *digits]))[: _SAMPLES + 10]
