"""Python types as JSON Schema through pydantic, made tighter where pydantic says less than it knows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import Any

from pydantic import TypeAdapter
from pydantic.errors import PydanticInvalidForJsonSchema, PydanticSchemaGenerationError, PydanticUserError
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from deepinfer_structured.errors import UnsupportedSchemaError
from deepinfer_structured.schema.formats import PATTERNS, web_url

_KEY_PATTERNS = {
    "integer": r"^(?:0|-?[1-9][0-9]{0,17})$",
    "number": r"^(?:0|-?[1-9][0-9]{0,17})(?:\.[0-9]{1,9})?$",
    "boolean": r"^(?:true|false)$",
}
_DIGITS, _PLACES = 15, 12
NUMBER_TEXT, PLACES = "x-number", "x-decimal-places"


@dataclass(frozen=True, slots=True)
class TypeSchema:
    """A type's JSON Schema and the adapter that parses its values."""

    adapter: TypeAdapter[Any]
    schema: dict[str, Any]
    has_validators: bool


def type_schema(kind: Any) -> TypeSchema:
    """The schema by alias of the JSON text that the type parses."""
    try:
        adapter: TypeAdapter[Any] = TypeAdapter(kind)
    except (PydanticSchemaGenerationError, PydanticUserError) as error:
        raise TypeError(f"schema must be a type that pydantic knows, not {kind!r}: {_first(error)}") from error
    except ImportError as error:
        raise UnsupportedSchemaError(f"{kind!r} needs a package that is not there: {error}", pointer="") from error
    try:
        schema = adapter.json_schema(by_alias=True, mode="validation", schema_generator=_Generator)
    except PydanticInvalidForJsonSchema as error:
        raise UnsupportedSchemaError(f"{kind!r} has no JSON form: {_first(error)}", pointer="") from error
    except PydanticUserError as error:
        raise TypeError(f"schema must be a type that pydantic knows, not {kind!r}: {_first(error)}") from error
    return TypeSchema(adapter, schema, any(_validators(adapter.core_schema)))


