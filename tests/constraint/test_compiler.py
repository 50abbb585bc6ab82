"""Compiling: equal schemas once, bounded memory, limits, threads, and what comes out for odd schemas."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import deepinfer_structured as ds
from deepinfer_structured.constraint.compiler import Compiler, Limits
from tests.constraint.support import compiled, compiler, vocabulary

UNSATISFIABLE = [
    False,
    {"enum": []},
    {"type": "integer", "minimum": 3, "maximum": 2},
    {"type": "string", "minLength": 3, "maxLength": 2},
    {"type": "array", "minItems": 3, "maxItems": 2},
    {"type": "object", "properties": {"a": False}, "required": ["a"]},
    {"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]},
    {"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 2},
    {"allOf": [{"type": "integer"}, {"type": "string"}]},
    ds.EBNF('root ::= "a" root'),
    ds.Choice([]),
]


@pytest.mark.parametrize("schema", UNSATISFIABLE, ids=str)
def test_unsatisfiable(schema: Any) -> None:
    with pytest.raises(ds.UnsatisfiableSchemaError):
        compiled(schema)


@pytest.mark.parametrize("schema", [True, {}])
def test_anything(schema: Any) -> None:
    constraint = compiled(schema)
    for text in ('{"a":[1,null]}', "1", '"x"', "true"):
        assert constraint.accepts(text)
    assert not constraint.accepts("{a:1}")
    assert constraint.accepts(constraint.shortest())


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        ({"$ref": "#"}, "/$ref"),
        ({"properties": {"a": {"$ref": "#/$defs/none"}}}, "/properties/a/$ref"),
        ({"$ref": "https://example.org/s.json"}, "/$ref"),
        ({"type": "object", "properties": {"a/b": {"not": {}}}}, "/properties/a~1b/not"),
        ({"type": "strin"}, "/type"),
        ({"type": "integer", "minimum": "3"}, "/minimum"),
        ({"items": 5}, "/items"),
        ({"type": "array", "contains": {"type": "integer"}}, "/contains"),
    ],
)
def test_unsupported_says_where(schema: Any, pointer: str) -> None:
    with pytest.raises(ds.UnsupportedSchemaError) as caught:
        compiled(schema)
    assert caught.value.pointer == pointer
    assert repr(pointer) in str(caught.value)


def test_resources_answer_remote_references() -> None:
    schema = {"$ref": "https://example.org/s.json#/$defs/n"}
    resources = {"https://example.org/s.json": {"$defs": {"n": {"type": "integer", "minimum": 5}}}}
    constraint = compiler().compile(schema, resources=resources)
    assert constraint.accepts("7")
    assert not constraint.accepts("4")


def test_recursive_schema_with_an_end() -> None:
    tree = {
        "type": "object",
        "properties": {"v": {"type": "integer"}, "kids": {"type": "array", "items": {"$ref": "#"}}},
    }
    constraint = compiled(tree)
    assert constraint.accepts('{"v":1,"kids":[{"v":2},{"kids":[]}]}')
    assert not constraint.accepts('{"v":1,"kids":[{"v":"x"}]}')


def test_five_hundred_properties() -> None:
    schema = {"type": "object", "properties": {f"p{index}": {"type": "integer"} for index in range(500)}}
    constraint = compiled(schema)
    assert constraint.accepts('{"p3":1,"p499":2}')
    assert not constraint.accepts('{"p4":1,"p3":2}')


def test_equal_schemas_are_compiled_once_by_many_threads() -> None:
    fresh = Compiler(vocabulary())
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: fresh.compile({"type": "string", "maxLength": 40}), range(32)))
    assert len(set(map(id, found))) == 1


def test_errors_reach_every_waiting_thread() -> None:
    fresh = Compiler(vocabulary())

    def attempt(_: int) -> bool:
        with pytest.raises(ds.UnsatisfiableSchemaError):
            fresh.compile({"enum": []})
        return True

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(attempt, range(8)))


def test_the_cache_is_bounded() -> None:
    fresh = Compiler(vocabulary(), limits=Limits(cache_bytes=200_000))
    for length in range(1, 30):
        fresh.compile({"type": "string", "maxLength": length})
        assert fresh.cached_bytes <= 200_000 + 400_000
    assert len(fresh._cache) < 29


def test_limits() -> None:
    small = Compiler(vocabulary(), limits=Limits(states=100))
    with pytest.raises(ds.CompileLimitError, match="limit is 100"):
        small.compile({"enum": [f"value {index}" for index in range(50)]})
    with pytest.raises(ds.CompileLimitError):
        compiled(ds.Regex("(((a{1,200}){1,200}){1,200}){1,200}"))
    deep: Any = {"type": "integer"}
    for _ in range(300):
        deep = {"type": "array", "items": deep}
    with pytest.raises(ds.CompileLimitError):
        compiled(deep)


def test_not_a_schema() -> None:
    for wrong in (5, "text", 1.5, b"x", object()):
        with pytest.raises(TypeError):
            compiled(wrong)


def test_a_constraint_is_itself_and_another_tokenizer_is_refused() -> None:
    constraint = compiled({"type": "integer"})
    assert compiler().compile(constraint) is constraint
    assert compiler().compile(None).accepts("any text <think>")
    assert compiler().compile(None).parse("x") == "x"


def test_lark_text_and_its_errors() -> None:
    constraint = compiled(ds.Lark('start: "a" NUMBER\nNUMBER: /[0-9]+/\n'))
    assert constraint.accepts("a12")
    assert not constraint.accepts("12")
    with pytest.raises(ds.GrammarSyntaxError):
        compiled(ds.Lark("start: ("))


def test_long_strings_count_exactly() -> None:
    for low, high in ((0, 5), (3, 3), (0, 128), (0, 129), (130, 131), (0, 300), (257, 400)):
        constraint = compiled({"type": "string", "minLength": low, "maxLength": high})
        for count in (0, max(0, low - 1), low, high, high + 1):
            assert constraint.accepts('"' + "é" * count + '"') == (low <= count <= high), (low, high, count)


@pytest.mark.parametrize(
    "options", [{"strict": 3}, {"tokenizer": 3}, {"tokenizer": None}, {"resources": 3}, {"resources": {3: {}}}], ids=str
)
def test_wrong_types_of_arguments(options: Any) -> None:
    with pytest.raises(TypeError, match=next(iter(options))):
        ds.compile({"const": 1}, **options)


def test_half_a_surrogate_pair_is_no_text() -> None:
    with pytest.raises(ds.UnsupportedSchemaError, match="option 1 "):
        ds.compile(ds.Choice(["a", "\ud800"]))
    with pytest.raises(ds.GrammarSyntaxError) as caught:
        ds.compile(ds.EBNF('root ::= "\ud800"'))
    assert (caught.value.line, caught.value.column) == (1, 11)


def test_lark_that_becomes_no_ebnf_says_what() -> None:
    with pytest.raises(ds.GrammarSyntaxError, match="pattern with flags"):
        ds.compile(ds.Lark("start: X\nX: /[a-z]+/i"))
    with pytest.raises(TypeError, match="Lark start"):
        ds.Lark('x: "a"', start=3)  # type: ignore[arg-type]


def test_a_very_long_shortest_text_is_not_spelled_out() -> None:
    constraint: Any = ds.compile(ds.Regex("a{90000}"))
    with pytest.raises(ds.CompileLimitError, match="90000 characters"):
        constraint.shortest()
