"""Engine: submit requests, step until they are done. The only class of this package that most users need."""

from __future__ import annotations

import threading
from collections.abc import Sequence as Many
from pathlib import Path

import torch
from torch import Tensor

from deepinfer_engine.backbone import Backbone
from deepinfer_engine.config import EngineConfig
from deepinfer_engine.errors import CapacityError, EngineClosedError, EngineError, InvalidRequestError, StepError
from deepinfer_engine.model.transformer import Transformer
from deepinfer_engine.request import Output, Request, RequestId
from deepinfer_engine.scheduler import Scheduler
from deepinfer_engine.sequence import Sequence
from deepinfer_engine.speculative.drafter import Drafter
from deepinfer_engine.step import step
from deepinfer_engine.weights.checkpoint import load

__all__ = ["Engine"]


class Engine:
    """Runs a model over many requests at once. Not re-entrant: one thread steps; `submit` and `abort` may come from
    others, between steps.
    """

    def __init__(
        self,
        model: Transformer,
        config: EngineConfig | None = None,
        *,
        token_map: Tensor | None = None,
    ) -> None:
        self.config = config or EngineConfig()
        self.model = model
        self._backbone = Backbone(model, self.config, token_map)
        self._scheduler = Scheduler(self.config, self._backbone.pages)
        self._drafter = Drafter(self._backbone, masked=self.config.mask_drafts)
        self._seconds = torch.tensor(self.config.step_seconds) if self.config.step_seconds else None
        self._lock = threading.Lock()
        self._arrivals = 0
        self._closed = False

    @classmethod
    def from_checkpoint(
        cls,
        folder: Path,
        config: EngineConfig | None = None,
        *,
        device: str | torch.device = "cpu",
        dtype: torch.dtype = torch.float32,
    ) -> Engine:
        """Load a checkpoint folder. Raises CheckpointError (all mismatches in one) and ConfigError."""
        loaded = load(folder, device=device, dtype=dtype)
        return cls(loaded.model, config, token_map=loaded.token_map)

    @property
    def idle(self) -> bool:
        """Whether no request is waiting or running."""
        return not (self._scheduler.waiting or self._scheduler.running)

    @property
    def max_tokens(self) -> int:
        """Most tokens a request may have, prompt and output together: the context, or what the cache can hold."""
        pages = self._backbone.memory.pages * self.config.page_tokens - self.config.max_draft
        return max(0, min(self.model.config.max_position_embeddings, pages))

    def submit(self, request: Request) -> None:
        """Queue a request.

        Raises InvalidRequestError (ids outside the vocabulary, an id in use) and CapacityError (prompt and
        `max_tokens` exceed `max_tokens` of the engine, so that it could never run).
        """
        with self._lock:
            self._check(request)
            self._scheduler.add(Sequence(request, self._arrivals))
            self._arrivals += 1

    def step(self) -> list[Output]:
        """Advance the batch by one step; what each moved request got. Empty when idle.

        Raises StepError when the step itself fails; the requests it ran are then dropped and their memory is free.
        """
        with self._lock, torch.inference_mode():
            if self._closed:
                raise EngineClosedError("the engine is closed")
            batch = self._scheduler.next_batch()
            if not batch:
                return []
            before = {id(s): (len(s.tokens), len(s.logprobs)) for s in batch.decoding}
            before |= {id(s): (len(s.tokens), len(s.logprobs)) for s, _ in batch.prompts}
            try:
                moved = step(batch, self._backbone, self._drafter, self._threshold(len(batch.decoding)), self._seconds)
            except Exception as error:
                for sequence in (*batch.decoding, *(s for s, _ in batch.prompts)):
                    self._scheduler.drop(sequence)
                if isinstance(error, EngineError):
                    raise
                raise StepError(f"a step over {len(before)} requests failed: {error}") from error
            return [self._output(s, *before[id(s)]) for s in moved]

    def abort(self, request_id: RequestId) -> Output | None:
        """Drop a request and free what it holds; None if it is not here (any more)."""
        with self._lock:
            sequence = self._scheduler.find(request_id)
            if sequence is None:
                return None
            sequence.finish = "abort"
            self._scheduler.drop(sequence)
            return Output(request_id=request_id, tokens=(), finish="abort", usage=sequence.tick())

    def preempt(self, request_id: RequestId) -> bool:
        """Take a running request's memory; it starts over from its tokens when there is room. False if not running."""
        with self._lock:
            sequence = self._scheduler.find(request_id)
            if sequence is None or sequence.slot is None:
                return False
            self._scheduler.preempt(sequence)
            return True

    def holds(self, request_id: RequestId) -> bool:
        """Whether a request is waiting or running here; a failed step drops those that it ran."""
        with self._lock:
            return self._scheduler.find(request_id) is not None

    def close(self) -> None:
        """Drop all requests and the memory behind them. Idempotent."""
        with self._lock:
            self._closed = True
            self._scheduler.waiting.clear()
            for sequence in list(self._scheduler.running):
                self._scheduler.drop(sequence)
            for pool in (self._backbone.memory.tails, self._backbone.memory.entries, self._backbone.memory.keys):
                pool.clear()
            self._backbone.memory.rings.clear()

    def _threshold(self, decoding: int) -> float:
        """The survival below which a draft slot is not worth its row, from the number of requests in the step."""
        if self.config.draft_threshold is not None:
            return self.config.draft_threshold
        return _threshold_for(decoding, self.config.draft_thresholds)

    def _check(self, request: Request) -> None:
        if self._closed:
            raise EngineClosedError("the engine is closed")
        size = self.model.config.vocab_size
        if outside := [t for t in request.prompt if t >= size]:
            raise InvalidRequestError(f"prompt holds token {outside[0]!r}; the vocabulary has ids 0 to {size - 1}")
        if len(request.prompt) + request.max_tokens > self.max_tokens:
            raise CapacityError(
                f"the prompt has {len(request.prompt)} tokens and max_tokens is {request.max_tokens}; "
                f"together they may be {self.max_tokens} at most"
            )
        if self._scheduler.find(request.request_id) is not None:
            raise InvalidRequestError(f"request_id {request.request_id!r} is in use")
        if request.constraint is not None:
            for other in (*self._scheduler.running, *self._scheduler.waiting):
                if other.request.constraint is request.constraint:
                    raise InvalidRequestError(
                        f"the constraint is in use by request {other.request.request_id!r}; each request needs its own"
                    )

    def _output(self, sequence: Sequence, tokens: int, logprobs: int) -> Output:
        if sequence.finish is not None:
            self._scheduler.release(sequence)
        asked = sequence.request.sampling.logprobs
        return Output(
            request_id=sequence.request.request_id,
            tokens=tuple(sequence.tokens[tokens:]),
            logprobs=tuple(sequence.logprobs[logprobs:]) if asked else None,
            finish=sequence.finish,
            error=sequence.error,
            usage=sequence.tick(),
        )


def _threshold_for(decoding: int, table: Many[tuple[int, float]]) -> float:
    """The entry of the largest batch size that is not above `decoding`."""
    return max((entry for entry in table if entry[0] <= decoding), default=(0, 0.0))[1]
