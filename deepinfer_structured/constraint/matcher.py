"""Cursors over tokens that the engine steers by: grammar, free text, thinking first; they know no schema."""

from __future__ import annotations

from typing import Protocol, Self

import numpy as np
import numpy.typing as npt
from torch import Tensor

from deepinfer_structured.constraint.vocabulary import THINK_CLOSE, Vocabulary
from deepinfer_structured.constraint.xgrammar_engine import Compiled, Cursor
from deepinfer_structured.errors import DeadEndError

Row = npt.NDArray[np.int32]


class AnyMatcher(Protocol):
    """What every matcher offers; the engine's Constraint protocol is a part of it."""

    @property
    def terminated(self) -> bool: ...
    @property
    def is_complete(self) -> bool: ...
    def fill(self, row: Tensor) -> None: ...
    def accept(self, token: int) -> bool: ...
    def rollback(self, count: int) -> None: ...
    def fork(self) -> Self: ...
    def forced_text(self) -> str: ...


class Matcher:
    """A cursor in a compiled grammar. The end of sequence is legal exactly where the text may end."""

    def __init__(self, compiled: Compiled, vocabulary: Vocabulary) -> None:
        self._cursor: Cursor = compiled.cursor()
        self._vocabulary = vocabulary
        self._tokens: list[int] = []
        self._terminated = False

    @property
    def terminated(self) -> bool:
        """The end of sequence was accepted."""
        return self._terminated

    @property
    def is_complete(self) -> bool:
        """The text may end here."""
        return self._terminated or self._cursor.completed

    def fill(self, row: Tensor) -> None:
        """Bit t of the row is set exactly when token t is legal now."""
        words = self._vocabulary.words
        view = _view(row)
        _set_only(view, None)
        if self._terminated:
            return _set_only(view, self._vocabulary.eos)
        inner = view[:words]
        self._cursor.fill(inner)
        _set_bit(inner, self._vocabulary.eos, on=self._cursor.completed)
        if not inner.any():
            text = self._vocabulary.decode(self._tokens)
            raise DeadEndError(f"no token is legal after {text[-40:]!r}", text=text)
        return None

    def accept(self, token: int) -> bool:
        """Advance by one token; False leaves everything as it was."""
        if self._terminated or not 0 <= token < self._vocabulary.size:
            return False
        if token == self._vocabulary.eos:
            self._terminated = self._cursor.completed
            return self._terminated
        if not self._vocabulary.token_bytes[token] or not self._cursor.accept(token):
            return False
        self._tokens.append(token)
        return True

    def rollback(self, count: int) -> None:
        """Undo the last accepted tokens, the end of sequence included."""
        _check_rollback(count, len(self._tokens) + self._terminated)
        if count and self._terminated:
            self._terminated = False
            count -= 1
        if count:
            self._cursor.rollback(count)
            del self._tokens[-count:]

    def fork(self) -> Self:
        """An independent cursor at the same place."""
        twin = object.__new__(type(self))
        twin._cursor = self._cursor.fork()
        twin._vocabulary = self._vocabulary
        twin._tokens = list(self._tokens)
        twin._terminated = self._terminated
        return twin

    def forced_text(self) -> str:
        """The text that must come next, as far as it is certain."""
        return "" if self._terminated else self._cursor.forced()


class TextMatcher:
    """Free text: every ordinary token and the end of sequence, never a control token."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._count = 0
        self._terminated = False
        self._row = ordinary_row(vocabulary)

    @property
    def terminated(self) -> bool:
        return self._terminated

    @property
    def is_complete(self) -> bool:
        return True

    def fill(self, row: Tensor) -> None:
        view = _view(row)
        _set_only(view, self._vocabulary.eos)
        if not self._terminated:
            view[: self._row.size] |= self._row

    def accept(self, token: int) -> bool:
        if self._terminated or not 0 <= token < self._vocabulary.size:
            return False
        if token != self._vocabulary.eos and not self._vocabulary.token_bytes[token]:
            return False
        self._terminated = token == self._vocabulary.eos
        self._count += 1
        return True

    def rollback(self, count: int) -> None:
        _check_rollback(count, self._count)
        self._count -= count
        self._terminated = self._terminated and count == 0

    def fork(self) -> Self:
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        return twin

    def forced_text(self) -> str:
        return ""


class ThinkingMatcher:
    """Free text up to the end-of-thinking token, then another matcher; a budget forces the token."""

    def __init__(self, answer: AnyMatcher, vocabulary: Vocabulary, *, budget: int | None = None) -> None:
        if budget is not None and budget < 0:
            raise ValueError(f"a thinking budget is at least 0, not {budget!r}")
        self._answer = answer
        self._vocabulary = vocabulary
        self._budget = budget
        self._close = vocabulary.special[THINK_CLOSE]
        self._thoughts = 0
        self._answers = 0
        self._thinking = True
        self._row = ordinary_row(vocabulary)

    @property
    def thinking(self) -> bool:
        """The end-of-thinking token has not come yet."""
        return self._thinking

    @property
    def terminated(self) -> bool:
        return not self._thinking and self._answer.terminated

    @property
    def is_complete(self) -> bool:
        return not self._thinking and self._answer.is_complete

    def fill(self, row: Tensor) -> None:
        if not self._thinking:
            return self._answer.fill(row)
        view = _view(row)
        _set_only(view, self._close)
        if self._budget is None or self._thoughts < self._budget:
            view[: self._row.size] |= self._row
        return None

    def accept(self, token: int) -> bool:
        if not self._thinking:
            taken = self._answer.accept(token)
            self._answers += taken
            return taken
        if token == self._close:
            self._thinking = False
            return True
        spent = self._budget is not None and self._thoughts >= self._budget
        if spent or not 0 <= token < self._vocabulary.size or not self._vocabulary.token_bytes[token]:
            return False
        self._thoughts += 1
        return True

    def rollback(self, count: int) -> None:
        _check_rollback(count, self._thoughts + self._answers + (not self._thinking))
        answers = min(count, self._answers)
        if answers:
            self._answer.rollback(answers)
            self._answers -= answers
        count -= answers
        if count and not self._thinking:
            self._thinking = True
            count -= 1
        self._thoughts -= count

    def fork(self) -> Self:
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._answer = self._answer.fork()
        return twin

    def forced_text(self) -> str:
        return "" if self._thinking else self._answer.forced_text()


def ordinary_row(vocabulary: Vocabulary) -> Row:
    """Every token that stands for text."""
    bits = np.zeros(vocabulary.words * 32, dtype=np.uint8)
    bits[: vocabulary.size] = [bool(token) for token in vocabulary.token_bytes]
    return np.packbits(bits, bitorder="little").view("<i4").astype(np.int32)


def _view(row: Tensor | Row) -> Row:
    return row if isinstance(row, np.ndarray) else row.numpy()


def _set_only(row: Row, token: int | None) -> None:
    row.fill(0)
    if token is not None:
        _set_bit(row, token, on=True)


def _set_bit(row: Row, token: int, *, on: bool) -> None:
    bits = row.view(np.uint32)
    bit = np.uint32(1 << token % 32)
    bits[token // 32] = bits[token // 32] | bit if on else bits[token // 32] & ~bit


def _check_rollback(count: int, most: int) -> None:
    if not 0 <= count <= most:
        raise ValueError(f"cannot undo {count!r} tokens; {most} were accepted")
