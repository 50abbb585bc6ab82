"""Short examples: copying, single values, lists of one kind, and free text without a schema."""

from typing import Any

from deepinfer_structured.trainset import kinds
from deepinfer_structured.trainset.draw import Draw
from deepinfer_structured.trainset.example import Example, compact_json
from deepinfer_structured.trainset.layouts import table_text
from deepinfer_structured.trainset.nodes import SchemaWriter, Table, object_answer
from deepinfer_structured.trainset.random_schemas import RandomComposer
from deepinfer_structured.trainset.values import Value, new_style, text_value

COPY_KINDS = (
    "person",
    "company",
    "identifier",
    "longid",
    "email",
    "phone",
    "address",
    "digits",
    "thing",
    "phrase",
    "quoted",
    "url",
    "iban",
    "title",
)


def copy_example(draw: Draw) -> Example:
    """One to four lines to be copied: brings copying forward early in training."""
    composer = RandomComposer(draw)
    composer.absence, composer.opaque = "none", False
    leaves = [
        composer.leaf(composer.words(kind), kind) for kind in (draw.pick(COPY_KINDS) for _ in range(draw.integer(1, 4)))
    ]
    leaves = list({leaf.name: leaf for leaf in leaves}.values())
    mark = draw.pick((": ", " = ", " - ", " "))
    same = draw.chance(0.5)
    document = "\n".join(f"{leaf.name if same else leaf.label}{mark}{leaf.text}" for leaf in draw.shuffled(leaves))
    schema = SchemaWriter(pydantic=draw.chance(0.6)).object("Copy" if draw.chance(0.5) else "Data", leaves)
    return Example(schema, instruction(draw), document, compact_json(object_answer(leaves)), "copy", "copy")


def instruction(draw: Draw) -> str:
    """How extraction is asked for: mostly the short default."""
    if draw.chance(0.6):
        return "Extract."
    return draw.pick(
        ("Extract the data.", "Extract the fields.", "Fill the schema.", "Return JSON.", "Read the document and fill in the schema.", "Parse this.",
         "Give me the data as JSON.", "Answer in the given form.", "", "Pull out the values.", "Convert to JSON.")
    )  # fmt: skip


ASKED = {
    "money": ("total", "price", "amount", "fee"), "date": ("date", "deadline", "due date", "birthday"), "person": ("name", "author", "customer"),
    "company": ("company", "supplier", "employer"), "email": ("e-mail", "email address"), "phone": ("phone number", "phone"), "city": ("city", "destination"),
    "identifier": ("order number", "code", "id", "reference"), "count": ("count", "quantity", "number of units"), "url": ("link", "website"),
    "percent": ("rate", "percentage"), "year": ("year",), "decimal": ("score", "value"), "bool": ("gift", "active", "paid"), "thing": ("product", "item"),
}  # fmt: skip


def scalar_example(draw: Draw) -> Example:
    """One value at the top level, named by the instruction or by being the only one of its kind."""
    style = new_style(draw)
    asked = draw.pick(tuple(ASKED))
    label = draw.pick(ASKED[asked])
    value = kinds.sample(draw, style, asked)
    others = [kind for kind in draw.some(tuple(ASKED), draw.integer(0, 3)) if kind != asked]
    lines = [(label, value.text)] + [(draw.pick(ASKED[kind]), kinds.sample(draw, style, kind).text) for kind in others]
    mark = draw.pick((": ", " is ", " = ", " - "))
    document = draw.pick(("\n", "; ", ", ", ". ")).join(f"{a}{mark}{b}" for a, b in draw.shuffled(lines))
    if draw.chance(0.15) and not others:
        document = value.text
    note = draw.pick(("What is the {}?", "Extract the {}.", "Give me the {}.", "Find the {}.")).format(label)
    schema = dict(value.schema)
    if draw.chance(0.3):
        schema["description"] = f"the {label}"
        note = draw.pick((note, "Extract."))
    return Example(schema, note, document, compact_json(value.answer), "scalar", "scalar")


def list_example(draw: Draw) -> Example:
    """A top-level list: of values of one kind, or of records."""
    style = new_style(draw)
    if draw.chance(0.55):
        return records_example(draw) if draw.chance(0.7) else lookup_example(draw)
    kind = draw.pick(
        ("person", "email", "city", "company", "identifier", "date", "money", "count", "thing", "phone", "url", "food")
    )
    noun = {"person": "people", "email": "e-mail addresses", "city": "cities", "company": "companies", "identifier": "codes", "date": "dates", "money": "amounts",
            "count": "numbers", "thing": "items", "phone": "phone numbers", "url": "links", "food": "foods"}[kind]  # fmt: skip
    values = [kinds.sample(draw, style, kind) for _ in range(draw.pick((0, 1, 2, 2, 3, 3, 4, 5, 6)))]
    shape = draw.random()
    if shape < 0.4:
        document = (
            draw.pick(("\n", "\n- ", "\n* ", "; ", " | ", " and "))
            .join(["", *[value.text for value in values]])
            .strip(" ;|")
        )
    elif shape < 0.7:
        frames = draw.some(
            (
                "We met {}.",
                "Then there was {}.",
                "{} came up.",
                "Also {}.",
                "Somebody mentioned {}.",
                "Next: {}.",
                "I noted {}.",
            ),
            7,
        )
        document = (
            " ".join(frames[i % 7].format(value.text) for i, value in enumerate(values)) or "Nothing to report today."
        )
    else:
        document = f"{noun.capitalize()}: " + ", ".join(value.text for value in values)
    item = values[0].schema if values else {"type": "string"}
    note = draw.pick((f"List the {noun}.", f"Extract all {noun}.", f"All {noun} in the text.", "Extract."))
    schema: dict[str, Any] = {"items": item, "type": "array"}
    answer: Any = [value.answer for value in values]
    if draw.chance(0.4):
        key = noun.replace(" ", "_").replace("-", "")
        schema = {"properties": {key: schema}, "required": [key], "type": "object"}
        answer = {key: answer}
    return Example(schema, note, document.strip() or "None.", compact_json(answer), "list", "values")


