"""Lengths of shortest texts, and grammars without dead ends; knows only rules."""

from __future__ import annotations

import math
from collections import deque

from deepinfer_structured.schema.grammar import (
    EMPTY,
    NEVER,
    Alt,
    Chars,
    Literal,
    Node,
    Ref,
    Repeat,
    Rules,
    Seq,
    alt,
    reachable,
    repeat,
    seq,
    walk,
)

Costs = dict[str, float]


def costs(grammar: Rules) -> Costs:
    """The number of characters of each rule's shortest text; infinite where there is none."""
    found: Costs = dict.fromkeys(grammar.rules, math.inf)
    users: dict[str, list[str]] = {name: [] for name in grammar.rules}
    for name, node in grammar.rules.items():
        for inner in walk(node):
            if isinstance(inner, Ref):
                users[inner.name].append(name)
    todo = deque(reversed(grammar.rules))
    waiting = set(todo)
    while todo:
        name = todo.popleft()
        waiting.discard(name)
        cost = cost_of(grammar.rules[name], found)
        if cost < found[name]:
            found[name] = cost
            fresh = [user for user in users[name] if user not in waiting]
            todo.extend(fresh)
            waiting.update(fresh)
    return found


def cost_of(node: Node, found: Costs) -> float:
    """The number of characters of the shortest text of a node."""
    match node:
        case Literal(text):
            return len(text)
        case Chars():
            return 1
        case Seq(items):
            return sum(cost_of(item, found) for item in items)
        case Alt(items):
            return min((cost_of(item, found) for item in items), default=math.inf)
        case Repeat(item, low, _):
            return low * cost_of(item, found) if low else 0
        case Ref(name):
            return found[name]


def prune(grammar: Rules) -> Rules | None:
    """The grammar without alternatives that can never end; None when nothing is left."""
    found = costs(grammar)
    if found[grammar.root] == math.inf:
        return None
    kept = {name: _prune(node, found) for name, node in grammar.rules.items() if found[name] < math.inf}
    return reachable(Rules(kept, grammar.root))


def _prune(node: Node, found: Costs) -> Node:
    match node:
        case Literal() | Chars():
            return node
        case Seq(items):
            return seq(*(_prune(item, found) for item in items))
        case Alt(items):
            return alt(*(_prune(item, found) for item in items))
        case Repeat(item, low, high):
            inner = _prune(item, found)
            return (NEVER if low else EMPTY) if inner == NEVER else repeat(inner, low, high)
        case Ref(name):
            return node if found[name] < math.inf else NEVER
