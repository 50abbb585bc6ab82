"""Engine errors as errors of this package; a test holds the table to the engine's whole tree."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from deepinfer_engine.errors import (
    CapacityError,
    CheckpointError,
    ConfigError,
    ConstraintError,
    EngineClosedError,
    EngineError,
    InvalidRequestError,
    StepError,
)
from deepinfer_engine.errors import DeadEndError as EngineDeadEndError
from deepinfer_structured.errors import (
    CancelledError,
    DeadEndError,
    EngineFailedError,
    GenerationError,
    PromptTooLongError,
    RequestError,
    StructuredError,
)
from deepinfer_structured.results import Usage

__all__ = ["MAPPED", "translate"]

_Make: TypeAlias = Callable[[str, str, Usage], StructuredError]


def _failed(message: str, text: str, usage: Usage) -> StructuredError:
    return EngineFailedError(message, text=text, usage=usage)


def _refused(message: str, _text: str, _usage: Usage) -> StructuredError:
    return RequestError(message)


def _too_long(message: str, _text: str, _usage: Usage) -> StructuredError:
    return PromptTooLongError(message)


MAPPED: dict[type[EngineError], _Make] = {
    EngineError: _failed,
    ConfigError: _failed,
    CheckpointError: _failed,
    InvalidRequestError: _refused,
    CapacityError: _too_long,
    EngineDeadEndError: lambda message, text, usage: DeadEndError(message, text=text, usage=usage),
    ConstraintError: _failed,
    StepError: _failed,
    EngineClosedError: lambda message, text, usage: CancelledError(message, text=text, usage=usage),
}
"""What each class of the engine becomes."""


def translate(error: BaseException, *, text: str = "", usage: Usage | None = None) -> StructuredError:
    """The error a caller sees for `error`, which becomes its cause. An error of this package stays as it is, also where
    the engine passes on what a matcher raised.
    """
    usage = usage or Usage()
    raised = error.__cause__ if isinstance(error, ConstraintError) else error
    if isinstance(raised, StructuredError):
        if isinstance(raised, GenerationError):
            raised.text, raised.usage = text, usage
        return raised
    kind = next((cls for cls in type(error).__mro__ if cls in MAPPED), EngineError)
    notes = "".join(f"\n{note}" for note in getattr(error, "__notes__", ()))
    mapped = MAPPED[kind](f"{error}{notes}", text, usage)
    mapped.__cause__ = error
    return mapped
