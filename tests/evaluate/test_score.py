"""Field scores, intervals and reports."""

from pathlib import Path
from typing import Any

import pytest

from deepinfer_structured.evaluate import Score, evaluate_examples, evaluate_split, leaves, score, wilson


def test_leaves_are_json_pointers() -> None:
    value = {"a": [1, {"b/c": None}], "d~": {}, "e": []}
    assert dict(leaves(value)) == {"/a/0": 1, "/a/1/b~1c": None, "/d~0": {}, "/e": []}
    assert dict(leaves(3)) == {"": 3}


@pytest.mark.parametrize(
    ("expected", "got", "result"),
    [
        ({"a": 1, "b": "x"}, {"a": 1, "b": "x"}, Score(2, 2, True)),
        ({"a": 1, "b": "x"}, {"a": 1, "b": "y"}, Score(1, 2, False, ("/b",))),
        ({"a": 1.0}, {"a": 1}, Score(1, 1, True)),
        ({"a": True}, {"a": 1}, Score(0, 1, False, ("/a",))),
        ({"a": None}, {}, Score(1, 1, True)),
        ({}, {}, Score(1, 1, True)),
        ({"a": 1}, {"a": 1, "b": None}, Score(1, 1, True)),
        ({"a": 1}, {"a": 1, "b": 2}, Score(1, 2, False, ("/b",))),
        ([1, 2], [1, 2, 3], Score(2, 3, False, ("/2",))),
        ([1, 2, 3], [1, 2], Score(2, 3, False, ("/2",))),
        ([], [1], Score(0, 1, False, ("",))),
        ({"a": {"b": 1}}, {"a": 5}, Score(0, 1, False, ("/a/b",))),
        ("x", "x", Score(1, 1, True)),
        ("x", None, Score(0, 1, False, ("",))),
        ({"a": 1, "b": 2}, None, Score(0, 2, False, ("/a", "/b"))),
    ],
)
def test_score(expected: Any, got: Any, result: Score) -> None:
    assert score(expected, got) == result


def test_wilson_interval() -> None:
    interval = wilson(8, 10)
    assert interval.value == 0.8
    assert interval.low == pytest.approx(0.4902, abs=1e-3)
    assert interval.high == pytest.approx(0.9433, abs=1e-3)
    assert wilson(0, 0).high == 1.0


def example(document: str, answer: Any, kind: str, layout: str, language: str, instruction: str) -> dict[str, Any]:
    shared = {"schema": {}, "document": document, "answer": answer, "kind": kind}
    return {**shared, "layout": layout, "language": language, "instruction": instruction}


EXAMPLES = [
    example("one", '{"n":1}', "k", "lines+plain", "en", "A"),
    example("two", '{"n":2}', "k", "prose", "de", "B"),
    example("three", {"n": 3}, "l", "prose", "en", "A"),
]


def answer_one(prompts: list[str], schemas: list[Any], *, instruction: str) -> list[Any]:
    return [1]


def test_report_adds_up() -> None:
    asked = []

    def generate(prompts: list[str], schemas: list[Any], *, instruction: str) -> list[Any]:
        asked.append((prompts, instruction))
        return [{"n": {"one": 1, "two": 2}.get(prompt)} for prompt in prompts]

    report = evaluate_examples(generate, EXAMPLES, split="mine")
    assert asked == [(["one", "three"], "A"), (["two"], "B")]
    assert report.all.examples == 3
    assert report.all.whole.value == pytest.approx(2 / 3)
    assert report.by_kind["k"].fields.value == 1.0
    assert report.by_language["en"].fields.value == 0.5
    assert set(report.by_layout) == {"lines", "prose"}
    assert report.lines()[0].startswith("mine: 3 examples, fields 0.667")


def test_a_short_answer_list_is_an_error() -> None:
    with pytest.raises(ValueError, match="2 documents went in and 1 values came out"):
        evaluate_examples(answer_one, EXAMPLES)


def test_evaluate_split_reads_files(tmp_path: Path) -> None:
    (tmp_path / "own.jsonl").write_text('{"schema":{},"document":"x","answer":"1"}\n')
    report = evaluate_split(answer_one, "own", folder=tmp_path)
    assert report.all.whole.value == 1.0
    with pytest.raises(FileNotFoundError, match=r"no other\.jsonl"):
        evaluate_split(answer_one, "other", folder=tmp_path)
