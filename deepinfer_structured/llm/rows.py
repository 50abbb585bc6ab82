"""One prompt with one schema to a request, and how it ended to a completion."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import Any

from pydantic_core import to_json

from deepinfer_structured.constraint.compiler import Compiler
from deepinfer_structured.constraint.constraint import Constraint, TextConstraint, walks
from deepinfer_structured.constraint.matcher import AnyMatcher, ThinkingMatcher
from deepinfer_structured.decode import decode
from deepinfer_structured.errors import (
    CheckFailedError,
    InvalidPromptError,
    PromptTooLongError,
    StructuredError,
    TimeoutExceededError,
    TruncatedError,
)
from deepinfer_structured.llm.arguments import CallOptions
from deepinfer_structured.llm.budget import check_budget, longest_token
from deepinfer_structured.llm.keywords import One
from deepinfer_structured.prompt import choice_text, compact_schema, regex_text, render
from deepinfer_structured.results import Completion, FinishReason
from deepinfer_structured.runner import Outcome, Work
from deepinfer_structured.schema.spec import Choice, Regex

__all__ = ["Form", "Rows", "failed"]


_KEPT = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A schema ready for use: its constraint, what the prompt says of it, and the examples written in it."""

    constraint: Constraint | TextConstraint
    text: str
    examples: tuple[tuple[str, str], ...]

    @property
    def is_text(self) -> bool:
        """Whether no schema was given."""
        return isinstance(self.constraint, TextConstraint)


class Rows:
    """What the rows of one call have in common. Schemas are compiled when the first row needs them."""

    def __init__(self, compiler: Compiler, limit: int, options: CallOptions) -> None:
        self._compiler = compiler
        self._vocabulary = compiler.vocabulary
        self._limit = limit
        self._options = options
        self._forms: dict[int, tuple[Any, Form | StructuredError]] = {}
        self._longest = longest_token(self._vocabulary)
        self.deadline = None if options.timeout is None else time.monotonic() + options.timeout

    def form(self, schema: Any) -> Form:
        """A schema's form, made once a call. Raises SchemaError. Of very many schemas only the latest are kept."""
        known = self._forms.get(id(schema))
        if known is None:
            try:
                made: Form | StructuredError = self._make_form(schema)
            except StructuredError as error:
                made = error
            known = self._forms[id(schema)] = schema, made
            if len(self._forms) > _KEPT:
                del self._forms[next(iter(self._forms))]
        if isinstance(known[1], StructuredError):
            raise known[1]
        return known[1]

    def check_time(self) -> None:
        """Raise TimeoutExceededError when it is too late to begin."""
        if self.deadline is not None and time.monotonic() >= self.deadline:
            raise TimeoutExceededError("the time-out passed before the prompt's turn came")

    def work(self, row: int, prompt: One, form: Form, seed: int, *, streamed: bool) -> Work:
        """The request of a row. Raises RequestError."""
        options = self._options
        check_budget(form.constraint, options.max_tokens)
        matcher: AnyMatcher = form.constraint.matcher()
        budget = options.max_tokens
        if options.thinking is not None:
            matcher = ThinkingMatcher(matcher, self._vocabulary, budget=options.thinking)
            budget += options.thinking + 1
        return Work(
            row=row,
            prompt=self._prompt(prompt, form, budget),
            max_tokens=budget,
            matcher=matcher,
            sampling=options.sampling,
            seed=seed,
            stop=options.stop,
            thinking=options.thinking is not None,
            deadline=self.deadline,
            streamed=streamed,
        )

    def completion(self, form: Form, seed: int, outcome: Outcome) -> Completion[Any]:
        """How a row ended, with its value or its error."""
        value, error = None, outcome.error
        if error is None:
            try:
                value = self._value(form, outcome)
            except StructuredError as caught:
                error = caught
        return Completion(
            value=value,
            text=outcome.text,
            thinking=outcome.thinking,
            token_ids=outcome.token_ids,
            finish_reason=outcome.finish,
            logprobs=outcome.logprobs,
            seed=seed,
            usage=outcome.usage,
            error=error,
        )

    def _value(self, form: Form, outcome: Outcome) -> Any:
        text, usage = outcome.text, outcome.usage
        if form.is_text:
            return text
        by_length = outcome.finish is FinishReason.LENGTH
        if not outcome.complete and (by_length or not walks(form.constraint.matcher(), text, self._vocabulary)):
            cause = f"max_tokens={self._options.max_tokens} ran out" if by_length else "a stop string came"
            raise TruncatedError(f"{cause} before the text was complete: ...{text[-40:]!r}", text=text, usage=usage)
        try:
            return decode(text, form.constraint)
        except CheckFailedError as error:
            error.usage = usage
            raise

    def _make_form(self, schema: Any) -> Form:
        constraint = self._compiler.compile(schema)
        match schema:
            case Regex(pattern):
                text = regex_text(pattern)
            case Choice(choices):
                text = choice_text(choices)
            case _ if constraint.json_schema is not None:
                text = compact_schema(constraint.json_schema)
            case _:
                text = ""
        as_json = constraint.json_schema is not None
        examples = tuple((document, _answer(answer, as_json=as_json)) for document, answer in self._options.examples)
        return Form(constraint=constraint, text=text, examples=examples)

    def _prompt(self, prompt: One, form: Form, budget: int) -> tuple[int, ...]:
        """Token ids. Text that is too long by its length alone is not even encoded."""
        own = [prompt] if isinstance(prompt, str) else [message["content"] for message in prompt]
        shared = [self._options.instruction or "", form.text, *(part for pair in form.examples for part in pair)]
        size = sum(map(len, (*own, *shared)))
        if not prompt:
            raise InvalidPromptError("the prompt is empty")
        if size > (self._limit - budget) * self._longest:
            raise self._too_long(-(-size // self._longest), budget, "at least ")
        try:
            ids = render(
                self._vocabulary,
                prompt,
                schema_text=form.text,
                instruction=self._options.instruction,
                examples=form.examples,
                thinking=self._options.thinking is not None,
            )
        except ValueError as error:
            raise InvalidPromptError(str(error)) from error
        if len(ids) + budget > self._limit:
            raise self._too_long(len(ids), budget)
        return tuple(ids)

    def _too_long(self, tokens: int, budget: int, about: str = "") -> PromptTooLongError:
        message = f"the prompt has {about}{tokens} tokens and its answer may have {budget}; together they may have"
        return PromptTooLongError(f"{message} {self._limit}", tokens=tokens, limit=self._limit)


def failed(error: StructuredError, seed: int) -> Completion[Any]:
    """The completion of a row that never ran."""
    late = isinstance(error, TimeoutExceededError)
    return Completion(
        value=None, finish_reason=FinishReason.ABORT if late else FinishReason.ERROR, seed=seed, error=error
    )


def _answer(answer: Any, *, as_json: bool) -> str:
    """The object of an example as the model would have written it."""
    if isinstance(answer, str):
        return json.dumps(answer, ensure_ascii=False) if as_json else answer
    return to_json(answer, by_alias=True).decode()
