"""From a domain of the catalogue to a record: which fields, under which names, with which labels and values."""

import re
from collections.abc import Sequence

from deepinfer_structured.trainset import kinds
from deepinfer_structured.trainset.catalogue import Concept, Domain, domains, stories
from deepinfer_structured.trainset.draw import Draw
from deepinfer_structured.trainset.nodes import Group, Leaf, Node, Record, Table
from deepinfer_structured.trainset.values import CURRENCIES, Style, new_style
from deepinfer_structured.trainset.wordings import FOREIGN, TRUTHS

NAME_STYLES = ("snake", "snake", "snake", "snake", "camel", "camel", "pascal", "label", "joined")
NULL_STYLES = ("none", "none", "optional", "nullable", "both", "both")


def styled(name: str, style: str) -> str:
    """A snake-case field name in another style."""
    words = name.split("_")
    if style == "camel":
        return words[0] + "".join(word.capitalize() for word in words[1:])
    if style == "pascal":
        return "".join(word.capitalize() for word in words)
    if style == "joined":
        return "".join(words)
    return name


def snake(label: str) -> str:
    """A label as a field name."""
    name = "_".join(re.findall(r"\w+", label.replace("'", "").lower()))
    return name if name and not name[0].isdigit() else f"n_{name}"


class Composer:
    """Holds the choices that one record makes once: names, styles, how absence and descriptions appear."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.style: Style = new_style(draw)
        self.names = draw.pick(NAME_STYLES)
        self.absence = draw.pick(NULL_STYLES)
        self.described = draw.pick((0.0, 0.0, 0.0, 0.3, 1.0))
        self.opaque = self.described == 1.0 and draw.chance(0.12)
        self.foreign = draw.language != "en" and draw.chance(0.2)
        self.verbatim = draw.pick((0.0, 0.0, 0.0, 0.15, 0.5, 1.0)) if draw.chance(0.5) else 0.0

    def usable(self, concepts: Sequence[Concept]) -> list[Concept]:
        """The concepts that have a label in the document's language."""
        return [concept for concept in concepts if self.draw.language in concept.labels]

    def name(self, concept: Concept, label: str) -> str:
        """The field's name in the schema."""
        if self.foreign:
            return styled(snake(label), self.names)
        if self.names == "label":
            return snake(self.draw.pick(concept.labels["en"])) if concept.columns == () else concept.names[0]
        return styled(concept.names[0] if self.draw.chance(0.5) else self.draw.pick(concept.names), self.names)

    def leaf(self, concept: Concept, *, asked: bool) -> Leaf:
        """One field with its value."""
        draw = self.draw
        labels = concept.labels[draw.language]
        label = labels[0] if draw.chance(0.4) else draw.pick(labels)
        value = kinds.sample(draw, self.style, concept.kind)
        if concept.kind in kinds.VERBATIM and draw.chance(self.verbatim):
            value = kinds.as_text(value)
        leaf = Leaf(self.name(concept, label), label, value.answer, value.text, value.schema, concept.kind, asked)
        leaf.key = concept.names[0]
        leaf.sentences = concept.sentences if draw.language == "en" else ()
        if isinstance(leaf.answer, bool) and leaf.key in TRUTHS and draw.language == "en":
            leaf.sentences = TRUTHS[leaf.key][0 if leaf.answer else 1]
        elif isinstance(leaf.answer, str) and draw.language != "en" and "enum" in leaf.schema and draw.chance(0.6):
            leaf.text = FOREIGN.get(leaf.answer.lower(), {}).get(draw.language, leaf.text)
        if asked:
            self.absent(leaf)
            if draw.chance(self.described):
                leaf.description = self.describe(concept, label)
        if leaf.present and concept.kind not in ("bool", "strings", "people") and draw.chance(0.07):
            old = kinds.sample(draw, self.style, concept.kind).text
            leaf.old = old if old != leaf.text else None
        return leaf

    def absent(self, leaf: Leaf) -> None:
        """Make a field optional or nullable, and sometimes absent."""
        if self.absence == "none" or self.draw.chance(0.5):
            return
        leaf.nullable = self.absence in ("nullable", "both")
        leaf.required = self.absence == "nullable"
        leaf.present = self.draw.chance(0.6)

    def describe(self, concept: Concept, label: str) -> str:
        """A description: the label in other words, with or without a hint at the form."""
        draw = self.draw
        other = draw.pick(concept.labels["en"])
        text = draw.pick(
            (other, other.lower(), f"The {other.lower()}", f"{other} as stated", f"{other} in the document")
        )
        if concept.kind == "date" and draw.chance(0.3):
            text += draw.pick((" (YYYY-MM-DD)", ", ISO date", " in ISO format"))
        return text

    def table(self, concept: Concept, *, asked: bool) -> Table | None:
        """A list of records."""
        draw = self.draw
        columns = self.usable(concept.columns)
        if len(columns) < 2 or draw.language not in concept.labels:
            return None
        kept = [column for column in columns if draw.chance(0.85)]
        kept = kept if len(kept) >= 2 else columns[:2]
        heads = [self.leaf(column, asked=asked and draw.chance(0.9)) for column in kept]
        heads[0].asked = asked
        seen: set[str] = set()
        for head in heads:
            head.required, head.nullable, head.present, head.old = True, False, True, None
            head.asked = head.asked and head.name not in seen
            seen.add(head.name)
        label = draw.pick(concept.labels[draw.language])
        name = self.name(concept, label)
        rows = [self.row(kept, heads) for _ in range(0 if draw.chance(0.04) else draw.pick((1, 2, 2, 3, 3, 4, 5, 6)))]
        class_name = draw.pick(
            ("Item", "Line", "LineItem", "Entry", "Row", styled(name, "pascal").rstrip("s") or "Item")
        )
        return Table(name, label, class_name, rows, heads, asked)

    def row(self, concepts: list[Concept], heads: list[Leaf]) -> list[Leaf]:
        """One record of a table, named like the heads."""
        cells = []
        for concept, head in zip(concepts, heads, strict=True):
            value = kinds.sample(self.draw, self.style, concept.kind)
            if head.schema.get("type") == "string" and value.schema.get("type") != "string":
                value = kinds.as_text(value)
            elif "enum" in head.schema:
                value = kinds.choice(self.draw, tuple(str(option) for option in head.schema["enum"]))
                value.answer = next(
                    o
                    for o in head.schema["enum"]
                    if str(o).lower().replace(" ", "_") == str(value.answer).lower().replace(" ", "_")
                )
            elif "format" in value.schema and "format" not in head.schema:
                value = kinds.as_text(value)
            cells.append(Leaf(head.name, head.label, value.answer, value.text, head.schema, concept.kind, head.asked))
        return cells


