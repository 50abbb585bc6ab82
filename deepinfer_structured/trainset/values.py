"""Values: what a field can hold, as the answer spells it and as a document spells it.

A string field holds the document's own spelling; numbers, booleans, dates and enumerations are normalised. That rule is
the same for every kind, so it carries over to schemas never seen.
"""

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from deepinfer_structured.trainset.draw import Draw
from deepinfer_structured.trainset.languages import MONTHS, WEEKDAYS, YES_NO

STRING: dict[str, Any] = {"type": "string"}
NUMBER: dict[str, Any] = {"type": "number"}
INTEGER: dict[str, Any] = {"type": "integer"}
BOOLEAN: dict[str, Any] = {"type": "boolean"}
DATE: dict[str, Any] = {"format": "date", "type": "string"}
TIME: dict[str, Any] = {"format": "time", "type": "string"}
DATETIME: dict[str, Any] = {"format": "date-time", "type": "string"}
EMAIL: dict[str, Any] = {"format": "email", "type": "string"}
URI: dict[str, Any] = {"format": "uri", "type": "string"}

CURRENCIES = {"$": "USD", "€": "EUR", "£": "GBP", "zł": "PLN", "kr": "SEK", "CHF": "CHF", "¥": "JPY", "R$": "BRL"}
HOME = {"en": "$£€$", "pl": ("zł", "€"), "sv": ("kr", "€"), "da": ("kr",), "pt": ("€", "R$")}


@dataclass(slots=True)
class Value:
    """`answer` is the JSON value, `text` the document's spelling, `schema` what a model class would declare."""

    answer: Any
    text: str
    schema: dict[str, Any]
    choices: tuple[str, ...] = field(default=())


@dataclass(slots=True)
class Style:
    """How one document writes dates and numbers: the same throughout."""

    date: int
    currency: str
    money: int
    grouping: bool


def new_style(draw: Draw) -> Style:
    """A style for one document."""
    home: Any = HOME.get(draw.language, "€")
    return Style(draw.integer(0, 9), draw.pick(home), draw.integer(0, 5), draw.chance(0.7))


def text_value(text: str) -> Value:
    """A string copied as it stands."""
    return Value(text, text, STRING)


def number_text(draw: Draw, style: Style, number: float, places: int) -> str:
    """A number in the language's own spelling."""
    plain = f"{number:,.{places}f}" if style.grouping else f"{number:.{places}f}"
    if draw.language == "en":
        return plain
    group = " " if draw.language in ("fr", "pl", "sv", "fi", "cs") else "."
    return plain.replace(",", "\0").replace(".", ",").replace("\0", group)


def money(draw: Draw, style: Style) -> Value:
    """An amount with a currency mark, or bare."""
    high = draw.pick((20, 100, 1000, 1000, 10000, 100000))
    whole = draw.chance(0.15)
    amount = float(draw.integer(1, high)) if whole else draw.integer(100, high * 100) / 100
    text = number_text(draw, style, amount, 0 if whole and draw.chance(0.6) else 2)
    sign, code = style.currency, CURRENCIES[style.currency]
    if style.money == 1:
        text = f"{text} {code}"
    elif style.money == 2:
        text = f"{code} {text}"
    elif style.money != 3:
        text = f"{sign}{text}" if draw.language == "en" and sign in "$£€¥" else f"{text} {sign}"
    return Value(int(amount) if amount == int(amount) else amount, text, NUMBER)


def decimal(draw: Draw, style: Style) -> Value:
    """A measured number with one to three decimals, sometimes with a unit."""
    places = draw.integer(1, 3)
    number = round(draw.random() * draw.pick((1, 10, 100, 1000)), places)
    if draw.chance(0.04):
        number = -number
    return Value(int(number) if number == int(number) else number, number_text(draw, style, number, places), NUMBER)


def measure(draw: Draw, style: Style) -> Value:
    """A number followed by its unit."""
    value = decimal(draw, style) if draw.chance(0.6) else Value(count := draw.integer(1, 900), str(count), NUMBER)
    unit = draw.pick(("kg", "km", "m", "cm", "mm", "g", "l", "ml", "kWh", "°C", "lbs", "ft", "mi", "Hz", "V", "W", "MB",
                      "GB", "ms", "hours", "min", "m²", "bar", "ppm", "mg", "psi", "kcal", "rpm", "dB"))  # fmt: skip
    return Value(value.answer, value.text + draw.pick((" ", " ", "")) + unit, NUMBER)


def percent(draw: Draw, style: Style) -> Value:
    """A percentage as a number."""
    places = draw.pick((0, 0, 1, 2))
    number = round(draw.random() * 100, places)
    text = number_text(draw, style, number, places) + draw.pick(
        ("%", "%", " %", " percent" if draw.language == "en" else "%")
    )
    return Value(int(number) if number == int(number) else number, text, NUMBER)


