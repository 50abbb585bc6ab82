"""Drafting on equals drafting off equals the plain loop, token for token in float64, whatever shares the batch.

Peers' bugs that these tests would have caught, by their rows in the catalogue of the design notes (section 13); the
other rows that apply are in `test_ends`, `test_faults`, `test_counters` and `tests/exactness/test_engine_law`.

| row | bug | test |
| --- | --- | --- |
| 6 | another request's mask | `test_any_mix_in_any_order`, `test_any_drafter_and_any_admission` |
| 7, 12 | no mask on some row of the speculative path | `test_every_output_conforms` |
| 8 | drafter unguided: desynchronised grammar | `test_every_draft_length` with `mask_drafts=False` |
| 13 | greedy differs from non-speculative | `test_every_draft_length` |
| 14 | worse with depth: state of the verifier | `test_long_outputs_at_all_depths` |
| 22 | adaptive admission | `test_admission_by_a_cost_table` |
| 23 | greedy draft taken for a sampled one | `test_any_drafter_and_any_admission` (T > 0) |
"""

import dataclasses
import random
from functools import partial

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from deepinfer_engine.config import QuantisationPoints
from deepinfer_engine.model.transformer import Transformer
from deepinfer_engine.request import SamplingParams
from deepinfer_engine.sampling.process import unpack_mask
from tests.engine.mixes import (
    VOCABULARY,
    Case,
    Plain,
    allowing,
    assert_as_plain,
    engine_of,
    random_case,
    random_grammar,
    run,
)
from tests.engine.scripted import Guess
from tests.toys import EOS, toy_constraint, toy_model, toy_tokens

CASES = [random_case(seed) for seed in range(32)]


@pytest.mark.parametrize("masked", [True, False])
@pytest.mark.parametrize("max_draft", range(6))
def test_every_draft_length(small: Transformer, plain: Plain, max_draft: int, masked: bool) -> None:
    engine = engine_of(small, max_draft=max_draft, mask_drafts=masked)
    results = run(engine, (case.request(number) for number, case in enumerate(CASES)))
    assert_as_plain(plain, CASES, results)
    assert (sum(r.usage.accepted for r in results.values()) > 0) == (max_draft > 0)


@pytest.mark.parametrize("threshold", [None, 0.05, 0.3, 0.5, 1.1])
def test_every_threshold(small: Transformer, plain: Plain, threshold: float | None) -> None:
    engine = engine_of(small, draft_threshold=threshold)
    assert_as_plain(plain, CASES, run(engine, (case.request(number) for number, case in enumerate(CASES))))


