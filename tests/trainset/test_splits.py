"""Held-out splits share no layout, name, tool or field name with training."""

import itertools
import json
from pathlib import Path

import pytest

from deepinfer_structured.trainset import Example, classify, examples, lexicon, tools
from deepinfer_structured.trainset.catalogue import bare, concept_names, domains, heldout_names
from deepinfer_structured.trainset.heldout import COUNT, HELDOUT_SPLITS, read_examples, write_heldout
from deepinfer_structured.trainset.wrappers import HELDOUT_BLOCKS, TRAIN_BLOCKS

FOLDER = Path(__file__).parents[1] / "vectors" / "heldout"


def field_names(schema: object) -> set[str]:
    if isinstance(schema, list):
        return set().union(*map(field_names, schema)) if schema else set()
    if not isinstance(schema, dict):
        return set()
    own = {bare(name) for name in schema.get("properties", {})} if isinstance(schema.get("properties"), dict) else set()
    return own.union(*map(field_names, schema.values()))


@pytest.fixture(scope="module")
def training() -> list[Example]:
    return list(itertools.islice(examples("train", 77), 4000))


def test_registries_are_disjoint() -> None:
    assert not {entry.name for entry in TRAIN_BLOCKS} & {entry.name for entry in HELDOUT_BLOCKS}
    trained = {bare(name) for domain in domains(False) for name in concept_names(domain)}
    assert not trained & heldout_names()
    assert not {tool.name for tool in tools.TRAIN} & {tool.name for tool in tools.HELDOUT}
    assert not {name for name, _ in classify.TRAIN} & {name for name, _ in classify.HELDOUT}


def test_lexicon_sides_are_disjoint() -> None:
    for kind in lexicon.SPLIT_KINDS:
        for language in lexicon.NAMED_LANGUAGES:
            train, held = lexicon.words(language, kind, False), lexicon.words(language, kind, True)
            assert not set(train) & set(held)
            assert train or not lexicon.words(language, kind, True)


def test_training_layouts_are_not_held_out(training: list[Example]) -> None:
    held = {entry.name for entry in HELDOUT_BLOCKS}
    assert not held & {example.layout.split("+")[0] for example in training}
    for split in ("layouts", "schemas"):
        drawn = [e for e in itertools.islice(examples(split, 1), 300) if e.kind in ("domain", "random")]
        assert {e.layout.split("+")[0] for e in drawn} <= held


def test_training_schemas_use_no_held_out_field(training: list[Example]) -> None:
    for example in training:
        assert not field_names(example.schema) & heldout_names(), example.schema_text


def test_held_out_names_do_not_occur_in_training(training: list[Example]) -> None:
    held = {name for kind in ("first", "last") for name in lexicon.words("en", kind, True) if len(name) > 6}
    seen = {word.strip(".,;:()'\"") for example in training for word in example.document.split()}
    assert not held & seen


@pytest.mark.parametrize("split", HELDOUT_SPLITS)
def test_committed_files_hold_the_examples(split: str) -> None:
    drawn = list(read_examples(FOLDER / f"{split}.jsonl.gz"))
    assert len(drawn) == COUNT
    assert all(example.schema is not None and json.loads(example.answer) is not ... for example in drawn)


def test_schemas_of_the_schema_split_are_new(training: list[Example]) -> None:
    trained = {example.schema_text.split("(")[0] for example in training}
    for example in read_examples(FOLDER / "schemas.jsonl.gz"):
        fields = (example.schema or {}).get("properties", {})
        if example.kind in ("domain", "random") and len(fields) > 2:
            assert example.schema_text.split("(")[0] not in trained


def test_files_are_reproducible(tmp_path: Path) -> None:
    write_heldout(tmp_path, 5)
    for split in HELDOUT_SPLITS:
        again = list(read_examples(tmp_path / f"{split}.jsonl.gz"))
        assert again == list(itertools.islice(read_examples(FOLDER / f"{split}.jsonl.gz"), 5))


def test_handwritten_examples_are_well_formed() -> None:
    drawn = list(read_examples(FOLDER / "handwritten.jsonl"))
    assert len(drawn) >= 30
    assert len({example.document for example in drawn}) == len(drawn)
