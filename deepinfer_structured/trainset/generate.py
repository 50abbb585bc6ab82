"""Examples without end: the mixture of kinds, by split and seed."""

import random
from collections.abc import Iterator

from deepinfer_structured.trainset.classify import classify_example
from deepinfer_structured.trainset.compose import domain_record
from deepinfer_structured.trainset.draw import Draw
from deepinfer_structured.trainset.example import Example, compact_json
from deepinfer_structured.trainset.nodes import Record, SchemaWriter, object_answer
from deepinfer_structured.trainset.random_schemas import random_record
from deepinfer_structured.trainset.simple import copy_example, instruction, list_example, scalar_example, talk_example
from deepinfer_structured.trainset.tools import tool_example
from deepinfer_structured.trainset.wrappers import page

SPLITS = ("train", "seen", "layouts", "schemas")
OTHER_LANGUAGES = ("de", "fr", "es", "it", "nl", "pl", "pt")
CHARACTER_LIMIT = 3600


def from_record(draw: Draw, record: Record, kind: str) -> Example:
    """A record as an example: its schema, its page, its answer."""
    writer = SchemaWriter(pydantic=draw.chance(0.75), closed=draw.chance(0.2))
    schema = writer.document(record)
    document, layout = page(draw, record)
    return Example(schema, instruction(draw), document, compact_json(object_answer(record.nodes)), kind, layout, draw.language)


def domain_example(draw: Draw) -> Example:
    """Extraction from a document of a known domain."""
    if not draw.heldout_schemas and draw.chance(0.3):
        draw.language = draw.pick(OTHER_LANGUAGES)
    return from_record(draw, domain_record(draw), "domain")


def random_example(draw: Draw) -> Example:
    """Extraction under a schema of random words."""
    return from_record(draw, random_record(draw), "random")


MIXTURE = (
    (domain_example, 0.34), (random_example, 0.34), (tool_example, 0.1), (classify_example, 0.06), (list_example, 0.05),
    (scalar_example, 0.04), (copy_example, 0.05), (talk_example, 0.02),
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
        if made.document.strip() and len(made.document) + len(made.answer) <= CHARACTER_LIMIT:
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
