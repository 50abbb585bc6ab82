"""The only door into the engine: prompts of token ids in, text out, every engine error mapped; knows no schema."""

from deepinfer_structured.runner.backends import Backend, backends
from deepinfer_structured.runner.runner import DTypeName, EngineOptions, Runner
from deepinfer_structured.runner.ticket import Deliver, Event, Outcome, Ticket, Work

__all__ = [
    "Backend",
    "DTypeName",
    "Deliver",
    "EngineOptions",
    "Event",
    "Outcome",
    "Runner",
    "Ticket",
    "Work",
    "backends",
]
