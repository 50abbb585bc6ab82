"""Who runs next: waiting, running and preempted sequences against slots, pages and the prompt budget of a step."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from deepinfer_engine.cache.memory import PageTable
from deepinfer_engine.config import EngineConfig
from deepinfer_engine.request import RequestId
from deepinfer_engine.sequence import Sequence

__all__ = ["Batch", "Scheduler"]


@dataclass(frozen=True, slots=True)
class Batch:
    """What one step runs: `decoding` sequences, and `prompts` with the number of their tokens to process."""

    decoding: list[Sequence]
    prompts: list[tuple[Sequence, int]]

    def __bool__(self) -> bool:
        return bool(self.decoding or self.prompts)


class Scheduler:
    """First come, first served. A sequence that cannot grow makes the latest arrival give up its place; that one
    is computed again later, from its tokens, and continues as if nothing had happened."""

    def __init__(self, config: EngineConfig, pages: PageTable) -> None:
        self.config, self.pages = config, pages
        self.waiting: deque[Sequence] = deque()
        self.running: list[Sequence] = []

    def add(self, sequence: Sequence) -> None:
        """Queue a new sequence."""
        self.waiting.append(sequence)

    def next_batch(self) -> Batch:
        """Admit what fits, make room for what runs, share out the prompt budget."""
        self._admit()
        decoding: list[Sequence] = []
        prompts: list[tuple[Sequence, int]] = []
        budget = self.config.prefill_tokens
        for sequence in list(self.running):
            if sequence.slot is None:
                continue
            if sequence.decoding:
                if self._reserve(sequence, len(sequence.tokens) + self.config.max_draft):
                    decoding.append(sequence)
            elif budget:
                count = min(sequence.pending, budget)
                if self._reserve(sequence, sequence.processed + count):
                    prompts.append((sequence, count))
                    budget -= count
        still = [s for s in decoding if s.slot is not None]
        return Batch(still, [(s, count) for s, count in prompts if s.slot is not None])

    def release(self, sequence: Sequence) -> None:
        """Give back everything a finished sequence holds."""
        if sequence.slot is not None:
            self.pages.release(sequence.slot)
            sequence.slot = None
        if sequence in self.running:
            self.running.remove(sequence)

    def find(self, request_id: RequestId) -> Sequence | None:
        """The sequence of a request that is waiting or running."""
        for sequence in (*self.running, *self.waiting):
            if sequence.request.request_id == request_id:
                return sequence
        return None

    def drop(self, sequence: Sequence) -> None:
        """Forget a sequence wherever it is."""
        if sequence in self.waiting:
            self.waiting.remove(sequence)
        self.release(sequence)

    def preempt(self, sequence: Sequence) -> None:
        """Take a running sequence's memory; it waits in front and is computed again."""
        self.release(sequence)
        sequence.processed = 0
        self.waiting.appendleft(sequence)

    def _admit(self) -> None:
        """Waiting sequences start while a slot is free and the free pages hold all their tokens and a draft."""
        promised = sum(
            self.pages.missing(s.slot, len(s.tokens) + self.config.max_draft)
            for s in self.running
            if s.slot is not None
        )
        while self.waiting and self.pages.free_slots:
            sequence = self.waiting[0]
            need = self.pages.pages_for(len(sequence.tokens) + self.config.max_draft)
            if promised + need > len(self.pages.free_pages):
                return
            promised += need
            self.waiting.popleft()
            sequence.slot = self.pages.take_slot()
            sequence.begin()
            replay = self.config.replay
            # Counted from the prompt, so that a preempted sequence sees again what it saw before.
            sequence.keep_from = 0 if replay is None else max(0, len(sequence.request.prompt) - replay)
            self.running.append(sequence)

    def _reserve(self, sequence: Sequence, tokens: int) -> bool:
        """Pages for `tokens` positions of `sequence`, taken from later arrivals if need be; False if it had to go."""
        while sequence.slot is not None and not self.pages.can_grow(sequence.slot, tokens):
            self.preempt(max(self.running, key=lambda s: s.arrival))
        if sequence.slot is None:
            return False
        self.pages.grow(sequence.slot, tokens)
        return True
