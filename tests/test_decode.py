"""Finished and partial text to typed objects."""

import datetime as dt
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field

import deepinfer_structured as ds
from deepinfer_structured.decode import decode, decode_partial
from tests.constraint.support import compiled, compiler


class Item(BaseModel):
    name: str
    price: float = 0.0


class Order(BaseModel):
    number: int
    day: dt.date | None
    items: list[Item]
    kind: Annotated[Literal["new", "old"], Field(alias="the kind")] = "new"


TEXT = '{"number":12,"day":"2024-02-29","items":[{"name":"a b","price":1.5},{"name":"c"}],"the kind":"old"}'


def test_finished_text() -> None:
    value = decode(TEXT, compiled(Order))
    expected = {"number": 12, "day": "2024-02-29", "items": [{"name": "a b", "price": 1.5}, {"name": "c"}]}
    assert value == Order.model_validate({**expected, "the kind": "old"})


def test_a_failed_check_keeps_the_text() -> None:
    with pytest.raises(ds.CheckFailedError) as caught:
        decode('{"number":"x"}', compiled(Order))
    assert caught.value.text == '{"number":"x"}'
    with pytest.raises(ds.CheckFailedError):
        decode('{"number":1', compiled(Order))


def test_every_prefix_is_a_partial_order() -> None:
    constraint = compiled(Order)
    seen: list[Any] = [decode_partial(TEXT[:end], constraint) for end in range(len(TEXT) + 1)]
    assert seen[0] is None
    assert all(isinstance(value, Order) for value in seen[1:])
    assert seen[-1] == decode(TEXT, constraint)
    middle = decode_partial(TEXT[: TEXT.index(" b") + 1], constraint)
    assert (middle.number, middle.day, middle.items[0].name) == (12, dt.date(2024, 2, 29), "a ")
    assert decode_partial('{"number":1,"day":"2024-0', constraint).day is None
    assert repr(middle)


def test_partial_values_of_other_kinds() -> None:
    assert decode_partial("[1,2,", compiled(list[int])) == [1, 2]
    assert decode_partial('{"a":{"name":"x', compiled(dict[str, Item])) == {
        "a": Item.model_construct(name="x", price=0.0)
    }
    assert decode_partial('{"a":[1', compiled({"type": "object"})) == {"a": [1]}
    assert decode_partial("some te", compiler().compile(None)) == "some te"
    assert decode_partial("ye", compiled(ds.Choice(["yes"]))) == "ye"
    assert decode_partial('"x', compiled(int | str)) == "x"
