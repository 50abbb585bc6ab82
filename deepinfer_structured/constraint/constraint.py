"""A schema compiled for one vocabulary: its report, its tests of text, its cursors; immutable."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

from deepinfer_structured.constraint.checks import Check, TextCheck
from deepinfer_structured.constraint.matcher import AnyMatcher, Matcher, TextMatcher
from deepinfer_structured.constraint.vocabulary import Vocabulary
from deepinfer_structured.constraint.xgrammar_engine import Compiled
from deepinfer_structured.errors import CheckFailedError, CompileLimitError, UnsatisfiableSchemaError
from deepinfer_structured.schema.lower import Lowered
from deepinfer_structured.schema.productive import costs
from deepinfer_structured.schema.report import Report
from deepinfer_structured.schema.shortest import texts

MAX_TRIES = 2_000


class Constraint:
    """A compiled schema. Shared freely; each text gets its own matcher."""

    def __init__(self, lowered: Lowered, compiled: Compiled, check: Check, vocabulary: Vocabulary) -> None:
        self._lowered = lowered
        self._compiled = compiled
        self.check = check
        self.vocabulary = vocabulary
        self.report: Report = lowered.report
        self.json_schema: Mapping[str, Any] | bool | None = lowered.json_schema
        self._shortest: str | None = None

    @property
    def size_bytes(self) -> int:
        """What the compiled masks take."""
        return self._compiled.size_bytes

    def matcher(self) -> Matcher:
        """A cursor at the start."""
        return Matcher(self._compiled, self.vocabulary)

    def parse(self, text: str) -> Any:
        """The value of a finished text; CheckFailedError when a check says no."""
        return self.check.parse(text)

    def accepts(self, text: str) -> bool:
        """Whether every token of the text is legal, the text may end there, and every check passes."""
        return walks(self.matcher(), text, self.vocabulary) and _passes(self.check, text)

    def shortest(self) -> str:
        """A shortest conforming text."""
        if self._shortest is None:
            self._shortest = self._find_shortest()
        return self._shortest

    def shortest_legal(self) -> str:
        """A shortest text of the grammar, which no check has seen: no conforming text is shorter. Empty if unknown."""
        return next(texts(self._lowered.grammar), "")

    def least(self) -> float:
        """The number of characters of a shortest text of the grammar."""
        return costs(self._lowered.grammar)[self._lowered.grammar.root]

    def _find_shortest(self) -> str:
        tried = 0
        for text in islice(texts(self._lowered.grammar), MAX_TRIES):
            if _passes(self.check, text):
                return text
            tried += 1
        if tried:
            raise UnsatisfiableSchemaError(f"none of the {tried} shortest texts passes the checks")
        raise CompileLimitError(f"a shortest text, of {self.least():.0f} characters, is too long to be spelled out")


class TextConstraint:
    """No schema: any text, control tokens left out."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.check: Check = TextCheck()
        self.report = Report()
        self.json_schema: Mapping[str, Any] | bool | None = None
        self.size_bytes = 0

    def matcher(self) -> TextMatcher:
        """A cursor at the start."""
        return TextMatcher(self.vocabulary)

    def parse(self, text: str) -> Any:
        """The text itself."""
        return self.check.parse(text)

    def accepts(self, text: str) -> bool:
        """Every text is accepted."""
        return walks(self.matcher(), text, self.vocabulary)

    def shortest(self) -> str:
        """The empty text."""
        return ""


def walks(matcher: AnyMatcher, text: str, vocabulary: Vocabulary) -> bool:
    """Whether the matcher takes the canonical tokens of the text and may end there."""
    if not isinstance(text, str):
        raise TypeError(f"text must be a str, not {type(text).__name__}: {text!r}")
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return all(matcher.accept(token) for token in vocabulary.encode(text)) and matcher.is_complete


def _passes(check: Check, text: str) -> bool:
    try:
        check.parse(text)
    except CheckFailedError:
        return False
    return True
