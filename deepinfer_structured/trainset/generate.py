"""Examples without end: the mixture of kinds, by split and seed."""

import json
import random
from collections.abc import Iterator
from dataclasses import replace

from deepinfer_structured.prompt import choice_text, regex_text
from deepinfer_structured.trainset import kinds
from deepinfer_structured.trainset.classify import classify_example
from deepinfer_structured.trainset.clauses import clause_record
from deepinfer_structured.trainset.compose import domain_record
from deepinfer_structured.trainset.draw import Draw
from deepinfer_structured.trainset.example import Example, compact_json
from deepinfer_structured.trainset.nodes import Leaf, Record, SchemaWriter, object_answer
from deepinfer_structured.trainset.random_schemas import RandomComposer, random_record
from deepinfer_structured.trainset.simple import copy_example, instruction, list_example, scalar_example, talk_example
from deepinfer_structured.trainset.tools import tool_example
from deepinfer_structured.trainset.values import new_style
from deepinfer_structured.trainset.wrappers import page, wrapped

SPLITS = ("train", "seen", "layouts", "schemas")
OTHER_LANGUAGES = ("de", "fr", "es", "it", "nl", "pl", "pt")
CHARACTER_LIMIT = 3000


def from_record(draw: Draw, record: Record, kind: str) -> Example:
    """A record as an example: its schema, its page, its answer."""
    writer = SchemaWriter(pydantic=draw.chance(0.75), closed=draw.chance(0.2))
    schema = writer.document(record)
    document, layout = page(draw, record)
    return Example(
        schema, instruction(draw), document, compact_json(object_answer(record.nodes)), kind, layout, draw.language
    )


def domain_example(draw: Draw) -> Example:
    """Extraction from a document of a known domain."""
    if not draw.heldout_schemas and draw.chance(0.42):
        draw.language = draw.pick(OTHER_LANGUAGES)
    return from_record(draw, domain_record(draw), "domain")


def clause_example(draw: Draw) -> Example:
    """Roles of verbs from running text."""
    record, body = clause_record(draw)
    document, layout = wrapped(draw, record, body, "clauses")
    if draw.chance(0.2):
        leaf = draw.pick([node for node in record.nodes if isinstance(node, Leaf)])
        question = draw.pick(
            (f"{leaf.key[:1].upper()}{leaf.key[1:]}?", f"Find out {leaf.key}.", f"Tell me {leaf.key}.")
        )
        return Example(leaf.schema, question, document, compact_json(leaf.answer), "clauses", "question")
    schema = SchemaWriter(pydantic=draw.chance(0.75), closed=draw.chance(0.2)).document(record)
    return Example(schema, instruction(draw), document, compact_json(object_answer(record.nodes)), "clauses", layout)


def notation_example(draw: Draw) -> Example:
    """An answer under a regular expression or a choice, which is bare text and no JSON."""
    style = new_style(draw)
    if draw.chance(0.7):
        made = classify_example(draw)
        if made.schema and "enum" in made.schema:
            notation = choice_text(made.schema["enum"])
            return replace(made, schema=None, notation=notation, answer=json.loads(made.answer), kind="choice")
    kind, pattern = draw.pick(PATTERNS)
    value = kinds.sample(draw, style, kind)
    text = value.answer if kind in ("date", "count", "year") else value.text
    others = [
        kinds.sample(draw, style, draw.pick(("company", "city", "thing", "person"))).text
        for _ in range(draw.integer(0, 2))
    ]
    label = draw.pick(("code", "value", "entry", "result", "reference", kind))
    lines = draw.shuffled(
        [f"{label}: {value.text}", *[f"{draw.pick(('with', 'at', 'for', 'by'))} {other}" for other in others]]
    )
    document = draw.pick(("\n", " ", ", ")).join(lines)
    return Example(
        None,
        draw.pick(("Extract.", f"Extract the {label}.", "Find it.")),
        document,
        str(text),
        "regex",
        "regex",
        notation=regex_text(pattern),
    )


