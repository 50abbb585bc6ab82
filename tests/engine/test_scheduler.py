"""Who runs next: memory is what the formulas say, never more; what does not fit waits; preempted requests resume.

Catalogue of peers' bugs (design notes, section 13): row 11, a grammar's state lost when a request moves, is
`test_preemption_at_any_step`; row 5, no budget for drafts, is `test_pages_run_out`.
"""

import random
from functools import partial

import pytest
import torch

from deepinfer_engine.cache.memory import bytes_per_page, bytes_per_slot
from deepinfer_engine.config import EngineConfig
from deepinfer_engine.engine import Engine
from deepinfer_engine.model.transformer import Transformer
from deepinfer_engine.request import RequestId, SamplingParams
from deepinfer_engine.sequence import Sequence
from tests.engine.mixes import Case, Plain, Result, allowing, assert_as_plain, assert_empty, engine_of, random_case, run

CASES = [random_case(seed) for seed in range(200, 210)]
REQUESTS = list(enumerate(CASES))
GROWING = [
    Case(
        prompt=(9, 10 + seed),
        max_tokens=18,
        sampling=SamplingParams(temperature=1.0, seed=seed, repetition_penalty=1.1),
        grammar=partial(allowing, [range(6, 30), range(30, 33)] * 9) if seed % 2 else None,
        stop_tokens=(),
    )
    for seed in range(5)
]


def page_bytes(model: Transformer, page_tokens: int) -> int:
    return bytes_per_page(model.config, EngineConfig(page_tokens=page_tokens), torch.float64)


def watch(engine: Engine) -> None:
    """The invariants of the memory, at any time between steps."""
    pages, memory = engine._backbone.pages, engine._backbone.memory
    held = [page for owned in pages.owned.values() for page in owned]
    assert sorted(held + pages.free_pages) == list(range(memory.pages))
    assert sorted([*pages.owned, *pages.free_slots]) == list(range(engine.config.max_batch))
    running = engine._scheduler.running
    assert {s.slot for s in running} == set(pages.owned)
    assert all(s.slot is None for s in engine._scheduler.waiting)
    for sequence in running:
        assert sequence.slot is not None
        assert len(pages.owned[sequence.slot]) * engine.config.page_tokens >= sequence.processed
    for sequence in (*running, *engine._scheduler.waiting):
        constraint = sequence.request.constraint
        if constraint is not None:
            assert len(constraint.trail) - 1 == sequence.usage.output_tokens  # type: ignore[attr-defined]


@pytest.mark.parametrize("max_batch", [1, 4])
@pytest.mark.parametrize("prefill_tokens", [1, 7, 2048])
def test_batch_and_chunk_sizes(small: Transformer, plain: Plain, max_batch: int, prefill_tokens: int) -> None:
    engine = engine_of(small, max_batch=max_batch, prefill_tokens=prefill_tokens)

    def between(number: int) -> None:
        watch(engine)
        assert len(engine._scheduler.running) <= max_batch

    assert_as_plain(plain, CASES, run(engine, (case.request(n) for n, case in REQUESTS), between))


@pytest.mark.parametrize("page_tokens", [2, 6, 128])
def test_page_sizes(small: Transformer, plain: Plain, page_tokens: int) -> None:
    engine = engine_of(small, page_tokens=page_tokens)
    results = run(engine, (case.request(n) for n, case in REQUESTS), lambda number: watch(engine))
    assert_as_plain(plain, CASES, results)


@pytest.mark.parametrize("seed", range(3))
def test_preemption_at_any_step(small: Transformer, plain: Plain, seed: int) -> None:
    """Requests lose their memory while they wait, prefill or decode, and go on as if nothing had happened."""
    rng = random.Random(seed)
    engine = engine_of(small, max_batch=rng.randrange(2, 7), prefill_tokens=rng.choice([9, 64]))
    taken = 0

    def between(number: int) -> None:
        nonlocal taken
        if rng.random() < 0.3:
            running = [s.request.request_id for s in engine._scheduler.running]
            if running:
                assert engine.preempt(rng.choice(running))
                taken += 1
        watch(engine)

    assert_as_plain(plain, CASES, run(engine, (case.request(n) for n, case in REQUESTS), between))
    assert taken > 2


