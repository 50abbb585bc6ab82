"""Which keyword belongs to what, pointers and canonical text; a table, it decides nothing."""

from __future__ import annotations

import json
from typing import Any

TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")
BY_TYPE = {
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    "string": ("minLength", "maxLength", "pattern", "format"),
    "array": ("items", "prefixItems", "additionalItems", "minItems", "maxItems", "uniqueItems"),
    "object": (
        "properties",
        "required",
        "additionalProperties",
        "patternProperties",
        "propertyNames",
        "minProperties",
        "maxProperties",
    ),
}
REFUSED = {
    "not": "any",
    "if": "any",
    "contains": "array",
    "dependentRequired": "object",
    "dependentSchemas": "object",
    "dependencies": "object",
    "unevaluatedProperties": "object",
    "unevaluatedItems": "array",
    "$dynamicRef": "any",
    "$recursiveRef": "any",
}
COMPANIONS = {"then": "if", "else": "if", "minContains": "contains", "maxContains": "contains"}
STRUCTURE = ("type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref")
QUIET = ("$defs", "definitions", "$schema", "$id", "id", "$anchor", "$vocabulary", "$dynamicAnchor")
ANNOTATIONS = ("title", "description", "default", "examples", "$comment", "deprecated", "readOnly", "writeOnly")
KNOWN = {
    "x-number",
    "x-decimal-places",
    *STRUCTURE,
    *REFUSED,
    *COMPANIONS,
    *QUIET,
    *(word for words in BY_TYPE.values() for word in words),
}
SUBSCHEMA = (
    "items",
    "additionalItems",
    "additionalProperties",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "unevaluatedProperties",
    "unevaluatedItems",
    "contentSchema",
)
SUBSCHEMA_LIST = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
SUBSCHEMA_MAP = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies")


def join(pointer: str, *parts: object) -> str:
    """A JSON pointer extended by keys."""
    return pointer + "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def dumps(value: Any) -> str:
    """The canonical text of a value: compact, order kept, characters written as themselves."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def key_of(value: Any) -> str:
    """A text that is equal for equal schemas; the order of properties counts."""
    return json.dumps(value, separators=(",", ":"), default=repr)


def same(left: Any, right: Any) -> bool:
    """Equality of JSON values: 1 is 1.0, true is not 1."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)
