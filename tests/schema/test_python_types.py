"""What a type's own dump writes is accepted and comes back equal; near misses are not accepted."""

# ruff: noqa: E501, DTZ001 - one case a line; naive times are the subject
import datetime as dt
import enum
import ipaddress
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Generic, Literal, NamedTuple, TypeVar

import pytest
from pydantic import (
    UUID4,
    UUID6,
    UUID7,
    UUID8,
    AfterValidator,
    AliasChoices,
    AliasPath,
    AnyUrl,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    HttpUrl,
    NaiveDatetime,
    PositiveInt,
    RootModel,
    TypeAdapter,
    create_model,
    field_validator,
)
from typing_extensions import TypedDict

import deepinfer_structured as ds
from deepinfer_structured.constraint.constraint import walks
from tests.constraint.support import compiled

T = TypeVar("T")
UTC = dt.UTC
INDIA = dt.timezone(dt.timedelta(hours=5, minutes=30))
ID = uuid.UUID("123e4567-e89b-42d3-a456-426614174000")


class Color(enum.Enum):
    RED = 're"d'
    BLUE = "blue"


class Size(enum.IntEnum):
    S = 1
    L = 22


class Loose(TypedDict, total=False):
    a: int
    b: str


class Pair(NamedTuple):
    x: int
    y: str


@dataclass
class Plain:
    a: int
    b: list[str]


class Tree(BaseModel):
    v: int
    kids: list["Tree"] = []


class Cat(BaseModel):
    kind: Literal["cat"]
    m: int


class Dog(BaseModel):
    kind: Literal["dog"]
    b: str


class Pet(BaseModel):
    pet: Annotated[Cat | Dog, Field(discriminator="kind")]


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")
    a: int | None = None
    b: str


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    a: int


class Named(BaseModel):
    x: int = Field(alias="the x")


class Box(BaseModel, Generic[T]):
    item: T


class Even(BaseModel):
    a: int

    @field_validator("a")
    @classmethod
    def is_even(cls, value: int) -> int:
        if value % 2:
            raise ValueError("odd")
        return value


def one(kind: Any) -> Any:
    return create_model("One", a=(kind, ...))


def times(**fields: Any) -> list[Any]:
    return [{"a": value} for value in fields["a"]]