def test_only_a_running_request_is_preempted(small: Transformer) -> None:
    engine = engine_of(small, max_batch=1)
    for n, case in REQUESTS[:2]:
        engine.submit(case.request(n))
    assert not engine.preempt(0)
    engine.step()
    assert not engine.preempt(1)
    assert not engine.preempt("unknown")


@pytest.mark.parametrize("pages", [7, 13])
@pytest.mark.parametrize("max_draft", [0, 5])
def test_pages_run_out(
    small: Transformer, plain: Plain, pages: int, max_draft: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So few pages that requests wait, push each other out and come back: the oldest always gets on."""
    engine = engine_of(small, page_tokens=4, cache_bytes=pages * page_bytes(small, 4), max_draft=max_draft)
    assert engine._backbone.memory.pages == pages
    pushed: list[int] = []
    preempt = engine._scheduler.preempt

    def noted(sequence: Sequence) -> None:
        pushed.append(sequence.arrival)
        preempt(sequence)

    monkeypatch.setattr(engine._scheduler, "preempt", noted)
    results = run(engine, (case.request(n) for n, case in enumerate(GROWING)), lambda number: watch(engine))
    assert_as_plain(plain, GROWING, results)
    assert pushed
    assert 0 not in pushed, "the oldest request was pushed out"


def test_a_request_as_large_as_the_cache(small: Transformer, plain: Plain) -> None:
    """The largest request that is taken runs alone, to its last token, beside others that wait."""
    engine = engine_of(small, page_tokens=4, cache_bytes=8 * page_bytes(small, 4))
    assert engine.max_tokens == 8 * 4 - 5
    params = SamplingParams(temperature=1.0, seed=1)
    cases = [Case(prompt=(9,) * n, max_tokens=27 - n, sampling=params, stop_tokens=()) for n in (16, 3, 26)]
    results = run(engine, (case.request(n) for n, case in enumerate(cases)), lambda number: watch(engine))
    assert_as_plain(plain, cases, results)


def test_what_does_not_fit_waits_in_order(small: Transformer) -> None:
    engine = engine_of(small, max_batch=2)
    case = Case(prompt=(9,), max_tokens=4, stop_tokens=())
    ends: list[RequestId] = []
    for number in range(6):
        engine.submit(case.request(number))
    results: dict[RequestId, Result] = {number: Result() for number in range(6)}
    while not engine.idle:
        for output in engine.step():
            results[output.request_id].add(output)
            if output.finish:
                ends.append(output.request_id)
        assert len(engine._scheduler.running) <= 2
    assert [set(ends[first : first + 2]) for first in (0, 2, 4)] == [{0, 1}, {2, 3}, {4, 5}]
    assert_empty(engine)


@pytest.mark.parametrize("limits", [{}, {"max_draft": 0}, {"page_tokens": 8, "max_batch": 3}])
def test_memory_is_what_the_formulas_say(small: Transformer, limits: dict[str, int]) -> None:
    engine = engine_of(small, **limits)
    memory, config = engine._backbone.memory, engine.config
    fixed = [*memory.rings, *memory.tails.values()]
    paged = [*memory.entries.values(), *memory.keys.values()]
    slot = bytes_per_slot(small.config, config, torch.float64)
    page = bytes_per_page(small.config, config, torch.float64)
    assert sum(t.nbytes for t in fixed) == config.max_batch * slot
    assert sum(t.nbytes for t in paged) == memory.pages * page
    assert config.cache_bytes - page < memory.pages * page <= config.cache_bytes
    before = [t.data_ptr() for t in (*fixed, *paged)]
    run(engine, (case.request(n) for n, case in REQUESTS))
    assert before == [t.data_ptr() for t in (*memory.rings, *memory.tails.values(), *paged)]
