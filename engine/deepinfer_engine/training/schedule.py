"""A schedule over wall-clock time: what fraction of the run has passed, the learning rate and the batch at it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

__all__ = ["Clock", "Schedule"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """Warm-up, constant, linear decay; few micro-batches a step early on. All in fractions of the whole run."""

    warmup: float = 0.01
    decay: float = 0.4
    floor: float = 0.01
    ramp: tuple[tuple[float, int], ...] = ((0.06, 1), (0.15, 2), (1.0, 4))

    def rate(self, fraction: float) -> float:
        """Factor of the learning rate."""
        if fraction < self.warmup:
            return max(fraction / self.warmup, 0.02)
        left = (1 - min(fraction, 1)) / self.decay if self.decay else 1
        return max(min(1, left), self.floor)

    def micro_batches(self, fraction: float) -> int:
        """Micro-batches of one step."""
        return next((count for until, count in self.ramp if fraction < until), self.ramp[-1][1])


@dataclass(slots=True)
class Clock:
    """`start` to `end` of a schedule, run through from the first call of `fraction` until `seconds` after creation."""

    seconds: float
    start: float = 0.0
    end: float = 1.0
    began: float = field(default_factory=time.monotonic)
    first: float | None = None

    def fraction(self) -> float:
        """Where the schedule stands now; waits for nothing. The first call, after compilation, starts it."""
        now = time.monotonic()
        if self.first is None:
            self.first = now
        span = max(self.began + self.seconds - self.first, 1e-6)
        return self.start + (self.end - self.start) * min((now - self.first) / span, 1)

    @property
    def elapsed(self) -> float:
        """Seconds since creation."""
        return time.monotonic() - self.began

    @property
    def over(self) -> bool:
        """Whether the time is used up."""
        return self.elapsed >= self.seconds
