"""One call of `generate`: its rows go in a window at a time, their completions come out in order. Written once, driven
by a thread that waits or by an event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections.abc import Sequence
from typing import Any, TypeAlias

from deepinfer_structured.errors import BatchError, RequestError, StructuredError, UnsupportedSchemaError
from deepinfer_structured.llm.arguments import CallOptions
from deepinfer_structured.llm.keywords import One
from deepinfer_structured.llm.progress import Progress
from deepinfer_structured.llm.rows import Form, Rows, failed
from deepinfer_structured.llm.seeds import SeedStream, derived
from deepinfer_structured.results import Completion
from deepinfer_structured.runner import Deliver, Event, Runner, Ticket

__all__ = ["Call"]

_Started: TypeAlias = tuple[Ticket, Form, int]
"""A row's ticket, the form of its schema, and its seed."""


class Call:
    """Rows are prompts times samples. Only a window of them exists at a time, however long the list."""

    def __init__(
        self,
        runner: Runner,
        rows: Rows,
        options: CallOptions,
        prompts: Sequence[One],
        schemas: Sequence[Any],
        seeds: SeedStream,
        *,
        single: bool,
        shared: bool,
        streamed: bool = False,
    ) -> None:
        self._runner, self._rows, self._options = runner, rows, options
        self._prompts, self._schemas, self._fresh = prompts, schemas, seeds
        self._single, self._shared, self._streamed = single, shared, streamed
        self._samples = options.sampling.n
        self._count = len(prompts) * self._samples
        self._next = 0
        self._under_way: dict[int, _Started] = {}
        self._done: list[Completion[Any] | None] = [None] * self._count
        self._seed = 0
        self._lock = threading.Lock()
        self._cancelled = False

    def run(self) -> Any:
        """Wait for all rows in this thread. An interrupt cancels them and leaves the engine as it was."""
        inbox: queue.SimpleQueue[Event] = queue.SimpleQueue()
        with Progress(self._count, wanted=self._options.progress) as progress:
            try:
                while self.feed(inbox.put):
                    self.take(inbox.get())
                    progress.show(self._count - self._left)
            finally:
                self.cancel()
        return self.result()

    async def run_async(self) -> Any:
        """Wait for all rows in an event loop. Cancelling the task cancels them."""
        loop = asyncio.get_running_loop()
        inbox: asyncio.Queue[Event] = asyncio.Queue()

        def deliver(event: Event) -> None:
            with contextlib.suppress(RuntimeError):  # the loop was closed: nobody waits any more
                loop.call_soon_threadsafe(inbox.put_nowait, event)

        with Progress(self._count, wanted=self._options.progress) as progress:
            try:
                while await asyncio.to_thread(self.feed, deliver) if self.hungry else self.waiting:
                    self.take(await inbox.get())
                    progress.show(self._count - self._left)
            finally:
                self.cancel()
        return self.result()

    @property
    def waiting(self) -> bool:
        """Whether a row is under way."""
        return bool(self._under_way)

    @property
    def hungry(self) -> bool:
        """Whether a row is waiting for a free place in the window."""
        return self._next < self._count and len(self._under_way) < self._runner.window

    @property
    def _left(self) -> int:
        return self._count - self._next + len(self._under_way)

    def feed(self, deliver: Deliver) -> bool:
        """Start rows until the window is full; whether any is under way. A row that cannot start fails here."""
        begun: dict[int, _Started] = {}
        while self._next < self._count and len(self._under_way) + len(begun) < self._runner.window:
            if self._cancelled:
                break
            row, self._next = self._next, self._next + 1
            if started := self._begin(row, deliver):
                begun[row] = started
        with self._lock:
            if begun and not self._cancelled:
                self._under_way |= begun
                self._runner.submit([ticket for ticket, _, _ in begun.values()])
        return bool(self._under_way)

    def take(self, event: Event) -> None:
        """Note how a row ended."""
        if event.outcome is not None:
            _, form, seed = self._under_way.pop(event.row)
            self._finish(event.row, self._rows.completion(form, seed, event.outcome))

    def cancel(self) -> None:
        """Abort what is under way and start no more."""
        with self._lock:
            self._cancelled = True
            if self._under_way:
                self._runner.cancel([ticket for ticket, _, _ in self._under_way.values()])

    def result(self) -> Any:
        """The values in the caller's shape. Raises a single prompt's own error, or one BatchError."""
        completions = [completion for completion in self._done if completion is not None]
        options, samples = self._options, self._samples
        if options.on_error == "raise":
            errors = [completion.error for completion in completions if completion.error is not None]
            if errors and self._single and samples == 1:
                raise errors[0]
            if errors:
                raise BatchError(completions=completions)
        values = [c if options.details or c.error is not None else c.value for c in completions]
        if samples > 1:
            values = [values[start : start + samples] for start in range(0, len(values), samples)]
        return values[0] if self._single else values

    def _begin(self, row: int, deliver: Deliver) -> _Started | None:
        index, sample = divmod(row, self._samples)
        if sample == 0:
            given = self._options.seeds[index]
            self._seed = self._fresh.draw() if given is None else given
        seed = derived(self._seed, sample)
        try:
            self._rows.check_time()
            form = self._rows.form(self._schemas[index])
            work = self._rows.work(row, self._prompts[index], form, seed, streamed=self._streamed)
        except StructuredError as error:
            self._finish(row, failed(error, seed))
            return None
        except (
            TypeError,
            ValueError,
        ) as error:  # no schema: the argument's error, or one row's
            if self._shared:
                raise
            refused = UnsupportedSchemaError(f"schemas[{index}]: {error}")
            refused.__cause__ = error
            self._finish(row, failed(refused, seed))
            return None
        return Ticket(work, self._runner.vocabulary, deliver), form, seed

    def _finish(self, row: int, completion: Completion[Any]) -> None:
        if isinstance(completion.error, RequestError):
            completion.error.prompt_index = row // self._samples
        self._done[row] = completion
