"""What a mask takes is what jsonschema finds valid, in the canonical layout; every keyword has a verdict."""

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deepinfer_structured as ds
from deepinfer_structured.constraint.constraint import walks
from deepinfer_structured.schema.report import Verdict
from tests.constraint.support import compiled

SMALL = st.integers(-5, 12)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | SMALL | st.sampled_from([0.5, -1.25, 7.75, 1e-9]) | st.text('ab"\\\né', max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=6,
)
LEAVES = st.one_of(
    st.builds(lambda a, b: {"type": "integer", "minimum": a, "maximum": a + b}, SMALL, st.integers(0, 8)),
    st.builds(lambda a, b: {"type": "number", "exclusiveMinimum": a, "maximum": b}, SMALL, SMALL),
    st.builds(
        lambda a, b: {"type": "string", "minLength": a, "maxLength": a + b}, st.integers(0, 2), st.integers(0, 3)
    ),
    st.builds(
        lambda p, n: {"type": "string", "pattern": p, "maxLength": n},
        st.sampled_from(["a", "^b", "a$", "^[ab]*$"]),
        st.integers(0, 3),
    ),
    st.builds(lambda values: {"enum": values}, st.lists(VALUES, min_size=1, max_size=3)),
    st.sampled_from(
        [
            True,
            {"type": "boolean"},
            {"type": ["null", "integer"]},
            {"minimum": 3},
            {"type": "number", "multipleOf": 0.25},
        ]
    ),
)
SCHEMAS: st.SearchStrategy[Any] = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(
            lambda s, low: {"type": "array", "items": s, "minItems": low, "maxItems": 2}, inner, st.integers(0, 1)
        ),
        st.builds(lambda s: {"type": "array", "prefixItems": s}, st.lists(inner, min_size=1, max_size=2)),
        st.builds(
            lambda s, must, extra: {"type": "object", "properties": s, "required": must, "additionalProperties": extra},
            st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
            st.lists(st.sampled_from("abc"), unique=True, max_size=2),
            st.booleans() | inner,
        ),
        st.builds(lambda s: {"anyOf": s}, st.lists(inner, min_size=1, max_size=3)),
        st.builds(lambda s: {"oneOf": s}, st.lists(inner, min_size=1, max_size=2)),
        st.builds(lambda s: {"allOf": s}, st.lists(inner, min_size=1, max_size=2)),
    ),
    max_leaves=4,
)


