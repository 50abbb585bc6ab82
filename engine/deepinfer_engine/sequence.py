"""One request on its way: its tokens, how far the cache holds them, and where it stands."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import torch
from torch import Tensor

from deepinfer_engine.errors import EngineError
from deepinfer_engine.request import Finish, Request, TokenLogprobs, Usage

__all__ = ["Sequence"]


@dataclass(slots=True, eq=False)
class Sequence:
    """The state of a request. Only the scheduler moves `slot` and `keep_from`, only `step.commit` the rest."""

    request: Request
    arrival: int
    tokens: list[int] = field(default_factory=list)
    processed: int = 0
    """Positions whose keys are in the cache; all before the anchor while decoding."""
    slot: int | None = None
    keep_from: int = 0
    usage: Usage = field(default_factory=Usage)
    started: float | None = None
    finish: Finish | None = None
    error: EngineError | None = None
    logprobs: list[TokenLogprobs] = field(default_factory=list)
    seen: Tensor | None = None
    """bool `[vocabulary]`, kept only for a repetition penalty."""

    def __post_init__(self) -> None:
        self.tokens = list(self.request.prompt)
        self.usage.prompt_tokens = len(self.tokens)

    @property
    def anchor(self) -> int:
        """The newest token; the target has not processed it yet."""
        return self.tokens[-1]

    @property
    def decoding(self) -> bool:
        """Whether all but the anchor is in the cache."""
        return self.processed == len(self.tokens) - 1 and self.usage.output_tokens > 0

    @property
    def pending(self) -> int:
        """Tokens the target has still to process, the anchor included."""
        return len(self.tokens) - self.processed

    @property
    def remaining(self) -> int:
        """Output tokens that may still come."""
        return self.request.max_tokens - self.usage.output_tokens

    def begin(self) -> None:
        """Start the clock at first admission."""
        if self.started is None:
            self.started = time.perf_counter()

    def tick(self) -> Usage:
        """The counters with the time so far."""
        self.usage.seconds = time.perf_counter() - self.started if self.started is not None else 0.0
        return self.usage.snapshot()

    def seen_tokens(self, vocabulary: int, device: torch.device) -> Tensor:
        """Which tokens occurred in prompt and output, bool `[vocabulary]`."""
        if self.seen is None:
            self.seen = torch.zeros(vocabulary, dtype=torch.bool, device=device)
            self.seen[torch.tensor(self.tokens, device=device)] = True
        return self.seen

    def append(self, token: int) -> None:
        """Add an output token."""
        self.tokens.append(token)
        self.usage.output_tokens += 1
        if self.seen is not None:
            self.seen[token] = True
