"""The generator: answers that fit their schemas and their documents, and streams that do not depend on history."""

import datetime as dt
import itertools
import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from deepinfer_structured import compile  # noqa: A004
from deepinfer_structured.trainset import SPLITS, Example, examples
from deepinfer_structured.trainset.__main__ import default_tokenizer
from deepinfer_structured.trainset.example import compact_json

SAMPLE = 700


@pytest.fixture(scope="module", params=SPLITS)
def sample(request: pytest.FixtureRequest) -> list[Example]:
    return list(itertools.islice(examples(request.param, 5), SAMPLE))


def fits(value: Any, schema: Any, root: Any) -> bool:
    return bool(jsonschema.Draft202012Validator({**schema, "$defs": root.get("$defs", {})}).is_valid(value))


def leaves(value: Any, schema: Any, root: Any) -> Iterator[tuple[Any, Any]]:
    """Pairs of leaf and schema, as far as properties and items lead."""
    while "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rsplit("/", 1)[-1]]
    if "anyOf" in schema:
        schema = next((part for part in schema["anyOf"] if fits(value, part, root)), {})
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, schema["properties"][key], root)
    elif isinstance(value, list):
        for part in value:
            yield from leaves(part, schema["items"], root)
    else:
        yield value, schema


def test_answers_fit_their_schemas(sample: list[Example]) -> None:
    for example in sample:
        if example.schema is not None:
            jsonschema.validate(json.loads(example.answer), example.schema)
            assert compact_json(json.loads(example.answer)) == example.answer


def test_keys_stand_in_declared_order(sample: list[Example]) -> None:
    for example in sample:
        if example.schema is not None and "properties" in example.schema:
            declared = [key for key in example.schema["properties"] if key in json.loads(example.answer)]
            assert list(json.loads(example.answer)) == declared


def test_plain_strings_stand_in_the_document(sample: list[Example]) -> None:
    found = total = 0
    for example in sample:
        if example.schema is None or example.kind == "classify":
            continue
        for value, schema in leaves(json.loads(example.answer), example.schema, example.schema):
            plain = schema.get("type") == "string" and not schema.keys() & {"format", "enum"}
            if isinstance(value, str) and plain:
                total += 1
                found += value in example.document or compact_json(value)[1:-1] in example.document
            elif schema.get("format") == "date" and isinstance(value, str):
                dt.date.fromisoformat(value)
                assert value[:4] in example.document
    assert total > 500
    assert found / total > 0.995


def test_streams_are_deterministic_and_can_be_shared_out() -> None:
    whole = list(itertools.islice(examples("train", 3), 24))
    assert whole == list(itertools.islice(examples("train", 3), 24))
    assert whole[1::3] == list(itertools.islice(examples("train", 3, 1, 3), 8))
    assert whole != list(itertools.islice(examples("train", 4), 24))


def test_unknown_split_is_refused() -> None:
    with pytest.raises(ValueError, match="split must be one of train"):
        next(examples("test", 0))


def test_the_mixture_is_wide() -> None:
    drawn = list(itertools.islice(examples("train", 8), 4000))
    kinds = {example.kind for example in drawn}
    assert kinds >= {"domain", "random", "clauses", "tools", "classify", "list", "scalar", "copy", "talk", "shots"}
    assert kinds >= {"regex", "choice"}
    assert len({example.language for example in drawn}) == 8
    assert len({example.layout for example in drawn}) > 100
    schemas = {example.schema_text for example in drawn}
    assert len(schemas) > 0.8 * len(drawn)


def test_import_needs_neither_pydantic_nor_torch() -> None:
    heavy = ("pydantic", "torch", "xgrammar", "faker", "mimesis")
    code = f"import sys, deepinfer_structured.trainset; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_grammar_accepts_the_answers(sample: list[Example]) -> None:
    for example in sample[:80]:
        if example.schema is not None:
            constraint = compile(example.schema, tokenizer=str(default_tokenizer()))
            assert constraint.accepts(example.answer), example.schema_text
