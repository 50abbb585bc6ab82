"""The engine's thread: admits tickets, steps while there are any, ends what is late; knows no schema.

The thread owns the engine. Callers hand it tickets and wait for their events, so an interrupt in a caller finds the
engine whole, and requests of all callers share steps.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterable

from deepinfer_engine import Engine, Output, Request, SamplingParams
from deepinfer_engine.errors import EngineError
from deepinfer_engine.request import Usage as EngineUsage
from deepinfer_structured.errors import CancelledError, EngineFailedError, StructuredError, TimeoutExceededError
from deepinfer_structured.results import FinishReason, Usage
from deepinfer_structured.runner.failures import translate
from deepinfer_structured.runner.ticket import Ticket

__all__ = ["Loop"]


class Loop:
    """Runs in one thread, which starts with the first ticket and sleeps while there is nothing to do."""

    def __init__(self, engine: Engine, eos: int) -> None:
        self._engine = engine
        self._eos = eos
        self._wake = threading.Condition()
        self._arrived: deque[Ticket] = deque()
        self._cancelled: deque[Ticket] = deque()
        self._closing = False
        self._thread: threading.Thread | None = None
        self._live: dict[int, Ticket] = {}
        self._next_id = 0

    def submit(self, tickets: Iterable[Ticket]) -> None:
        """Queue tickets. Raises EngineFailedError once the loop is closed."""
        with self._wake:
            if self._closing:
                raise EngineFailedError("the engine is closed; make another LLM")
            self._arrived.extend(tickets)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, daemon=True, name="deepinfer-engine")
                self._thread.start()
            self._wake.notify()

    def cancel(self, tickets: Iterable[Ticket]) -> None:
        """Abort tickets before the next step; those that are done stay as they are."""
        with self._wake:
            self._cancelled.extend(tickets)
            self._wake.notify()

    def close(self) -> None:
        """End the thread after its present step; what is unfinished is cancelled. Idempotent."""
        with self._wake:
            self._closing = True
            thread = self._thread
            self._wake.notify()
        if thread is None:
            self._engine.close()
        elif thread is not threading.current_thread():
            thread.join()

    def _run(self) -> None:
        try:
            while self._turn():
                pass
        except Exception as error:  # noqa: BLE001 - nobody may wait for ever on a thread that died
            self._fail_all(translate(error))
        finally:
            with self._wake:
                self._closing = True
            self._fail_all(None)
            self._engine.close()

    def _turn(self) -> bool:
        """One round: take what came, end what is over, step. False when closing."""
        with self._wake:
            while not (self._arrived or self._cancelled or self._live or self._closing):
                self._wake.wait()
            if self._closing:
                return False
            arrived, self._arrived = self._arrived, deque()
            cancelled, self._cancelled = self._cancelled, deque()
        for ticket in arrived:
            self._admit(ticket)
        self._drop(cancelled)
        self._expire()
        if self._live:
            self._step()
        return True

    def _admit(self, ticket: Ticket) -> None:
        work, identity = ticket.work, self._next_id
        self._next_id += 1
        sampling = work.sampling
        try:
            request = Request(
                request_id=identity,
                prompt=work.prompt,
                max_tokens=work.max_tokens,
                constraint=work.matcher,
                stop_tokens=(self._eos,),
                sampling=SamplingParams(
                    temperature=sampling.temperature,
                    top_p=sampling.top_p,
                    top_k=sampling.top_k,
                    min_p=sampling.min_p,
                    repetition_penalty=sampling.repetition_penalty,
                    seed=work.seed,
                    logprobs=sampling.logprobs,
                    verification=sampling.verification,
                ),
            )
            self._engine.submit(request)
        except EngineError as error:
            ticket.finish(FinishReason.ERROR, translate(error))
        else:
            self._live[identity] = ticket

    def _drop(self, cancelled: Iterable[Ticket]) -> None:
        gone = {id(ticket) for ticket in cancelled}
        if not gone:
            return
        for identity, ticket in list(self._live.items()):
            if id(ticket) in gone:
                self._abort(identity)
                text, usage = ticket.transcript.text, ticket.usage
                ticket.finish(FinishReason.ABORT, CancelledError("the request was cancelled", text=text, usage=usage))

    def _expire(self) -> None:
        now = time.monotonic()
        for identity, ticket in list(self._live.items()):
            if ticket.work.deadline is not None and now >= ticket.work.deadline:
                self._abort(identity)
                message = f"the time-out passed after {ticket.usage.output_tokens} tokens"
                late = TimeoutExceededError(message, text=ticket.transcript.text, usage=ticket.usage)
                ticket.finish(FinishReason.ABORT, late)

    def _abort(self, identity: int) -> None:
        """Take a request out of the engine, with its last counters."""
        last = self._engine.abort(identity)
        ticket = self._live.pop(identity)
        if last is not None:
            ticket.usage = usage_of(last.usage)

    def _step(self) -> None:
        try:
            outputs = self._engine.step()
        except EngineError as error:
            for identity, ticket in list(self._live.items()):
                if not self._engine.holds(identity):
                    del self._live[identity]
                    failure = translate(error, text=ticket.transcript.text, usage=ticket.usage)
                    ticket.finish(FinishReason.ERROR, failure)
            return
        for output in outputs:
            self._take(output)

    def _take(self, output: Output) -> None:
        identity = int(output.request_id)
        ticket = self._live[identity]
        ticket.usage = usage_of(output.usage)
        ticket.transcript.push(output.tokens, output.logprobs or ())
        text = ticket.transcript.text
        if ticket.transcript.stopped:
            self._abort(identity)
            ticket.finish(FinishReason.STOP)
        elif output.finish is None:
            ticket.report()
        else:
            del self._live[identity]
            if output.error is not None:
                ticket.finish(FinishReason.ERROR, translate(output.error, text=text, usage=ticket.usage))
            else:
                reason = FinishReason(output.finish)
                ticket.finish(reason, complete=reason is FinishReason.STOP or ticket.must_end())

    def _fail_all(self, error: StructuredError | None) -> None:
        """End every ticket: with `error`, or as cancelled."""
        with self._wake:
            waiting, self._arrived = self._arrived, deque()
        left = [*self._live.values(), *waiting]
        self._live.clear()
        for ticket in left:
            text, usage = ticket.transcript.text, ticket.usage
            if error is None:
                closed = CancelledError("the LLM was closed", text=text, usage=usage)
                ticket.finish(FinishReason.ABORT, closed)
            else:
                ticket.finish(FinishReason.ERROR, translate(error, text=text, usage=usage))


def usage_of(usage: EngineUsage) -> Usage:
    """The engine's counters as this package's."""
    return Usage(
        prompt_tokens=usage.prompt_tokens,
        cached_tokens=usage.cached_tokens,
        output_tokens=usage.output_tokens,
        verifications=usage.verifications,
        drafted=usage.drafted,
        accepted=usage.accepted,
        forced=usage.forced,
        masks=usage.masks,
        seconds=usage.seconds,
    )
