"""Grammar and speculation: exact with masked drafts, exact with virtual rejection, and not with the obvious trim."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
import torch

from deepinfer_engine.request import SamplingParams
from deepinfer_engine.sampling.process import RowParams, process
from deepinfer_engine.speculative.admission import admit_all, admit_threshold
from tests.engine.sampling.test_process import pack
from tests.exactness.enumeration import (
    EXACT,
    Limits,
    Table,
    Tokens,
    prefixes,
    random_confidences,
    random_laws,
    sequence_law,
    speculative_law,
    total_variation,
)

VOCABULARY, SLOTS = 4, 2
ROW = RowParams.of([SamplingParams(temperature=1.0)], dtype=torch.float64)


@dataclass(frozen=True, kw_only=True)
class Toy:
    """A masked target, a drafter with and without the mask, and what is legal after each prefix."""

    target: Table
    drafter: Table
    masked_drafter: Table
    legal: dict[Tokens, torch.Tensor]
    confidences: dict[Tokens, float]

    def admitted(self, drafts: Tokens, threshold: float | None) -> int:
        row = torch.tensor([[self.confidences[drafts[:k]] for k in range(SLOTS)]])
        everything = torch.tensor([SLOTS])
        if threshold is None:
            return int(admit_all(row, everything))
        return int(admit_threshold(row, everything, threshold=threshold))

    def first_illegal(self, drafts: Tokens) -> int:
        return next((k for k in range(SLOTS) if not self.legal[drafts[:k]][drafts[k]]), SLOTS)


def toy(seed: int) -> Toy:
    generator = torch.Generator().manual_seed(seed)
    legal = {}
    for prefix in prefixes(VOCABULARY, SLOTS):
        legal[prefix] = torch.rand(VOCABULARY, generator=generator) < 0.6
        legal[prefix][int(torch.randint(VOCABULARY, (1,), generator=generator))] = True
    free, drafter = (random_laws(VOCABULARY, SLOTS, generator) for _ in range(2))
    return Toy(
        target={prefix: masked(law, legal[prefix]) for prefix, law in free.items()},
        drafter=drafter,
        masked_drafter={prefix: masked(law, legal[prefix]) for prefix, law in drafter.items()},
        legal=legal,
        confidences=random_confidences(VOCABULARY, SLOTS, generator),
    )


def masked(law: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
    return process(law.log()[None], ROW, mask_rows=pack(legal[None])).log_probs()[0].exp()


def bias(case: Toy, drafter: Table, limits: Limits) -> float:
    law = speculative_law(case.target, drafter, VOCABULARY, SLOTS, limits)
    assert sum(law.values()) == pytest.approx(1.0, abs=1e-12)
    return total_variation(law, sequence_law(case.target, VOCABULARY, SLOTS + 1))


def virtual(case: Toy, threshold: float | None) -> Limits:
    """Feed up to the first illegal draft; test it too if it was admitted."""

    def limits(drafts: Tokens) -> tuple[int, int]:
        admitted, illegal = case.admitted(drafts, threshold), case.first_illegal(drafts)
        return min(admitted, illegal), min(admitted, illegal + 1)

    return limits


def trimmed(case: Toy, threshold: float | None) -> Limits:
    """The wrong rule: forget the illegal draft and draw its slot from the masked target."""

    def limits(drafts: Tokens) -> tuple[int, int]:
        length = min(case.admitted(drafts, threshold), case.first_illegal(drafts))
        return length, length

    return limits


both_rules = pytest.mark.parametrize("threshold", [None, 0.45])
Way = Callable[[Toy, float | None], float]


@both_rules
@pytest.mark.parametrize("seed", range(12))
def test_virtual_rejection_is_exact(seed: int, threshold: float | None) -> None:
    case = toy(seed)
    assert bias(case, case.drafter, virtual(case, threshold)) < EXACT


@both_rules
@pytest.mark.parametrize("seed", range(12))
def test_masked_drafts_are_exact_and_never_illegal(seed: int, threshold: float | None) -> None:
    case = toy(seed)

    def limits(drafts: Tokens) -> tuple[int, int]:
        assert case.first_illegal(drafts) == SLOTS
        return (case.admitted(drafts, threshold),) * 2

    assert bias(case, case.masked_drafter, limits) < EXACT


@both_rules
def test_a_plain_trim_of_a_sampled_draft_is_biased(threshold: float | None) -> None:
    found = [bias(case, case.drafter, trimmed(case, threshold)) for case in map(toy, range(12))]
    assert sum(found) / len(found) > 0.01
    assert max(found) > 0.05


def test_a_plain_trim_of_a_deterministic_draft_is_exact() -> None:
    for case in map(toy, range(6)):
        one_hot = {prefix: (law == law.max()).to(law) for prefix, law in case.drafter.items()}
        assert bias(case, one_hot, trimmed(case, None)) < EXACT


def test_masking_the_draft_never_lowers_acceptance() -> None:
    for case in map(toy, range(40)):
        for prefix, p in case.target.items():
            unmasked, with_mask = (torch.minimum(p, q[prefix]).sum() for q in (case.drafter, case.masked_drafter))
            assert with_mask >= unmasked - 1e-15
