"""Python regular expressions as grammar nodes, with offsets in errors; knows nothing of JSON but its escapes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as sre  # type: ignore[attr-defined]
from typing import Any, TypeAlias

from deepinfer_structured.errors import RegexSyntaxError
from deepinfer_structured.schema.grammar import (
    EMPTY,
    MAX_CHAR,
    NEVER,
    Node,
    alt,
    chars,
    intersect_ranges,
    invert_ranges,
    repeat,
    seq,
)

Ranges: TypeAlias = tuple[tuple[int, int], ...]
Escape: TypeAlias = Callable[[Ranges], Node]
ANY: Ranges = ((0, MAX_CHAR),)
_DIGIT: Ranges = ((48, 57),)
_SPACE: Ranges = ((9, 13), (32, 32))
_WORD: Ranges = ((48, 57), (65, 90), (95, 95), (97, 122))
_LETTERS: Ranges = ((0xAA, 0x24F), (0x370, 0x52F), (0x3041, 0x30FF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3))
_SYMBOLS: Ranges = ((0x80, 0x2AF), (0x2000, 0x206F), (0x20A0, 0x20C0), (0x2190, 0x23FF), (0x3000, 0x303F))
_UNSUPPORTED = {
    op.ASSERT: ("look-around", r"\(\?<?[=]"),
    op.ASSERT_NOT: ("negative look-around", r"\(\?<?!"),
    op.GROUPREF: ("a back-reference", r"\\[1-9]|\(\?P="),
    op.GROUPREF_EXISTS: ("a conditional group", r"\(\?\("),
    op.ATOMIC_GROUP: ("an atomic group", r"\(\?>"),
    op.POSSESSIVE_REPEAT: ("a possessive repeat", r"[*+?}]\+"),
    op.AT: ("an anchor or word boundary inside the pattern", r"\\[bBAZ]|(?!\A)\^|\$(?!\Z)"),
}


def fullmatch(pattern: str, escape: Escape = chars, *, ascii_only: bool = False) -> Node:
    """What `re.fullmatch(pattern, text)` takes."""
    reader = _Reader(pattern, escape, ascii_only)
    return alt(*(body for _, body, _ in reader.anchored()))


def search(pattern: str, escape: Escape = chars) -> Node:
    """What `re.search(pattern, text)` takes, the sense of `pattern` in JSON Schema."""
    reader = _Reader(pattern, escape, ascii_only=True)
    anything = repeat(escape(ANY), 0, None)
    return alt(
        *(seq(EMPTY if begin else anything, body, EMPTY if end else anything) for begin, body, end in reader.anchored())
    )


class _Reader:
    """Walks the parse of Python's own regex parser."""

    def __init__(self, pattern: str, escape: Escape, ascii_only: bool) -> None:
        self.pattern = pattern
        self.escape = escape
        try:
            tree = sre.parse(re.sub(r"\(\?<(?![=!])", "(?P<", pattern))
        except re.error as error:
            raise RegexSyntaxError(f"bad pattern {pattern!r}: {error.msg}", offset=error.pos or 0) from error
        except (OverflowError, RecursionError) as error:
            raise RegexSyntaxError(f"bad pattern {pattern!r}: {error}", offset=0) from error
        self.tree = tree
        self.ascii = ascii_only or bool(tree.state.flags & re.ASCII)
        if tree.state.flags & re.MULTILINE:
            raise self._refuse("the flag MULTILINE", r"\(\?[a-z]*m")

    def anchored(self) -> list[tuple[bool, Node, bool]]:
        """Alternatives as (anchored at the start, body, anchored at the end)."""
        return self._split(list(self.tree), self.tree.state.flags)

    def _split(self, items: Sequence[Any], flags: int) -> list[tuple[bool, Node, bool]]:
        items = list(items)
        begin = end = False
        while items and items[0][0] is op.AT and items[0][1] in (op.AT_BEGINNING, op.AT_BEGINNING_STRING):
            begin, items = True, items[1:]
        while items and items[-1][0] is op.AT and items[-1][1] in (op.AT_END, op.AT_END_STRING):
            end, items = True, items[:-1]
        for index in sorted({0, len(items) - 1} & set(range(len(items)))):
            branches = self._branches(items[index], flags)
            if branches is not None and _has_anchor(items[index]):
                split = [
                    part
                    for branch, inner in branches
                    for part in self._split([*items[:index], *branch, *items[index + 1 :]], inner)
                ]
                return [(begin or first, body, end or last) for first, body, last in split]
        return [(begin, self._sequence(items, flags), end)]

    def _branches(self, item: Any, flags: int) -> list[tuple[list[Any], int]] | None:
        code, value = item
        if code is op.BRANCH:
            return [(list(branch), flags) for branch in value[1]]
        if code is op.SUBPATTERN:
            _, add, remove, body = value
            return [(list(body), (flags | add) & ~remove)]
        return None

    def _sequence(self, items: Sequence[Any], flags: int) -> Node:
        return seq(*(self._item(code, value, flags) for code, value in items))

    def _item(self, code: Any, value: Any, flags: int) -> Node:
        if code in (op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN):
            return self.escape(self._ranges(code, value, flags))
        if code is op.BRANCH:
            return alt(*(self._sequence(branch, flags) for branch in value[1]))
        if code is op.SUBPATTERN:
            _, add, remove, body = value
            return self._sequence(body, (flags | add) & ~remove)
        if code in (op.MAX_REPEAT, op.MIN_REPEAT):
            low, high, body = value
            return repeat(self._sequence(body, flags), low, None if high is op.MAXREPEAT else high)
        if code in _UNSUPPORTED:
            raise self._refuse(*_UNSUPPORTED[code])
        raise self._refuse(str(code).lower(), "")

    def _ranges(self, code: Any, value: Any, flags: int) -> Ranges:
        if code is op.ANY:
            return ANY if flags & re.DOTALL else invert_ranges([(10, 10)])
        if code is op.LITERAL:
            return _fold(((value, value),), flags)
        if code is op.NOT_LITERAL:
            return invert_ranges(_fold(((value, value),), flags))
        negate = bool(value) and value[0][0] is op.NEGATE
        found: list[tuple[int, int]] = []
        for kind, what in value[1:] if negate else value:
            if kind is op.LITERAL:
                found.append((what, what))
            elif kind is op.RANGE:
                found.append(what)
            elif kind is op.CATEGORY:
                found.extend(self._category(str(what).removeprefix("CATEGORY_"), inverted=negate))
        folded = _fold(tuple(found), flags)
        return invert_ranges(folded) if negate else folded

    def _category(self, name: str, *, inverted: bool) -> Ranges:
        """A subset of the class, or a superset when it is about to be inverted, so the mask never says too much."""
        negative, name = name.startswith("NOT_"), name.removeprefix("NOT_")
        narrow = {"DIGIT": _DIGIT, "SPACE": _SPACE, "WORD": _WORD if self.ascii else _word_letters()}[name]
        if negative == inverted:
            wide = _wide(name)
            return invert_ranges(narrow) if negative else wide
        if not negative:
            return narrow
        outside = invert_ranges(_wide(name))
        return intersect_ranges(outside, _reach()) if name == "WORD" else outside

    def _refuse(self, what: str, where: str) -> RegexSyntaxError:
        found = re.search(where, self.pattern) if where else None
        offset = found.start() if found else 0
        message = f"pattern {self.pattern!r} uses {what}, which is not regular; rewrite it without"
        return RegexSyntaxError(message, offset=offset)


