"""Regular nodes as one deterministic automaton, with a count of characters; knows no JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from deepinfer_structured.schema.grammar import MAX_CHAR, Alt, Chars, Literal, Node, Repeat, Seq, merge_ranges

Ranges = tuple[tuple[int, int], ...]
MAX_STATES = 700
MAX_PARTS = 20_000


class TooLargeError(Exception):
    """The automaton has too many states to be worth it."""


@dataclass(frozen=True, slots=True)
class State:
    """Where characters lead, and whether the text may end."""

    edges: tuple[tuple[Ranges, int], ...]
    final: bool


def automaton(nodes: Sequence[Node], low: int = 0, high: int | None = None) -> list[State]:
    """The texts that every node matches, of `low` to `high` characters. State 0 is the start."""
    machines = [_Machine(node) for node in nodes]
    cap = low if high is None else high
    start = (tuple(machine.closure([machine.start]) for machine in machines), 0)
    numbers = {start: 0}
    order = [start]
    states: list[State] = []
    for sets, count in order:
        targets: dict[tuple[tuple[frozenset[int], ...], int], list[tuple[int, int]]] = {}
        if high is None or count < high:
            for span, after in _moves(machines, sets):
                targets.setdefault((after, min(count + 1, cap)), []).append(span)
        for target in targets:
            if target not in numbers:
                numbers[target] = len(order)
                order.append(target)
                if len(order) > MAX_STATES:
                    raise TooLargeError
        ends = all(machine.end in inside for machine, inside in zip(machines, sets, strict=True))
        edges = tuple((merge_ranges(spans), numbers[target]) for target, spans in targets.items())
        states.append(State(edges, ends and count >= low))
    return _minimal(states)


class _Machine:
    """Thompson's construction."""

    def __init__(self, node: Node) -> None:
        self._silent: list[list[int]] = [[]]
        self.moves: list[tuple[Ranges, int] | None] = [None]
        self.start = 0
        self.end = self._add(node, 0)

    def closure(self, states: Iterable[int]) -> frozenset[int]:
        seen = set(states)
        todo = list(seen)
        while todo:
            for after in self._silent[todo.pop()]:
                if after not in seen:
                    seen.add(after)
                    todo.append(after)
        return frozenset(seen)

    def _new(self) -> int:
        if len(self.moves) > MAX_PARTS:
            raise TooLargeError
        self._silent.append([])
        self.moves.append(None)
        return len(self.moves) - 1

    def _add(self, node: Node, at: int) -> int:
        """The state after the node, which begins in state `at`."""
        match node:
            case Literal(text):
                for char in text:
                    at = self._step(at, ((ord(char), ord(char)),))
                return at
            case Chars(ranges):
                return self._step(at, ranges)
            case Seq(items):
                for item in items:
                    at = self._add(item, at)
                return at
            case Alt(items):
                ends = [self._add(item, self._follow(at)) for item in items]
                after = self._new()
                for end in ends:
                    self._silent[end].append(after)
                return after
            case Repeat(item, low, high):
                return self._repeat(item, low, high, at)
            case _:
                raise TooLargeError

    def _repeat(self, item: Node, low: int, high: int | None, at: int) -> int:
        for _ in range(low):
            at = self._add(item, at)
        if high is None:
            loop = self._follow(at)
            self._silent[self._add(item, self._follow(loop))].append(loop)
            return self._follow(loop)
        ends = [at]
        for _ in range(high - low):
            at = self._add(item, self._follow(at))
            ends.append(at)
        after = self._new()
        for end in ends:
            self._silent[end].append(after)
        return after

    def _step(self, at: int, ranges: Ranges) -> int:
        here, after = self._follow(at), self._new()
        self.moves[here] = ranges, after
        return after

    def _follow(self, at: int) -> int:
        after = self._new()
        self._silent[at].append(after)
        return after


def _moves(
    machines: list[_Machine], sets: tuple[frozenset[int], ...]
) -> list[tuple[tuple[int, int], tuple[frozenset[int], ...]]]:
    """The spans of characters that are treated alike, and where each leads; dead ends are left out."""
    if not machines:
        return [((0, MAX_CHAR), ())]
    moves = [
        [move for state in inside if (move := machine.moves[state])]
        for machine, inside in zip(machines, sets, strict=True)
    ]
    cuts = sorted({cut for part in moves for ranges, _ in part for low, high in ranges for cut in (low, high + 1)})
    place = {cut: index for index, cut in enumerate(cuts)}
    reached: list[list[set[int]]] = [[set() for _ in machines] for _ in cuts]
    for number, part in enumerate(moves):
        for ranges, to in part:
            for low, high in ranges:
                for index in range(place[low], place[high + 1]):
                    reached[index][number].add(to)
    closures: dict[tuple[int, frozenset[int]], frozenset[int]] = {}
    found = []
    for (low, high), targets in zip(pairwise(cuts), reached, strict=False):
        if all(targets):
            keys = [(number, frozenset(target)) for number, target in enumerate(targets)]
            for number, target in keys:
                if (number, target) not in closures:
                    closures[number, target] = machines[number].closure(target)
            found.append(((low, high - 1), tuple(closures[key] for key in keys)))
    return found


def _minimal(states: list[State]) -> list[State]:
    """States that cannot be told apart become one (Moore)."""
    group = [int(state.final) for state in states]
    while True:
        keys: dict[tuple[int, frozenset[tuple[Ranges, int]]], int] = {}
        refined = []
        for index, state in enumerate(states):
            merged: dict[int, list[tuple[int, int]]] = {}
            for ranges, to in state.edges:
                merged.setdefault(group[to], []).extend(ranges)
            key = (group[index], frozenset((merge_ranges(spans), to) for to, spans in merged.items()))
            refined.append(keys.setdefault(key, len(keys)))
        if len(keys) == len(set(group)):
            break
        group = refined
    first = {number: index for index, number in reversed(list(enumerate(group)))}
    renumbered = {number: position for position, number in enumerate(sorted(first, key=lambda number: first[number]))}
    result = []
    for number in sorted(first, key=lambda number: first[number]):
        state = states[first[number]]
        joined: dict[int, list[tuple[int, int]]] = {}
        for ranges, to in state.edges:
            joined.setdefault(renumbered[group[to]], []).extend(ranges)
        result.append(State(tuple((merge_ranges(spans), to) for to, spans in joined.items()), state.final))
    return result
