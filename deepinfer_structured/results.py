"""What a generation gives back: values with their text, counters and reasons; knows no engine."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, TypeVar

from deepinfer_structured.errors import StructuredError

T = TypeVar("T")


class FinishReason(StrEnum):
    """Why generation ended; each compares equal to its string."""

    STOP = "stop"
    LENGTH = "length"
    ABORT = "abort"
    ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Counters of one request."""

    prompt_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    verifications: int = 0
    drafted: int = 0
    accepted: int = 0
    forced: int = 0
    masks: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenLogprob:
    """One token with its log-probability under the masked law, and the most likely alternatives."""

    token_id: int
    text: str
    logprob: float
    top: tuple[tuple[int, str, float], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Completion(Generic[T]):
    """A value and how it came about. (Without slots, so that `Completion[int](...)` can be written.)"""

    value: T | None
    text: str = ""
    thinking: str | None = None
    token_ids: list[int] = field(default_factory=list)
    finish_reason: FinishReason = FinishReason.STOP
    logprobs: list[TokenLogprob] | None = None
    seed: int = 0
    usage: Usage = Usage()
    error: StructuredError | None = None


@dataclass(frozen=True, kw_only=True)
class Partial(Generic[T]):
    """The value so far while tokens arrive: fields that have not begun are missing or None."""

    value: T | None
    text: str
    done: bool = False
