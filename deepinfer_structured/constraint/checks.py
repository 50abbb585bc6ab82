"""Finished text to a value: what no grammar can say is checked here; knows no tokens and no masks."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Protocol

from jsonschema import FormatChecker
from jsonschema.exceptions import SchemaError as BadSchema
from jsonschema.exceptions import best_match
from jsonschema.validators import Draft7Validator, Draft202012Validator, validator_for
from pydantic import TypeAdapter, ValidationError
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from deepinfer_structured.errors import CheckFailedError, UnsupportedSchemaError
from deepinfer_structured.schema.formats import PATTERNS
from deepinfer_structured.schema.jsonschema.keywords import join


class Check(Protocol):
    """Turns finished text into a value, or raises CheckFailedError."""

    def parse(self, text: str) -> Any: ...


class TextCheck:
    """The value is the text."""

    def parse(self, text: str) -> str:
        return text


class TypeCheck:
    """The value is what the Python type makes of the JSON text, its validators included."""

    def __init__(self, adapter: TypeAdapter[Any], kind: Any) -> None:
        self.adapter = adapter
        self.kind = kind

    def parse(self, text: str) -> Any:
        _reject_twins(text)
        try:
            return self.adapter.validate_json(text)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = "".join(f"/{part}" for part in first["loc"])
            message = f"the type rejects the value at {place or '/'}: {first['msg']}, got {first['input']!r}"
            raise CheckFailedError(message, text=text) from error
        except Exception as error:  # whatever a user's validator raises
            raise CheckFailedError(f"the type rejects the value: {error!r}", text=text) from error


class SchemaCheck:
    """The value is plain Python data that jsonschema finds valid."""

    def __init__(self, schema: Any, resources: Mapping[str, Any] | None = None) -> None:
        kind = validator_for(schema, default=_draft(schema))
        try:
            kind.check_schema(schema)
        except BadSchema as error:
            pointer = join("", *error.absolute_path)
            raise UnsupportedSchemaError(f"not a valid JSON Schema: {error.message}", pointer=pointer) from error
        pairs = [
            (uri, Resource.from_contents(resource, default_specification=DRAFT202012))
            for uri, resource in (resources or {}).items()
        ]
        registry: Registry[Any] = Registry().with_resources(pairs)
        self._validator = kind(schema, registry=registry, format_checker=_formats())

    def parse(self, text: str) -> Any:
        value = _reject_twins(text)
        try:
            error = best_match(self._validator.iter_errors(value))
        except RecursionError as deep:
            raise CheckFailedError("the value is nested too deep to be checked", text=text) from deep
        if error is not None:
            message = f"the value fails {error.validator!r} at {join('', *error.absolute_path) or '/'}: {error.message}"
            raise CheckFailedError(message, text=text) from error
        return value


def _draft(schema: Any) -> Any:
    """Today's draft, or draft 7 for a schema that names none and is only valid there."""
    try:
        Draft202012Validator.check_schema(schema)
    except BadSchema:
        return (
            Draft7Validator if Draft7Validator(Draft7Validator.META_SCHEMA).is_valid(schema) else Draft202012Validator
        )
    return Draft202012Validator


def _reject_twins(text: str) -> Any:
    """The plain value; a key that comes twice in one object is an error."""
    try:
        return json.loads(text, object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        raise CheckFailedError(f"not a JSON value: {error}", text=text) from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {key!r} comes twice")
        found[key] = value
    return found


@lru_cache(maxsize=1)
def _formats() -> FormatChecker:
    """A checker that takes exactly what the masks generate."""
    checker = FormatChecker(formats=())
    for name, pattern in PATTERNS.items():
        checker.checks(name)(_takes(re.compile(pattern, re.ASCII)))
    checker.checks("regex", raises=re.error)(lambda value: not isinstance(value, str) or bool(re.compile(value)))
    return checker


def _takes(pattern: re.Pattern[str]) -> Any:
    return lambda value: not isinstance(value, str) or pattern.fullmatch(value) is not None
