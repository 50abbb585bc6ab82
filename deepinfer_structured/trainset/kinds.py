"""Samplers by the kind that the catalogue names, and value kinds for schemas made of random words."""

from deepinfer_structured.trainset import names, values
from deepinfer_structured.trainset.draw import Draw
from deepinfer_structured.trainset.values import STRING, Sampler, Style, Value, text_value


def title(draw: Draw, style: Style) -> Value:
    """A title in title case: a book, an event, a game opening."""
    parts = [draw.word("adjective", "en"), draw.word("noun", "en")]
    if draw.chance(0.5):
        parts = [draw.pick(("The", "A", "My", "Beyond the", "Night of the", "Return to")), *parts]
    if draw.language != "en" and draw.chance(0.7):
        parts = [draw.word("word") for _ in range(draw.integer(2, 4))]
    return text_value(" ".join(parts).title())


def host(draw: Draw, style: Style) -> Value:
    return text_value(
        names.host(draw) if draw.chance(0.5) else draw.pattern(draw.pick(("web-##", "db#", "%%%-##", "node-@#")))
    )


def iban(draw: Draw, style: Style) -> Value:
    return text_value(draw.pattern(draw.pick(("DE## #### #### #### #### ##", "FR##########################", "GB##@@@@##############",
                                              "NL## @@@@ #### #### ##", "ES######################", "PL## #### #### #### #### #### ####"))))  # fmt: skip


def strings(draw: Draw, style: Style) -> Value:
    """A list of short texts."""
    sampler = draw.pick((names.single, names.single, names.thing, names.job, names.food))
    return listed(draw, [sampler(draw, style).text for _ in range(draw.pick((1, 2, 2, 3, 3, 4, 5)))])


def people(draw: Draw, style: Style) -> Value:
    """A list of names."""
    return listed(draw, [names.person_name(draw) for _ in range(draw.integer(1, 5))])


def listed(draw: Draw, parts: list[str]) -> Value:
    """Texts joined the way one document joins them."""
    parts = list(dict.fromkeys(part.replace(",", "").replace(";", "") for part in parts))
    mark = draw.pick(
        (", ", ", ", ", ", "; ", " / ", "\n- ", ", ", " and " if draw.language == "en" and len(parts) == 2 else ", ")
    )
    text = mark.join(parts)
    return Value(parts, f"\n- {text}" if mark == "\n- " else text, {"items": STRING, "type": "array"})


def choice(draw: Draw, options: tuple[str, ...]) -> Value:
    """One of a set; the schema may hold a subset, in another case than the document's."""
    if len(options) > 2 and draw.chance(0.4):
        options = tuple(draw.some(options, draw.integer(2, len(options))))
    picked = draw.integer(0, len(options) - 1)
    text = options[picked].replace("_", draw.pick((" ", " ", "_", "-")))
    form, small = draw.random(), all(option.islower() for option in options)
    text = text.capitalize() if form < 0.3 and small else text.upper() if form < 0.4 else text
    if draw.chance(0.2):
        options = tuple(option.upper() for option in options)
    elif small and draw.chance(0.15):
        options = tuple(option.replace("_", " ").capitalize() for option in options)
    if all(option.isdecimal() for option in options) and draw.chance(0.6):
        return Value(int(options[picked]), text, {"enum": [int(option) for option in options], "type": "integer"})
    return Value(options[picked], text, {"enum": list(options), "type": "string"}, options)


SAMPLERS: dict[str, Sampler] = {
    "money": values.money, "decimal": values.decimal, "measure": values.measure, "percent": values.percent,
    "count": values.count, "small": values.small, "year": values.year, "date": values.date, "clock": values.clock,
    "time": values.exact_time, "datetime": values.moment, "bool": values.boolean,
    "person": names.person, "first_name": names.first_name, "last_name": names.last_name, "company": names.company,
    "city": names.city, "country": names.country, "street": names.street, "postcode": names.postcode,
    "address": names.address, "email": names.email, "url": names.url, "phone": names.phone,
    "identifier": names.identifier, "longid": names.long_identifier, "digits": names.digits, "username": names.username,
    "version": names.version, "ip": names.address_ip, "path": names.path, "plate": names.plate,
    "coordinate": names.coordinate, "job": names.job, "food": names.food, "thing": names.thing, "phrase": names.phrase,
    "single": names.single, "quoted": names.quoted, "title": title, "host": host, "iban": iban, "strings": strings,
    "people": people, "united": values.measure,
}  # fmt: skip

RANDOM_KINDS = (
    "money", "decimal", "measure", "united", "united", "percent", "count", "count", "small", "small", "year", "date", "date", "clock", "time", "datetime",
    "bool", "bool", "person", "person", "person", "first_name", "last_name", "company", "company", "city", "city", "country",
    "address", "street", "postcode", "email", "url", "phone", "identifier", "identifier", "identifier", "longid", "digits", "username",
    "version", "ip", "path", "job", "food", "thing", "thing", "phrase", "single", "single", "quoted", "title", "strings",
)  # fmt: skip


def sample(draw: Draw, style: Style, kind: str) -> Value:
    """A value of a kind as the catalogue spells it: a name, `enum:a,b` or `pattern:@#|##`."""
    sampler = SAMPLERS.get(kind)
    if sampler is not None:
        return sampler(draw, style)
    head, rest = kind.split(":", 1)
    if head == "enum":
        return choice(draw, tuple(rest.split(",")))
    return text_value(draw.pattern(draw.pick(rest.split("|"))).replace("_", " "))


VERBATIM = frozenset({"time", "money", "decimal", "measure", "percent", "date", "datetime", "year", "count"})


def as_text(value: Value) -> Value:
    """The same value asked for as a string: the document's own spelling."""
    return Value(value.text, value.text, STRING)
