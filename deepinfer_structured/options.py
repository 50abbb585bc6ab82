"""Sampling options as the caller writes them, validated once; knows no engine."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

LOWEST_TEMPERATURE, HIGHEST_TEMPERATURE = 1e-3, 100.0
MOST_PENALTY = 100.0
MOST_TOP_K = 2**31 - 1
HIGHEST_SEED = 2**63 - 1
MOST_LOGPROBS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingParams:
    """How tokens are drawn. The defaults are greedy."""

    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int | None = None
    min_p: float = 0.0
    repetition_penalty: float = 1.0
    seed: int | None = None
    n: int = 1
    logprobs: int = 0
    verification: Literal["match", "rejection"] = "match"

    def __post_init__(self) -> None:
        _number("temperature", self.temperature, 0.0, HIGHEST_TEMPERATURE)
        if 0 < self.temperature < LOWEST_TEMPERATURE:
            raise ValueError(f"temperature must be 0 or at least {LOWEST_TEMPERATURE:g}, not {self.temperature!r}")
        _number("top_p", self.top_p, 0.0, 1.0, open_low=True)
        _number("min_p", self.min_p, 0.0, 1.0)
        _number("repetition_penalty", self.repetition_penalty, 1 / MOST_PENALTY, MOST_PENALTY)
        if self.top_k is not None:
            whole("top_k", self.top_k, 1, MOST_TOP_K)
        if self.seed is not None:
            whole("seed", self.seed, 0, HIGHEST_SEED)
        whole("n", self.n, 1)
        whole("logprobs", self.logprobs, 0, MOST_LOGPROBS)
        if self.verification not in ("match", "rejection"):
            raise ValueError(f"verification must be 'match' or 'rejection', not {self.verification!r}")


def _number(name: str, value: object, low: float, high: float, *, open_low: bool = False) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{name} must be a number, not {type(value).__name__}: {value!r}")
    below = value <= low if open_low else value < low
    if below or value > high or math.isnan(value):
        limit = f"{'above' if open_low else 'at least'} {low:g} and at most {high:g}"
        raise ValueError(f"{name} must be {limit}, not {value!r}")


def whole(name: str, value: object, low: int, high: int | None = None) -> int:
    """The value as an int within its limits. Raises TypeError and ValueError."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} must be an int, not {type(value).__name__}: {value!r}")
    if value < low or (high is not None and value > high):
        limit = f"at least {low}" if high is None else f"from {low} to {high}"
        raise ValueError(f"{name} must be {limit}, not {value!r}")
    return value
