"""Log-probabilities: those of the law each token was drawn from, the same with drafts as without."""

import math
from functools import partial

import pytest
import torch

from deepinfer_engine.model.transformer import Transformer
from deepinfer_engine.request import SamplingParams
from tests.engine.mixes import VOCABULARY, Case, Result, engine_of, random_grammar, run
from tests.engine.test_plain import law_of
from tests.toys import ToyConstraint

PARAMS = [
    SamplingParams(logprobs=4),
    SamplingParams(logprobs=1, repetition_penalty=1.4),
    SamplingParams(logprobs=4, temperature=1.0, seed=3),
    SamplingParams(logprobs=4, temperature=0.6, top_k=6, min_p=0.01, repetition_penalty=1.2, seed=4),
    SamplingParams(logprobs=4, temperature=1.0, top_p=0.8, seed=5),
    SamplingParams(logprobs=1000, temperature=1.0, seed=6),
]
GRAMMARS = [2, 3, 11, None]
CASES = [
    Case(
        prompt=(9, 20),
        max_tokens=7,
        sampling=params,
        grammar=None if seed is None else partial(random_grammar, seed),
    )
    for params in PARAMS
    for seed in GRAMMARS
]


def results(small: Transformer, **limits: object) -> list[Result]:
    outputs = run(engine_of(small, max_batch=24, **limits), (case.request(n) for n, case in enumerate(CASES)))
    return [outputs[n] for n in range(len(CASES))]


@pytest.fixture(scope="module")
def drafted(small: Transformer) -> list[Result]:
    return results(small)


def test_they_are_those_of_the_masked_law(small: Transformer, drafted: list[Result]) -> None:
    for case, result in zip(CASES, drafted, strict=True):
        tokens = list(case.prompt)
        cursor: ToyConstraint | None = case.grammar() if case.grammar else None
        assert [row.token for row in result.logprobs] == result.tokens
        for row in result.logprobs:
            law = law_of(small, case, tokens, cursor.legal() if cursor else list(range(VOCABULARY)))
            assert math.isclose(row.logprob, law[row.token], abs_tol=1e-9)
            best = sorted(law, key=lambda t: (-law[t], t))
            shown = [(t, p) for t, p in row.top if p > -math.inf]
            assert [t for t, _ in shown] == best[: case.sampling.logprobs]
            assert len(row.top) == min(case.sampling.logprobs, VOCABULARY)
            for token, value in shown:
                assert math.isclose(value, law[token], abs_tol=1e-9)
            tokens.append(row.token)
            if cursor is not None:
                cursor.accept(row.token)


@pytest.mark.parametrize("limits", [{"max_draft": 0}, {"mask_drafts": False}, {"max_draft": 2, "prefill_tokens": 1}])
def test_they_do_not_depend_on_drafts(small: Transformer, drafted: list[Result], limits: dict[str, object]) -> None:
    assert sum(result.usage.accepted for result in drafted) > 10
    for one, other in zip(drafted, results(small, **limits), strict=True):
        assert one.tokens == other.tokens
        values = [
            [row.logprob for row in r.logprobs] + [p for row in r.logprobs for _, p in row.top] for r in (one, other)
        ]
        assert [row.top[0][0] for row in one.logprobs] == [row.top[0][0] for row in other.logprobs]
        torch.testing.assert_close(torch.tensor(values[0]), torch.tensor(values[1]), atol=1e-9, rtol=0)


def test_rejected_drafts_leave_no_row(small: Transformer) -> None:
    """Rejection sampling reports a row a token, too."""
    params = SamplingParams(logprobs=2, temperature=1.0, seed=9, verification="rejection")
    case = Case(prompt=(9,), max_tokens=15, sampling=params, grammar=lambda: random_grammar(2))
    result = run(engine_of(small), [case.request(0)])[0]
    assert [row.token for row in result.logprobs] == result.tokens


def test_nothing_is_reported_unless_asked(small: Transformer) -> None:
    engine = engine_of(small)
    engine.submit(Case(prompt=(9,), max_tokens=3).request(0))
    assert all(output.logprobs is None for output in engine.step())
