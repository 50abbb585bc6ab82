"""Interleaved rounds and the spread of their figures. Imports nothing heavy: it also runs in parents of measured
processes.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TypeVar

__all__ = ["Spread", "figure", "interleaved", "ratios"]

T = TypeVar("T")


def figure(value: float) -> str:
    """Three digits or so: what a reader compares."""
    size = abs(value)
    if size >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if size >= 10 else f"{value:.2f}"


@dataclass(frozen=True, slots=True)
class Spread:
    """The median of some rounds with the smallest and the largest of them."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """The spread of one figure a round."""
        return cls(statistics.median(values), min(values), max(values))

    def record(self) -> dict[str, float]:
        """As JSON has it."""
        return asdict(self)

    def __str__(self) -> str:
        return f"{figure(self.median)} [{figure(self.low)}, {figure(self.high)}]"


def ratios(tops: Sequence[float], bottoms: Sequence[float]) -> Spread:
    """The ratio of two arms, taken within each round: a machine that slows down slows both."""
    return Spread.of([top / bottom for top, bottom in zip(tops, bottoms, strict=True)])


def interleaved(arms: Mapping[str, Callable[[], T]], rounds: int) -> dict[str, list[T]]:
    """What every arm gave in every round. An arm runs once a round; every other round goes through them backwards."""
    results: dict[str, list[T]] = {name: [] for name in arms}
    for number in range(rounds):
        names = list(arms) if number % 2 == 0 else list(arms)[::-1]
        for name in names:
            print(f"  round {number + 1} of {rounds}: {name}", file=sys.stderr, flush=True)
            results[name].append(arms[name]())
    return results
