"""Finished or partial text to a typed object; keeps the text on failure, knows no tokens."""

from __future__ import annotations

import types
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import from_json

from deepinfer_structured.constraint.checks import TypeCheck
from deepinfer_structured.constraint.constraint import Constraint, TextConstraint


def decode(text: str, constraint: Constraint | TextConstraint) -> Any:
    """The value of a finished text; CheckFailedError, with the text, when a check says no."""
    return constraint.parse(text)


def decode_partial(text: str, constraint: Constraint | TextConstraint) -> Any:
    """The value so far: a model whose later fields are None, a shorter list or string; None before it begins."""
    if constraint.json_schema is None:
        return text
    if not text:
        return None
    try:
        data = from_json(text, allow_partial="trailing-strings")
    except ValueError:
        return None
    if isinstance(constraint.check, TypeCheck):
        return _partial(constraint.check.kind, data)
    return data


def _partial(kind: Any, data: Any) -> Any:
    """As much of a type as the data allows; what does not fit yet is None."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return _model(kind, data) if isinstance(data, Mapping) else None
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _first(arguments, data)
    if hasattr(kind, "__metadata__"):
        return _partial(arguments[0], data)
    if origin is list and isinstance(data, list):
        return [_partial(arguments[0], item) for item in data]
    if origin is dict and isinstance(data, Mapping):
        return {key: _partial(arguments[1], item) for key, item in data.items()}
    try:
        return _adapter(kind).validate_python(data)
    except ValidationError:
        return data if isinstance(data, (dict, list)) else None


def _model(kind: type[BaseModel], data: Mapping[str, Any]) -> BaseModel:
    values: dict[str, Any] = {}
    for name, field in kind.model_fields.items():
        alias = field.validation_alias if isinstance(field.validation_alias, str) else field.alias or name
        key = alias if alias in data else name
        values[name] = _partial(field.annotation, data[key]) if key in data else field.get_default()
        if values[name] is not None and type(values[name]).__name__ == "PydanticUndefinedType":
            values[name] = None
    return kind.model_construct(_fields_set={name for name in values if values[name] is not None}, **values)


def _first(kinds: tuple[Any, ...], data: Any) -> Any:
    """The first member that takes the data whole, or else makes something of it."""
    for kind in kinds:
        try:
            return _adapter(kind).validate_python(data)
        except ValidationError:
            continue
    return next((value for kind in kinds if (value := _partial(kind, data)) is not None), None)


@lru_cache(maxsize=256)
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
