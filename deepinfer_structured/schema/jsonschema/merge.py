"""Two schemas that must both hold as one schema; knows no grammar."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any, TypeAlias

from deepinfer_structured.errors import CompileLimitError
from deepinfer_structured.schema.jsonschema.keywords import same

Schema: TypeAlias = dict[str, Any]
MAX_BRANCHES = 128
UNMERGED = "x-unmerged"


def merge(left: Any, right: Any) -> Any:
    """The conjunction. Keywords that cannot be merged are listed under UNMERGED and left to the check."""
    if left is False or right is False:
        return False
    if left is True or left == {}:
        return right
    if right is True or right == {}:
        return left
    result = dict(left)
    _close_over(result, right)
    for key, value in right.items():
        if key not in result:
            result[key] = value
        elif not same(result[key], value):
            result[key] = _combine(key, result[key], value, result)
    if "const" in result and "enum" in result:
        const = result.pop("const")
        result["enum"] = [item for item in result["enum"] if same(item, const)]
    return result


def _combine(key: str, left: Any, right: Any, result: Schema) -> Any:
    if key in _RULES:
        return _RULES[key](left, right)
    if key in ("$ref", "allOf"):
        return left
    if key in ("pattern", "format", "oneOf", "const", "not", "if", "contains", "dependentRequired", "dependentSchemas"):
        if key == "const":
            result["enum"] = []
            return left
        result[UNMERGED] = sorted({*result.get(UNMERGED, ()), key})
    return left


def types_of(value: Any) -> list[str]:
    """The `type` keyword as a list."""
    return [value] if isinstance(value, str) else list(value)


def _types(left: Any, right: Any) -> list[str]:
    first, second = types_of(left), types_of(right)
    both = [name for name in first if name in second]
    for one, other in ((first, second), (second, first)):
        if "integer" in one and "number" in other and "integer" not in both:
            both.append("integer")
    return both


def _multiple(left: Any, right: Any) -> Any:
    first, second = Decimal(str(left)), Decimal(str(right))
    scale = Decimal(10) ** max(0, *(-int(item.as_tuple().exponent) for item in (first, second)))
    common = Decimal(math.lcm(int(first * scale), int(second * scale))) / scale
    return int(common) if common == int(common) else float(common)


def _enum(left: list[Any], right: list[Any]) -> list[Any]:
    return [item for item in left if any(same(item, other) for other in right)]


def _branches(left: list[Any], right: list[Any]) -> list[Any]:
    if len(left) * len(right) > MAX_BRANCHES:
        raise CompileLimitError(f"anyOf of {len(left)} by {len(right)} branches is more than {MAX_BRANCHES}")
    return [merge(one, other) for one in left for other in right]


def _maps(left: Schema, right: Schema) -> Schema:
    result = dict(left)
    for name, schema in right.items():
        result[name] = both(result[name], schema) if name in result else schema
    return result


def _lists(left: list[Any], right: list[Any]) -> list[Any]:
    longer = left if len(left) >= len(right) else right
    return [both(one, other) for one, other in zip(left, right, strict=False)] + longer[min(len(left), len(right)) :]


def both(left: Any, right: Any) -> Any:
    """A conjunction that is worked out later, when the references inside it are."""
    if left is True or left == {}:
        return right
    if right is True or right == {} or same(left, right):
        return left
    return False if left is False or right is False else {"allOf": [left, right]}


def _close_over(result: Schema, right: Schema) -> None:
    """Additional properties and items of each side also hold for what only the other side names."""
    left = dict(result)
    properties = dict(left.get("properties", {}))
    for mine, other in ((left, right), (right, left)):
        if "additionalProperties" not in mine:
            continue
        patterns = mine.get("patternProperties", {})
        for name, schema in other.get("properties", {}).items():
            if name in mine.get("properties", {}) or any(re.search(pattern, name) for pattern in patterns):
                continue
            properties[name] = both(properties.get(name, schema), mine["additionalProperties"])
    if properties:
        result["properties"] = properties
    first, second = left.get("prefixItems", []), right.get("prefixItems", [])
    if len(first) != len(second):
        short, long = (left, second) if len(first) < len(second) else (right, first)
        if "items" in short:
            start = min(len(first), len(second))
            result["prefixItems"] = [*first[:start], *(both(item, short["items"]) for item in long[start:])]


_RULES: dict[str, Callable[[Any, Any], Any]] = {
    "type": _types,
    "enum": _enum,
    "anyOf": _branches,
    "multipleOf": _multiple,
    "properties": _maps,
    "patternProperties": _maps,
    "prefixItems": _lists,
    "items": both,
    "additionalProperties": both,
    "propertyNames": both,
    "required": lambda left, right: list(dict.fromkeys([*left, *right])),
    "uniqueItems": lambda left, right: left or right,
    **dict.fromkeys(("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"), max),
    **dict.fromkeys(("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"), min),
}
