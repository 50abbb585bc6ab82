"""One bad request never harms its batch: only it ends with an error, the others get what the plain loop gives.

Catalogue of peers' bugs (design notes, section 13): rows 9 (all zeros) and 15 (a committed token that the grammar
refuses: request-local, never an assertion in the batch).
"""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from deepinfer_engine.errors import ConstraintError, DeadEndError
from deepinfer_engine.model.transformer import Transformer
from deepinfer_engine.request import SamplingParams
from tests.engine.mixes import FIRST, VOCABULARY, Case, Plain, Result, engine_of, random_case, run, small_model
from tests.toys import ToyConstraint

CASES = [random_case(seed) for seed in range(300, 304)]
WIDE = [dict.fromkeys(range(FIRST, VOCABULARY), 0)]


class Broken(ToyConstraint):
    """Allows every ordinary token, until something goes wrong when `limit` tokens are accepted."""

    def __init__(self, limit: int) -> None:
        super().__init__(WIDE)
        self.limit = limit

    @property
    def late(self) -> bool:
        return len(self.trail) - 1 >= self.limit


class NoLegalToken(Broken):
    def fill(self, row: Tensor) -> None:
        super().fill(row)
        if self.late:
            row.zero_()


class RefusesItsOwn(Broken):
    def accept(self, token: int) -> bool:
        return not self.late and super().accept(token)


class RaisesInFill(Broken):
    def fill(self, row: Tensor) -> None:
        if self.late:
            row.zero_()
            raise LookupError("no mask")
        super().fill(row)


class RaisesInAccept(Broken):
    def accept(self, token: int) -> bool:
        if self.late:
            raise LookupError("no token")
        return super().accept(token)


class RaisesInTerminated(Broken):
    @property
    def terminated(self) -> bool:
        if "limit" in self.__dict__ and self.late:
            raise LookupError("no state")
        return False


class RaisesInRollback(Broken):
    def rollback(self, count: int) -> None:
        if self.late:
            raise LookupError("no way back")
        super().rollback(count)


KINDS: dict[type[Broken], type[Exception]] = {
    NoLegalToken: DeadEndError,
    RefusesItsOwn: ConstraintError,
    RaisesInFill: ConstraintError,
    RaisesInAccept: ConstraintError,
    RaisesInTerminated: ConstraintError,
}
SAMPLINGS = {
    "greedy": SamplingParams(),
    "sampled": SamplingParams(temperature=1.0, seed=3),
    "rejection": SamplingParams(temperature=1.0, seed=3, verification="rejection"),
}
FREE = {
    sampling: Case(prompt=(9, 12), max_tokens=12, sampling=sampling, grammar=lambda: ToyConstraint(WIDE))
    for sampling in SAMPLINGS.values()
}


def run_beside(small: Transformer, plain: Plain, bad: Case, **limits: object) -> Result:
    """Run `bad` in the middle of good requests, hold these to the plain loop, and return what it got."""
    cases = [*CASES[:2], bad, *CASES[2:]]
    results = run(engine_of(small, **limits), (case.request(n) for n, case in enumerate(cases)))
    for number, case in enumerate(cases):
        if case is not bad:
            assert results[number].tokens == plain(case)
            assert results[number].error is None
    return results[2]


def broken(kind: Callable[[int], Broken], limit: int, sampling: SamplingParams) -> Case:
    return Case(prompt=(9, 12), max_tokens=12, sampling=sampling, grammar=lambda: kind(limit))


