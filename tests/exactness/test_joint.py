"""Two requests that compete for slots: their joint law is the product of their own."""

import itertools
from collections import defaultdict
from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from deepinfer_engine.speculative.admission import admit_budget, admit_scheduled
from tests.exactness.enumeration import (
    EXACT,
    Outcomes,
    Table,
    Tokens,
    completed,
    probability,
    random_confidences,
    random_laws,
    round_outcomes,
    sequence_law,
    sequences,
    total_variation,
)

VOCABULARY, SLOTS = 2, 2
SECONDS = torch.tensor([0.0, 0.0, 1.0, 1.15, 1.4, 1.5, 2.0], dtype=torch.float64)


def joint_bias(
    targets: list[Table], drafters: list[Table], admit: Callable[[list[Tokens]], list[int]]
) -> tuple[float, set[tuple[int, ...]]]:
    """Distance of the joint law from the product, and the length pairs that occurred."""
    joint: Outcomes = defaultdict(float)
    shapes = set()
    for pair in itertools.product(sequences(VOCABULARY, SLOTS), repeat=2):
        lengths = admit(list(pair))
        shapes.add(tuple(lengths))
        own = [
            completed(round_outcomes(targets[r], drafters[r], pair[r], (lengths[r], lengths[r])), targets[r], SLOTS + 1)
            for r in range(2)
        ]
        weight = probability(drafters[0], pair[0]) * probability(drafters[1], pair[1])
        for (first, a), (second, b) in itertools.product(own[0].items(), own[1].items()):
            joint[first + second] += weight * a * b
    laws = [sequence_law(table, VOCABULARY, SLOTS + 1) for table in targets]
    product = {x + y: a * b for (x, a), (y, b) in itertools.product(laws[0].items(), laws[1].items())}
    return total_variation(joint, product), shapes


def toys(seed: int) -> tuple[list[Table], list[Table], list[dict[Tokens, float]]]:
    generator = torch.Generator().manual_seed(seed)
    tables = [random_laws(VOCABULARY, SLOTS, generator) for _ in range(4)]
    return tables[:2], tables[2:], [random_confidences(VOCABULARY, SLOTS, generator) for _ in range(2)]


def rows(confidences: list[dict[Tokens, float]], pair: list[Tokens]) -> Tensor:
    return torch.tensor([[confidences[r][pair[r][:k]] for k in range(SLOTS)] for r in range(2)], dtype=torch.float64)


@pytest.mark.parametrize("budget", [0, 1, 2, 3, 4])
def test_a_fixed_budget_is_jointly_exact(budget: int) -> None:
    shapes: set[tuple[int, ...]] = set()
    for seed in range(5):
        targets, drafters, confidences = toys(seed)

        def admit(pair: list[Tokens], confidences: list[dict[Tokens, float]] = confidences) -> list[int]:
            lengths: list[int] = admit_budget(rows(confidences, pair), torch.tensor([2, 2]), budget=budget).tolist()
            return lengths

        distance, found = joint_bias(targets, drafters, admit)
        shapes |= found
        assert distance < EXACT
    assert all(sum(shape) == budget for shape in shapes)
    assert len(shapes) > 1 or budget in {0, 4}


def test_algorithm_one_is_jointly_exact() -> None:
    shapes: set[tuple[int, ...]] = set()
    for seed in range(8):
        targets, drafters, confidences = toys(seed)

        def admit(pair: list[Tokens], confidences: list[dict[Tokens, float]] = confidences) -> list[int]:
            lengths: list[int] = admit_scheduled(
                rows(confidences, pair), torch.tensor([2, 2]), seconds=SECONDS
            ).tolist()
            return lengths

        distance, found = joint_bias(targets, drafters, admit)
        shapes |= found
        assert distance < EXACT
    assert len(shapes) > 3


def test_ranking_by_the_drawn_token_is_biased() -> None:
    """The wrong rule must fail, or the tests above could not."""
    found = []
    for seed in range(5):
        targets, drafters, _ = toys(seed)

        def admit(pair: list[Tokens], drafters: list[Table] = drafters) -> list[int]:
            own = [[float(drafters[r][pair[r][:k]][pair[r][k]]) for k in range(SLOTS)] for r in range(2)]
            lengths: list[int] = admit_budget(
                torch.tensor(own, dtype=torch.float64), torch.tensor([2, 2]), budget=2
            ).tolist()
            return lengths

        found.append(joint_bias(targets, drafters, admit)[0])
    assert min(found) > 0.005
