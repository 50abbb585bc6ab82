"""Listed values, and whether the branches of a oneOf exclude each other; emits literals only."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from deepinfer_structured.errors import UnsupportedSchemaError
from deepinfer_structured.schema.grammar import Literal, Node, alt
from deepinfer_structured.schema.jsonschema.keywords import KNOWN, QUIET, dumps, join, same
from deepinfer_structured.schema.jsonschema.merge import types_of
from deepinfer_structured.schema.jsonschema.resolve import Document


def one_of_values(values: list[Any], flat: dict[str, Any], pointer: str, document: Document) -> Node:
    """The values that also satisfy their sibling keywords, as literal texts."""
    siblings = {key: word for key, word in flat.items() if key in KNOWN and key not in ("enum", "const", *QUIET)}
    kept = [value for value in values if _fits(value, siblings, pointer, document)]
    texts = []
    for value in kept:
        try:
            text = dumps(value)
            text.encode()
        except (TypeError, ValueError) as error:
            message = f"the value {value!r} is not JSON: {error}"
            raise UnsupportedSchemaError(message, pointer=join(pointer, "enum")) from error
        texts.append(text)
    return alt(*map(Literal, dict.fromkeys(texts)))


def disjoint(branches: list[Any]) -> bool:
    """Whether no value can satisfy two of the branches, as far as types, listed values and tags can tell."""
    return all(_apart(left, right) for left, right in combinations(branches, 2))


def _apart(left: Any, right: Any) -> bool:
    if left is False or right is False:
        return True
    if not isinstance(left, dict) or not isinstance(right, dict):
        return False
    first, second = _types(left), _types(right)
    if first is not None and second is not None and not first & second:
        return True
    mine, theirs = _values(left), _values(right)
    if mine is not None and theirs is not None:
        return not any(same(one, other) for one in mine for other in theirs)
    if first == second == {"object"}:
        required = set(left.get("required", ())) & set(right.get("required", ()))
        return any(_apart_at(left, right, name) for name in required)
    return False


def _apart_at(left: dict[str, Any], right: dict[str, Any], name: str) -> bool:
    mine, theirs = (side.get("properties", {}).get(name) for side in (left, right))
    return isinstance(mine, dict) and isinstance(theirs, dict) and _apart(mine, theirs)


def _types(schema: dict[str, Any]) -> set[str] | None:
    if "type" not in schema:
        return None
    return {"number" if name == "integer" else name for name in types_of(schema["type"])}


def _values(schema: dict[str, Any]) -> list[Any] | None:
    if "const" in schema:
        return [schema["const"]]
    return schema.get("enum")


def _fits(value: Any, siblings: dict[str, Any], pointer: str, document: Document) -> bool:
    if not siblings:
        return True
    if set(siblings) == {"type"}:
        return bool(Draft202012Validator(siblings).is_valid(value))
    try:
        return bool(Draft202012Validator(inline(siblings, document, pointer)).is_valid(value))
    except (RecursionError, ValidationError) as error:
        raise UnsupportedSchemaError("enum beside a recursive schema", pointer=pointer) from error


def inline(schema: Any, document: Document, pointer: str, depth: int = 0) -> Any:
    """The schema with its references written out, for a validator that knows no document."""
    if depth > 30:
        raise UnsupportedSchemaError("enum beside a recursive schema", pointer=pointer)
    if isinstance(schema, list):
        return [inline(item, document, pointer, depth + 1) for item in schema]
    if not isinstance(schema, dict):
        return schema
    copy = {key: inline(value, document, pointer, depth + 1) for key, value in schema.items() if key != "$ref"}
    if isinstance(schema.get("$ref"), str):
        target = document.lookup(schema["$ref"], pointer)[0]
        copy.setdefault("allOf", []).append(inline(target, document, pointer, depth + 1))
    return copy
