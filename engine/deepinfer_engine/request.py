"""What goes into the engine and what comes out of it: records of token ids, checked at the door."""

import math
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from deepinfer_engine.constraint import Constraint
from deepinfer_engine.errors import EngineError, InvalidRequestError

__all__ = ["END_OF_SEQUENCE", "Finish", "Output", "Request", "RequestId", "SamplingParams", "TokenLogprobs", "Usage"]

END_OF_SEQUENCE = 1
LOWEST_TEMPERATURE = 1e-3
HIGHEST_TEMPERATURE = 100.0
MOST_LOGPROBS = 1000

RequestId: TypeAlias = int | str
Finish: TypeAlias = Literal["stop", "length", "abort", "error"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingParams:
    """How tokens are chosen: penalty, then grammar, temperature, min-p, top-k, top-p, in this order."""

    temperature: float = 0.0
    """0 is greedy, ties to the lowest id."""
    top_p: float = 1.0
    top_k: int | None = None
    min_p: float = 0.0
    repetition_penalty: float = 1.0
    seed: int = 0
    """Keys the noise together with absolute position and token, so place in a batch never matters."""
    logprobs: int = 0
    """How many alternatives to report beside each chosen token; 0 reports nothing."""
    verification: Literal["match", "rejection"] = "match"

    def __post_init__(self) -> None:
        _number("temperature", self.temperature)
        if self.temperature != 0 and not LOWEST_TEMPERATURE <= self.temperature <= HIGHEST_TEMPERATURE:
            raise InvalidRequestError(
                f"temperature is {self.temperature!r}; it must be 0 (greedy) or from {LOWEST_TEMPERATURE} to"
                f" {HIGHEST_TEMPERATURE:g}"
            )
        _number("top_p", self.top_p)
        if not 0 < self.top_p <= 1:
            raise InvalidRequestError(f"top_p is {self.top_p!r}; it must be above 0 and at most 1 (1 = off)")
        if self.top_k is not None:
            _whole("top_k", self.top_k, 1, 2**31 - 1, " (None = off)")
        _number("min_p", self.min_p)
        if not 0 <= self.min_p <= 1:
            raise InvalidRequestError(f"min_p is {self.min_p!r}; it must be from 0 (off) to 1")
        _number("repetition_penalty", self.repetition_penalty)
        if not 0.01 <= self.repetition_penalty <= 100:
            raise InvalidRequestError(
                f"repetition_penalty is {self.repetition_penalty!r}; it must be from 0.01 to 100 (1 = off)"
            )
        _whole("seed", self.seed, 0, 2**63 - 1)
        _whole("logprobs", self.logprobs, 0, MOST_LOGPROBS)
        if self.verification not in ("match", "rejection"):
            raise InvalidRequestError(f"verification is {self.verification!r}; it must be 'match' or 'rejection'")

    @property
    def greedy(self) -> bool:
        """Whether tokens are chosen without noise."""
        return self.temperature == 0

    @property
    def rejects(self) -> bool:
        """Whether drafts are verified by rejection sampling; greedy rows always match."""
        return self.verification == "rejection" and not self.greedy


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One prompt to continue."""

    request_id: RequestId
    prompt: tuple[int, ...]
    max_tokens: int
    sampling: SamplingParams = field(default_factory=SamplingParams)
    constraint: Constraint | None = None
    stop_tokens: tuple[int, ...] = (END_OF_SEQUENCE,)

    def __post_init__(self) -> None:
        if not isinstance(self.request_id, int | str) or isinstance(self.request_id, bool):
            raise InvalidRequestError(f"request_id is {self.request_id!r}; it must be an int or a string")
        _ids("prompt", self.prompt)
        if not self.prompt:
            raise InvalidRequestError("prompt is empty; it needs at least one token, such as the beginning of sequence")
        _whole("max_tokens", self.max_tokens, 1, 2**31 - 1)
        _ids("stop_tokens", self.stop_tokens)
        if not isinstance(self.sampling, SamplingParams):
            raise InvalidRequestError(f"sampling is {self.sampling!r}; it must be a SamplingParams")
        if self.constraint is not None and not isinstance(self.constraint, Constraint):
            raise InvalidRequestError(
                f"constraint is {self.constraint!r}; it must have terminated, fill, accept and rollback, or be None"
            )


@dataclass(slots=True, kw_only=True)
class Usage:
    """Counters of one request. The engine counts up its own copy and hands out `snapshot()`s."""

    prompt_tokens: int = 0
    cached_tokens: int = 0
    """Prompt tokens whose keys and values were found in the prefix cache."""
    output_tokens: int = 0
    verifications: int = 0
    """Target passes after the prompt: the one that ends the prompt and yields the first token is not among them."""
    drafted: int = 0
    """Draft tokens that were sent to verification."""
    accepted: int = 0
    forced: int = 0
    """Tokens emitted where exactly one was legal."""
    masks: int = 0
    """Mask rows filled."""
    seconds: float = 0.0

    def snapshot(self) -> "Usage":
        """The counters as they are now."""
        return replace(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenLogprobs:
    """Natural log-probabilities under the law the token was drawn from: masked, tempered, truncated.

    A greedy token is reported under the masked law at temperature 1.
    """

    token: int
    logprob: float
    top: tuple[tuple[int, float], ...] = ()
    """The likeliest tokens with their log-probabilities, best first, ties to the lowest id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """What one step committed for one request. A stop token that was emitted is among `tokens`."""

    request_id: RequestId
    tokens: tuple[int, ...]
    logprobs: tuple[TokenLogprobs, ...] | None = None
    finish: Finish | None = None
    error: EngineError | None = None
    usage: Usage


def _number(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise InvalidRequestError(f"{name} is {value!r}; it must be a finite number")


def _whole(name: str, value: object, low: int, high: int, remark: str = "") -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InvalidRequestError(f"{name} is {value!r}; it must be a whole number from {low} to {high}{remark}")


def _ids(name: str, values: object) -> None:
    if not isinstance(values, tuple):
        raise InvalidRequestError(f"{name} is a {type(values).__name__}; it must be a tuple of token ids")
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise InvalidRequestError(f"{name} holds {value!r}; token ids are whole numbers from 0")
