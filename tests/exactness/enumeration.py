"""Every outcome of a round over a toy vocabulary, with its probability: the engine's own functions, nothing sampled.

A toy model is a table from each prefix to a law. The probabilities of a round come from
`slot_accept_probabilities` and `emission_law`, which `verify_rejection` itself draws from.
"""

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import TypeAlias

import torch
from torch import Tensor

from deepinfer_engine.speculative.verify import emission_law, slot_accept_probabilities

Tokens: TypeAlias = tuple[int, ...]
Table: TypeAlias = dict[Tokens, Tensor]
Outcomes: TypeAlias = dict[Tokens, float]
Limits: TypeAlias = Callable[[Tokens], tuple[int, int]]
"""From a drafted sequence to (fed, tested). What a lawful rule may read of it is the rule's business."""

EXACT = 1e-12


def sequences(vocabulary: int, length: int) -> Iterator[Tokens]:
    return itertools.product(range(vocabulary), repeat=length)


def prefixes(vocabulary: int, longest: int) -> Iterator[Tokens]:
    for length in range(longest + 1):
        yield from sequences(vocabulary, length)


def random_laws(vocabulary: int, longest: int, generator: torch.Generator) -> Table:
    """A law, float64 `[V]`, for each prefix of up to `longest` tokens: spread like a flat Dirichlet."""
    return {
        prefix: normalised(-torch.rand(vocabulary, generator=generator, dtype=torch.float64).log())
        for prefix in prefixes(vocabulary, longest)
    }


def random_confidences(vocabulary: int, longest: int, generator: torch.Generator) -> dict[Tokens, float]:
    """The confidence at the slot after each prefix: a function of the tokens before the slot."""
    return {prefix: float(torch.rand(1, generator=generator)) for prefix in prefixes(vocabulary, longest)}


def normalised(weights: Tensor) -> Tensor:
    return weights / weights.sum()


def probability(table: Table, tokens: Tokens) -> float:
    chance = 1.0
    for k, token in enumerate(tokens):
        chance *= float(table[tokens[:k]][token])
    return chance


def sequence_law(table: Table, vocabulary: int, length: int) -> Outcomes:
    """The law of `length` tokens drawn one at a time: the reference."""
    return {tokens: probability(table, tokens) for tokens in sequences(vocabulary, length)}


def round_outcomes(target: Table, drafter: Table, drafts: Tokens, limits: tuple[int, int]) -> Outcomes:
    """What a rejection round emits given its drafts. Rows that were not fed are NaN, so reading one shows."""
    fed, tested = limits
    slots = len(drafts)
    nothing = torch.full_like(target[()], torch.nan)
    p = torch.stack([target[drafts[:k]] if k <= fed else nothing for k in range(slots + 1)])[None]
    q = torch.stack([drafter[drafts[:k]] for k in range(slots)])[None]
    bounds = {"fed": torch.tensor([fed]), "tested": torch.tensor([tested])}
    chances = slot_accept_probabilities(p, q, torch.tensor([drafts]), **bounds)[0].tolist()
    outcomes: Outcomes = {}
    alive = 1.0
    for accepted in range(slots + 1):
        stop = alive * (1 - chances[accepted]) if accepted < slots else alive
        if stop > 0:
            law = emission_law(p, q, torch.tensor([accepted]), tested=bounds["tested"])[0].tolist()
            for token, chance in enumerate(law):
                outcomes[(*drafts[:accepted], token)] = stop * chance
        alive -= stop
        if accepted < slots and chances[accepted] == 0:
            break
    return outcomes


def completed(outcomes: Outcomes, target: Table, length: int) -> Outcomes:
    """Emitted sequences carried on to `length` tokens without drafts."""
    whole: Outcomes = defaultdict(float)
    queue = list(outcomes.items())
    while queue:
        tokens, chance = queue.pop()
        if chance == 0:
            continue
        if len(tokens) >= length:
            whole[tokens[:length]] += chance
            continue
        queue += [((*tokens, token), chance * p) for token, p in enumerate(target[tokens].tolist())]
    return dict(whole)


def speculative_law(target: Table, drafter: Table, vocabulary: int, slots: int, limits: Limits) -> Outcomes:
    """The law of `slots + 1` tokens when the first round is speculative with drafts from `drafter`."""
    total: Outcomes = defaultdict(float)
    for drafts in sequences(vocabulary, slots):
        weight = probability(drafter, drafts)
        if weight > 0:
            for tokens, chance in round_outcomes(target, drafter, drafts, limits(drafts)).items():
                total[tokens] += weight * chance
    return completed(total, target, slots + 1)


def total_variation(one: Outcomes, other: Outcomes) -> float:
    return 0.5 * sum(abs(one.get(tokens, 0.0) - other.get(tokens, 0.0)) for tokens in one.keys() | other.keys())