def count(draw: Draw, style: Style) -> Value:
    """A whole number."""
    number = draw.integer(0, draw.pick((9, 20, 99, 500, 5000, 90000)))
    return Value(number, number_text(draw, style, number, 0), INTEGER)


def small(draw: Draw, style: Style) -> Value:
    """A small count, now and then in words."""
    number = draw.integer(1, 12)
    if draw.language == "en" and draw.chance(0.2):
        return Value(number, NUMBER_WORDS[number], INTEGER)
    return Value(number, str(number), INTEGER)


NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()


def year(draw: Draw, style: Style) -> Value:
    """A calendar year."""
    number = draw.integer(1901, 2031)
    return Value(number, str(number), INTEGER)


def day_text(draw: Draw, style: Style, day: dt.date) -> str:
    """A date in the document's own style; ambiguous orders are read month first in English with slashes."""
    months = MONTHS[draw.language]
    name = months[day.month - 1]
    dd, mm, yyyy = f"{day.day:02d}", f"{day.month:02d}", str(day.year)
    if draw.language == "en":
        forms = (
            f"{yyyy}-{mm}-{dd}", f"{name} {day.day}, {yyyy}", f"{day.day} {name} {yyyy}", f"{name[:3]} {day.day}, {yyyy}",
            f"{mm}/{dd}/{yyyy}", f"{dd}.{mm}.{yyyy}", f"{dd} {name[:3]} {yyyy}", f"{day.month}/{day.day}/{yyyy}",
            f"{WEEKDAYS['en'][day.weekday()]}, {name} {day.day}, {yyyy}", f"{dd}-{name[:3]}-{yyyy}",
        )  # fmt: skip
        return forms[style.date]
    joined = f"{day.day} de {name} de {yyyy}" if draw.language in ("es", "pt") else f"{day.day} {name} {yyyy}"
    if draw.language == "de":
        joined = f"{day.day}. {name} {yyyy}"
    mark = "." if draw.language in ("de", "pl", "fi", "cs", "da") else "-" if draw.language == "nl" else "/"
    numeric = f"{dd}{mark}{mm}{mark}{yyyy}"
    return (f"{yyyy}-{mm}-{dd}", numeric, joined, numeric, joined, joined, numeric, f"{day.day}{mark}{day.month}{mark}{yyyy}",
            f"{WEEKDAYS[draw.language][day.weekday()]}, {joined}", numeric)[style.date]  # fmt: skip


def some_day(draw: Draw) -> dt.date:
    """A day between 1950 and 2031, mostly recent."""
    low = 711858 if draw.chance(0.15) else 736330
    return dt.date.fromordinal(draw.integer(low, 741900))


def date(draw: Draw, style: Style) -> Value:
    """A date, normalised to ISO 8601."""
    day = some_day(draw)
    return Value(day.isoformat(), day_text(draw, style, day), DATE)


def clock(draw: Draw, style: Style) -> Value:
    """A time of day as the document writes it."""
    hour, minute = draw.integer(0, 23), draw.pick((0, 0, 15, 30, 45, draw.integer(0, 59)))
    form = draw.integer(0, 3) if draw.language == "en" else 0
    if form == 1:
        return text_value(f"{(hour - 1) % 12 + 1}:{minute:02d} {'am' if hour < 12 else 'pm'}")
    if form == 2:
        return text_value(f"{(hour - 1) % 12 + 1}:{minute:02d} {'AM' if hour < 12 else 'PM'}")
    return text_value(f"{hour:02d}:{minute:02d}")


def exact_time(draw: Draw, style: Style) -> Value:
    """A time of day normalised to RFC 3339: seconds always, the zone that is given or else Z."""
    hour, minute, second = draw.integer(0, 23), draw.integer(0, 59), draw.integer(0, 59) if draw.chance(0.5) else 0
    exact = f"{hour:02d}:{minute:02d}:{second:02d}"
    zone = draw.pick(("", "", "", "", "Z", "+02:00", "-05:00", "+01:00"))
    text = exact if second or zone or draw.chance(0.3) else exact[:5]
    return Value(exact + (zone or "Z"), text + zone, TIME)


def moment(draw: Draw, style: Style) -> Value:
    """A date and time, normalised to RFC 3339."""
    day, time = some_day(draw), exact_time(draw, style)
    answer = f"{day.isoformat()}T{time.answer}"
    if draw.chance(0.3):
        zone = time.answer[8:]
        return Value(answer, answer if zone != "Z" or draw.chance(0.6) else answer[:-1], DATETIME)
    glue = draw.pick((" ", " ", ", ", " at " if draw.language == "en" else " "))
    return Value(answer, day_text(draw, style, day) + glue + time.text, DATETIME)


def boolean(draw: Draw, style: Style) -> Value:
    """Yes or no in the language's own words."""
    truth = draw.chance(0.5)
    pairs = YES_NO[draw.language]
    pair = draw.pick(pairs)
    return Value(truth, pair[0] if truth else pair[1], BOOLEAN)


Sampler = Callable[[Draw, Style], Value]