def records_example(draw: Draw) -> Example:
    """A top-level list of records."""
    composer = RandomComposer(draw)
    table = composer.table()
    writer = SchemaWriter(pydantic=draw.chance(0.6))
    item = writer.named(table.class_name, table.columns)
    schema = writer.root({"items": item, "type": "array"})
    from_rows = [object_answer(row) for row in table.rows]
    document = layout_table(draw, table)
    return Example(schema, instruction(draw), document, compact_json(from_rows), "list", "records")


def lookup_example(draw: Draw) -> Example:
    """One record out of several: the instruction names it."""
    composer = RandomComposer(draw)
    table = composer.table()
    row = draw.pick(table.rows)
    keys = [leaf.text for leaf in row if sum(leaf.text in [c.text for c in other] for other in table.rows) == 1]
    if not keys or len(row) < 2:
        return records_example(draw)
    schema = SchemaWriter(pydantic=draw.chance(0.6)).object(table.class_name, table.columns)
    note = draw.pick(("Extract the entry for {}.", "Extract {}.", "The record of {}.", "Only {}.", "Find {}.")).format(
        draw.pick(keys)
    )
    return Example(schema, note, layout_table(draw, table), compact_json(object_answer(row)), "list", "lookup")


def layout_table(draw: Draw, table: Table) -> str:
    """A table with a title or a line around it."""
    text = table_text(draw, table)
    return draw.pick((text, f"{table.label}\n{text}", f"{table.label}:\n\n{text}\n\nThat is all."))


TALK = (
    ("Hello", "Hello! How can I help?"), ("Hi there", "Hello! How can I help?"), ("Good morning", "Good morning! How can I help?"),
    ("Thanks", "You are welcome."), ("Thank you very much", "You are welcome."), ("Who are you?", "I am nano, a small model that fills schemas from documents."),
    ("What can you do?", "I read a document and fill a schema with what it says."), ("Bye", "Goodbye!"), ("How are you?", "I am fine, thank you."),
    ("What are you?", "I am nano, a small model that fills schemas from documents."), ("Good night", "Good night!"), ("What is your name?", "My name is nano."),
)  # fmt: skip


def talk_example(draw: Draw) -> Example:
    """Free text: greetings, echoes, short answers from a text, counting, spelling."""
    style = new_style(draw)
    form = draw.random()
    if form < 0.2:
        asked, answer = draw.pick(TALK)
        return Example(
            None, "", asked + draw.pick(("", "", "!", ".")) if asked[-1] != "?" else asked, answer, "talk", "talk"
        )
    if form < 0.45:
        text = kinds.sample(draw, style, draw.pick(COPY_KINDS)).text
        return Example(
            None,
            draw.pick(("", "Repeat the text.", "Echo.")),
            f"{draw.pick(('Repeat: ', 'Say: ', 'Echo: ', 'Repeat after me: '))}{text}",
            text,
            "talk",
            "echo",
        )
    if form < 0.6:
        start = draw.integer(1, 40)
        stop = start + draw.integer(2, 9)
        return Example(
            None,
            "",
            f"Count from {start} to {stop}.",
            ", ".join(str(n) for n in range(start, stop + 1)),
            "talk",
            "count",
        )
    if form < 0.7:
        word = draw.word("noun", "en").lower()
        return Example(
            None, "", draw.pick((f"Write {word} in capitals.", f"Uppercase: {word}")), word.upper(), "talk", "upper"
        )
    kind = draw.pick(("person", "city", "date", "money", "company", "identifier", "phone"))
    label = draw.pick({**ASKED, "city": ("city",)}[kind])
    value: Value = (
        kinds.sample(draw, style, kind) if kind != "date" else text_value(kinds.sample(draw, style, "date").text)
    )
    other = draw.pick(tuple(key for key in ASKED if key != kind))
    facts = draw.shuffled(
        [f"The {label} is {value.text}.", f"The {draw.pick(ASKED[other])} is {kinds.sample(draw, style, other).text}."]
    )
    question = draw.pick((f"What is the {label}?", f"Tell me the {label}.", f"{label.capitalize()}?"))
    document = f"{' '.join(facts)}\n{question}" if draw.chance(0.5) else f"{question}\n{' '.join(facts)}"
    return Example(None, "", document, value.text, "talk", "answer")
