"""Rejection sampling is exact under every rule that looks only backwards; a rule that does not is caught."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import pytest
import torch

from deepinfer_engine.speculative.admission import admit_all, admit_budget, admit_scheduled, admit_threshold
from tests.exactness.enumeration import (
    EXACT,
    Limits,
    Table,
    Tokens,
    prefixes,
    random_confidences,
    random_laws,
    sequence_law,
    sequences,
    speculative_law,
    total_variation,
)

VOCABULARY, SLOTS = 3, 3
SECONDS = torch.tensor([0.0, 1.0, 1.4, 1.5, 2.2], dtype=torch.float64)
# A step up, then flat: an argmax over the whole block looks past it.
BENDS = torch.tensor([0.0, 1.0, 1.9, 2.0, 2.1], dtype=torch.float64)

SEEDS = range(4)
DRAFTS = list(sequences(VOCABULARY, SLOTS))

Rule: TypeAlias = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]

BACKWARD_RULES: dict[str, Rule] = {
    "none": lambda c, n: admit_budget(c, n, budget=0),
    "all": admit_all,
    "threshold": lambda c, n: admit_threshold(c, n, threshold=0.45),
    "budget": lambda c, n: admit_budget(c, n, budget=2),
    "scheduled": lambda c, n: admit_scheduled(c, n, seconds=SECONDS),
    "scheduled, bent": lambda c, n: admit_scheduled(c, n, seconds=BENDS),
}


@dataclass(frozen=True, kw_only=True)
class Toy:
    """Random target, drafter and confidences; the latter high enough that some blocks are worth feeding."""

    target: Table
    drafter: Table
    confidences: dict[Tokens, float]

    @classmethod
    def of(cls, seed: int) -> "Toy":
        generator = torch.Generator().manual_seed(seed)
        target, drafter = (random_laws(VOCABULARY, SLOTS, generator) for _ in range(2))
        confidences = random_confidences(VOCABULARY, SLOTS, generator)
        confidences[()] = max(confidences[()], 0.95)
        return cls(target=target, drafter=drafter, confidences=confidences)


def by_rule(rule: Rule, confidences: dict[Tokens, float], slots: int) -> Limits:
    """Apply a rule to the confidences along a draft, each a function of the tokens before its slot."""

    def limits(drafts: Tokens) -> tuple[int, int]:
        row = torch.tensor([[confidences[drafts[:k]] for k in range(slots)]], dtype=torch.float64)
        length = int(rule(row, torch.tensor([slots])))
        return length, length

    return limits


def bias(target: Table, drafter: Table, limits: Limits) -> float:
    law = speculative_law(target, drafter, VOCABULARY, SLOTS, limits)
    assert sum(law.values()) == pytest.approx(1.0, abs=1e-12)
    return total_variation(law, sequence_law(target, VOCABULARY, SLOTS + 1))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", BACKWARD_RULES)
def test_backward_looking_rules_are_exact(name: str, seed: int) -> None:
    toy = Toy.of(seed)
    assert bias(toy.target, toy.drafter, by_rule(BACKWARD_RULES[name], toy.confidences, SLOTS)) < EXACT


@pytest.mark.parametrize("name", ["threshold", "scheduled", "scheduled, bent"])
def test_the_rules_of_this_file_do_vary_the_length(name: str) -> None:
    """Within one toy: a length that is the same for every draft would prove nothing."""
    kinds = [
        len({by_rule(BACKWARD_RULES[name], toy.confidences, SLOTS)(x) for x in DRAFTS}) for toy in map(Toy.of, SEEDS)
    ]
    assert max(kinds) > 1


def test_the_probability_of_the_token_just_drawn_is_not_a_confidence() -> None:
    """The wrong rule must fail, or the tests above could not."""
    found = []
    for seed in range(5):
        generator = torch.Generator().manual_seed(seed)
        target, drafter = (random_laws(VOCABULARY, SLOTS, generator) for _ in range(2))

        def anticipating(drafts: Tokens, drafter: Table = drafter) -> tuple[int, int]:
            row = torch.tensor([[float(drafter[drafts[:k]][drafts[k]]) for k in range(SLOTS)]], dtype=torch.float64)
            length = int(admit_threshold(row, torch.tensor([SLOTS]), threshold=0.4))
            return length, length

        found.append(bias(target, drafter, anticipating))
    assert min(found) > 0.01


def test_a_live_argmax_over_the_whole_block_is_biased() -> None:
    """It keeps or drops early slots by confidences that were computed from their tokens."""
    found = []
    for seed in range(10):
        generator = torch.Generator().manual_seed(seed)
        target, drafter = (random_laws(VOCABULARY, SLOTS, generator) for _ in range(2))
        confidences = {prefix: c**0.3 for prefix, c in random_confidences(VOCABULARY, SLOTS, generator).items()}

        def argmax(drafts: Tokens, confidences: dict[Tokens, float] = confidences) -> tuple[int, int]:
            row = torch.tensor([confidences[drafts[:k]] for k in range(SLOTS)], dtype=torch.float64)
            rates = (1 + torch.cat([torch.zeros(1), row.cumprod(0).cumsum(0)])) / BENDS[1:]
            return int(rates.argmax()), int(rates.argmax())

        found.append(bias(target, drafter, argmax))
    assert max(found) > 0.01


def test_a_deterministic_draft_allows_any_rule() -> None:
    for seed in range(4):
        generator = torch.Generator().manual_seed(seed)
        target = random_laws(VOCABULARY, SLOTS, generator)
        drafter = {
            prefix: (law == law.max()).to(law) for prefix, law in random_laws(VOCABULARY, SLOTS, generator).items()
        }
        assert bias(target, drafter, lambda drafts: (sum(drafts) % 4, sum(drafts) % 4)) < EXACT


def test_equal_laws_accept_everything() -> None:
    target = random_laws(VOCABULARY, SLOTS, torch.Generator().manual_seed(3))
    assert bias(target, target, lambda _: (SLOTS, SLOTS)) < EXACT


class TestAppendixA:
    """The paper's counterexample: looking at what x_1 did to the second confidence turns P(A) = 0.7 into 0.85."""

    A, B = 0, 1
    target = dict.fromkeys(prefixes(2, 2), torch.tensor([0.7, 0.3], dtype=torch.float64))
    drafter = dict.fromkeys(prefixes(2, 1), torch.tensor([0.5, 0.5], dtype=torch.float64))
    seconds = torch.tensor([0.0, 1.0, 1 / 0.5, 1 / 0.45], dtype=torch.float64)

    def confidences(self, drafts: Tokens) -> torch.Tensor:
        return torch.tensor([[0.8, 0.9 if drafts[0] == self.A else 0.0]], dtype=torch.float64)

    def chance_of_a(self, limits: Limits) -> float:
        law = speculative_law(self.target, self.drafter, 2, 2, limits)
        return sum(chance for tokens, chance in law.items() if tokens[0] == self.A)

    def test_the_scheduler_admits_nothing_and_is_exact(self) -> None:
        def scheduled(drafts: Tokens) -> tuple[int, int]:
            length = int(admit_scheduled(self.confidences(drafts), torch.tensor([2]), seconds=self.seconds))
            assert length == 0
            return length, length

        assert self.chance_of_a(scheduled) == pytest.approx(0.7, abs=EXACT)

    def test_the_retrospective_argmax_is_biased(self) -> None:
        def retrospective(drafts: Tokens) -> tuple[int, int]:
            tokens = 1 + torch.cat([torch.zeros(1), self.confidences(drafts)[0].cumprod(0).cumsum(0)])
            length = int((tokens / self.seconds[1:]).argmax())
            assert length == (2 if drafts[0] == self.A else 0)
            return length, length

        assert self.chance_of_a(retrospective) == pytest.approx(0.85, abs=EXACT)