def _has_anchor(item: Any) -> bool:
    code, value = item
    if code is op.AT:
        return value not in (op.AT_BOUNDARY, op.AT_NON_BOUNDARY)
    if code is op.BRANCH:
        return any(_has_anchor(inner) for branch in value[1] for inner in branch)
    return code is op.SUBPATTERN and any(_has_anchor(inner) for inner in value[3])


def _fold(ranges: Ranges, flags: int) -> Ranges:
    if not flags & re.IGNORECASE:
        return ranges
    folded = list(ranges)
    for low, high in ranges:
        for code in range(low, min(high, low + 0x300) + 1):
            folded += [(ord(case), ord(case)) for case in (chr(code).lower(), chr(code).upper()) if len(case) == 1]
    return tuple(folded)


@lru_cache(maxsize=1)
def _word_letters() -> Ranges:
    return _scan(r"\w", ((0, 127), *_LETTERS))


@lru_cache(maxsize=1)
def _reach() -> Ranges:
    """Where negated classes may draw from: plain text and common symbols."""
    return ((0, 0x24F), *_LETTERS, *_SYMBOLS)


@lru_cache(maxsize=3)
def _wide(name: str) -> Ranges:
    """Everything Python counts as the class, scanned once."""
    return _scan({"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w"}[name], ((0, MAX_CHAR),))


def _scan(pattern: str, ranges: Ranges) -> Ranges:
    matches = re.compile(pattern + "+")
    found: list[tuple[int, int]] = []
    for low, high in ranges:
        text = "".join(map(chr, range(low, high + 1)))
        found += [(low + hit.start(), low + hit.end() - 1) for hit in matches.finditer(text)]
    return tuple(found)


__all__ = ["ANY", "NEVER", "Escape", "Ranges", "fullmatch", "search"]
