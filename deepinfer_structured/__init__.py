"""A prompt and a Python type in, a typed object out. Nothing heavy is imported before it is used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from deepinfer_structured import errors
from deepinfer_structured.errors import (
    BatchError,
    BudgetTooSmallError,
    CancelledError,
    CheckFailedError,
    CompileLimitError,
    DeadEndError,
    EngineFailedError,
    GenerationError,
    GrammarSyntaxError,
    InvalidPromptError,
    PromptTooLongError,
    RegexSyntaxError,
    RequestError,
    SchemaError,
    StructuredError,
    TimeoutExceededError,
    TruncatedError,
    UnsatisfiableSchemaError,
    UnsupportedSchemaError,
)
from deepinfer_structured.options import SamplingParams
from deepinfer_structured.results import Completion, FinishReason, Partial, TokenLogprob, Usage
from deepinfer_structured.schema.report import Report
from deepinfer_structured.schema.spec import EBNF, Choice, Grammar, JSONSchema, Lark, Regex

if TYPE_CHECKING:
    from deepinfer_structured.constraint.compiler import compile_schema as compile  # noqa: A004
    from deepinfer_structured.constraint.constraint import Constraint
    from deepinfer_structured.constraint.matcher import Matcher
    from deepinfer_structured.constraint.vocabulary import Vocabulary
    from deepinfer_structured.llm import LLM, generate
    from deepinfer_structured.runner import Backend, backends

__all__ = [
    "EBNF",
    "LLM",
    "Backend",
    "BatchError",
    "BudgetTooSmallError",
    "CancelledError",
    "CheckFailedError",
    "Choice",
    "CompileLimitError",
    "Completion",
    "Constraint",
    "DeadEndError",
    "EngineFailedError",
    "FinishReason",
    "GenerationError",
    "Grammar",
    "GrammarSyntaxError",
    "InvalidPromptError",
    "JSONSchema",
    "Lark",
    "Matcher",
    "Partial",
    "PromptTooLongError",
    "Regex",
    "RegexSyntaxError",
    "Report",
    "RequestError",
    "SamplingParams",
    "SchemaError",
    "StructuredError",
    "TimeoutExceededError",
    "TokenLogprob",
    "TruncatedError",
    "UnsatisfiableSchemaError",
    "UnsupportedSchemaError",
    "Usage",
    "Vocabulary",
    "backends",
    "compile",
    "errors",
    "generate",
]

_LAZY = {
    "compile": ("deepinfer_structured.constraint.compiler", "compile_schema"),
    "Constraint": ("deepinfer_structured.constraint.constraint", "Constraint"),
    "Matcher": ("deepinfer_structured.constraint.matcher", "Matcher"),
    "Vocabulary": ("deepinfer_structured.constraint.vocabulary", "Vocabulary"),
    "LLM": ("deepinfer_structured.llm", "LLM"),
    "generate": ("deepinfer_structured.llm", "generate"),
    "Backend": ("deepinfer_structured.runner", "Backend"),
    "backends": ("deepinfer_structured.runner", "backends"),
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, attribute = _LAZY[name]
    value = getattr(import_module(module), attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
