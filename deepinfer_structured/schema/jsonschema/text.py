"""Strings of a flat schema: length, pattern and format, together where a product of automata can say it."""

from __future__ import annotations

from typing import Any

from deepinfer_structured.errors import CompileLimitError, RegexSyntaxError, UnsupportedSchemaError
from deepinfer_structured.schema.automaton import MAX_STATES
from deepinfer_structured.schema.formats import CHECKED, EXACT, PATTERNS
from deepinfer_structured.schema.grammar import Node
from deepinfer_structured.schema.jsonschema.context import Walk
from deepinfer_structured.schema.jsonschema.keywords import join
from deepinfer_structured.schema.jsonschema.numeric import number_node
from deepinfer_structured.schema.jsonschema.strings import any_string, counted, escape, linear, quoted
from deepinfer_structured.schema.regex import fullmatch, search
from deepinfer_structured.schema.report import Verdict

NUMBER_TEXT = "x-number"
LARGE = {"minLength": 100_000, "maxLength": 100_000}
LARGE_COUNT = 10_000
"""The most characters, items and properties that are told apart."""


def string(flat: dict[str, Any], pointer: str, walk: Walk) -> Node:
    """The strings of a flat schema, each keyword with its verdict."""
    if NUMBER_TEXT in flat:
        walk.notes.add(pointer, "format", "rewritten", "a decimal number as text")
        return quoted(number_node(flat[NUMBER_TEXT]))
    low, high = (count(flat, word, pointer) for word in ("minLength", "maxLength"))
    length = [word for word in ("minLength", "maxLength") if word in flat]
    if high is not None and (low or 0) > high:
        return walk.nothing(pointer, f"minLength {low} is above maxLength {high}")
    nodes, spelled = _bodies(flat, pointer, walk)
    if not nodes and not length:
        return any_string()
    counts = high is None or high <= MAX_STATES
    node = counted(walk, low or 0, high) if not nodes else linear(walk, nodes, low or 0, high) if counts else None
    if node is not None:
        for word in length:
            walk.notes.add(pointer, word, "enforced")
        return node
    for word in length:
        note = "beside a large pattern or format the mask does not count"
        walk.notes.add(pointer, word, "checked", note)
    if len(nodes) > 1:
        walk.notes.add(pointer, "format", "checked", "the pattern beside it is in the mask, both are too large")
    return quoted(spelled[0])


def _bodies(flat: dict[str, Any], pointer: str, walk: Walk) -> tuple[list[Node], list[Node]]:
    """Pattern and format over plain characters, and the same over their spellings in JSON."""
    pattern = _pattern(flat, pointer, walk)
    name = _format(flat, pointer, walk)
    nodes: list[Node] = []
    spelled: list[Node] = []
    if pattern is not None:
        nodes.append(search(pattern))
        spelled.append(search(pattern, escape))
    if name is not None:
        nodes.append(fullmatch(PATTERNS[name], ascii_only=True))
        spelled.append(fullmatch(PATTERNS[name], escape, ascii_only=True))
    return nodes, spelled


def count(flat: dict[str, Any], keyword: str, pointer: str) -> int | None:
    """A keyword that counts. A maximum above what is told apart is taken as that: longer texts are never generated.

    Raises CompileLimitError for a minimum above it, which no text of a model's context could reach.
    """
    value = flat.get(keyword)
    if value is None:
        return None
    plain = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not plain or value < 0 or (isinstance(value, float) and not value.is_integer()):
        raise UnsupportedSchemaError(f"{keyword} takes a count, not {value!r}", pointer=join(pointer, keyword))
    most = LARGE.get(keyword, LARGE_COUNT)
    if value > most and keyword.startswith("min"):
        message = f"{keyword} is {value!r}, the most that can be asked for is {most}"
        raise CompileLimitError(message, pointer=join(pointer, keyword))
    return min(int(value), most)


def _pattern(flat: dict[str, Any], pointer: str, walk: Walk) -> str | None:
    if "pattern" not in flat:
        return None
    pattern = flat["pattern"]
    where = join(pointer, "pattern")
    if not isinstance(pattern, str):
        raise UnsupportedSchemaError(f"pattern takes a string, not {pattern!r}", pointer=where)
    try:
        search(pattern)
    except RegexSyntaxError as error:
        if error.__cause__ is None and not walk.strict:
            walk.notes.add(pointer, "pattern", "checked", "not regular")
            return None
        raise RegexSyntaxError(error.message, pointer=where, offset=error.offset) from error
    walk.notes.add(pointer, "pattern", "enforced")
    return pattern


def _format(flat: dict[str, Any], pointer: str, walk: Walk) -> str | None:
    if "format" not in flat:
        return None
    name = flat["format"]
    if not isinstance(name, str) or name not in PATTERNS:
        verdict: Verdict = "checked" if walk.typed or name in CHECKED else "annotation"
        walk.notes.add(pointer, "format", verdict, f"format {name!r} is not in the mask")
        return None
    exact = name in EXACT
    walk.notes.add(pointer, "format", "enforced" if exact else "rewritten", "" if exact else "a plain subset of it")
    return name
