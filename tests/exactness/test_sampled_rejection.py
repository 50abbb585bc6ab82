"""Rejection verification as sampled: the joint law of two tokens over many seeds, and shared noise that breaks it."""

import math
from dataclasses import dataclass

import pytest
import torch
from torch import Tensor

from deepinfer_engine.sampling.choose import choose
from deepinfer_engine.sampling.noise import RESIDUAL, TARGET, draft_stream
from deepinfer_engine.speculative.admission import admit_threshold
from deepinfer_engine.speculative.verify import verify_rejection

COUNT, VOCABULARY, SLOTS = 150_000, 4, 2
SEEDS = torch.arange(COUNT)
ANCHOR = torch.full((COUNT,), 20)
EVERYONE = torch.ones(COUNT, dtype=torch.bool)
BOUND = 5.0  # standard deviations of chi-square


@dataclass(frozen=True, kw_only=True)
class Laws:
    """First-order Markov target and drafter: the law after a token, `[V, V]`; the anchor is token 0."""

    target: Tensor
    drafter: Tensor


def laws(seed: int) -> Laws:
    generator = torch.Generator().manual_seed(seed)
    target, drafter = (
        torch.randn(VOCABULARY, VOCABULARY, generator=generator, dtype=torch.float64).softmax(-1) for _ in range(2)
    )
    return Laws(target=target, drafter=drafter)


def draft(case: Laws, after: Tensor, stream: int | None) -> Tensor:
    """Two drafts a request: keyed by the anchor, or if `stream` is given by the draft's own position in that stream."""
    drafts = []
    for slot in range(SLOTS):
        own = draft_stream(slot) if stream is None else stream
        at = ANCHOR if stream is None else ANCHOR + 1 + slot
        after = choose(case.drafter[after].log(), EVERYONE, SEEDS, at, stream=own)
        drafts.append(after)
    return torch.stack(drafts, dim=1)


def two_tokens(case: Laws, drafts: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    before = torch.cat([torch.zeros(COUNT, 1, dtype=torch.int64), drafts], dim=1)
    verdict = verify_rejection(
        case.target[before],
        case.drafter[before[:, :-1]],
        drafts,
        fed=lengths,
        tested=lengths,
        seeds=SEEDS,
        positions=ANCHOR + 1,
    )
    one = verdict.tokens[:, 0]
    fresh = choose(case.target[one].log(), EVERYONE, SEEDS, ANCHOR + 2, stream=TARGET)
    return one, torch.where(verdict.accepted >= 1, verdict.tokens[:, 1], fresh)


def deviations(case: Laws, one: Tensor, two: Tensor) -> float:
    """Chi-square of the pairs against the target, in standard deviations above its mean."""
    expected = COUNT * (case.target[0][:, None] * case.target).flatten()
    observed = torch.bincount(one * VOCABULARY + two, minlength=VOCABULARY**2)
    degrees = VOCABULARY**2 - 1
    statistic = float(((observed - expected) ** 2 / expected).sum())
    return (statistic - degrees) / math.sqrt(2 * degrees)


@pytest.mark.parametrize("rule", ["none", "all", "threshold"])
def test_two_tokens_follow_the_target(rule: str) -> None:
    case = laws(1)
    drafts = draft(case, torch.zeros(COUNT, dtype=torch.int64), None)
    confidence = torch.stack([torch.full((COUNT,), 0.8), torch.tensor([0.9, 0.1, 0.7, 0.2])[drafts[:, 0]]], dim=1)
    full = torch.full((COUNT,), SLOTS)
    lengths = {
        "none": torch.zeros(COUNT, dtype=torch.int64),
        "all": full,
        "threshold": admit_threshold(confidence, full, threshold=0.5),
    }[rule]
    assert abs(deviations(case, *two_tokens(case, drafts, lengths))) < BOUND


def test_drafts_that_share_the_noise_of_the_residual_are_caught() -> None:
    """The wrong stream must fail, or the test above could not."""
    case = laws(1)
    drafts = draft(case, torch.zeros(COUNT, dtype=torch.int64), RESIDUAL)
    assert deviations(case, *two_tokens(case, drafts, torch.full((COUNT,), SLOTS))) > 4 * BOUND


@pytest.mark.parametrize("by_anchor", [True, False])
def test_last_rounds_confidence_may_set_a_budget_only_if_drafts_are_keyed_by_the_anchor(by_anchor: bool) -> None:
    """A token drafted at position 22 last round and not verified shows in last round's confidences, hence in a budget.

    Drawn again from noise of its own position it would be the same token: the budget would know it beforehand.
    """
    case = laws(2)
    first = draft(case, torch.zeros(COUNT, dtype=torch.int64), None if by_anchor else draft_stream(0))
    one = choose(case.target[0].expand(COUNT, -1).log(), EVERYONE, SEEDS, ANCHOR + 1)  # nothing was admitted
    budget = (first[:, 1] >= 2).to(torch.int64)  # set from the round before
    stream, at = (draft_stream(0), ANCHOR + 1) if by_anchor else (draft_stream(0), ANCHOR + 2)
    again = choose(case.drafter[one].log(), EVERYONE, SEEDS, at, stream=stream)
    verdict = verify_rejection(
        torch.stack([case.target[one], case.target[again]], dim=1),
        case.drafter[one][:, None],
        again[:, None],
        fed=budget,
        tested=budget,
        seeds=SEEDS,
        positions=ANCHOR + 2,
    )
    found = deviations(case, one, verdict.tokens[:, 0])
    assert abs(found) < BOUND if by_anchor else found > 4 * BOUND