def domain_record(draw: Draw, domain: Domain | None = None) -> Record:
    """A record of a domain: asked fields, distractors from the same domain, nested or flat."""
    domain = domain or draw.pick(domains(draw.heldout_schemas))
    if sum(draw.language in concept.labels for concept in domain.concepts) < 4:
        draw.language = "en"
    composer = Composer(draw)
    usable = composer.usable(domain.concepts)
    leaves = [concept for concept in usable if not concept.columns]
    asked_count = draw.pick((1, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 10))
    chosen = draw.some(leaves, min(len(leaves), asked_count + draw.integer(0, 4)))
    story = pick_story(draw, domain) if draw.chance(0.3) else None
    slots = story_slots(story)
    chosen += [concept for concept in leaves if concept.names[0] in slots and concept not in chosen]
    if story and draw.chance(0.7):
        chosen.sort(key=lambda concept: concept.names[0] not in slots)
    wanted = {id(concept) for concept in chosen[:asked_count]}
    if draw.chance(0.55):
        chosen.sort(key=leaves.index)
    nodes: list[Node] = [composer.leaf(concept, asked=id(concept) in wanted) for concept in chosen]
    for node in nodes:
        if isinstance(node, Leaf) and node.key in slots:
            node.present, node.old = True, None
    for concept in usable:
        if concept.columns and draw.chance(0.5):
            table = composer.table(concept, asked=draw.chance(0.85))
            if table is not None:
                nodes.insert(draw.integer(0, len(nodes)), table)
    nodes = unique(nodes)
    class_name = draw.pick(domain.classes)
    record = Record(class_name, draw.pick(domain.titles), nest(draw, nodes))
    record.story, record.labelled = story, False
    return finish(draw, composer, record)


def pick_story(draw: Draw, domain: Domain) -> str | None:
    """A running text of the domain, in English documents."""
    texts = stories().get(domain.name, ())
    return draw.pick(texts) if texts and draw.language == "en" else None


def story_slots(story: str | None) -> frozenset[str]:
    """The keys that a running text has slots for."""
    return frozenset(re.findall(r"\{(\w+)\}", story or ""))


def unique(nodes: list[Node]) -> list[Node]:
    """Asked nodes with different names; a later one of the same name is dropped."""
    seen: set[str] = set()
    kept = []
    for node in nodes:
        if node.asked and node.name in seen:
            continue
        seen.add(node.name)
        kept.append(node)
    return kept


def nest(draw: Draw, nodes: list[Node]) -> list[Node]:
    """Sometimes put two or three neighbouring fields under one key."""
    spots = [i for i in range(len(nodes) - 1) if isinstance(nodes[i], Leaf) and isinstance(nodes[i + 1], Leaf)]
    if len(nodes) < 4 or not spots or not draw.chance(0.25):
        return nodes
    start = draw.pick(spots)
    children = [node for node in nodes[start : start + draw.integer(2, 3)] if isinstance(node, Leaf)]
    name = draw.pick(("details", "info", "meta", "data", "header", "summary", "general", "basics", "more"))
    if any(node.name == name for node in nodes):
        return nodes
    group = Group(name, name.capitalize(), name.capitalize(), children, any(child.asked for child in children))
    return [*nodes[:start], group, *[node for node in nodes[start:] if not any(node is child for child in children)]]


def finish(draw: Draw, composer: Composer, record: Record) -> Record:
    """Opaque names where descriptions are the only hint, then the order of the document."""
    if composer.opaque:
        for index, node in enumerate(record.nodes):
            if isinstance(node, Leaf) and node.description:
                node.name = f"{draw.pick(('f', 'field_', 'x', 'value', 'q'))}{index + 1}"
    page = list(record.nodes)
    record.page = draw.shuffled(page) if draw.chance(0.6) else page
    imply_currency(draw, composer.style, record)
    return record


def imply_currency(draw: Draw, style: Style, record: Record) -> None:
    """Sometimes leave the currency to the sign beside the amounts."""
    code = CURRENCIES[style.currency]
    for node in record.page:
        if (
            isinstance(node, Leaf)
            and node.key == "currency"
            and node.present
            and code in node.schema.get("enum", ())
            and draw.chance(0.6)
        ):
            shown = [leaf for leaf in record.page if isinstance(leaf, Leaf) and leaf.kind == "money" and leaf.present]
            if shown and style.money != 3:
                node.answer, node.old = code, None
                record.page = [other for other in record.page if other is not node]
                return
