"""Admission: prefixes, never a look ahead, the best use of a budget, and Algorithm 1 as written."""

import itertools
import math
from collections.abc import Callable
from typing import TypeAlias

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from deepinfer_engine.errors import ConfigError
from deepinfer_engine.speculative.admission import (
    admit_all,
    admit_budget,
    admit_scheduled,
    admit_threshold,
    survival,
)

Rule: TypeAlias = Callable[[Tensor, Tensor], Tensor]

# Few values, so that ties are common, and certainty, where survival does not fall.
confidences = st.sampled_from([0.0, 0.25, 0.5, 0.5, 0.9, 1.0, 1.0])


@st.composite
def drafts(draw: st.DrawFn) -> tuple[Tensor, Tensor]:
    requests, slots = draw(st.integers(1, 4)), draw(st.integers(0, 4))
    values = draw(st.lists(confidences, min_size=requests * slots, max_size=requests * slots))
    available = draw(st.lists(st.integers(0, slots), min_size=requests, max_size=requests))
    confidence = torch.tensor(values, dtype=torch.float64).view(requests, slots)
    return confidence, torch.tensor(available)


@st.composite
def rules(draw: st.DrawFn) -> Rule:
    kind = draw(st.sampled_from(["all", "threshold", "budget", "scheduled"]))
    if kind == "all":
        return admit_all
    if kind == "threshold":
        threshold = draw(st.sampled_from([0.0, 0.3, 0.5, 1.0]))
        return lambda confidence, available: admit_threshold(confidence, available, threshold=threshold)
    if kind == "budget":
        budget = draw(st.integers(0, 20))
        return lambda confidence, available: admit_budget(confidence, available, budget=budget)
    seconds = tables(draw(st.integers(0, 2**31)))
    return lambda confidence, available: admit_scheduled(confidence, available, seconds=seconds)


def tables(seed: int) -> Tensor:
    """A staircase of 25 entries, now steep, now flat."""
    steps = torch.rand(25, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    return 1 + (steps * (steps > 0.6)).cumsum(0) * (seed % 7) / 7


@given(drafts(), rules())
def test_lengths_are_within_what_was_drafted(batch: tuple[Tensor, Tensor], rule: Rule) -> None:
    confidence, available = batch
    lengths = rule(confidence, available)
    assert lengths.dtype == torch.int64
    assert lengths.shape == available.shape
    assert (lengths >= 0).all()
    assert (lengths <= available).all()


@given(drafts(), rules(), st.data())
def test_no_rule_looks_ahead(batch: tuple[Tensor, Tensor], rule: Rule, data: st.DataObject) -> None:
    """The token at slot k shows first in the confidence at slot k + 1: whatever it is, slot k's fate is the same."""
    confidence, available = batch
    before = rule(confidence, available)
    request = data.draw(st.integers(0, len(confidence) - 1))
    for slot in range(confidence.shape[1]):
        changed = confidence.clone()
        for later in range(slot + 1, confidence.shape[1]):
            changed[request, later] = data.draw(confidences)
        after = rule(changed, available)
        assert (before[request] > slot) == (after[request] > slot)


@given(drafts(), st.integers(0, 20))
def test_a_budget_is_spent_on_the_likeliest_slots(batch: tuple[Tensor, Tensor], budget: int) -> None:
    confidence, available = batch
    lengths = admit_budget(confidence, available, budget=budget)
    assert lengths.sum() == min(budget, int(available.sum()))
    gains = survival(confidence)

    def gain(chosen: list[int]) -> float:
        return sum(float(gains[r, :n].sum()) for r, n in enumerate(chosen))

    choices = itertools.product(*(range(n + 1) for n in available.tolist()))
    best = max(gain(list(c)) for c in choices if sum(c) == lengths.sum())
    assert gain(lengths.tolist()) == pytest.approx(best, abs=1e-12)


@given(drafts(), st.integers(0, 2**31), st.integers(0, 3), st.integers(0, 25))
def test_algorithm_one_is_the_slow_loop(batch: tuple[Tensor, Tensor], seed: int, others: int, entries: int) -> None:
    confidence, available = batch
    requests = len(confidence)
    base = requests + others
    seconds = tables(seed)[: base + 1 + entries]
    queue = sorted(
        (-math.prod(confidence[r, : k + 1].tolist()), k, r) for r in range(requests) for k in range(int(available[r]))
    )
    expected, tokens, rows = [0] * requests, float(requests), base
    for minus_survival, _, request in queue:
        if rows + 1 >= len(seconds):
            break
        if not (tokens - minus_survival) / seconds[rows + 1] > tokens / seconds[rows]:
            break
        tokens, rows = tokens - minus_survival, rows + 1
        expected[request] += 1
    assert admit_scheduled(confidence, available, seconds=seconds, base_rows=base).tolist() == expected


def test_ties_go_by_slot_then_by_request() -> None:
    confidence, available = torch.ones(3, 2), torch.tensor([2, 2, 2])
    for budget, expected in enumerate([[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1], [2, 1, 1], [2, 2, 1], [2, 2, 2]]):
        assert admit_budget(confidence, available, budget=budget).tolist() == expected


def test_threshold_reads_a_slots_own_confidence_and_stops() -> None:
    confidence = torch.tensor([[0.9, 0.2, 0.9], [0.9, 0.5, 0.9], [torch.nan, 0.9, 0.9]])
    available = torch.tensor([3, 2, 3])
    assert admit_threshold(confidence, available, threshold=0.5).tolist() == [1, 2, 0]


def test_a_flat_table_admits_all_that_may_stand_and_a_steep_one_nothing() -> None:
    confidence, available = torch.tensor([[0.9, 0.0, 0.9], [0.5, 0.5, 0.5]]), torch.tensor([3, 3])
    assert admit_scheduled(confidence, available, seconds=torch.ones(9)).tolist() == [1, 3]
    assert admit_scheduled(confidence, available, seconds=torch.arange(9.0)).tolist() == [0, 0]


def test_nan_confidence_counts_as_none() -> None:
    confidence = torch.tensor([[0.9, torch.nan, 0.9]])
    assert admit_scheduled(confidence, torch.tensor([3]), seconds=torch.ones(9)).tolist() == [1]
    assert survival(confidence).tolist() == [[pytest.approx(0.9), 0.0, 0.0]]


@pytest.mark.parametrize("seconds", [torch.ones(2), torch.tensor([1.0, 1.0, 0.0, 1.0])])
def test_a_cost_table_that_cannot_work_is_refused(seconds: Tensor) -> None:
    with pytest.raises(ConfigError, match="cost table"):
        admit_scheduled(torch.ones(2, 2), torch.tensor([2, 2]), seconds=seconds)
