"""Where a request ends: end of sequence, stop token, length and end of grammar, at every slot of a verification.

Catalogue of peers' bugs (design notes, section 13): rows 3 and 4 in the form that the engine knows, a grammar's state
that changes at each slot (`test_the_end_at_every_slot`, `test_a_turn_of_the_grammar_at_every_slot`); row 10, filling a
terminated matcher (the same tests: the toy's `fill` refuses it); row 9, all zeros (`test_a_row_is_never_all_zeros`).
"""

import random
from functools import partial

import pytest
import torch
from torch import Tensor

from deepinfer_engine.model.transformer import Transformer
from deepinfer_engine.request import Request, SamplingParams
from deepinfer_engine.sampling import process as sampling
from tests.engine.mixes import Case, Plain, allowing, assert_as_plain, chain, engine_of, run
from tests.engine.scripted import Guess
from tests.toys import EOS, ToyConstraint

PARAMS = [SamplingParams(), SamplingParams(temperature=1.0, seed=8)]


@pytest.mark.parametrize("masked", [True, False])
@pytest.mark.parametrize("params", PARAMS, ids=["greedy", "sampled"])
@pytest.mark.parametrize("length", range(8))
def test_the_end_at_every_slot(
    small: Transformer, plain: Plain, length: int, params: SamplingParams, masked: bool
) -> None:
    """A forced chain of `length` tokens: every masked draft stands, so its end falls on each slot in turn."""
    case = Case(prompt=(9, 10, 11), max_tokens=20, sampling=params, grammar=lambda: chain(range(20, 20 + length)))
    result = run(engine_of(small, mask_drafts=masked), [case.request(0)])[0]
    assert_as_plain(plain, [case], {0: result})
    assert result.tokens == [*range(20, 20 + length), EOS]
    if masked:
        # The prompt's own step yields one token, every later one five drafts and the token behind them.
        assert [len(step) for step in result.steps] == [
            1,
            *([6] * (length // 6)),
            *([length % 6] if length % 6 else []),
        ]


@pytest.mark.parametrize("turn", range(1, 8))
def test_a_turn_of_the_grammar_at_every_slot(small: Transformer, plain: Plain, turn: int) -> None:
    """Two legal sets without a common token; the second begins behind `turn` tokens, inside the accepted drafts."""
    sets = [range(6, 20)] * turn + [range(30, 45)] * (10 - turn)
    cases = [Case(prompt=(9, 8), max_tokens=20, sampling=p, grammar=lambda: allowing(sets)) for p in PARAMS]
    engine = engine_of(small)
    engine._drafter = Guess(engine, {n: plain(case) for n, case in enumerate(cases)})
    results = run(engine, (case.request(n) for n, case in enumerate(cases)))
    assert_as_plain(plain, cases, results)
    assert all(len(result.steps) == 3 for result in results.values())  # 1, 6 and 4 tokens


@pytest.mark.parametrize("most", range(1, 14))
def test_length_inside_accepted_drafts(small: Transformer, plain: Plain, most: int) -> None:
    """`max_tokens` cuts a chain anywhere: no token beyond, none drafted that could not be kept."""
    case = Case(prompt=(9, 8), max_tokens=most, grammar=lambda: chain(range(20, 50)))
    result = run(engine_of(small), [case.request(0)])[0]
    assert_as_plain(plain, [case], {0: result})
    assert (result.finish, len(result.tokens)) == ("length", most)
    assert result.usage.drafted == result.usage.accepted == most - 1 - result.usage.verifications


@pytest.mark.parametrize("place", range(1, 8))
def test_a_stop_token_inside_accepted_drafts(small: Transformer, plain: Plain, place: int) -> None:
    """A stop token in the middle of a right draft ends the request there: the drafts behind it are dropped."""
    free = Case(prompt=(9, 8), max_tokens=12, sampling=SamplingParams(temperature=1.0, seed=21), stop_tokens=())
    answer = plain(free)
    case = Case(prompt=(9, 8), max_tokens=12, sampling=free.sampling, stop_tokens=(answer[place],))
    engine = engine_of(small)
    engine._drafter = Guess(engine, {0: answer})
    result = run(engine, [case.request(0)])[0]
    assert_as_plain(plain, [case], {0: result})
    assert result.tokens == answer[: answer.index(answer[place]) + 1]
    assert result.usage.accepted <= result.usage.output_tokens - 1


def test_the_constraint_ends_where_the_output_ends(small: Transformer) -> None:
    """After the run each constraint stands behind exactly the emitted tokens: nothing of a trial is left in it."""
    for most in (4, 9, 20):
        constraint = allowing([range(6, 9)] * 10)
        request = Request(request_id=0, prompt=(9,), max_tokens=most, sampling=PARAMS[1], constraint=constraint)
        result = run(engine_of(small), [request])[0]
        assert constraint.terminated == (result.finish == "stop")
        assert len(constraint.trail) - 1 + constraint.terminated == len(result.tokens)


@pytest.mark.parametrize("masked", [True, False])
def test_a_grammar_that_ends_without_a_stop_token(small: Transformer, plain: Plain, masked: bool) -> None:
    """No stop tokens at all: the end of the grammar still ends the request, and `fill` is not called behind it."""
    case = Case(prompt=(9,), max_tokens=30, stop_tokens=(), grammar=lambda: chain(range(20, 28)))
    result = run(engine_of(small, mask_drafts=masked), [case.request(0)])[0]
    assert_as_plain(plain, [case], {0: result})
    assert (result.finish, result.tokens[-1]) == ("stop", EOS)


class Watched(ToyConstraint):
    """Checks each row it fills, and that it is asked and moved only where it may be."""

    def fill(self, row: Tensor) -> None:
        super().fill(row)
        assert bool((row != 0).any())

    def accept(self, token: int) -> bool:
        assert not self.ended, "accept behind the end"
        return super().accept(token)


@pytest.mark.parametrize("masked", [True, False])
def test_a_row_is_never_all_zeros(small: Transformer, masked: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the sampler gets for constrained requests has a legal token in every live row, terminated ones included."""
    process = sampling.process

    def watched(logits: Tensor, *args: object, mask_rows: Tensor | None = None, **more: object) -> object:
        assert mask_rows is not None
        assert bool((mask_rows != 0).any(-1).all())
        law = process(logits, *args, mask_rows=mask_rows, **more)  # type: ignore[arg-type]
        assert not bool(law.dead.any())
        assert not bool(torch.isnan(law.scores).any())
        return law

    monkeypatch.setattr("deepinfer_engine.step.process", watched)
    if masked:
        monkeypatch.setattr("deepinfer_engine.speculative.drafter.process", watched)
    cases = []
    for length in range(9):
        sets = [range(20, 20 + random.Random(length).randrange(1, 4))] * length
        grammar = partial(Watched, allowing(sets).edges, frozenset({length}))
        cases.append(Case(prompt=(9,), max_tokens=20, grammar=grammar))
    results = run(engine_of(small, mask_drafts=masked), (case.request(n) for n, case in enumerate(cases)))
    assert {result.finish for result in results.values()} == {"stop"}
