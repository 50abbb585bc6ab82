"""Submit, step, abort, close: what the engine takes, refuses and gives back."""

import dataclasses
import random
import threading

import pytest
import torch

from deepinfer_engine.config import EngineConfig
from deepinfer_engine.engine import Engine, _threshold_for
from deepinfer_engine.errors import CapacityError, ConfigError, EngineClosedError, InvalidRequestError, StepError
from deepinfer_engine.model.transformer import Transformer
from deepinfer_engine.request import Request, RequestId, SamplingParams
from tests.engine.mixes import (
    VOCABULARY,
    Case,
    Plain,
    Result,
    assert_as_plain,
    assert_empty,
    chain,
    engine_of,
    random_case,
    run,
    small_model,
)

CASES = [random_case(seed) for seed in range(100, 110)]


def requests(cases: list[Case]) -> list[Request]:
    return [case.request(number) for number, case in enumerate(cases)]


def test_an_idle_engine_steps_to_nothing(small: Transformer) -> None:
    engine = engine_of(small)
    assert engine.idle
    assert engine.step() == []


def test_requests_that_arrive_while_others_decode(small: Transformer, plain: Plain) -> None:
    engine = engine_of(small, max_batch=3)
    waiting = requests(CASES)
    results = {request.request_id: Result() for request in waiting}
    rng = random.Random(0)
    while waiting or not engine.idle:
        for _ in range(rng.randrange(3)):
            if waiting:
                engine.submit(waiting.pop(0))
        for output in engine.step():
            results[output.request_id].add(output)
    assert_empty(engine)
    assert_as_plain(plain, CASES, results)


def test_requests_from_other_threads(small: Transformer, plain: Plain) -> None:
    """Four threads submit, a fifth aborts, while this one steps."""
    engine = engine_of(small, max_batch=4)
    results: dict[RequestId, Result] = {number: Result() for number in range(len(CASES))}
    doomed = [Case(prompt=(9,), max_tokens=200, stop_tokens=()).request(f"doomed {n}") for n in range(3)]

    def submit(part: int) -> None:
        for request in requests(CASES)[part::4]:
            engine.submit(request)

    def come_and_go() -> None:
        for request in doomed:
            engine.submit(request)
        for request in doomed:
            assert engine.abort(request.request_id) is not None

    threads = [threading.Thread(target=submit, args=(part,)) for part in range(4)]
    threads.append(threading.Thread(target=come_and_go))
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads) or not engine.idle:
        for output in engine.step():
            if output.request_id in results:
                results[output.request_id].add(output)
    for thread in threads:
        thread.join()
    assert_empty(engine)
    assert_as_plain(plain, CASES, results)


@pytest.mark.parametrize("step", [0, 1, 3, 6, 10])
def test_abort_frees_everything(small: Transformer, plain: Plain, step: int) -> None:
    """Half of the requests go at some step, waiting, prefilling or decoding; the others never notice."""
    engine = engine_of(small, max_batch=4, prefill_tokens=9)
    pages = engine._backbone.pages
    gone = list(range(0, len(CASES), 2))

    def between(number: int) -> None:
        if number != step + 1:
            return
        for request_id in gone:
            before = engine._scheduler.find(request_id)
            output = engine.abort(request_id)
            assert (output is None) == (before is None)
            if output is not None:
                assert (output.finish, output.tokens, output.error) == ("abort", (), None)
                assert engine._scheduler.find(request_id) is None
                aborted.append(request_id)
        held = [page for owned in pages.owned.values() for page in owned]
        assert sorted(held + pages.free_pages) == list(range(engine._backbone.memory.pages))
        assert len(pages.owned) == len(engine._scheduler.running) == engine.config.max_batch - len(pages.free_slots)

    aborted: list[RequestId] = []
    results = run(engine, requests(CASES), between)
    for number, case in enumerate(CASES):
        if number in aborted:
            assert results[number].tokens == plain(case)[: len(results[number].tokens)]
        else:
            assert results[number].tokens == plain(case)
    assert engine.abort("unknown") is None


def test_an_aborted_id_may_come_again(small: Transformer, plain: Plain) -> None:
    engine = engine_of(small)
    engine.submit(CASES[0].request("a"))
    engine.step()
    engine.abort("a")
    assert run(engine, [CASES[0].request("a")])["a"].tokens == plain(CASES[0])


def test_a_closed_engine_takes_and_steps_nothing(small: Transformer) -> None:
    engine = engine_of(small, max_batch=2)
    for request in requests(CASES):
        engine.submit(request)
    engine.step()
    engine.close()
    engine.close()
    assert_empty(engine)
    with pytest.raises(EngineClosedError):
        engine.submit(CASES[0].request("late"))
    with pytest.raises(EngineClosedError):
        engine.step()
    assert engine.abort(0) is None
    assert not engine.preempt(0)


