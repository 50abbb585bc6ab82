"""How many tokens the shortest text of a schema needs at least; asked before a request runs."""

from __future__ import annotations

import math
import weakref
from functools import lru_cache

from deepinfer_structured.constraint.constraint import Constraint, TextConstraint
from deepinfer_structured.constraint.vocabulary import Vocabulary
from deepinfer_structured.errors import BudgetTooSmallError

__all__ = ["check_budget", "longest_token"]

_needed: weakref.WeakKeyDictionary[Constraint, int] = weakref.WeakKeyDictionary()


def check_budget(constraint: Constraint | TextConstraint, budget: int) -> None:
    """Raise BudgetTooSmallError where `budget` tokens cannot spell the shortest conforming text."""
    if isinstance(constraint, TextConstraint):
        return
    needed = _needed.get(constraint)
    if needed is None:
        needed = _needed[constraint] = _tokens_of_shortest(constraint)
    if needed > budget:
        message = f"max_tokens={budget} cannot hold the shortest conforming text, which has at least {needed} tokens"
        raise BudgetTooSmallError(message, needed=needed, budget=budget)


@lru_cache(maxsize=8)
def longest_token(vocabulary: Vocabulary) -> int:
    """The length of the longest token in bytes."""
    return max(map(len, vocabulary.token_bytes))


def _tokens_of_shortest(constraint: Constraint) -> int:
    text = constraint.shortest_legal().encode()
    if not text:
        return math.ceil(constraint.least() / longest_token(constraint.vocabulary))
    tokens, longest = _spellings(constraint.vocabulary), longest_token(constraint.vocabulary)
    fewest = [0]
    for end in range(1, len(text) + 1):
        starts = range(max(0, end - longest), end)
        fewest.append(1 + min((fewest[start] for start in starts if text[start:end] in tokens), default=end))
    return fewest[-1]


@lru_cache(maxsize=8)
def _spellings(vocabulary: Vocabulary) -> frozenset[bytes]:
    return frozenset(vocabulary.token_bytes)
