"""agenerate: the same as generate, and cancellable. stream: values that grow."""

import asyncio
import time
from typing import Any

import pytest
from pydantic import BaseModel

from deepinfer_structured import LLM, BatchError, Choice, InvalidPromptError, Partial, Regex, TruncatedError
from tests.llm.test_life import LONG, is_idle


class Pair(BaseModel):
    yes: bool
    word: str


def test_agenerate_is_generate(llm: LLM) -> None:
    async def both() -> Any:
        return await asyncio.gather(
            llm.agenerate("say", Choice(["one"])),
            llm.agenerate(["a", "b"] * 20, Choice(["two"])),
            llm.agenerate("say", Choice(["x"]), details=True),
            llm.agenerate(list[str]()),
        )

    one, two, three, none = asyncio.run(both())
    assert (one, two, none) == ("one", ["two"] * 40, [])
    assert three.value == "x"


def test_agenerate_raises_what_generate_raises(llm: LLM) -> None:
    with pytest.raises(InvalidPromptError):
        asyncio.run(llm.agenerate("", Choice(["x"])))
    with pytest.raises(BatchError):
        asyncio.run(llm.agenerate(["", "a"], Choice(["x"])))
    with pytest.raises(TypeError, match="no option 'colour'"):
        asyncio.run(llm.agenerate("a", colour="red"))  # type: ignore[call-overload]


def test_cancelling_frees_the_engine_and_others_go_on(llm: LLM) -> None:
    async def main() -> str:
        doomed = asyncio.create_task(llm.agenerate(["say"] * 30, LONG, max_tokens=700))
        other = asyncio.create_task(llm.agenerate("say", Regex("[ab]{50}")))
        await asyncio.sleep(0.3)
        doomed.cancel()
        with pytest.raises(asyncio.CancelledError):
            await doomed
        return await other

    assert len(asyncio.run(main())) == 50
    assert is_idle(llm)


def test_the_loop_stays_free_while_tokens_come(llm: LLM) -> None:
    async def main() -> int:
        ticks = 0
        task = asyncio.create_task(llm.agenerate("say", Regex("[ab]{60}")))
        while not task.done():
            await asyncio.sleep(0.02)
            ticks += 1
        await task
        return ticks

    assert asyncio.run(main()) >= 3


def test_asyncio_time_out(llm: LLM) -> None:
    async def main() -> None:
        async with asyncio.timeout(0.3):
            await llm.agenerate("say", LONG, max_tokens=700)

    with pytest.raises(TimeoutError):
        asyncio.run(main())
    assert is_idle(llm)


def test_a_stream_grows_to_the_value(llm: LLM) -> None:
    whole = llm.generate("say", Regex("[ab]{60}"))
    parts = list(llm.stream("say", Regex("[ab]{60}")))
    assert len(parts) > 3
    assert all(isinstance(part, Partial) for part in parts)
    assert all(whole.startswith(part.text) for part in parts)
    assert [len(part.text) for part in parts] == sorted(len(part.text) for part in parts)
    assert [part.done for part in parts] == [False] * (len(parts) - 1) + [True]
    assert parts[-1].value == parts[-1].text == whole


def test_a_stream_of_a_model_gives_partial_models(llm: LLM) -> None:
    schema = {
        "type": "object",
        "properties": {"word": {"type": "string", "minLength": 8, "maxLength": 30}},
        "required": ["word"],
    }
    parts = list(llm.stream("say", schema))
    assert any(part.value and not part.done for part in parts)
    last: Any = parts[-1].value
    assert last["word"]

    parts = []
    with pytest.raises(TruncatedError):
        parts.extend(llm.stream("say", Pair, max_tokens=25, temperature=2.0, seed=2))
    early: list[Any] = [part.value for part in llm_parts(llm)]
    assert any(isinstance(value, Pair) and value.word is None for value in early)
    assert any(isinstance(value, Pair) and isinstance(value.word, str) for value in early)


def llm_parts(llm: LLM) -> list[Partial[Pair]]:
    """What comes before the budget runs out."""
    parts = []
    try:
        for part in llm.stream("say", Pair, max_tokens=25, temperature=2.0, seed=2):
            parts.append(part)  # noqa: PERF402
    except TruncatedError:
        pass
    return parts


def test_leaving_a_stream_frees_the_engine(llm: LLM) -> None:
    stream = llm.stream("say", LONG, max_tokens=700)
    first = next(stream)
    assert not first.done
    stream.close()  # type: ignore[attr-defined]
    assert is_idle(llm)


def test_a_stream_checks_its_arguments_at_once(llm: LLM) -> None:
    bad: Any
    for bad in ({"n": 2}, {"details": True}, {"on_error": "return"}, {"colour": "red"}):
        with pytest.raises(TypeError, match="no option"):
            llm.stream("say", **bad)
    with pytest.raises(TypeError, match="one prompt"):
        llm.stream(["a", "b"])  # type: ignore[list-item]
    with pytest.raises(InvalidPromptError):
        list(llm.stream(""))


def test_a_stream_times_out(llm: LLM) -> None:
    started = time.perf_counter()
    with pytest.raises(Exception, match="time-out"):
        list(llm.stream("say", LONG, max_tokens=700, timeout=0.3))
    assert time.perf_counter() - started < 4
