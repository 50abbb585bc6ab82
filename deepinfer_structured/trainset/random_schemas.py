"""Schemas made of random words: nothing but the words themselves ties a field to its place in the document."""

from typing import Any

from deepinfer_structured.trainset import kinds
from deepinfer_structured.trainset.catalogue import bare, heldout_names
from deepinfer_structured.trainset.compose import NAME_STYLES, NULL_STYLES, styled, unique
from deepinfer_structured.trainset.draw import Draw
from deepinfer_structured.trainset.nodes import Group, Leaf, Node, Record, Table
from deepinfer_structured.trainset.values import Value, new_style, text_value

HEADS = {
    "date": ("date", "day", "deadline", "start", "end"), "count": ("count", "number", "total", "size", "limit"),
    "money": ("price", "cost", "fee", "value", "amount", "budget"), "person": ("name", "owner", "lead", "contact", "manager", "officer"),
    "identifier": ("id", "code", "ref", "number", "key"), "city": ("city", "place", "site", "location"), "company": ("company", "vendor", "maker", "firm"),
    "email": ("email", "mail"), "phone": ("phone", "tel"), "bool": ("flag", "enabled", "ok", "active"), "percent": ("rate", "share", "percent"),
    "url": ("url", "link", "site"), "single": ("type", "kind", "class", "group"), "thing": ("item", "part", "title", "label"), "clock": ("time", "hour"),
    "measure": ("length", "weight", "height", "level", "distance", "speed"), "decimal": ("score", "ratio", "factor", "index"), "version": ("version", "release"),
    "phrase": ("note", "reason", "summary", "comment"), "strings": ("tags", "list", "parts", "names"), "datetime": ("timestamp", "moment"),
    "address": ("address",), "username": ("user", "account"), "digits": ("serial", "pin"), "year": ("year",), "small": ("units", "steps", "rounds"),
}  # fmt: skip
SIBLINGS = (
    ("first", "second", "third", "fourth"), ("old", "new"), ("left", "right"), ("north", "south", "east", "west"), ("min", "max"),
    ("inner", "outer"), ("upper", "lower"), ("main", "backup", "spare"), ("primary", "secondary"), ("red", "green", "blue", "yellow"),
    ("start", "end"), ("planned", "actual"), ("morning", "evening"), ("home", "away"), ("front", "rear"), ("local", "remote"),
    ("internal", "external"), ("source", "target"), ("original", "revised"), ("buyer", "seller"), ("sender", "receiver"), ("lead", "deputy"),
    ("daily", "weekly", "monthly"), ("small", "large"), ("gross", "net"), ("father", "mother"), ("student", "teacher"), ("winner", "loser"),
    ("driver", "passenger"), ("landlord", "tenant"), ("author", "editor"), ("employer", "employee"), ("doctor", "nurse"), ("host", "guest"),
)  # fmt: skip

UNITS = (
    ("kg", "kilograms"), ("km", "kilometres"), ("m", "metres"), ("cm", "centimetres"), ("mm", "millimetres"), ("g", "grams"), ("mg", "milligrams"),
    ("l", "litres"), ("ml", "millilitres"), ("min", "minutes"), ("h", "hours"), ("s", "seconds"), ("ms", "milliseconds"), ("GB", "gigabytes"), ("MB", "megabytes"),
    ("°C", "degrees"), ("%", "percent"), ("W", "watts"), ("V", "volts"), ("km/h", "kilometres an hour"), ("hp", "horsepower"), ("ft", "feet"), ("lbs", "pounds"),
    ("days", "days"), ("weeks", "weeks"), ("months", "months"), ("years", "years"), ("pages", "pages"), ("people", "persons"), ("pcs", "pieces"), ("kWh", "kilowatt hours"),
)  # fmt: skip
SHORT = {"number": "no.", "amount": "amt.", "address": "addr.", "date": "dt.", "weight": "wt.", "reference": "ref.", "ref": "reference", "id": "identifier",
         "phone": "tel.", "temperature": "temp.", "percent": "%", "height": "ht.", "company": "co.", "manager": "mgr.", "tel": "telephone"}  # fmt: skip