@pytest.mark.parametrize("rows", [1, 12, 40])
def test_admission_by_a_cost_table(small: Transformer, plain: Plain, rows: int) -> None:
    """A step with more rows than the table admits no drafts; it does not fail."""
    table = tuple(1.0 + 0.02 * row + 0.3 * (row // 8) for row in range(rows))
    engine = engine_of(small, step_seconds=table)
    results = run(engine, (case.request(number) for number, case in enumerate(CASES)))
    assert_as_plain(plain, CASES, results)
    assert (sum(r.usage.drafted for r in results.values()) > 0) == (rows > 1)


@given(st.data())
@settings(max_examples=8)
def test_any_mix_in_any_order(small: Transformer, plain: Plain, data: st.DataObject) -> None:
    cases = data.draw(st.lists(st.sampled_from(CASES), min_size=1, max_size=8))
    engine = engine_of(
        small,
        max_draft=data.draw(st.integers(0, 5)),
        draft_threshold=data.draw(st.sampled_from([None, 0.0, 0.3])),
        mask_drafts=data.draw(st.booleans()),
        max_batch=data.draw(st.integers(1, 6)),
        prefill_tokens=data.draw(st.sampled_from([3, 7, 64])),
        page_tokens=data.draw(st.sampled_from([2, 4, 16, 64])),
    )
    order = data.draw(st.permutations(range(len(cases))))
    assert_as_plain(plain, cases, run(engine, (cases[number].request(number) for number in order)))


@given(st.randoms(use_true_random=False), st.sampled_from([0.0, 0.2, 0.6, 1.0]), st.integers(1, 5))
@settings(max_examples=10)
def test_any_drafter_and_any_admission(
    small: Transformer, plain: Plain, rng: random.Random, errors: float, max_draft: int
) -> None:
    """Drafts made from the answer with errors, cut at random: deep acceptances and rejections at every slot."""
    cases = rng.sample(CASES, 8)
    engine = engine_of(small, max_draft=max_draft)
    engine._drafter = Guess(engine, {n: plain(case) for n, case in enumerate(cases)}, errors=errors, rng=rng)
    results = run(engine, (case.request(number) for number, case in enumerate(cases)))
    assert_as_plain(plain, cases, results)
    if errors == 0:
        assert all(r.usage.accepted == r.usage.drafted for r in results.values())


def test_long_outputs_at_all_depths(small: Transformer, plain: Plain) -> None:
    """Text far beyond the window, with and without a grammar, at every depth of acceptance and rejection."""
    wide = [SamplingParams(), SamplingParams(temperature=1.0, seed=5), SamplingParams(temperature=0.5, top_p=0.9)]
    cases = [Case(prompt=(7, 8, 9), max_tokens=40, sampling=params, stop_tokens=()) for params in wide]
    cases += [dataclasses.replace(cases[1], grammar=lambda: toy_constraint(14))]
    for errors in (0.0, 0.15):
        engine = engine_of(small)
        rng = random.Random(3)
        engine._drafter = Guess(engine, {n: plain(case) for n, case in enumerate(cases)}, errors=errors, rng=rng)
        assert_as_plain(plain, cases, run(engine, (case.request(n) for n, case in enumerate(cases))))


@pytest.mark.parametrize("penalty", [5.0, 0.2])
@pytest.mark.parametrize("temperature", [0.0, 0.5])
def test_a_penalty_counts_the_drafts_before_each_row(
    small: Transformer, plain: Plain, penalty: float, temperature: float
) -> None:
    """So strong a penalty that a row which forgets a draft chooses another token."""
    cases = [
        Case(
            prompt=(9, 6 + seed),
            max_tokens=14,
            sampling=SamplingParams(temperature=temperature, seed=seed, repetition_penalty=penalty),
            grammar=partial(allowing, [range(20, 23 + seed)] * 20),
        )
        for seed in range(6)
    ]
    engine = engine_of(small)
    engine._drafter = Guess(engine, {n: plain(case) for n, case in enumerate(cases)})
    results = run(engine, (case.request(n) for n, case in enumerate(cases)))
    assert_as_plain(plain, cases, results)
    assert all(r.usage.accepted == r.usage.drafted for r in results.values())
    assert_as_plain(plain, cases, run(engine_of(small), (case.request(n) for n, case in enumerate(cases))))


@pytest.mark.parametrize("quantise", [True, False])
def test_the_whole_toy(quantise: bool) -> None:
    """Nine layers and three stages, with every selection and both storage roundings, instead of the small model."""
    model = toy_model(3, torch.float64)
    model.set_quantisation(points := QuantisationPoints(cache=quantise, linear=quantise))
    prompts = [tuple(toy_tokens(length, length)) for length in (1, 9, 40)]
    cases = [
        Case(prompt=p, max_tokens=8, sampling=params, grammar=grammar)
        for p, params, grammar in zip(
            prompts,
            (SamplingParams(), SamplingParams(temperature=0.7, seed=4), SamplingParams(repetition_penalty=1.4)),
            (lambda: toy_constraint(3), lambda: toy_constraint(2), None),
            strict=True,
        )
    ]
    reference = Plain(model)
    for limits in ({}, {"mask_drafts": False, "prefill_tokens": 7}, {"max_draft": 0}):
        engine = engine_of(model, quantisation=points, **limits)
        assert_as_plain(reference, cases, run(engine, (case.request(n) for n, case in enumerate(cases))))


@pytest.mark.parametrize("verification", ["match", "rejection"])
@pytest.mark.parametrize("masked", [True, False])
def test_every_output_conforms(small: Transformer, verification: str, masked: bool) -> None:
    """Each token is one that its grammar allowed, and the grammar ends where it says so."""
    cases = []
    for seed in range(24):
        params = SamplingParams(temperature=1.5, seed=seed, verification=verification)  # type: ignore[arg-type]
        cases.append(Case(prompt=(6 + seed,), max_tokens=20, sampling=params, grammar=partial(random_grammar, seed)))
    results = run(engine_of(small, mask_drafts=masked), (case.request(n) for n, case in enumerate(cases)))
    for number, case in enumerate(cases):
        assert case.grammar is not None
        cursor, row = case.grammar(), torch.empty(2, dtype=torch.int32)
        for token in results[number].tokens:
            cursor.fill(row)
            assert bool(unpack_mask(row[None], VOCABULARY)[0, token])
            assert cursor.accept(token)
        assert cursor.terminated == (results[number].finish == "stop")
        assert EOS not in results[number].tokens[:-1]
    assert sum(r.usage.accepted for r in results.values()) > 20


def test_a_mask_that_never_binds_changes_nothing(small: Transformer) -> None:
    """Where the free output happens to be legal, the constrained output at the same seed is the free one."""
    settings = ((0.0, 1.0), (1.0, 1.2), (1.0, 1.0), (0.5, 1.0))
    params = [SamplingParams(temperature=t, seed=3, repetition_penalty=penalty) for t, penalty in settings]
    free = [Case(prompt=(9, 10), max_tokens=10, sampling=p, stop_tokens=()) for p in params]
    outputs = run(engine_of(small), (case.request(n) for n, case in enumerate(free)))
    for number, case in enumerate(free):
        legal = [{token, 6, 47} for token in outputs[number].tokens]
        bound = dataclasses.replace(case, grammar=partial(allowing, legal))
        result = run(engine_of(small), [bound.request(number)])[number]
        assert result.tokens == outputs[number].tokens