def text_of(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@settings(max_examples=150)
@given(SCHEMAS, st.lists(VALUES, max_size=8))
def test_no_invalid_value_passes(schema: Any, values: list[Any]) -> None:
    try:
        constraint = compiled(schema)
    except ds.UnsatisfiableSchemaError:
        assert not any(jsonschema.Draft202012Validator(schema).is_valid(value) for value in values)
        return
    validator = jsonschema.Draft202012Validator(schema)
    checked = bool(constraint.report.of("checked"))
    for value in values:
        walked = walks(constraint.matcher(), text_of(value), constraint.vocabulary)
        if walked and not checked:
            assert validator.is_valid(value), (schema, value)
        if constraint.accepts(text_of(value)):
            assert validator.is_valid(value)
    if not checked:
        assert constraint.accepts(constraint.shortest())


@settings(max_examples=150)
@given(SCHEMAS, st.lists(VALUES, max_size=8))
def test_no_valid_value_is_lost_where_nothing_was_rewritten(schema: Any, values: list[Any]) -> None:
    try:
        constraint = compiled(schema)
    except ds.UnsatisfiableSchemaError:
        return
    narrowed = {entry.keyword for entry in constraint.report.of("rewritten")} & {"additionalProperties", "items"}
    implied = any("imply" in entry.note for entry in constraint.report)
    if narrowed or implied or "enum" in text_of(schema):
        return
    for value in values:
        if jsonschema.Draft202012Validator(schema).is_valid(value) and "e-" not in text_of(value) and _ordered(value):
            assert constraint.accepts(text_of(value)), (schema, value)


def _ordered(value: Any) -> bool:
    if isinstance(value, dict):
        return list(value) == sorted(value) and all(map(_ordered, value.values()))
    return all(map(_ordered, value)) if isinstance(value, list) else True


VERDICTS: list[tuple[Any, str, Verdict]] = [
    ({"type": "array", "uniqueItems": True}, "uniqueItems", "checked"),
    ({"type": "array", "uniqueItems": True, "maxItems": 1}, "uniqueItems", "enforced"),
    ({"type": "integer", "multipleOf": 7}, "multipleOf", "checked"),
    ({"type": "number", "multipleOf": 0.01}, "multipleOf", "enforced"),
    ({"oneOf": [{"type": "integer"}, {"type": "number"}]}, "oneOf", "checked"),
    ({"oneOf": [{"type": "integer"}, {"type": "string"}]}, "oneOf", "enforced"),
    ({"maximum": 3}, "type", "rewritten"),
    ({"type": "object", "properties": {"a": True}}, "additionalProperties", "rewritten"),
    ({"type": "string", "format": "date"}, "format", "enforced"),
    ({"type": "string", "format": "email"}, "format", "rewritten"),
    ({"type": "string", "format": "colour"}, "format", "annotation"),
    ({"type": "string", "format": "regex"}, "format", "checked"),
    ({"type": "string", "pattern": "b", "maxLength": 3}, "maxLength", "enforced"),
    ({"title": "x", "type": "string"}, "title", "annotation"),
    ({"type": "string", "minimum": 3}, "minimum", "annotation"),
    ({"x-mine": 1, "type": "string"}, "x-mine", "annotation"),
    ({"items": [{"type": "integer"}]}, "items", "rewritten"),
    ({"allOf": [{"type": "integer"}, {"minimum": 2}]}, "allOf", "enforced"),
]


@pytest.mark.parametrize(("schema", "keyword", "verdict"), VERDICTS, ids=[text_of(case[0]) for case in VERDICTS])
def test_verdicts(schema: Any, keyword: str, verdict: Verdict) -> None:
    assert verdict in [entry.verdict for entry in compiled(schema).report if entry.keyword == keyword]


REFUSED = [
    "not",
    "if",
    "contains",
    "dependentRequired",
    "dependentSchemas",
    "unevaluatedProperties",
    "unevaluatedItems",
]


@pytest.mark.parametrize("keyword", REFUSED)
def test_refused_unless_not_strict(keyword: str) -> None:
    schema = {keyword: {"a": ["b"]} if keyword == "dependentRequired" else {}}
    with pytest.raises(ds.UnsupportedSchemaError, match=f"'/{keyword}'"):
        compiled(schema)
    constraint = compiled(schema, strict=False)
    assert keyword in [entry.keyword for entry in constraint.report.of("checked")]


def test_checked_values_fail_after_the_mask() -> None:
    constraint = compiled({"type": "array", "items": {"type": "integer"}, "uniqueItems": True, "minItems": 2})
    assert walks(constraint.matcher(), "[1,1]", constraint.vocabulary)
    assert not constraint.accepts("[1,1]")
    assert constraint.accepts(constraint.shortest())
    with pytest.raises(ds.CheckFailedError) as caught:
        constraint.parse("[1,1]")
    assert caught.value.text == "[1,1]"
    assert isinstance(caught.value.cause, jsonschema.ValidationError)


EXAMPLES: list[tuple[Any, list[str], list[str]]] = [
    ({"$ref": "#/$defs/a", "maximum": 5, "$defs": {"a": {"type": "integer"}}}, ["5"], ["6"]),
    ({"type": "integer", "anyOf": [{"minimum": 10}, {"maximum": 3}]}, ["10", "3"], ["5"]),
    (
        {"type": "array", "items": [{"type": "integer"}], "additionalItems": {"type": "string"}},
        ['[1,"x"]', "[]"],
        ["[1,2]"],
    ),
    (
        {"type": "object", "minProperties": 2, "properties": {"a": True, "b": True, "c": True}},
        ['{"a":1,"c":2}'],
        ['{"a":1}'],
    ),
    (
        {"type": "object", "maxProperties": 1, "properties": {"a": True, "b": True}},
        ["{}", '{"b":1}'],
        ['{"a":1,"b":2}'],
    ),
    (
        {"type": "object", "additionalProperties": {"type": "integer"}},
        ['{"x":1,"y":2}', "{}"],
        ['{"x":"y"}', '{"x":1,"x":2}'],
    ),
    (
        {"type": "object", "properties": {"ab": {"type": "null"}}, "additionalProperties": {"type": "integer"}},
        ['{"ab":null,"a":1,"abc":2}'],
        ['{"ab":1}', '{"a":null}'],
    ),
    (
        {"type": "object", "patternProperties": {"^x": {"type": "integer"}}, "additionalProperties": False},
        ['{"x1":2}'],
        ['{"y":2}'],
    ),
    ({"type": "object", "propertyNames": {"maxLength": 2}}, ['{"ab":1}'], ['{"abc":1}']),
    ({"type": "object", "required": ["k"]}, ['{"k":1}', '{"k":1,"z":2}'], ["{}", '{"z":1}']),
    ({"type": "string", "pattern": "b+"}, ['"abbc"', '"\\nb\\""'], ['"ac"']),
    ({"type": "string", "pattern": "^a|b$"}, ['"ax"', '"xb"'], ['"xax"']),
    ({"const": {"b": 1, "a": ["é"]}}, ['{"b":1,"a":["é"]}'], ['{"b":1}']),
    ({"enum": [1, "x", 5], "type": "integer", "maximum": 4}, ["1"], ["5", '"x"']),
    ({"type": "number", "exclusiveMinimum": 0}, ["0.5", "1e-9", "1e300"], ["0", "-1"]),
    ({"minimum": 3, "exclusiveMinimum": True, "$schema": "http://json-schema.org/draft-04/schema#"}, ["4"], ["3"]),
    (
        {"type": "string", "format": "date-time"},
        ['"2024-02-29T23:59:59Z"', '"2024-01-01T00:00:00.5+05:30"'],
        ['"2023-02-29T00:00:00Z"', '"2024-01-01T00:00:00"'],
    ),
    ({"type": "string", "format": "ipv4"}, ['"255.0.10.1"'], ['"256.0.0.1"', '"01.2.3.4"']),
    ({"type": "string", "format": "uuid"}, ['"123e4567-e89b-12d3-a456-426614174000"'], ['"123e4567"']),
    ({"type": "string"}, ['"\\u0000\\u001f\\t"'], ['"\t"', '"\\x"', '"\\ud800"', '"a']),
]


@pytest.mark.parametrize(("schema", "good", "bad"), EXAMPLES, ids=[text_of(case[0]) for case in EXAMPLES])
def test_examples(schema: Any, good: list[str], bad: list[str]) -> None:
    constraint = compiled(schema)
    for text in good:
        assert constraint.accepts(text), text
    for text in bad:
        assert not constraint.accepts(text), text
    assert constraint.accepts(constraint.shortest())


def test_digits_and_white_space_end() -> None:
    constraint = compiled({"type": "array", "items": {"type": "number"}})
    assert not constraint.accepts("[" + "9" * 40 + "]")
    assert not constraint.accepts("[0." + "1" * 40 + "]")
    assert not constraint.accepts("[1, 2]")
    assert not constraint.accepts(" [1]")


@pytest.mark.parametrize("keyword", ["minLength", "minItems", "minProperties"])
def test_a_minimum_that_no_text_reaches_is_refused_at_once(keyword: str) -> None:
    kind = {"minLength": "string", "minItems": "array", "minProperties": "object"}[keyword]
    with pytest.raises(ds.CompileLimitError) as caught:
        ds.compile({"type": kind, keyword: 10**9})
    assert caught.value.pointer == f"/{keyword}"


@pytest.mark.parametrize("keyword", ["maxLength", "maxItems", "maxProperties"])
def test_a_maximum_beyond_every_text_compiles(keyword: str) -> None:
    kind = {"maxLength": "string", "maxItems": "array", "maxProperties": "object"}[keyword]
    assert ds.compile({"type": kind, keyword: 2**31 - 1}).shortest() in {'""', "[]", "{}"}


SELVES: list[Any] = [
    {"anyOf": [{"$ref": "#"}, {"const": 1}]},
    {"oneOf": [{"type": "null"}, {"$ref": "#"}]},
    {"$defs": {"a": {"anyOf": [{"$ref": "#/$defs/b"}]}, "b": {"anyOf": [{"$ref": "#/$defs/a"}]}}, "$ref": "#/$defs/a"},
    {"properties": {"x": {"anyOf": [{"$ref": "#/properties/x"}, {"const": 1}]}}},
]


@pytest.mark.parametrize("schema", SELVES, ids=str)
def test_a_value_that_is_itself_first_is_refused(schema: Any) -> None:
    with pytest.raises(ds.UnsupportedSchemaError, match="itself"):
        compiled(schema)


def test_a_value_that_holds_itself_is_fine() -> None:
    constraint = compiled({"anyOf": [{"type": "array", "items": {"$ref": "#"}}, {"const": 1}]})
    assert constraint.accepts("[[1],1]")


@pytest.mark.parametrize("depth", [150, 3000])
def test_a_schema_nested_too_deep_is_a_limit(depth: int) -> None:
    schema: dict[str, Any] = {}
    for _ in range(depth):
        schema = {"type": "array", "items": schema, "minItems": 1}
    with pytest.raises(ds.CompileLimitError, match="nested"):
        compiled(schema)


ODD: list[tuple[Any, str]] = [
    ({"type": 3}, "/type"),
    ({"type": "string", "maxLength": float("inf")}, "/maxLength"),
    ({"type": "array", "minItems": float("nan")}, "/minItems"),
    ({"type": "integer", "minimum": 10**400}, "/minimum"),
    ({"type": "object", "patternProperties": {"^b(": {}}}, "/patternProperties/^b("),
]


@pytest.mark.parametrize(("schema", "pointer"), ODD, ids=[pointer for _, pointer in ODD])
def test_an_odd_word_is_refused_with_its_place(schema: Any, pointer: str) -> None:
    with pytest.raises(ds.SchemaError) as caught:
        compiled(schema)
    assert caught.value.pointer == pointer
