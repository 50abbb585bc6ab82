"""Patterns mean what Python's own regex engine says they mean; errors say where."""

import re
from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deepinfer_structured as ds
from deepinfer_structured.schema.automaton import State, automaton
from deepinfer_structured.schema.grammar import Node
from deepinfer_structured.schema.regex import fullmatch, search
from tests.constraint.support import compiled

PATTERNS = [
    "a|ab|abc",
    "(a|b)*c?",
    "[^ab]{1,3}",
    r"\d+(\.\d{1,2})?",
    r"\w+ \w+",
    r"\W",
    r"[^\W\d]",
    r"\S+\s\S",
    "(?i)straSSe",
    "(?s:.)a",
    "a.b",
    "^a$",
    "(^a|b)c",
    "x{2}y{0,2}z*?",
    r"\.\*\[\]",
    "[]a-]",
    "[\\]\\\\-]",
    "(?:)",
    "(?P<name>ab)+",
    "é|漢+|😀",
]
TEXTS = st.text("abcxyzABSé漢😀 \n.19*[]-\\", max_size=6)


@cache
def machine(read: Callable[[str], Node], pattern: str) -> list[State]:
    return automaton([read(pattern)])


def takes(states: list[State], text: str) -> bool:
    at = 0
    for char in text:
        at = next((to for ranges, to in states[at].edges if any(a <= ord(char) <= b for a, b in ranges)), -1)
        if at < 0:
            return False
    return states[at].final


@pytest.mark.parametrize("pattern", PATTERNS)
@settings(max_examples=60)
@given(text=TEXTS)
def test_same_language_as_python(pattern: str, text: str) -> None:
    assert takes(machine(fullmatch, pattern), text) == (re.fullmatch(pattern, text) is not None)
    ours = takes(machine(search, pattern), text)
    theirs = re.search(pattern, text) is not None
    assert ours <= theirs
    if "\\w" not in pattern and "\\W" not in pattern and not text.endswith("\n"):
        assert ours == theirs


@given(st.integers(0, 3), st.integers(0, 3), TEXTS)
def test_lengths_and_patterns_intersect(low: int, more: int, text: str) -> None:
    states = automaton([search("a"), search("^[abé]*$")], low, low + more)
    assert takes(states, text) == (
        low <= len(text) <= low + more and "a" in text and re.fullmatch("[abé]*", text) is not None
    )


@pytest.mark.parametrize(
    "pattern", ["a|ab|abc", "(a|b)*c?", r"\d+(\.\d{1,2})?", "é|漢+|😀", r"[\x00-\x1f]+", '["\\\\\\]-]+']
)
@settings(max_examples=25)
@given(text=TEXTS)
def test_masks_agree(pattern: str, text: str) -> None:
    constraint = compiled(ds.Regex(pattern))
    assert constraint.accepts(text) == (re.fullmatch(pattern, text) is not None)
    assert re.fullmatch(pattern, constraint.shortest())


@pytest.mark.parametrize(
    ("pattern", "offset"),
    [
        ("a(", 1),
        ("a[b", 1),
        ("ab*+", 2),
        ("a{3,2}", 2),
        (r"ab\b", 2),
        ("ab(?=c)", 2),
        ("a(?!b)", 1),
        (r"(a)\1", 3),
        ("a^b", 1),
        (r"\q", 0),
    ],
)
def test_errors_say_where(pattern: str, offset: int) -> None:
    with pytest.raises(ds.RegexSyntaxError) as caught:
        compiled(ds.Regex(pattern))
    assert caught.value.offset == offset
    assert repr(pattern) in str(caught.value)


def test_an_error_in_a_schema_has_pointer_and_offset() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "pattern": "x(?=y)"}}}
    with pytest.raises(ds.RegexSyntaxError) as caught:
        compiled(schema)
    assert (caught.value.pointer, caught.value.offset) == ("/properties/a/pattern", 1)
    report = compiled(schema, strict=False).report
    assert [entry.pointer for entry in report.of("checked")] == ["/properties/a"]