class RandomComposer:
    """One schema of random words."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.values = new_style(draw)
        self.names = draw.pick(NAME_STYLES[:7])
        self.absence = draw.pick(NULL_STYLES)
        self.described = draw.pick((0.0, 0.0, 0.3, 1.0))
        self.opaque = self.described == 1.0 and draw.chance(0.25)
        self.verbatim = draw.pick((0.0, 0.0, 0.2, 1.0))
        self.turned = draw.pick((0.0, 0.0, 0.4, 0.9))

    def words(self, kind: str) -> str:
        """One to three words that name a field."""
        draw = self.draw
        if draw.language != "en":
            return " ".join(self.foreign() for _ in range(draw.pick((1, 2, 2))))
        noun = draw.word("noun", "en").lower()
        form = draw.random()
        if form < 0.42:
            return f"{noun} {draw.pick(HEADS.get(kind) or HEADS['single'])}"
        if form < 0.6:
            return noun
        if form < 0.8:
            return f"{draw.word('adjective', 'en').lower()} {noun}"
        if form < 0.92:
            return f"{noun} {draw.word('noun', 'en').lower()}"
        return draw.pick(HEADS.get(kind) or HEADS["single"])

    def foreign(self) -> str:
        """A word of the document's language that is long enough to name something."""
        for _ in range(8):
            word = self.draw.word("word").lower()
            if len(word) > 3:
                break
        return word

    def leaf(self, words: str, kind: str, *, asked: bool = True) -> Leaf:
        """A field named by words."""
        draw = self.draw
        words = " ".join(part for part in words.replace("-", " ").replace("'", "").replace(".", "").split())
        name = styled("_".join(words.split()[:4]), self.names)
        name = name if name.isidentifier() else f"f_{draw.letters(2).lower()}"
        if not draw.heldout_schemas and bare(name) in heldout_names():
            name += "_x"
        value = kinds.sample(draw, self.values, kind)
        if kind == "united":
            name, value = self.united(name)
        if kind in kinds.VERBATIM and draw.chance(self.verbatim):
            value = kinds.as_text(value)
        leaf = Leaf(name, self.relabel(words), value.answer, value.text, value.schema, kind, asked)
        if asked and self.absence != "none" and draw.chance(0.35):
            leaf.nullable = self.absence in ("nullable", "both")
            leaf.required = self.absence == "nullable"
            leaf.present = draw.chance(0.6)
        if asked and draw.chance(self.described):
            leaf.description = draw.pick(
                ("{}", "the {}", "The {} in the text", "{} as written", "which {} it was", "the {} that was given")
            ).format(words)
        if leaf.present and kind not in ("bool", "strings") and draw.chance(0.06):
            leaf.old = kinds.sample(draw, self.values, kind).text
            leaf.old = leaf.old if leaf.old != leaf.text else None
        return leaf

    def united(self, name: str) -> tuple[str, Value]:
        """A number with a unit that the field's name may carry."""
        draw = self.draw
        unit, word = draw.pick(UNITS)
        value = kinds.sample(draw, self.values, draw.pick(("count", "decimal", "small")))
        text = f"{value.text}{draw.pick((' ', ' ', ''))}{draw.pick((unit, unit, word))}"
        suffix = draw.pick((unit.lower(), word)) if draw.chance(0.7) and unit.isascii() and unit.isalpha() else ""
        ending = suffix.capitalize() if self.names in ("camel", "pascal") else f"_{suffix}"
        return name + (ending if suffix else ""), Value(value.answer, text, value.schema)

    def relabel(self, words: str) -> str:
        """How a document words the label: mostly the field's own words, sometimes turned round or shortened."""
        draw = self.draw
        parts = words.split()
        if len(parts) == 2 and draw.language == "en" and draw.chance(self.turned):
            first, second = parts
            shape = draw.pick(
                (
                    "{b} of the {a}",
                    "{b} ({a})",
                    "{a}'s {b}",
                    "{b} of {a}",
                    "{b}, {a}",
                    "{b} for the {a}",
                    "{a}/{b}",
                    "{a}-{b}",
                )
            )
            words = shape.format(a=first, b=second)
        elif draw.chance(self.turned * 0.4):
            words = " ".join(SHORT.get(part, part) for part in parts)
        return words[:1].upper() + words[1:]

    def kind(self) -> str:
        """A random value kind, enumerations of random words among them."""
        draw = self.draw
        if draw.chance(0.1):
            options = [
                draw.word("adjective" if draw.chance(0.5) else "noun", "en").lower().replace(",", "").replace(":", "")
                for _ in range(draw.integer(2, 6))
            ]
            return "enum:" + ",".join(dict.fromkeys(options))
        return draw.pick(kinds.RANDOM_KINDS)

    def family(self, count: int, asked: int) -> list[Leaf]:
        """Leaves of which some share a head and a kind: near misses for each other."""
        draw = self.draw
        leaves: list[Leaf] = []
        while len(leaves) < count:
            kind = self.kind()
            if draw.language != "en" and draw.chance(0.3):
                shared = self.foreign()
                leaves += [self.leaf(f"{self.foreign()} {shared}", kind) for _ in range(min(2, count - len(leaves)))]
            elif draw.language == "en" and draw.chance(0.4) and count - len(leaves) > 1:
                head = (
                    draw.pick(HEADS.get(kind.split(":")[0]) or HEADS["single"])
                    if draw.chance(0.6)
                    else draw.word("noun", "en").lower()
                )
                siblings = (
                    draw.shuffled(draw.pick(SIBLINGS))
                    if draw.chance(0.6)
                    else [draw.word("noun", "en").lower() for _ in range(3)]
                )
                for sibling in siblings[: count - len(leaves)]:
                    bare_name = kind == "person" and draw.chance(0.4)
                    leaves.append(self.leaf(sibling if bare_name else f"{sibling} {head}", kind))
            else:
                leaves.append(self.leaf(self.words(kind), kind))
        if draw.chance(0.6):
            leaves = draw.shuffled(leaves)
        for leaf in leaves[asked:]:
            leaf.asked, leaf.present, leaf.description = False, True, None
        return draw.shuffled(leaves)

    def table(self) -> Table:
        """A list of records of random columns."""
        draw = self.draw
        chosen = [self.kind() for _ in range(draw.integer(2, 4))]
        heads = [self.leaf(self.words(kind), kind) for kind in chosen]
        heads = [leaf for leaf in unique(list(heads)) if isinstance(leaf, Leaf)]
        for leaf in heads:
            leaf.required, leaf.nullable, leaf.present, leaf.old = True, False, True, None
        rows = [[self.cell(head) for head in heads] for _ in range(draw.pick((1, 2, 2, 3, 3, 4, 5)))]
        words = draw.word("noun", "en").lower()
        name = styled("_".join(words.replace("-", " ").split()) + "s", self.names)
        name = name if name.isascii() and name[:1].isalpha() else "rows"
        return Table(
            name, words.capitalize() + "s", "".join(c for c in words.title() if c.isalpha()) or "Row", rows, heads
        )

    def cell(self, head: Leaf) -> Leaf:
        """One value below a head."""
        kind = head.kind
        value = kinds.sample(self.draw, self.values, kind)
        if "enum" in head.schema:
            options: list[Any] = head.schema["enum"]
            value = text_value(str(self.draw.pick(options)))
            value.answer = next(option for option in options if str(option) == value.text)
        elif kind == "united":
            value = self.like(head)
        elif head.schema != value.schema:
            value = kinds.as_text(value)
        return Leaf(head.name, head.label, value.answer, value.text, head.schema, kind, head.asked)

    def like(self, head: Leaf) -> Value:
        """Another number with the head's unit."""
        whole = head.schema.get("type") == "integer"
        value = kinds.sample(self.draw, self.values, "count" if whole else "decimal")
        unit = head.text.lstrip("-0123456789., ")
        value.text = value.text + (" " if " " in head.text else "") + unit
        return kinds.as_text(value) if head.schema.get("type") == "string" else value