def shots_example(draw: Draw) -> Example:
    """A few rows of one table, each its own document: the earlier ones are shown with their answers."""
    composer = RandomComposer(draw)
    table = composer.table()
    rows = [*table.rows, *[[composer.cell(head) for head in table.columns] for _ in range(2)]][: draw.integer(2, 4)]
    mark, glue = draw.pick((": ", " = ", " - ", " ")), draw.pick(("\n", ", ", "; ", " | "))
    labelled = draw.chance(0.7)
    turns = []
    for row in rows:
        document = glue.join(f"{leaf.label}{mark}{leaf.text}" if labelled else leaf.text for leaf in row)
        turns.append((document, compact_json(object_answer(row))))
    schema = SchemaWriter(pydantic=draw.chance(0.6)).object(table.class_name, table.columns)
    return Example(schema, instruction(draw), *turns[-1], "shots", "shots", shots=tuple(turns[:-1]))


PATTERNS = (
    ("date", r"\d{4}-\d{2}-\d{2}"), ("ip", r"\d+\.\d+\.\d+\.\d+"), ("email", r"[\w.]+@[\w.-]+"), ("count", r"\d+"), ("url", r"https?://\S+"),
    ("digits", r"[0-9]{3,12}"), ("plate", r"[A-Z0-9 -]+"), ("clock", r"\d{1,2}:\d{2}( [ap]m)?"), ("year", r"(19|20)\d\d"), ("version", r"v?\d+(\.\d+)+\S*"),
    ("pattern:@@-####|@@@-###", r"[A-Z]{2,3}-\d{3,4}"), ("pattern:####@@", r"\d{4}[A-Z]{2}"), ("iban", r"[A-Z]{2}\d{2}[ A-Z0-9]+"), ("single", r"\w+"),
)  # fmt: skip


def random_example(draw: Draw) -> Example:
    """Extraction under a schema of random words."""
    if not draw.heldout_schemas and draw.chance(0.1):
        draw.language = draw.pick(OTHER_LANGUAGES)
    return from_record(draw, random_record(draw), "random")


MIXTURE = (
    (domain_example, 0.34), (random_example, 0.27), (clause_example, 0.07), (tool_example, 0.09), (classify_example, 0.06), (list_example, 0.05),
    (scalar_example, 0.03), (copy_example, 0.03), (talk_example, 0.02), (shots_example, 0.02), (notation_example, 0.02),
)  # fmt: skip
HELDOUT_MIXTURES = {
    "seen": MIXTURE,
    "layouts": ((domain_example, 1.0),),
    "schemas": ((domain_example, 0.6), (random_example, 0.24), (tool_example, 0.1), (classify_example, 0.06)),
}


def example(split: str, seed: int, index: int) -> Example:
    """The example at one place of a stream: the same whatever was drawn before it."""
    mixture = HELDOUT_MIXTURES.get(split, MIXTURE)
    for attempt in range(100):
        draw = Draw(random.Random(f"{split}/{seed}/{index}/{attempt}"), split=split)
        roll = draw.random()
        maker = mixture[-1][0]
        for candidate, share in mixture:
            roll -= share
            if roll < 0:
                maker = candidate
                break
        made = maker(draw)
        if (
            made.document.strip()
            and (made.schema is None or made.schema.get("properties") != {})
            and len(made.document) + len(made.answer) <= CHARACTER_LIMIT
        ):
            return made
    raise RuntimeError("no example of acceptable length")


def examples(split: str, seed: int, start: int = 0, step: int = 1) -> Iterator[Example]:
    """Every `step`-th example of an endless stream, from `start`."""
    if split not in SPLITS:
        raise ValueError(f"split must be one of {', '.join(SPLITS)}, not {split!r}")
    index = start
    while True:
        yield example(split, seed, index)
        index += step
