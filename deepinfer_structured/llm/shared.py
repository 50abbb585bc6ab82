"""The module-level `generate`: one LLM for each checkpoint and engine options, loaded at its first use."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from typing import Any, TypeVar, Unpack, overload

from deepinfer_structured.llm.arguments import check_names
from deepinfer_structured.llm.keywords import (
    EngineAnyOptions,
    EngineDetailed,
    EngineKeywords,
    EnginePlain,
    Many,
    One,
    Prompts,
)
from deepinfer_structured.llm.model import LLM
from deepinfer_structured.results import Completion
from deepinfer_structured.schema.spec import TextSpec

__all__ = ["generate"]

T = TypeVar("T")

_loaded: dict[tuple[tuple[str, Any], ...], Future[LLM]] = {}
_lock = threading.Lock()


@overload
def generate(prompts: One, schema: TextSpec | None = None, **options: Unpack[EnginePlain]) -> str: ...  # type: ignore[overload-overlap]
@overload
def generate(prompts: Many, schema: TextSpec | None = None, **options: Unpack[EnginePlain]) -> list[str]: ...
@overload
def generate(prompts: One, schema: type[T], **options: Unpack[EnginePlain]) -> T: ...  # type: ignore[overload-overlap]
@overload
def generate(prompts: Many, schema: type[T], **options: Unpack[EnginePlain]) -> list[T]: ...
@overload
def generate(prompts: One, schema: TextSpec | None = None, **options: Unpack[EngineDetailed]) -> Completion[str]: ...  # type: ignore[overload-overlap]
@overload
def generate(
    prompts: Many, schema: TextSpec | None = None, **options: Unpack[EngineDetailed]
) -> list[Completion[str]]: ...
@overload
def generate(prompts: One, schema: type[T], **options: Unpack[EngineDetailed]) -> Completion[T]: ...  # type: ignore[overload-overlap]
@overload
def generate(prompts: Many, schema: type[T], **options: Unpack[EngineDetailed]) -> list[Completion[T]]: ...
@overload
def generate(prompts: One, schema: Any, **options: Unpack[EnginePlain]) -> Any: ...
@overload
def generate(prompts: Many, schema: Any, **options: Unpack[EnginePlain]) -> list[Any]: ...
@overload
def generate(prompts: One, schema: Any, **options: Unpack[EngineDetailed]) -> Completion[Any]: ...
@overload
def generate(prompts: Many, schema: Any, **options: Unpack[EngineDetailed]) -> list[Completion[Any]]: ...
@overload
def generate(prompts: Prompts, schema: Any = None, **options: Unpack[EngineAnyOptions]) -> Any: ...
def generate(prompts: Prompts, schema: Any = None, **options: Any) -> Any:
    """`LLM.generate` on an LLM that is kept for the next call: `model="nano"` and the keywords of `LLM` choose it."""
    check_names(options, EngineAnyOptions)
    engine = {name: options.pop(name) for name in EngineKeywords.__annotations__ if name in options}
    return _llm(engine).generate(prompts, schema, **options)


def _llm(engine: dict[str, Any]) -> LLM:
    """Loaded by the first thread that asks; the others wait for it. A failure is not kept."""
    key = tuple(sorted(engine.items()))
    with _lock:
        future = _loaded.get(key)
        mine = future is None or (future.done() and not future.exception() and future.result().closed)
        if future is None or mine:
            future = _loaded[key] = Future()
    if mine:
        try:
            future.set_result(LLM(**engine))
        except BaseException as error:
            with _lock:
                del _loaded[key]
            future.set_exception(error)
            raise
    return future.result()
