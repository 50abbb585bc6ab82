"""Text that is still growing to the value so far; a finished text is the constraint's to parse. Knows no tokens."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints, is_typeddict

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic.errors import PydanticUserError
from pydantic_core import from_json

from deepinfer_structured.constraint.checks import TypeCheck
from deepinfer_structured.constraint.constraint import Constraint, TextConstraint

__all__ = ["partial"]

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_NUMBER = re.compile(r"-?[0-9][0-9.eE+-]*$")


def partial(text: str, constraint: Constraint | TextConstraint) -> Any:
    """The value that a growing text has reached.

    Text stays text. JSON is cut to what is certain: a string may be half, a number is there once it has ended. A model
    has None in the place of what has not come; validators have not run on it.
    """
    if constraint.json_schema is None:
        return text
    try:
        value = from_json(_certain(text), allow_partial="trailing-strings")
    except ValueError:
        return None
    if isinstance(constraint.check, TypeCheck):
        return _shape(constraint.check.adapter._type, value)
    return value


def _certain(text: str) -> str:
    """Without a number at the end, which may go on."""
    number = _NUMBER.search(text)
    inside_string = '"' in _STRING.sub("", text)
    return text if number is None or inside_string else text[: number.start()]


def _shape(kind: Any, value: Any) -> Any:
    """`value` as far as it makes a `kind`; None where it makes none yet."""
    try:
        return TypeAdapter(kind).validate_python(value)
    except ValidationError:
        pass
    except PydanticUserError:
        return value
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        shapes = (_shape(member, value) for member in arguments)
        return next((shape for shape in shapes if shape is not None), None)
    if isinstance(value, list):
        return [shape for item in value if (shape := _shape(arguments[0] if arguments else Any, item)) is not None]
    if not isinstance(value, Mapping):
        return None
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return _model(kind, value)
    if is_typeddict(kind):
        hints = get_type_hints(kind)
        return {name: _shape(hints.get(name, Any), item) for name, item in value.items()}
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return _record(kind, value)
    if origin is dict:
        return {name: _shape(arguments[1], item) for name, item in value.items()}
    return None


_Model = TypeVar("_Model", bound=BaseModel)


def _model(kind: type[_Model], value: Mapping[str, Any]) -> _Model:
    found: dict[str, Any] = {}
    for name, field in kind.model_fields.items():
        key = next((k for k in (field.validation_alias, field.alias, name) if isinstance(k, str) and k in value), None)
        if key is not None:
            found[name] = _shape(field.annotation, value[key])
        elif field.is_required():
            found[name] = None
    return kind.model_construct(_fields_set=set(found), **found)


def _record(kind: type, value: Mapping[str, Any]) -> Any:
    hints = get_type_hints(kind)
    record: Any = object.__new__(kind)
    for field in dataclasses.fields(kind):
        if field.name in value:
            shape = _shape(hints[field.name], value[field.name])
        elif field.default is not dataclasses.MISSING:
            shape = field.default
        else:
            shape = None if field.default_factory is dataclasses.MISSING else field.default_factory()
        object.__setattr__(record, field.name, shape)
    return record
