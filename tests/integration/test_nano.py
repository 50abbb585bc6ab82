"""The bundled checkpoint end to end: drafts change nothing, every answer conforms, prompts meet its scores."""

import functools
import itertools
import json
import math
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from deepinfer_structured import LLM, Choice, Completion, JSONSchema, Regex
from deepinfer_structured.evaluate import evaluate_examples
from deepinfer_structured.evaluate.splits import read_examples

HELDOUT = Path(__file__).parents[1] / "vectors" / "heldout"
SPLITS = ("seen.jsonl.gz", "layouts.jsonl.gz", "schemas.jsonl.gz", "handwritten.jsonl")
CLOSE = 1e-4
"""Two logits this near may change places when the width of a forward pass changes its rounding."""


@functools.cache
def drawn(split: str, count: int) -> list[dict[str, Any]]:
    return list(itertools.islice(read_examples(HELDOUT / split), count))


@pytest.fixture(scope="module")
def drafting() -> LLM:
    return LLM(max_draft=5)


@pytest.fixture(scope="module")
def plain() -> LLM:
    return LLM(max_draft=0)


def mixed(count: int) -> tuple[list[str], list[Any]]:
    """Documents and schemas of all splits, and free text, a pattern and a choice among them."""
    prompts: list[str] = []
    schemas: list[Any] = []
    for split in SPLITS:
        for example in drawn(split, count):
            prompts.append(example["document"])
            schemas.append(JSONSchema(example["schema"]))
    prompts += ["How are you?", "Call 415-555-0188 today.", "The mood was good, not bad."]
    schemas += [None, Regex(r"\d{3}-\d{3}-\d{4}"), Choice(["good", "bad"])]
    return prompts, schemas


def run(llm: LLM, prompts: list[str], schemas: list[Any], **options: Any) -> list[Completion[Any]]:
    done: list[Completion[Any]] = llm.generate(
        prompts, schemas, details=True, on_error="return", max_tokens=120, logprobs=2, **options
    )
    return done


def first_difference(one: Completion[Any], other: Completion[Any]) -> float | None:
    """The gap between the two likeliest tokens where two answers part; None if they never do.

    Infinite where one answer is only the beginning of the other: no tie explains that.
    """
    for index, (a, b) in enumerate(zip(one.token_ids, other.token_ids, strict=False)):
        if a != b:
            assert one.logprobs is not None
            best, second = one.logprobs[index].top[:2]
            return best[2] - second[2]
    return None if len(one.token_ids) == len(other.token_ids) else math.inf


def same_but_for_ties(ones: list[Completion[Any]], others: list[Completion[Any]]) -> list[float]:
    """Gaps at which answers part; every one of them must be a near tie."""
    gaps = [gap for a, b in zip(ones, others, strict=True) if (gap := first_difference(a, b)) is not None]
    assert all(gap < CLOSE for gap in gaps), f"answers part at gaps {gaps}"
    return gaps


def test_greedy_answers_are_the_same_with_and_without_drafts(drafting: LLM, plain: LLM) -> None:
    prompts, schemas = mixed(6)
    gaps = same_but_for_ties(run(plain, prompts, schemas), run(drafting, prompts, schemas))
    sys.stdout.write(f"{len(gaps)} of {len(prompts)} answers part at a near tie\n")
    assert len(gaps) <= len(prompts) // 10


def test_sampled_answers_are_the_same_with_and_without_drafts(drafting: LLM, plain: LLM) -> None:
    prompts, schemas = mixed(3)
    options: dict[str, Any] = {"temperature": 0.8, "top_p": 0.95, "seed": list(range(len(prompts)))}
    ones, others = run(plain, prompts, schemas, **options), run(drafting, prompts, schemas, **options)
    same = sum(a.token_ids == b.token_ids for a, b in zip(ones, others, strict=True))
    # Noise moves the tie: an answer may part where score plus noise is a near tie, which log-probabilities do not show.
    assert same >= len(prompts) - 1


@pytest.mark.parametrize("size", [1, 3])
def test_batches_do_not_change_answers(drafting: LLM, size: int) -> None:
    prompts, schemas = mixed(2)
    together = run(drafting, prompts, schemas)
    apart: list[Completion[Any]] = []
    for start in range(0, len(prompts), size):
        apart += run(drafting, prompts[start : start + size], schemas[start : start + size])
    same_but_for_ties(together, apart)


def test_every_answer_conforms_and_drafts_are_taken(drafting: LLM) -> None:
    prompts, schemas = mixed(6)
    answers = drafting.generate(prompts, schemas, details=True, on_error="return", max_tokens=400)
    complete = 0
    for schema, answer in zip(schemas, answers, strict=True):
        if isinstance(schema, JSONSchema) and answer.finish_reason == "stop" and answer.error is None:
            jsonschema.validate(json.loads(answer.text), schema.schema)
            complete += 1
    assert complete >= 0.9 * (len(prompts) - 3)
    tokens = sum(a.usage.output_tokens for a in answers)
    passes = sum(a.usage.verifications for a in answers)
    assert tokens / passes > 2


FLOORS = {"seen.jsonl.gz": 0.85, "layouts.jsonl.gz": 0.7, "schemas.jsonl.gz": 0.5}


@pytest.mark.parametrize(("split", "floor"), FLOORS.items())
def test_scores_are_those_of_the_shipped_weights(drafting: LLM, split: str, floor: float) -> None:
    """A floor well under the model card's figures: it finds a broken template or tokenizer, not a weaker model."""

    def generate(prompts: list[str], schemas: list[Any], *, instruction: str) -> list[Any]:
        wrapped = [JSONSchema(schema) for schema in schemas]
        done = drafting.generate(
            prompts, wrapped, instruction=instruction, details=True, on_error="return", max_tokens=400
        )
        return [completion.value for completion in done]

    report = evaluate_examples(generate, drawn(split, 24), split=split)
    assert report.all.fields.value >= floor, "\n".join(report.lines())
