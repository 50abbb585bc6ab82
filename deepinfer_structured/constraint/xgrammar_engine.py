"""Token masks by xgrammar, the only file that knows it: compile, row, accept, rollback, fork, forced text."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import numpy.typing as npt
import xgrammar

from deepinfer_structured.constraint.vocabulary import Vocabulary
from deepinfer_structured.errors import CompileLimitError, GrammarSyntaxError

_PREFIX = re.compile(r"\[[\d:]+\] \S+:\d+: ")
_PLACE = re.compile(r"line (\d+),? (?:column|col) (\d+)")


class Compiled:
    """A grammar compiled against one vocabulary; immutable."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle

    @property
    def size_bytes(self) -> int:
        return int(self._handle.memory_size_bytes)

    def cursor(self) -> Cursor:
        return Cursor(xgrammar.GrammarMatcher(self._handle))


class Cursor:
    """A place in the grammar. It never sees the end of sequence; the matcher above keeps that."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle

    @property
    def completed(self) -> bool:
        return bool(self._handle.is_completed())

    def fill(self, row: npt.NDArray[np.int32]) -> None:
        self._handle.fill_next_token_bitmask(row, 0)

    def accept(self, token: int) -> bool:
        return bool(self._handle.accept_token(token))

    def rollback(self, count: int) -> None:
        self._handle.rollback(count)

    def fork(self) -> Cursor:
        return Cursor(self._handle.fork())

    def forced(self) -> str:
        return str(self._handle.find_jump_forward_string())


class Engine:
    """Compiles grammars for one vocabulary."""

    def __init__(self, vocabulary: Vocabulary, *, threads: int = 2, cache_bytes: int = 32 << 20) -> None:
        info = xgrammar.TokenizerInfo(
            list(vocabulary.token_bytes),
            xgrammar.VocabType.RAW,
            vocab_size=vocabulary.size,
            stop_token_ids=[vocabulary.eos],
        )
        self._compiler = xgrammar.GrammarCompiler(
            info, max_threads=threads, cache_enabled=True, cache_limit_bytes=cache_bytes
        )

    def compile(self, ebnf: str) -> Compiled:
        """The grammar whose root rule is `root`."""
        try:
            return Compiled(self._compiler.compile_grammar(ebnf))
        except RuntimeError as error:
            raise CompileLimitError(f"the mask engine refused the grammar: {_clean(error)}") from error

    @staticmethod
    def from_lark(text: str, start: str) -> str:
        """Lark notation as EBNF, whose root rule is called `root`."""
        try:
            return str(xgrammar.Grammar.from_lark(text if start == "start" else f"{text}\nstart: {start}\n"))
        except (RuntimeError, ValueError) as error:
            message = _clean(error)
            place = _PLACE.search(message)
            line, column = (int(place[1]), int(place[2])) if place else (None, None)
            raise GrammarSyntaxError(f"Lark grammar: {message}", line=line, column=column) from error


def _clean(error: Exception) -> str:
    return _PREFIX.sub("", str(error)).strip()
