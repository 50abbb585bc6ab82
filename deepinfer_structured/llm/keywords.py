"""The keywords of `generate` for type checkers: which ones there are, and which of them change what comes back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Required, TypeAlias, TypedDict

from deepinfer_structured.options import SamplingParams
from deepinfer_structured.runner import DTypeName

__all__ = [
    "AnyOptions",
    "Detailed",
    "EngineAnyOptions",
    "EngineDetailed",
    "EngineKeywords",
    "EnginePlain",
    "Example",
    "Many",
    "Message",
    "OnError",
    "One",
    "Plain",
    "Prompts",
    "StreamOptions",
]

Message: TypeAlias = Mapping[str, Any]
One: TypeAlias = str | Sequence[Message]
"""A document, or the messages of one conversation."""
Many: TypeAlias = Sequence[str] | Sequence[Sequence[Message]] | Sequence[One]
Prompts: TypeAlias = One | Many

Example: TypeAlias = tuple[str, Any]
OnError: TypeAlias = Literal["raise", "return"]


class StreamOptions(TypedDict, total=False):
    """What one value may be asked with."""

    max_tokens: int
    temperature: float
    top_p: float
    top_k: int | None
    min_p: float
    repetition_penalty: float
    seed: int | Sequence[int | None] | None
    logprobs: int
    sampling: SamplingParams | None
    stop: str | Sequence[str]
    timeout: float | None
    instruction: str | None
    examples: Sequence[Example]
    thinking: bool | int


class Plain(StreamOptions, total=False):
    """Values come back, or an error is raised."""

    details: Literal[False]
    on_error: Literal["raise"]
    progress: bool | None


class Detailed(StreamOptions, total=False):
    """Completions come back."""

    details: Required[Literal[True]]
    on_error: OnError
    progress: bool | None


class AnyOptions(StreamOptions, total=False):
    """All of them: lists of samples, or completions among values."""

    details: bool
    on_error: OnError
    progress: bool | None
    n: int


class EngineKeywords(TypedDict, total=False):
    """How the engine is loaded."""

    model: str
    device: str
    dtype: DTypeName
    max_draft: int
    deterministic: bool | None
    max_batch: int
    cache_bytes: int
    prefill_tokens: int


class EnginePlain(Plain, EngineKeywords, total=False):
    """Both, for the module-level function."""


class EngineDetailed(Detailed, EngineKeywords, total=False):
    """Both, for the module-level function."""


class EngineAnyOptions(AnyOptions, EngineKeywords, total=False):
    """Both, for the module-level function."""