def test_an_id_in_use_is_refused_and_free_again_after_the_end(small: Transformer) -> None:
    engine = engine_of(small)
    engine.submit(CASES[0].request("same"))
    for _ in range(2):
        with pytest.raises(InvalidRequestError, match="'same' is in use"):
            engine.submit(CASES[1].request("same"))
        engine.step()
    while not engine.idle:
        engine.step()
    engine.submit(CASES[1].request("same"))


def test_a_constraint_in_use_is_refused(small: Transformer) -> None:
    engine = engine_of(small)
    shared = chain([20, 21])
    request = Request(request_id=0, prompt=(9,), max_tokens=5, constraint=shared)
    engine.submit(request)
    with pytest.raises(InvalidRequestError, match="in use by request 0"):
        engine.submit(dataclasses.replace(request, request_id=1))


@pytest.mark.parametrize("token", [VOCABULARY, 10**9])
def test_ids_outside_the_vocabulary_are_refused(small: Transformer, token: int) -> None:
    engine = engine_of(small)
    with pytest.raises(InvalidRequestError, match=f"token {token}; the vocabulary has ids 0 to {VOCABULARY - 1}"):
        engine.submit(Request(request_id=0, prompt=(9, token), max_tokens=1))
    assert engine.idle


@pytest.mark.parametrize(
    "wrong",
    [
        {"prompt": ()},
        {"prompt": (-1,)},
        {"prompt": (True,)},
        {"prompt": [9]},
        {"max_tokens": 0},
        {"request_id": None},
        {"request_id": True},
        {"constraint": object()},
        {"stop_tokens": (1.5,)},
    ],
)
def test_a_request_that_makes_no_sense_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InvalidRequestError):
        Request(**{"request_id": 0, "prompt": (9,), "max_tokens": 1, **wrong})  # type: ignore[arg-type]


@pytest.mark.parametrize("max_draft", [0, 5])
def test_the_context_is_used_to_its_last_position(small: Transformer, max_draft: int) -> None:
    """A prompt and an output that fill the context exactly run; one token more is refused at the door."""
    model = small_model(max_position_embeddings=32)
    engine = engine_of(model, max_draft=max_draft)
    assert engine.max_tokens == 32
    for length in (10, 31):
        case = Case(prompt=(9,) * length, max_tokens=32 - length, stop_tokens=())
        result = run(engine, [case.request(0)])[0]
        assert_as_plain(Plain(model), [case], {0: result})
        with pytest.raises(CapacityError, match="32 at most"):
            engine.submit(dataclasses.replace(case, max_tokens=33 - length).request(0))


def test_an_engine_without_room_says_so(small: Transformer) -> None:
    engine = engine_of(small, cache_bytes=1)
    with pytest.raises(CapacityError, match="0 at most"):
        engine.submit(CASES[0].request(0))


def test_a_failing_step_drops_its_requests_and_the_engine_goes_on(
    small: Transformer, plain: Plain, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = engine_of(small)
    for request in requests(CASES[:3]):
        engine.submit(request)
    engine.step()
    with monkeypatch.context() as patch:
        patch.setattr(engine._backbone, "run", lambda chunks: 1 // 0)
        with pytest.raises(StepError, match="division") as caught:
            engine.step()
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    assert_empty(engine)
    assert_as_plain(plain, CASES, run(engine, requests(CASES)))


@pytest.mark.parametrize(
    "wrong",
    [{"max_draft": 6}, {"max_draft": -1}, {"max_batch": 0}, {"page_tokens": 3}, {"replay": 13}, {"prefill_tokens": 0}],
)
def test_limits_that_cannot_hold_are_refused(small: Transformer, wrong: dict[str, int]) -> None:
    with pytest.raises(ConfigError, match=next(iter(wrong))):
        Engine(small, EngineConfig(**wrong))  # type: ignore[arg-type]


def test_a_model_without_stages_runs_without_drafts(plain: Plain) -> None:
    model = small_model(num_nextn_predict_layers=0, compress_ratios=(0, 2, 1, 1), dspark_target_layer_ids=())
    with pytest.raises(ConfigError, match="use 0"):
        Engine(model)
    assert_as_plain(Plain(model), CASES, run(engine_of(model, max_draft=0), requests(CASES)))


def test_the_threshold_follows_the_number_of_requests() -> None:
    table = ((1, 0.1), (4, 0.2), (16, 0.4), (48, 0.5))
    assert [_threshold_for(n, table) for n in (0, 1, 3, 4, 47, 48, 1000)] == [0.0, 0.1, 0.1, 0.2, 0.4, 0.5, 0.5]
    assert _threshold_for(5, ()) == 0.0


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")
def test_a_gpu_gives_what_the_cpu_gives() -> None:
    model = small_model().to("cuda")
    cases = [dataclasses.replace(case, sampling=SamplingParams()) for case in CASES]
    results = run(engine_of(model), requests(cases))
    assert_as_plain(Plain(model), cases, results)
    assert_as_plain(Plain(small_model()), cases, results)