class _Generator(GenerateJsonSchema):
    """Pydantic's own generator with the constraints that it leaves out."""

    def is_subclass_schema(self, schema: core_schema.IsSubclassSchema) -> JsonSchemaValue:
        return self.handle_invalid_for_json_schema(schema, "a class")

    def literal_schema(self, schema: core_schema.LiteralSchema) -> JsonSchemaValue:
        for member in schema["expected"]:
            if isinstance(member, Enum) and not isinstance(member, (str, int)):
                note = f"{member!r} of a plain Enum, which pydantic takes from no JSON; derive the Enum from str or int"
                return self.handle_invalid_for_json_schema(schema, note)
        return super().literal_schema(schema)

    def model_field_schema(self, schema: core_schema.ModelField) -> JsonSchemaValue:
        self._check_alias(schema)
        return super().model_field_schema(schema)

    def dataclass_field_schema(self, schema: core_schema.DataclassField) -> JsonSchemaValue:
        self._check_alias(schema)
        return super().dataclass_field_schema(schema)

    def typed_dict_field_schema(self, schema: core_schema.TypedDictField) -> JsonSchemaValue:
        self._check_alias(schema)
        return super().typed_dict_field_schema(schema)

    def _check_alias(self, field: Any) -> None:
        """A path as the only alias has no place among the keys of an object."""
        alias = field.get("validation_alias")
        if not isinstance(alias, list) or self._config.validate_by_name or self._config.populate_by_name:
            return
        paths = alias if isinstance(alias[0], list) else [alias]
        if all(len(path) > 1 for path in paths):
            self.handle_invalid_for_json_schema(field, f"AliasPath{tuple(paths[0])!r} and no plain alias beside it")

    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
        plain: JsonSchemaValue = {}
        self.update_with_validations(plain, schema, self.ValidationsMapping.numeric)
        plain = {key: float(value) if isinstance(value, Decimal) else value for key, value in plain.items()}
        digits, places = schema.get("max_digits"), schema.get("decimal_places")
        splits: list[tuple[int | None, int]]
        if digits is None:
            splits = [(None, _PLACES if places is None else min(places, _PLACES))]
        elif places is not None:
            splits = [(max(0, digits - places), min(places, _PLACES))]
        else:
            splits = [(digits - right, right) for right in range(min(digits, _PLACES) + 1)]
        texts = [_bounded(plain, left, right) for left, right in splits]
        numbers = [
            _bounded(plain, _DIGITS - right if left is None else min(left, _DIGITS - right), right)
            for left, right in splits
            if right < _DIGITS
        ]
        return {"anyOf": [*numbers, *({"type": "string", NUMBER_TEXT: text} for text in texts)]}

    def datetime_schema(self, schema: core_schema.DatetimeSchema) -> JsonSchemaValue:
        zone = schema.get("tz_constraint")
        kinds = {"naive": "naive-date-time", "aware": "date-time"}
        name = kinds.get(zone, "date-time") if isinstance(zone, str) else "pydantic-date-time"
        return {"type": "string", "format": name}

    def time_schema(self, schema: core_schema.TimeSchema) -> JsonSchemaValue:
        zone = schema.get("tz_constraint")
        name = {"naive": "naive-time", "aware": "time"}.get(zone, "time") if isinstance(zone, str) else "pydantic-time"
        return {"type": "string", "format": name}

    def timedelta_schema(self, schema: core_schema.TimedeltaSchema) -> JsonSchemaValue:
        if self._config.ser_json_timedelta == "float":
            return {"type": "number"}
        return {"type": "string", "format": "pydantic-duration"}

    def url_schema(self, schema: core_schema.UrlSchema) -> JsonSchemaValue:
        result = super().url_schema(schema)
        schemes = schema.get("allowed_schemes")
        if schemes:
            length = result.pop("maxLength", None)
            result = {**result, "pattern": f"^{web_url(tuple(schemes))}$"}
            if length is not None:
                result["maxLength"] = length
        return result

    def uuid_schema(self, schema: core_schema.UuidSchema) -> JsonSchemaValue:
        version = schema.get("version")
        known = version is not None and f"uuid{version}" in PATTERNS
        return {"type": "string", "format": f"uuid{version}" if known else "uuid"}

    def dict_schema(self, schema: core_schema.DictSchema) -> JsonSchemaValue:
        result = super().dict_schema(schema)
        if "keys_schema" not in schema:
            return result
        keys = self.generate_inner(schema["keys_schema"])
        names = self._names(keys)
        if names is not None and names != {"type": "string"}:
            result.pop("patternProperties", None)
            values = self.generate_inner(schema["values_schema"]) if "values_schema" in schema else True
            result.update(propertyNames=names, additionalProperties=values or True)
        return result

    def _names(self, keys: JsonSchemaValue) -> JsonSchemaValue | None:
        """The schema of the texts that stand for keys of this schema."""
        kind = keys.get("type")
        if "enum" in keys or "const" in keys:
            values = keys.get("enum", [keys.get("const")])
            return {"type": "string", "enum": [value if isinstance(value, str) else str(value) for value in values]}
        if isinstance(kind, str) and kind in _KEY_PATTERNS:
            return {"type": "string", "pattern": _KEY_PATTERNS[kind]}
        return keys if kind == "string" or "$ref" in keys else None


def _validators(node: Any, depth: int = 0) -> Iterator[bool]:
    """Whether user functions run when a value is validated."""
    if depth > 100:
        return
    if isinstance(node, dict):
        if str(node.get("type", "")).startswith("function-"):
            yield True
        for key, value in node.items():
            if key not in ("metadata", "serialization", "cls"):
                yield from _validators(value, depth + 1)
    elif isinstance(node, (list, tuple)):
        for value in node:
            yield from _validators(value, depth + 1)


def _bounded(plain: JsonSchemaValue, left: int | None, right: int) -> JsonSchemaValue:
    """A number with at most `left` digits before and `right` digits after the point."""
    result: JsonSchemaValue = {"type": "number", **plain, PLACES: right}
    if left is not None:
        limit = 10**left
        result["exclusiveMaximum"] = min(limit, plain.get("exclusiveMaximum", limit))
        result["exclusiveMinimum"] = max(-limit, plain.get("exclusiveMinimum", -limit))
    return result


def _first(error: Exception) -> str:
    return str(error).split("\n", maxsplit=1)[0]
