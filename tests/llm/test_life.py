"""The life of an LLM: loading, sharing, failing, interrupting, closing."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import torch

import deepinfer_structured
from deepinfer_engine.step import step
from deepinfer_structured import (
    LLM,
    CancelledError,
    Choice,
    EngineFailedError,
    Regex,
    TimeoutExceededError,
)

LONG = Regex("[ab]{600}")


def is_idle(llm: LLM) -> bool:
    """Whether nothing is left in the engine, soon."""
    engine = llm._runner._loop._engine  # type: ignore[union-attr]
    until = time.monotonic() + 5
    while not engine.idle and time.monotonic() < until:
        time.sleep(0.01)
    return engine.idle


def test_threads_share_the_engine(llm: LLM) -> None:
    words = [f"w{i}" for i in range(8)]

    def ask(word: str) -> list[str]:
        return llm.generate([word] * 3, Choice([word * 3]))

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, words)) == [[word * 3] * 3 for word in words]
    assert is_idle(llm)


def test_requests_of_different_calls_share_steps(llm: LLM, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []

    def counted(batch: Any, *rest: Any) -> Any:
        sizes.append(len(batch.decoding))
        return step(batch, *rest)

    monkeypatch.setattr("deepinfer_engine.engine.step", counted)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda word: llm.generate(word, Regex("[ab]{60}")), "wxyz"))
    assert max(sizes) >= 2


def test_a_long_list_is_held_a_window_at_a_time(llm: LLM, monkeypatch: pytest.MonkeyPatch) -> None:
    most = 0
    loop = llm._runner._loop
    assert loop is not None
    turn = loop._turn

    def watched() -> bool:
        nonlocal most
        most = max(most, len(loop._live) + len(loop._arrived))
        return turn()

    monkeypatch.setattr(loop, "_turn", watched)
    assert llm.generate(["x"] * 100, Choice(["y"])) == ["y"] * 100
    assert 0 < most <= llm._runner.window < 100


def test_a_time_out_keeps_the_text_so_far(llm: LLM) -> None:
    started = time.perf_counter()
    with pytest.raises(TimeoutExceededError, match="time-out") as caught:
        llm.generate("say", LONG, max_tokens=700, timeout=0.5)
    assert time.perf_counter() - started < 4
    assert set(caught.value.text) <= {"a", "b"}
    rows: Any = llm.generate(["say"] * 40, LONG, max_tokens=700, timeout=0.3, on_error="return")
    assert len(rows) == 40
    assert all(isinstance(row.error, TimeoutExceededError) for row in rows)
    assert {row.finish_reason for row in rows} == {"abort"}
    assert is_idle(llm)
    assert llm.generate("say", Choice(["on"])) == "on"


def test_an_interrupt_leaves_a_usable_llm(llm: LLM) -> None:
    main = threading.main_thread().ident
    assert main is not None
    if threading.get_ident() != main:
        pytest.skip("signals reach the main thread only")
    caught = threading.Event()
    # A suite that a shell started in the background inherits an ignored SIGINT.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)

    def interrupt() -> None:
        """Again after a while: an interrupt that arrives inside a finaliser is dropped by Python."""
        caught.wait(0.3)
        while not caught.is_set():
            signal.pthread_kill(main, signal.SIGINT)
            caught.wait(3)

    sender = threading.Thread(target=interrupt)
    sender.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            llm.generate(["say"] * 60, LONG, max_tokens=700)
    finally:
        caught.set()
        sender.join()
        signal.signal(signal.SIGINT, before)
    assert is_idle(llm)
    assert llm.generate("say", Choice(["on"])) == "on"


def test_a_failed_step_fails_what_it_ran_and_nothing_later(llm: LLM, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0

    def broken(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 2:
            message = "the processor is on fire"
            raise RuntimeError(message)
        return step(*arguments)

    monkeypatch.setattr("deepinfer_engine.engine.step", broken)
    with pytest.raises(EngineFailedError, match="on fire") as caught:
        llm.generate("say", LONG, max_tokens=700)
    assert caught.value.cause is not None
    assert caught.value.text
    assert llm.generate("say", Choice(["on"])) == "on"


def test_close_cancels_and_later_calls_say_so(toy_folder: Path) -> None:
    llm = LLM(toy_folder, cache_bytes=32 << 20)
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(llm.generate, "say", LONG, max_tokens=700)
        time.sleep(0.3)
        llm.close()
        with pytest.raises(CancelledError, match="closed"):
            future.result(timeout=10)
    llm.close()
    assert llm.closed
    with pytest.raises(EngineFailedError, match="closed"):
        llm.generate("say", Choice(["on"]))


def test_a_forgotten_llm_ends_its_thread(toy_folder: Path) -> None:
    llm = LLM(toy_folder, cache_bytes=32 << 20)
    assert llm.generate("say", Choice(["on"])) == "on"
    assert llm._runner._loop is not None
    thread, gone = llm._runner._loop._thread, weakref.ref(llm._runner._loop._engine)
    assert thread is not None
    del llm
    gc.collect()
    thread.join(5)
    gc.collect()
    assert not thread.is_alive()
    assert gone() is None


def test_a_process_ends_while_the_engine_works(toy_folder: Path) -> None:
    script = (
        "import sys, threading, time; from deepinfer_structured import LLM, Regex\n"
        f"llm = LLM({str(toy_folder)!r})\n"
        "work = lambda: llm.generate('say', Regex('[ab]{600}'), max_tokens=700)\n"
        "threading.Thread(target=work, daemon=True).start(); time.sleep(0.5); print('bye')\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, env=environment, check=False
    )
    assert (ran.returncode, ran.stdout) == (0, "bye\n"), ran.stderr


def test_the_module_level_function_keeps_one_llm(toy_folder: Path) -> None:
    options: Any = {"model": str(toy_folder), "cache_bytes": 32 << 20}
    assert deepinfer_structured.generate("say", Choice(["a"]), **options) == "a"
    started = time.perf_counter()
    assert deepinfer_structured.generate(["say"], Choice(["a"]), seed=3, **options) == ["a"]
    kept = deepinfer_structured.llm.shared._loaded
    assert len([key for key in kept if dict(key).get("model") == str(toy_folder)]) == 1
    assert time.perf_counter() - started < 3
    with pytest.raises(FileNotFoundError):
        deepinfer_structured.generate("say", model="no such model")
    with pytest.raises(TypeError, match="no option 'max_drafts'"):
        deepinfer_structured.generate("say", max_drafts=1, **options)  # type: ignore[call-overload]


BAD: list[tuple[dict[str, Any], type[Exception]]] = [
    ({"colour": "red"}, TypeError),
    ({"max_draft": -1}, ValueError),
    ({"max_draft": 9}, EngineFailedError),
    ({"max_batch": 0}, ValueError),
    ({"max_batch": "many"}, TypeError),
    ({"seed": "x"}, TypeError),
    ({"device": 3}, TypeError),
    ({"device": "tpu"}, ValueError),
    ({"device": "cuda:99"}, EngineFailedError),
    ({"dtype": ["float32"]}, TypeError),
    ({"dtype": "int3"}, ValueError),
    ({"deterministic": True}, NotImplementedError),
]


@pytest.mark.parametrize(("options", "kind"), BAD, ids=[str(options) for options, _ in BAD])
def test_bad_engine_options(toy_folder: Path, options: dict[str, Any], kind: type[Exception]) -> None:
    with pytest.raises(kind):
        LLM(toy_folder, **options)


def test_engine_options_are_keywords(toy_folder: Path) -> None:
    with pytest.raises(TypeError):
        LLM(toy_folder, "cpu")  # type: ignore[call-arg]
    with pytest.raises(FileNotFoundError, match="nano"):
        LLM("no such model")


def test_a_broken_checkpoint_says_what_is_wrong(toy_folder: Path, tmp_path: Path) -> None:
    for name in ("config.json", "tokenizer.json"):
        (tmp_path / name).write_bytes((toy_folder / name).read_bytes())
    with pytest.raises(EngineFailedError, match="safetensors"):
        LLM(tmp_path)


def test_global_settings_are_left_alone(llm: LLM) -> None:
    before = (torch.get_num_threads(), torch.get_default_dtype(), torch.is_grad_enabled(), torch.initial_seed())
    llm.generate("say", max_tokens=3)
    assert before == (
        torch.get_num_threads(),
        torch.get_default_dtype(),
        torch.is_grad_enabled(),
        torch.initial_seed(),
    )


@pytest.mark.parametrize(("wanted", "shown"), [(True, True), (None, False), (False, False)])
def test_a_bar_is_shown_when_asked_for(
    llm: LLM, capsys: pytest.CaptureFixture[str], wanted: bool | None, shown: bool
) -> None:
    llm.generate(["say"] * 20, Choice(["a"]), progress=wanted)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert ("20/20" in captured.err) is shown