CASES: list[tuple[str, Any, Sequence[Any], Sequence[str]]] = [
    ("str", one(str), times(a=['é\n"\\😀\x00\x7f', ""]), ['{"a":1}', '{"a": ""}', '{"a":"\t"}']),
    ("int", one(int), times(a=[0, -5, 10**18]), ['{"a":1.5}', '{"a":01}', '{"a":"1"}']),
    ("float", one(float), times(a=[1.5e300, -0.0, 1e-9, 123.456, 1e16]), ['{"a":"x"}', '{"a":1e400}']),
    ("closed", Closed, [{"b": "x"}, {"a": 3, "b": "y"}], ['{"b":"x","c":1}', '{"a":1}']),
    ("open", Open, [{"a": 1}, {"a": 1, "zz": [1, {"q": None}]}], ['{"zz":1}']),
    ("alias", Named, [{"the x": 1}], ['{"x":1}']),
    ("length", one(Annotated[str, Field(min_length=2, max_length=5)]), times(a=["ab", '"\n\\ab', "😀" * 5]), ['{"a":"a"}', '{"a":"abcdef"}']),
    ("pattern+length", one(Annotated[str, Field(pattern="^[a-z]+$", max_length=4)]), times(a=["abcd"]), ['{"a":"abcde"}', '{"a":"A"}', '{"a":""}']),
    ("pattern", one(Annotated[str, Field(pattern="b+")]), times(a=["abbc", '"\nb']), ['{"a":"ac"}']),
    ("int range", one(Annotated[int, Field(ge=3, lt=100)]), times(a=[3, 50, 99]), ['{"a":2}', '{"a":100}', '{"a":-3}']),
    ("positive", one(PositiveInt), times(a=[1, 10]), ['{"a":0}', '{"a":-1}']),
    ("float range", one(Annotated[float, Field(gt=0, le=1)]), times(a=[0.5, 1.0, 1e-9]), ['{"a":0}', '{"a":1.1}']),
    ("far bounds", one(Annotated[float, Field(ge=-1.25, lt=1e6)]), times(a=[-1.25, 999999.5]), ['{"a":-1.26}', '{"a":1000000}']),
    ("multiple", one(Annotated[float, Field(multiple_of=0.5)]), times(a=[0.5, 3.0]), ['{"a":0.25}', '{"a":0.3}']),
    ("decimal", one(Decimal), times(a=[Decimal("12.50"), Decimal(-3), Decimal("0.000001")]), ['{"a":"abc"}', '{"a":""}']),
    ("decimal digits", one(Annotated[Decimal, Field(max_digits=5, decimal_places=2, ge=0)]), times(a=[Decimal("123.45"), Decimal(0)]), ['{"a":"1234.5"}', '{"a":"1.234"}', '{"a":-1}']),
    ("decimal total", one(Annotated[Decimal, Field(max_digits=3)]), times(a=[Decimal("1.25"), Decimal(999)]), ['{"a":"1000"}', '{"a":"12.25"}']),
    ("date", one(dt.date), times(a=[dt.date(2024, 2, 29), dt.date(1, 1, 1)]), ['{"a":"2023-02-29"}', '{"a":"2024-13-01"}']),
    ("datetime", one(dt.datetime), times(a=[dt.datetime(2024, 1, 2, 3, 4, 5), dt.datetime(2024, 1, 2, 3, 4, 5, 678, tzinfo=UTC), dt.datetime(2024, 1, 2, tzinfo=INDIA)]), ['{"a":"2024-01-02"}', '{"a":"2024-01-02T25:00:00"}']),
    ("naive", one(NaiveDatetime), times(a=[dt.datetime(2024, 1, 2)]), ['{"a":"2024-01-02T00:00:00Z"}']),
    ("aware", one(AwareDatetime), times(a=[dt.datetime(2024, 1, 2, tzinfo=UTC)]), ['{"a":"2024-01-02T00:00:00"}']),
    ("time", one(dt.time), times(a=[dt.time(1, 2, 3), dt.time(1, 2, 3, 4)]), ['{"a":"24:00:00"}']),
    ("timedelta", one(dt.timedelta), times(a=[dt.timedelta(0), dt.timedelta(days=1, hours=2, seconds=3.5), dt.timedelta(seconds=-5)]), ['{"a":"P"}', '{"a":"PT"}']),
    ("uuid", one(uuid.UUID), times(a=[ID]), ['{"a":"x"}']),
    ("uuid4", one(UUID4), times(a=[ID]), ['{"a":"123e4567-e89b-12d3-a456-426614174000"}']),
    ("ipv4", one(ipaddress.IPv4Address), times(a=["1.2.3.4"]), ['{"a":"1.2.3.256"}']),
    ("ipv6", one(ipaddress.IPv6Address), times(a=["::1", "fe80::1:2"]), ['{"a":":1"}', '{"a":"1:2:3"}']),
    ("http", one(HttpUrl), times(a=["https://example.com/a?b=c#d"]), ['{"a":"ftp://x.org/"}', '{"a":"x"}']),
    ("url", one(AnyUrl), times(a=["ftp://x.org/"]), ['{"a":"x"}']),
    ("enum", one(Color), times(a=[Color.RED, Color.BLUE]), ['{"a":"green"}']),
    ("int enum", one(Size), times(a=[Size.L]), ['{"a":2}']),
    ("literal", one(Literal["x", 1, None, True]), times(a=["x", 1, None]), ['{"a":2}', '{"a":false}']),
    ("tagged", Pet, [{"pet": {"kind": "cat", "m": 1}}, {"pet": {"kind": "dog", "b": "x"}}], ['{"pet":{"kind":"cat","b":"x"}}']),
    ("union", one(int | str | None), times(a=["x", 3, None]), ['{"a":1.5}', '{"a":[]}']),
    ("models", one(list[Cat | Dog] | None), times(a=[None, [], [{"kind": "dog", "b": "x"}]]), ['{"a":[{"kind":"cow"}]}']),
    ("dict", one(dict[str, list[int]]), times(a=[{}, {'k"': [1]}]), ['{"a":{"k":["x"]}}', '{"a":{"k":[],"k":[]}}']),
    ("int keys", one(dict[int, str]), times(a=[{}, {-3: "x", 10: "y"}]), ['{"a":{"x":"y"}}']),
    ("enum keys", one(dict[Color, int]), times(a=[{}, {Color.RED: 1}]), ['{"a":{"green":1}}']),
    ("date keys", one(dict[dt.date, int]), times(a=[{dt.date(2024, 1, 1): 2}]), ['{"a":{"2024-13-01":1}}']),
    ("sets", one(set[int]), times(a=[set(), {1, 2}]), ['{"a":["x"]}']),
    ("tuple", one(tuple[int, str]), times(a=[(1, "a")]), ['{"a":[1]}', '{"a":[1,"a",2]}']),
    ("list bounds", one(Annotated[list[int], Field(min_length=1, max_length=3)]), times(a=[[1], [1, 2, 3]]), ['{"a":[]}', '{"a":[1,2,3,4]}']),
    ("recursive", Tree, [{"v": 1, "kids": [{"v": 2, "kids": [{"v": 3}]}]}], ['{"v":1,"kids":[{"v":"x"}]}']),
    ("typed dict", Loose, [{}, {"a": 1}, {"a": 1, "b": "x"}, {"b": "x"}], ['{"a":"x"}', '{"b":"x","a":1}']),
    ("named tuple", Pair, [Pair(1, "a")], ["[1]", '[1,"a",2]']),
    ("dataclass", Plain, [Plain(1, ["a"])], ['{"a":1}']),
    ("list", list[int], [[], [1, -3]], ["[1.5]", "[1,]", "[1, 2]"]),
    ("optional", int | None, [None, 5], ['"x"']),
    ("bool", bool, [True], ["1"]),
    ("any", Any, [{"a": [1, None, "x"]}, 5], ['{"a":}']),
    ("bytes", bytes, [b"abc"], ["5"]),
    ("root", RootModel[list[int]], [[1, 2]], ["{}"]),
    ("generic", Box[list[int]], [{"item": [1]}], ['{"item":["x"]}']),
    ("validator", Even, [{"a": 2}], ['{"a":3}']),
    ("none", type(None), [None], ["0"]),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "good", "bad"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_dumps_come_back_and_near_misses_do_not(kind: Any, good: Sequence[Any], bad: Sequence[str]) -> None:
    constraint = compiled(kind)
    adapter: TypeAdapter[Any] = TypeAdapter(kind)
    for raw in good:
        value = adapter.validate_python(raw)
        text = adapter.dump_json(value, by_alias=True).decode()
        assert constraint.accepts(text), text
        assert constraint.parse(text) == value
    for text in bad:
        assert not constraint.accepts(text), text
    shortest = constraint.shortest()
    assert constraint.accepts(shortest), shortest


def test_user_validators_are_reported_and_run() -> None:
    constraint = compiled(Even)
    assert [entry.keyword for entry in constraint.report.of("checked")] == ["validators"]
    assert walks(constraint.matcher(), '{"a":3}', constraint.vocabulary)
    with pytest.raises(ds.CheckFailedError, match="/a: Value error, odd, got 3"):
        constraint.parse('{"a":3}')
    assert constraint.shortest() == '{"a":0}'


def test_a_type_without_a_json_form() -> None:
    with pytest.raises((TypeError, ds.UnsupportedSchemaError)):
        compiled(type("Odd", (), {}))
    with pytest.raises(ds.UnsupportedSchemaError):
        compiled(one(Callable[[int], int]))


class Listed(enum.Enum):
    A = "a"


class Deep(BaseModel):
    x: int = Field(validation_alias=AliasPath("a", "b"))


@pytest.mark.parametrize("kind", [type[int], Literal[Listed.A], Deep])
def test_a_type_that_no_json_fills_is_refused(kind: Any) -> None:
    with pytest.raises(ds.UnsupportedSchemaError, match="no JSON form"):
        ds.compile(kind)


def test_an_alias_path_beside_a_name_is_fine() -> None:
    class Either(BaseModel):
        x: int = Field(validation_alias=AliasChoices(AliasPath("a", 0), "b"))

    class Named(BaseModel, populate_by_name=True):
        x: int = Field(validation_alias=AliasPath("a", 0))

    assert ds.compile(Either).accepts('{"b":1}')
    assert ds.compile(Named).accepts('{"x":1}')


@pytest.mark.parametrize("kind", [UUID6, UUID7, UUID8])
def test_every_version_of_uuid_is_in_the_mask(kind: Any) -> None:
    constraint = ds.compile(kind)
    assert constraint.accepts(constraint.shortest())


class Later(BaseModel):
    x: "Nowhere"  # type: ignore[name-defined]  # noqa: F821


def test_a_class_that_is_not_finished_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="not fully defined"):
        ds.compile(Later)


def test_whatever_a_validator_raises_is_a_failed_check() -> None:
    def fail(value: int) -> int:
        raise KeyError(value)

    constraint = ds.compile(Annotated[int, AfterValidator(fail)])
    assert not constraint.accepts("1")
    with pytest.raises(ds.CheckFailedError, match="KeyError"):
        constraint.parse("1")
