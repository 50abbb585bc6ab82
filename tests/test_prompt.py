"""The prompt template: the chat rendering, the compact notation, and text that spells special tokens."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepinfer_structured.prompt import LENGTH_LIMIT, choice_text, compact_schema, regex_text, render
from deepinfer_structured.trainset.tokenizer import SPECIAL, NanoTokenizer

TOKENIZER = Path(__file__).parents[1] / "engine/deepinfer_engine/checkpoints/nano/tokenizer.json"
BOS, SYSTEM, USER, ASSISTANT = "<｜begin▁of▁sentence｜>", "<｜System｜>", "<｜User｜>", "<｜Assistant｜>"
EOS, THINK, END_THINK = "<｜end▁of▁sentence｜>", "<think>", "</think>"
LINE = "Reasoning Effort: {} (range 1-100, the higher the value, the more thorough the reasoning)\n\n"


@pytest.fixture(scope="module")
def tokenizer() -> NanoTokenizer:
    return NanoTokenizer(TOKENIZER)


def chat(*turns: tuple[str, str]) -> list[dict[str, str]]:
    return [{"role": role, "content": content} for role, content in turns]


SINGLE = chat(("system", "SYS"), ("user", "Hello"))
MULTI = chat(("system", "SYS"), ("user", "Hello"), ("assistant", "Hi"), ("user", "Again"))
REMINDER = chat(("system", "SYS"), ("user", "Hello"), ("latest_reminder", "REM"))
TURNS = f"SYS{USER}Hello{ASSISTANT}{END_THINK}Hi{EOS}{USER}Again{ASSISTANT}"


@pytest.mark.parametrize(
    ("messages", "thinking", "effort", "expected"),
    [
        (SINGLE, False, None, f"{BOS}{SYSTEM}SYS{USER}Hello{ASSISTANT}{END_THINK}"),
        (SINGLE, True, None, f"{BOS}{SYSTEM}{LINE.format(75)}SYS{USER}Hello{ASSISTANT}{THINK}"),
        (SINGLE, True, "low", f"{BOS}{SYSTEM}{LINE.format(50)}SYS{USER}Hello{ASSISTANT}{THINK}"),
        (SINGLE, True, "high", f"{BOS}{SYSTEM}{LINE.format(75)}SYS{USER}Hello{ASSISTANT}{THINK}"),
        (SINGLE, True, "max", f"{BOS}{SYSTEM}{LINE.format(100)}SYS{USER}Hello{ASSISTANT}{THINK}"),
        (SINGLE, False, "max", f"{BOS}{SYSTEM}SYS{USER}Hello{ASSISTANT}{END_THINK}"),
        (SINGLE[1:], False, None, f"{BOS}{USER}Hello{ASSISTANT}{END_THINK}"),
        (SINGLE[1:], True, None, f"{BOS}{SYSTEM}{LINE.format(75)}{USER}Hello{ASSISTANT}{THINK}"),
        (MULTI, False, None, f"{BOS}{SYSTEM}{TURNS}{END_THINK}"),
        (MULTI, True, None, f"{BOS}{SYSTEM}{LINE.format(75)}{TURNS}{THINK}"),
        (REMINDER, False, None, f"{BOS}{SYSTEM}SYS{USER}Hello<｜latest_reminder｜>REM{ASSISTANT}{END_THINK}"),
    ],
)
def test_chat_rendering(
    tokenizer: NanoTokenizer, messages: list[dict[str, str]], thinking: bool, effort: str | None, expected: Any
) -> None:
    ids = render(tokenizer, messages, thinking=thinking, effort=effort)
    assert tokenizer.decode(ids) == expected


def test_document_rendering(tokenizer: NanoTokenizer) -> None:
    ids = render(tokenizer, "Total: 3", schema_text="Invoice{total:num}")
    assert tokenizer.decode(ids) == f"{BOS}{SYSTEM}Extract.\nInvoice{{total:num}}{USER}Total: 3{ASSISTANT}{END_THINK}"


def test_examples_are_earlier_turns(tokenizer: NanoTokenizer) -> None:
    ids = render(tokenizer, "b: 2", schema_text="{n:int}", examples=[("a: 1", '{"n":1}')])
    shown = f'{USER}a: 1{ASSISTANT}{END_THINK}{{"n":1}}{EOS}{USER}b: 2{ASSISTANT}{END_THINK}'
    assert tokenizer.decode(ids) == f"{BOS}{SYSTEM}Extract.\n{{n:int}}{shown}"


def test_unknown_role_and_effort_are_refused(tokenizer: NanoTokenizer) -> None:
    with pytest.raises(ValueError, match="unknown role 'robot'"):
        render(tokenizer, chat(("robot", "x")))
    with pytest.raises(ValueError, match="effort must be"):
        render(tokenizer, SINGLE, thinking=True, effort="huge")


@pytest.mark.parametrize("spelling", SPECIAL)
def test_special_spellings_stay_text(tokenizer: NanoTokenizer, spelling: str) -> None:
    document = f"before {spelling} after"
    ids = render(tokenizer, document)
    inside = ids[2:-2]
    assert min(inside) >= len(SPECIAL)
    assert tokenizer.decode(inside) == document


COMPACT = [
    (True, "any"),
    (False, "never"),
    ({}, "any"),
    ({"type": "string"}, "str"),
    ({"type": "string", "format": "date"}, "date"),
    ({"type": "string", "format": "date-time"}, "datetime"),
    ({"type": "string", "format": "email"}, "email"),
    ({"type": "string", "format": "uri"}, "url"),
    ({"type": "string", "pattern": "^a+$"}, "str/^a+$/"),
    ({"type": ["string", "null"]}, "str|null"),
    ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "int|null"),
    ({"enum": ["a", "b", 3]}, '"a"|"b"|3'),
    ({"const": "x"}, '"x"'),
    ({"type": "array"}, "[any]"),
    ({"type": "array", "items": {"type": "boolean"}}, "[bool]"),
    ({"type": "array", "prefixItems": [{"type": "number"}, {"type": "string"}]}, "[num,str]"),
    ({"type": "object"}, "{}"),
    ({"type": "object", "additionalProperties": {"type": "number"}}, "{*:num}"),
    ({"title": "T", "type": "object", "properties": {"a": {"type": "null"}}, "required": ["a"]}, "T{a:null}"),
    ({"properties": {"a": {"description": "the  a.", "type": "string"}}}, "{a?:str(the a)}"),
    ({"allOf": [{"$ref": "#/$defs/A"}], "$defs": {"A": {"properties": {"x": {}}, "required": ["x"]}}}, "{x:any}"),
    ({"$ref": "#/nowhere"}, "nowhere"),
]


@pytest.mark.parametrize(("schema", "expected"), COMPACT)
def test_compact_schema(schema: Any, expected: Any) -> None:
    assert compact_schema(schema) == expected


def test_definitions_are_shown_once_and_recursion_ends() -> None:
    following = {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]}
    node = {"properties": {"next": following}, "title": "Node", "type": "object"}
    assert compact_schema({"$defs": {"Node": node}, "$ref": "#/$defs/Node"}) == "{next?:Node|null}"
    item = {"properties": {"n": {"type": "integer"}}, "required": ["n"], "type": "object"}
    pointer = {"$ref": "#/$defs/Item"}
    pair = {"$defs": {"Item": item}, "properties": {"a": pointer, "b": pointer}, "required": ["a", "b"]}
    assert compact_schema(pair) == "{a:{n:int},b:Item}"


def test_long_schemas_lose_descriptions_first() -> None:
    properties = {f"field_{i}": {"type": "string", "description": "long words " * 8} for i in range(200)}
    text = compact_schema({"type": "object", "properties": properties})
    assert len(text) <= LENGTH_LIMIT
    assert "long" not in text
    assert "field_199" in text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
KEYWORDS = st.sampled_from(
    [
        "type",
        "properties",
        "items",
        "anyOf",
        "oneOf",
        "allOf",
        "enum",
        "const",
        "$ref",
        "$defs",
        "format",
        "pattern",
        "title",
        "description",
        "required",
        "prefixItems",
        "additionalProperties",
    ]
)
SCHEMAS = st.recursive(
    JSON, lambda inner: st.dictionaries(KEYWORDS, inner | st.lists(inner, max_size=3), max_size=6), max_leaves=20
)


@given(SCHEMAS)
def test_compact_schema_is_total_and_bounded(schema: Any) -> None:
    text = compact_schema(schema)
    assert isinstance(text, str)
    assert 0 < len(text) <= LENGTH_LIMIT


def test_other_notations() -> None:
    assert regex_text(r"\d+") == r"regex /\d+/"
    assert choice_text(["yes", "no"]) == 'one of "yes"|"no"'
    assert json.loads(choice_text(["é"]).removeprefix("one of ")) == "é"
