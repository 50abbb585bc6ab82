"""What a caller writes, read and checked before anything runs: a wrong Python type is a TypeError at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_core import PydanticSerializationError, to_json

from deepinfer_structured.llm.keywords import Example, One, OnError
from deepinfer_structured.options import HIGHEST_SEED, SamplingParams, whole

__all__ = ["CallOptions", "check_names", "read_options", "read_prompts", "read_schemas"]

_PLAIN = SamplingParams()
_FOR_EVER = 1e9
"""A time-out in seconds that no call outlives."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallOptions:
    """The options of one call, checked."""

    max_tokens: int
    sampling: SamplingParams
    seeds: tuple[int | None, ...]
    """One a prompt."""
    stop: tuple[str, ...]
    timeout: float | None
    instruction: str | None
    examples: tuple[Example, ...]
    details: bool
    on_error: OnError
    progress: bool | None
    thinking: int | None
    """The token budget of the thoughts; None is no thinking."""


def check_names(options: Mapping[str, Any], known: type) -> None:
    """Raise TypeError for a keyword that `known`, a TypedDict, does not have."""
    names = known.__annotations__.keys()
    if unknown := [name for name in options if name not in names]:
        raise TypeError(f"there is no option {unknown[0]!r}; there are {', '.join(sorted(names))}")


def read_prompts(prompts: Any) -> tuple[list[One], bool]:
    """The prompts as a list, and whether one value was asked for: a string or a single conversation."""
    if isinstance(prompts, str):
        return [prompts], True
    if not isinstance(prompts, Sequence) or isinstance(prompts, (bytes, bytearray, memoryview)):
        raise TypeError(f"prompts must be a str, a list of them, or chat messages, not {_kind(prompts)}")
    if prompts and isinstance(prompts[0], Mapping):
        _check_conversation(prompts, "prompts")
        return [prompts], True
    for index, prompt in enumerate(prompts):
        if isinstance(prompt, str):
            continue
        if not isinstance(prompt, Sequence) or isinstance(prompt, (bytes, bytearray, memoryview)):
            raise TypeError(f"prompts[{index}] must be a str or a list of messages, not {_kind(prompt)}")
        _check_conversation(prompt, f"prompts[{index}]")
    return list(prompts), False


def _check_conversation(messages: Sequence[Any], name: str) -> None:
    for index, message in enumerate(messages):
        if not isinstance(message, Mapping):
            raise TypeError(f"{name}[{index}] must be a message (a dict), not {_kind(message)}")
        for key in ("role", "content"):
            if not isinstance(message.get(key), str):
                raise TypeError(f"{name}[{index}] must have a str under {key!r}, not {_kind(message.get(key))}")


def read_schemas(schema: Any, prompts: int, *, single: bool) -> list[Any]:
    """One schema a prompt. A list or tuple is one a prompt; anything else is shared."""
    if not isinstance(schema, (list, tuple)):
        return [schema] * prompts
    if single:
        raise TypeError("a list of schemas goes with a list of prompts; give a single prompt a single schema")
    if len(schema) != prompts:
        raise ValueError(f"there are {len(schema)} schemas for {prompts} prompts; give one, or one a prompt")
    for index, one in enumerate(schema):
        if isinstance(one, (str, bytes, int, float, list, tuple, set)) and not isinstance(one, bool):
            raise TypeError(f"schemas[{index}] must be a type, a dict, Regex, Choice and so on, not {_kind(one)}")
    return list(schema)


def read_options(
    prompts: int,
    single: bool,
    *,
    max_tokens: int = 256,
    temperature: float = 0.0,
    top_p: float = 1.0,
    top_k: int | None = None,
    min_p: float = 0.0,
    repetition_penalty: float = 1.0,
    seed: int | Sequence[int | None] | None = None,
    n: int = 1,
    logprobs: int = 0,
    sampling: SamplingParams | None = None,
    stop: str | Sequence[str] = (),
    timeout: float | None = None,
    instruction: str | None = None,
    examples: Sequence[Example] = (),
    details: bool = False,
    on_error: OnError = "raise",
    progress: bool | None = None,
    thinking: bool | int = False,
) -> CallOptions:
    """Check everything. Raises TypeError for a wrong type and ValueError for a value out of range."""
    shared = seed if isinstance(seed, int) else None
    group = SamplingParams(
        temperature=temperature,
        top_p=top_p,
        top_k=top_k,
        min_p=min_p,
        repetition_penalty=repetition_penalty,
        seed=shared,
        n=n,
        logprobs=logprobs,
    )
    if sampling is not None:
        if not isinstance(sampling, SamplingParams):
            raise TypeError(f"sampling must be a SamplingParams, not {_kind(sampling)}")
        if group != _PLAIN or seed is not None:
            raise TypeError("give sampling=SamplingParams(...) or its fields as keywords, not both")
        group, seed = sampling, sampling.seed
    _check_plain(details, on_error, progress, instruction)
    return CallOptions(
        max_tokens=whole("max_tokens", max_tokens, 1),
        sampling=group,
        seeds=_seeds(seed, prompts, single=single),
        stop=_stop(stop),
        timeout=_seconds(timeout),
        instruction=instruction,
        examples=_examples(examples),
        details=details,
        on_error=on_error,
        progress=progress,
        thinking=_thinking(thinking, max_tokens),
    )