@pytest.mark.parametrize("limits", [{}, {"mask_drafts": False}, {"max_draft": 0}], ids=["masked", "unmasked", "off"])
@pytest.mark.parametrize("sampling", SAMPLINGS.values(), ids=SAMPLINGS)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_bad_constraint_ends_its_own_request(
    small: Transformer, plain: Plain, kind: type[Broken], sampling: SamplingParams, limits: dict[str, object]
) -> None:
    """It ends exactly where it goes wrong, with drafts as without, and keeps the tokens before."""
    plain_free = plain(FREE[sampling])
    # `terminated` is asked behind each token (and when the request is made), so it goes wrong one token earlier.
    early = kind is RaisesInTerminated
    for limit in (int(early), 3):
        result = run_beside(small, plain, broken(kind, limit, sampling), **limits)
        assert result.finish == "error"
        assert type(result.error) is KINDS[kind]
        kept = limit - early
        assert len(result.tokens) == kept
        if not sampling.rejects:
            assert result.tokens == plain_free[:kept]


@pytest.mark.parametrize("sampling", SAMPLINGS.values(), ids=SAMPLINGS)
def test_what_the_constraint_raised_is_the_cause(small: Transformer, plain: Plain, sampling: SamplingParams) -> None:
    for kind in (RaisesInFill, RaisesInAccept, RaisesInTerminated):
        error = run_beside(small, plain, broken(kind, 2, sampling)).error
        assert error is not None
        assert isinstance(error.__cause__, LookupError)
        assert str(error.__cause__) in str(error)


@pytest.mark.parametrize("limits", [{}, {"mask_drafts": False}], ids=["masked", "unmasked"])
def test_a_constraint_that_cannot_go_back(small: Transformer, plain: Plain, limits: dict[str, object]) -> None:
    """Its state is lost with the trial, so its request ends; without drafts it never has to go back."""
    case = broken(RaisesInRollback, 3, SamplingParams())
    result = run_beside(small, plain, case, **limits)
    assert isinstance(result.error, ConstraintError)
    assert isinstance(result.error.__cause__, LookupError)
    assert len(result.tokens) < 12
    assert run_beside(small, plain, case, max_draft=0).finish == "length"


def test_a_constraint_that_has_ended_before_it_begins(small: Transformer, plain: Plain) -> None:
    def over() -> ToyConstraint:
        constraint = ToyConstraint([{}], frozenset({0}))
        assert constraint.accept(1)
        return constraint

    result = run_beside(small, plain, Case(prompt=(9,), max_tokens=5, grammar=over))
    assert (result.finish, result.tokens) == ("error", [])
    assert isinstance(result.error, ConstraintError)


def test_looking_ahead_at_a_fault_is_harmless(small: Transformer, plain: Plain) -> None:
    """A constraint that would fail behind `max_tokens` never does, though drafts walk up to that point."""
    cases = [broken(kind, 12 + (kind is RaisesInTerminated), SamplingParams()) for kind in KINDS]
    for masked in (True, False):
        engine = engine_of(small, mask_drafts=masked)
        results = run(engine, (case.request(n) for n, case in enumerate(cases)))
        for result in results.values():
            assert result.tokens == plain(FREE[SAMPLINGS["greedy"]])
            assert (result.finish, result.error) == ("length", None)


@pytest.mark.parametrize("max_draft", [0, 5])
def test_a_poisoned_token_harms_its_own_request(plain: Plain, max_draft: int) -> None:
    """A token whose embedding is not a number makes its own request end, whatever pages it leaves behind."""
    model = small_model()
    poison = 3
    model.embed.weight[poison] = torch.nan
    reference = Plain(model)
    for sampling in (SamplingParams(), SamplingParams(temperature=1.0)):
        bad = Case(prompt=(9, poison, 12), max_tokens=5, sampling=sampling, stop_tokens=())
        cases = [
            Case(prompt=(9,) * n, max_tokens=8, sampling=sampling, grammar=lambda: ToyConstraint(WIDE))
            for n in (1, 5, 30)
        ]
        mixed = [cases[0], bad, cases[1], bad, cases[2], *cases]
        engine = engine_of(model, max_batch=3, max_draft=max_draft, page_tokens=8)
        results = run(engine, (case.request(n) for n, case in enumerate(mixed)))
        for number, case in enumerate(mixed):
            if case is bad:
                assert isinstance(results[number].error, DeadEndError)
            else:
                assert results[number].tokens == reference(case)
