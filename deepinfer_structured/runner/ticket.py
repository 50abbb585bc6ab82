"""What a caller hands in and gets back: a request with its text so far; knows no engine and no schema."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import torch

from deepinfer_structured.constraint.matcher import AnyMatcher
from deepinfer_structured.constraint.vocabulary import Vocabulary
from deepinfer_structured.errors import StructuredError
from deepinfer_structured.options import SamplingParams
from deepinfer_structured.results import FinishReason, TokenLogprob, Usage
from deepinfer_structured.runner.transcript import Transcript

__all__ = ["Deliver", "Event", "Outcome", "Ticket", "Work"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One request. `row` is its place in the call, which the runner only hands back."""

    row: int
    prompt: tuple[int, ...]
    max_tokens: int
    matcher: AnyMatcher
    sampling: SamplingParams
    seed: int
    stop: tuple[str, ...] = ()
    thinking: bool = False
    deadline: float | None = None
    """On the clock of `time.monotonic`."""
    streamed: bool = False
    """Whether text is delivered as it arrives, and not only at the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a request ended. `complete` says that its grammar has it whole; a stop string never makes it so."""

    text: str = ""
    thinking: str | None = None
    token_ids: list[int] = field(default_factory=list)
    logprobs: list[TokenLogprob] | None = None
    finish: FinishReason
    complete: bool = False
    usage: Usage = field(default_factory=Usage)
    error: StructuredError | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """News of a row: its text so far, and its outcome once there is one."""

    row: int
    text: str = ""
    outcome: Outcome | None = None


Deliver = Callable[[Event], None]
"""Called in the engine's thread; must not block or raise."""


class Ticket:
    """A request on its way through the runner. Moved by the engine's thread alone, from its submission on."""

    def __init__(self, work: Work, vocabulary: Vocabulary, deliver: Deliver) -> None:
        self.work = work
        self.transcript = Transcript(vocabulary, stop=work.stop, thinking=work.thinking)
        self.usage = Usage()
        self._vocabulary = vocabulary
        self._deliver = deliver
        self._done = False

    def report(self) -> None:
        """Deliver the text so far, where it was asked for."""
        if self.work.streamed and not self._done:
            self._deliver(Event(row=self.work.row, text=self.transcript.text))

    def must_end(self) -> bool:
        """Whether nothing but the end of sequence may follow."""
        row = torch.zeros(self._vocabulary.words, dtype=torch.int32)
        if not self.work.matcher.is_complete:
            return False
        self.work.matcher.fill(row)
        row[self._vocabulary.eos // 32] &= ~(1 << self._vocabulary.eos % 32)
        return not row.any()

    def finish(self, reason: FinishReason, error: StructuredError | None = None, *, complete: bool = False) -> None:
        """Deliver the outcome; only the first one counts."""
        if self._done:
            return
        self._done = True
        transcript = self.transcript
        transcript.close()
        outcome = Outcome(
            text=transcript.text,
            thinking=transcript.thinking,
            token_ids=transcript.token_ids,
            logprobs=transcript.logprobs if self.work.sampling.logprobs else None,
            finish=reason,
            complete=complete,
            usage=self.usage,
            error=error,
        )
        self._deliver(Event(row=self.work.row, text=outcome.text, outcome=outcome))