def _check_plain(details: Any, on_error: Any, progress: Any, instruction: Any) -> None:
    if not isinstance(on_error, str):
        raise TypeError(f"on_error must be 'raise' or 'return', not {_kind(on_error)}")
    if on_error not in ("raise", "return"):
        raise ValueError(f"on_error must be 'raise' or 'return', not {on_error!r}")
    for name, value in (("details", details), ("progress", progress)):
        if not isinstance(value, bool) and not (name == "progress" and value is None):
            raise TypeError(f"{name} must be a bool, not {_kind(value)}")
    if instruction is not None and not isinstance(instruction, str):
        raise TypeError(f"instruction must be a str, not {_kind(instruction)}")


def _seeds(seed: Any, prompts: int, *, single: bool) -> tuple[int | None, ...]:
    if seed is None or isinstance(seed, int):
        return (seed,) * prompts
    if not isinstance(seed, Sequence) or isinstance(seed, (str, bytes)):
        raise TypeError(f"seed must be an int, one a prompt, or None, not {_kind(seed)}")
    if single:
        raise TypeError("a list of seeds goes with a list of prompts; give a single prompt a single seed")
    if len(seed) != prompts:
        raise ValueError(f"there are {len(seed)} seeds for {prompts} prompts; give one, or one a prompt")
    return tuple(None if one is None else whole("seed", one, 0, HIGHEST_SEED) for one in seed)


def _stop(stop: Any) -> tuple[str, ...]:
    strings = (stop,) if isinstance(stop, str) else stop
    if not isinstance(strings, Sequence):
        raise TypeError(f"stop must be a str or a sequence of them, not {_kind(stop)}")
    for one in strings:
        if not isinstance(one, str):
            raise TypeError(f"stop must hold strings, not {_kind(one)}")
        if not one:
            raise ValueError("stop must not hold the empty string")
    return tuple(strings)


def _seconds(timeout: Any) -> float | None:
    if timeout is None:
        return None
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)):
        raise TypeError(f"timeout must be a number of seconds, not {_kind(timeout)}")
    if not timeout > 0:
        raise ValueError(f"timeout must be above 0, not {timeout!r}")
    return float(min(timeout, _FOR_EVER))


def _examples(examples: Any) -> tuple[Example, ...]:
    if not isinstance(examples, Sequence) or isinstance(examples, (str, bytes)):
        raise TypeError(f"examples must be a sequence of (document, object) pairs, not {_kind(examples)}")
    for index, pair in enumerate(examples):
        if not isinstance(pair, (tuple, list)) or len(pair) != 2 or not isinstance(pair[0], str):
            raise TypeError(f"examples[{index}] must be a pair of a document (str) and its object, not {_kind(pair)}")
        try:
            if not isinstance(pair[1], str):
                to_json(pair[1], by_alias=True)
        except PydanticSerializationError as error:
            raise TypeError(f"the object of examples[{index}] has no JSON form: {error}") from error
    return tuple((document, answer) for document, answer in examples)


def _thinking(thinking: Any, max_tokens: int) -> int | None:
    """The budget: `True` gives the thoughts as many tokens as the answer."""
    if isinstance(thinking, bool):
        return max_tokens if thinking else None
    if not isinstance(thinking, int):
        raise TypeError(f"thinking must be a bool or a token budget, not {_kind(thinking)}")
    return whole("thinking", thinking, 0)


def _kind(value: Any) -> str:
    shown = repr(value)
    return f"{type(value).__name__}: {shown if len(shown) <= 80 else shown[:77] + '...'}"
