"""The only door into the engine: prompts of token ids in, text out, every engine error mapped; knows no schema."""

from deepinfer_structured.runner.runner import DTypeName, EngineOptions, Runner, devices
from deepinfer_structured.runner.ticket import Deliver, Event, Outcome, Ticket, Work

__all__ = ["DTypeName", "Deliver", "EngineOptions", "Event", "Outcome", "Runner", "Ticket", "Work", "devices"]
