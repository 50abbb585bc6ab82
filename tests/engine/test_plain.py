"""The plain loop, the specification: each token against a law computed from scratch, without the sampler's code."""

import math

import pytest
import torch

from deepinfer_engine.model.transformer import Transformer
from deepinfer_engine.plain import generate
from deepinfer_engine.request import SamplingParams
from deepinfer_engine.sampling.noise import gumbel
from tests.engine.mixes import VOCABULARY, Case, allowing, chain, one_pass
from tests.engine.test_faults import NoLegalToken, RefusesItsOwn
from tests.toys import EOS, toy_constraint


def law_of(model: Transformer, case: Case, tokens: list[int], legal: list[int]) -> dict[int, float]:
    """Log-probabilities by token, by the words of the documentation: penalty, mask, temperature, truncations."""
    params = case.sampling
    logits = one_pass(model, tokens).tolist()
    for token in set(tokens):
        score = logits[token]
        logits[token] = score / params.repetition_penalty if score > 0 else score * params.repetition_penalty
    scores = {t: logits[t] for t in legal}
    if not params.greedy:
        scores = {t: score / params.temperature for t, score in scores.items()}
        best = max(scores.values())
        scores = {t: s for t, s in scores.items() if not params.min_p or s >= best + math.log(params.min_p)}
        ranked = sorted(scores, key=lambda t: (-scores[t], t))[: params.top_k]
        total = sum(math.exp(scores[t] - best) for t in ranked)
        head, mass = [], 0.0
        for token in ranked:
            if mass >= params.top_p:
                break
            head.append(token)
            mass += math.exp(scores[token] - best) / total
        scores = {t: scores[t] for t in head}
    whole = math.log(sum(math.exp(score) for score in scores.values()))
    return {t: score - whole for t, score in scores.items()}


PARAMS = [
    SamplingParams(),
    SamplingParams(repetition_penalty=1.5),
    SamplingParams(temperature=1.0, seed=4),
    SamplingParams(temperature=0.7, top_k=4, seed=5),
    SamplingParams(temperature=1.3, top_p=0.7, seed=6),
    SamplingParams(temperature=2.0, min_p=0.2, seed=7),
    SamplingParams(temperature=1.1, top_k=9, top_p=0.8, min_p=0.02, repetition_penalty=0.7, seed=8),
]


@pytest.mark.parametrize("params", PARAMS)
@pytest.mark.parametrize("constrained", [True, False])
def test_each_token_is_the_winner_of_its_law(small: Transformer, params: SamplingParams, constrained: bool) -> None:
    grammar = (lambda: toy_constraint(2)) if constrained else None
    case = Case(prompt=(9, 9, 30), max_tokens=8, sampling=params, grammar=grammar)
    tokens, cursor = list(case.prompt), toy_constraint(2)
    for token in generate(small, case.request(0)):
        law = law_of(small, case, tokens, cursor.legal() if constrained else list(range(VOCABULARY)))
        noise = gumbel(torch.tensor([params.seed]), torch.tensor([len(tokens)]), VOCABULARY, torch.float64)[0].tolist()
        score = {t: value + (0 if params.greedy else noise[t]) for t, value in law.items()}
        assert token == max(sorted(score), key=score.__getitem__)
        tokens.append(token)
        cursor.accept(token)


def test_it_ends_at_a_stop_token_the_end_of_the_grammar_or_the_length(small: Transformer) -> None:
    case = Case(prompt=(9,), max_tokens=9, grammar=lambda: chain([20, 21]), stop_tokens=())
    assert generate(small, case.request(0)) == [20, 21, EOS]
    case = Case(prompt=(9,), max_tokens=9, grammar=lambda: chain([20, 21, 22]), stop_tokens=(21,))
    assert generate(small, case.request(0)) == [20, 21]
    case = Case(prompt=(9,), max_tokens=2, grammar=lambda: allowing([[20], [21], [22]]))
    assert generate(small, case.request(0)) == [20, 21]


def test_the_constraint_is_left_behind_the_output(small: Transformer) -> None:
    constraint = toy_constraint(4)
    request = Case(prompt=(9,), max_tokens=3, grammar=lambda: constraint).request(0)
    assert len(generate(small, request)) == len(constraint.trail) - 1 == 3


@pytest.mark.parametrize(("kind", "message"), [(NoLegalToken, "no legal token"), (RefusesItsOwn, "refused")])
def test_a_bad_constraint_is_an_error(small: Transformer, kind: type, message: str) -> None:
    with pytest.raises(RuntimeError, match=message):
        generate(small, Case(prompt=(9,), max_tokens=5, grammar=lambda: kind(2)).request(0))