def random_record(draw: Draw) -> Record:
    """A record of random fields, with groups and tables now and then."""
    composer = RandomComposer(draw)
    asked = draw.pick((1, 2, 3, 3, 4, 4, 5, 6, 7, 9))
    nodes: list[Node] = list(composer.family(asked + draw.pick((0, 0, 1, 2, 3, 4)), asked))
    nodes = unique(nodes)
    if draw.chance(0.18):
        nodes.insert(draw.integer(0, len(nodes)), composer.table())
    if draw.chance(0.22):
        words = draw.word("noun", "en").lower()
        children = unique(list(composer.family(draw.integer(2, 4), 9)))
        name = styled("_".join(words.replace("-", " ").replace("'", "").replace(".", "").split()), composer.names)
        if name.isascii() and name[:1].isalpha() and (draw.heldout_schemas or bare(name) not in heldout_names()):
            label = words.capitalize()
            nodes.append(
                Group(
                    name,
                    label,
                    "".join(c for c in words.title() if c.isalpha()) or "Part",
                    [c for c in children if isinstance(c, Leaf)],
                )
            )
    nodes = unique(nodes)
    if not any(node.asked for node in nodes):
        nodes[0].asked = True
    if composer.opaque:
        for index, node in enumerate(nodes):
            if isinstance(node, Leaf) and node.description:
                node.name = f"{draw.pick(('f', 'a', 'x', 'field', 'v'))}{index + 1}"
    class_name = "".join(part for part in draw.word("noun", "en").title() if part.isalpha()) or "Thing"
    title = draw.pick((class_name, "Record", "Notes", "Summary", draw.word("noun", "en").capitalize()))
    record = Record(class_name, title, nodes)
    record.page = draw.shuffled(nodes) if draw.chance(0.6) else list(nodes)
    return record
