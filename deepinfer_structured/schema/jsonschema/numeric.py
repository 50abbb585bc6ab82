"""Integers and numbers of a flat schema; digits are bounded."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

from deepinfer_structured.errors import UnsupportedSchemaError
from deepinfer_structured.schema.grammar import NEVER, Node
from deepinfer_structured.schema.jsonschema.context import Walk
from deepinfer_structured.schema.jsonschema.keywords import join
from deepinfer_structured.schema.numbers import FRACTION_DIGITS, INTEGER_DIGITS, Bound, decimals, integers

_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")


def number(flat: dict[str, Any], kind: str, pointer: str, walk: Walk) -> Node:
    """The numbers of a flat schema, each keyword with its verdict."""
    for keyword in (*_BOUNDS, "multipleOf"):
        if keyword in flat:
            _finite(flat[keyword], keyword, pointer)
    for keyword in _BOUNDS:
        if keyword in flat:
            walk.notes.add(pointer, keyword, "enforced")
    step = flat.get("multipleOf")
    if step is not None:
        if step <= 0:
            raise UnsupportedSchemaError(
                f"multipleOf must be above 0, not {step!r}", pointer=join(pointer, "multipleOf")
            )
        exact = _power_of_ten(Decimal(str(step)))
        note = "as a count of fraction digits" if exact else "the mask bounds fraction digits only"
        walk.notes.add(pointer, "multipleOf", "enforced" if exact else "checked", note)
    limit = f"at most {INTEGER_DIGITS} digits"
    walk.notes.add(
        pointer, "type", "rewritten", limit if kind == "integer" else f"{limit} and {FRACTION_DIGITS} after the point"
    )
    node = number_node(flat, kind)
    return walk.nothing(pointer, "no number lies between the bounds") if node == NEVER else node


def number_node(flat: dict[str, Any], kind: str = "number") -> Node:
    """The grammar alone."""
    low = _tightest(flat, "minimum", "exclusiveMinimum", lower=True)
    high = _tightest(flat, "maximum", "exclusiveMaximum", lower=False)
    step = flat.get("multipleOf")
    places = FRACTION_DIGITS if step is None else _places(Decimal(str(step)))
    if kind == "integer" or places == 0:
        return integers(low, high)
    places = flat.get("x-decimal-places", places)
    return decimals(low, high, places=places, exponents=step is None and "x-decimal-places" not in flat)


def _tightest(flat: dict[str, Any], inclusive: str, exclusive: str, *, lower: bool) -> Bound | None:
    found = [Bound(Decimal(str(flat[inclusive])))] if inclusive in flat else []
    if exclusive in flat:
        found.append(Bound(Decimal(str(flat[exclusive])), True))
    if not found:
        return None
    if lower:
        return max(found, key=lambda bound: (bound.value, bound.exclusive))
    return min(found, key=lambda bound: (bound.value, not bound.exclusive))


def _finite(value: Any, keyword: str, pointer: str) -> None:
    plain = isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)
    if not plain or (not isinstance(value, int) and not math.isfinite(value)):
        raise UnsupportedSchemaError(f"{keyword} takes a finite number, not {value!r}", pointer=join(pointer, keyword))
    if abs(Decimal(str(value)).adjusted()) > 60 and value != 0:
        raise UnsupportedSchemaError(f"{keyword} {value!r} has more than 60 digits", pointer=join(pointer, keyword))


def _places(step: Decimal) -> int:
    return max(0, -int(step.normalize().as_tuple().exponent))


def _power_of_ten(step: Decimal) -> bool:
    return step <= 1 and step.normalize().as_tuple().digits == (1,)
