"""The errors a caller can meet, as one tree; knows nothing of what raises them.

StructuredError
├── SchemaError                   the schema cannot become a grammar: pointer, offset, line, column
│   ├── UnsupportedSchemaError        a keyword that is neither enforced nor checked
│   ├── UnsatisfiableSchemaError      no finite text conforms
│   ├── RegexSyntaxError              offset into the pattern
│   ├── GrammarSyntaxError            line and column of the grammar text
│   └── CompileLimitError             too large or too slow to compile
├── RequestError                  the request cannot be run: prompt_index
│   ├── PromptTooLongError            tokens, limit
│   ├── BudgetTooSmallError           needed, budget
│   └── InvalidPromptError
├── GenerationError               it ran and did not finish: text so far, usage, cause
│   ├── TruncatedError                the token budget ran out
│   ├── DeadEndError                  no token is legal
│   ├── CheckFailedError              the text fits the grammar, the type said no: cause
│   ├── CancelledError
│   └── TimeoutExceededError
├── BatchError                    some rows of a batch failed: completions, errors
└── EngineFailedError             the engine raised: text so far, usage, cause

A wrong Python type of an argument is a plain TypeError, a value out of range a plain ValueError.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class StructuredError(Exception):
    """Base of every error of this package."""

    def __init__(self, message: str = "") -> None:
        super().__init__(message)
        self.message = message

    @property
    def cause(self) -> BaseException | None:
        """The error underneath, the same object as `__cause__`."""
        return self.__cause__


class SchemaError(StructuredError):
    """The schema cannot become a grammar."""

    def __init__(
        self,
        message: str = "",
        *,
        pointer: str | None = None,
        offset: int | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        super().__init__(message + _place(pointer, offset, line, column))
        self.pointer = pointer
        self.offset = offset
        self.line = line
        self.column = column


class UnsupportedSchemaError(SchemaError):
    """A keyword or value of the schema can be neither enforced nor checked."""


class UnsatisfiableSchemaError(SchemaError):
    """No finite text conforms to the schema."""


class RegexSyntaxError(SchemaError):
    """The pattern is malformed or uses a construct that is not regular; `offset` says where."""


class GrammarSyntaxError(SchemaError):
    """The grammar text is malformed; `line` and `column` (from 1) say where."""


class CompileLimitError(SchemaError):
    """The schema is larger or slower to compile than the limits allow."""


class RequestError(StructuredError):
    """The request cannot be run as asked."""

    def __init__(self, message: str = "", *, prompt_index: int | None = None) -> None:
        super().__init__(message)
        self.prompt_index = prompt_index


class PromptTooLongError(RequestError):
    """The prompt and its answer do not fit into the context."""

    def __init__(
        self,
        message: str = "",
        *,
        tokens: int | None = None,
        limit: int | None = None,
        prompt_index: int | None = None,
    ) -> None:
        super().__init__(message, prompt_index=prompt_index)
        self.tokens = tokens
        self.limit = limit


class BudgetTooSmallError(RequestError):
    """The token budget cannot hold the shortest conforming text."""

    def __init__(
        self,
        message: str = "",
        *,
        needed: int | None = None,
        budget: int | None = None,
        prompt_index: int | None = None,
    ) -> None:
        super().__init__(message, prompt_index=prompt_index)
        self.needed = needed
        self.budget = budget


class InvalidPromptError(RequestError):
    """The prompt cannot be encoded: empty, or not text."""


class GenerationError(StructuredError):
    """Generation ran and did not finish with a conforming value."""

    def __init__(self, message: str = "", *, text: str = "", usage: Any = None) -> None:
        super().__init__(message)
        self.text = text
        self.usage = usage


class TruncatedError(GenerationError):
    """The token budget ran out before the text was complete."""


class DeadEndError(GenerationError):
    """No token is legal at this point of the text."""


class CheckFailedError(GenerationError):
    """The text fits the grammar but the value fails a check; `cause` is what the check raised."""


class CancelledError(GenerationError):
    """The request was cancelled."""


class TimeoutExceededError(GenerationError):
    """The request ran longer than its time-out."""


class EngineFailedError(StructuredError):
    """The engine raised; `cause` is its error."""

    def __init__(self, message: str = "", *, text: str = "", usage: Any = None) -> None:
        super().__init__(message)
        self.text = text
        self.usage = usage


class BatchError(StructuredError):
    """Some rows of a batch failed; every row was run to its end first."""

    def __init__(self, message: str = "", *, completions: Sequence[Any] = ()) -> None:
        self.completions = list(completions)
        self.errors: list[tuple[int, StructuredError]] = [
            (index, row.error) for index, row in enumerate(self.completions) if row.error is not None
        ]
        super().__init__(message or self._summary())

    def _summary(self) -> str:
        head = f"{len(self.errors)} of {len(self.completions)} prompts failed"
        if not self.errors:
            return head
        index, error = self.errors[0]
        return f"{head}; the first, prompt {index}: {type(error).__name__}: {error}"


def _place(pointer: str | None, offset: int | None, line: int | None, column: int | None) -> str:
    if pointer is not None:
        return f" (at {pointer!r})" if pointer else " (at the root)"
    if line is not None:
        return f" (line {line}:{column})"
    if offset is not None:
        return f" (offset {offset})"
    return ""
