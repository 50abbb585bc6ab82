"""Sampling options as the caller writes them, validated once; knows no engine."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal


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
        _number("temperature", self.temperature, 0.0, math.inf)
        _number("top_p", self.top_p, 0.0, 1.0, open_low=True)
        _number("min_p", self.min_p, 0.0, 1.0)
        _number("repetition_penalty", self.repetition_penalty, 0.0, math.inf, open_low=True)
        if self.top_k is not None:
            _integer("top_k", self.top_k, 1)
        if self.seed is not None:
            _integer("seed", self.seed, 0)
        _integer("n", self.n, 1)
        _integer("logprobs", self.logprobs, 0)
        if self.verification not in ("match", "rejection"):
            raise ValueError(f"verification must be 'match' or 'rejection', not {self.verification!r}")


def _number(name: str, value: object, low: float, high: float, *, open_low: bool = False) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{name} must be a number, not {type(value).__name__}: {value!r}")
    below = value <= low if open_low else value < low
    if below or value > high or not math.isfinite(value):
        limit = f"{'above' if open_low else 'at least'} {low:g}"
        limit += f" and at most {high:g}" if math.isfinite(high) else " and finite"
        raise ValueError(f"{name} must be {limit}, not {value!r}")


def _integer(name: str, value: object, low: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} must be an int, not {type(value).__name__}: {value!r}")
    if value < low:
        raise ValueError(f"{name} must be at least {low}, not {value!r}")
