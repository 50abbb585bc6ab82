"""One prompt, watched while its tokens arrive."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from typing import Any

from deepinfer_structured.constraint.constraint import Constraint, TextConstraint
from deepinfer_structured.decode import decode_partial
from deepinfer_structured.llm.call import Call
from deepinfer_structured.results import Partial
from deepinfer_structured.runner import Event

__all__ = ["watch"]


def watch(call: Call, constraint: Constraint | TextConstraint) -> Iterator[Partial[Any]]:
    """The value so far, each time its text has grown, and last the whole one. Closing the iterator cancels."""
    inbox: queue.SimpleQueue[Event] = queue.SimpleQueue()
    seen = ""
    try:
        call.feed(inbox.put)
        while call.waiting:
            event = _latest(inbox)
            call.take(event)
            if event.outcome is None and event.text != seen:
                seen = event.text
                yield Partial(value=decode_partial(seen, constraint), text=seen)
    finally:
        call.cancel()
    completion = call.result()
    yield Partial(value=completion.value, text=completion.text, done=True)


def _latest(inbox: queue.SimpleQueue[Event]) -> Event:
    """The newest event; older ones said less."""
    event = inbox.get()
    while not inbox.empty():
        event = inbox.get()
    return event
