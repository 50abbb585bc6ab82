"""Runs a model over held-out examples and adds the scores up, with intervals and by kind, language and layout."""

import gzip
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from deepinfer_structured.evaluate.score import Score, score
from deepinfer_structured.prompt import DEFAULT_INSTRUCTION

Schema: TypeAlias = Mapping[str, Any]


class Generate(Protocol):
    """A model under test: one value a document. A value of None stands for a failed generation."""

    def __call__(self, prompts: list[str], schemas: list[Schema], *, instruction: str) -> Sequence[Any]:
        """Answers in the order of the prompts."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A share with its 95 % confidence interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


def wilson(right: int, total: int, z: float = 1.959964) -> Interval:
    """The Wilson score interval of a share."""
    if total == 0:
        return Interval(0.0, 0.0, 1.0)
    share = right / total
    spread = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    scale = 1 + z * z / total
    centre = share + z * z / (2 * total)
    return Interval(share, max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale))


@dataclass(slots=True)
class Tally:
    """Scores added up."""

    scores: list[Score] = field(default_factory=list)

    @property
    def examples(self) -> int:
        return len(self.scores)

    @property
    def fields(self) -> Interval:
        """Share of fields right, with the wider of two intervals: fields of one document fail together."""
        right, total = sum(s.right for s in self.scores), sum(s.total for s in self.scores)
        if not total:
            return Interval(0.0, 0.0, 1.0)
        share = right / total
        error = math.sqrt(sum((s.right - share * s.total) ** 2 for s in self.scores)) / total
        flat = wilson(right, total)
        low, high = share - 1.96 * error, share + 1.96 * error
        return Interval(share, max(0.0, min(flat.low, low)), min(1.0, max(flat.high, high)))

    @property
    def whole(self) -> Interval:
        """Share of answers that are right altogether."""
        return wilson(sum(s.whole for s in self.scores), len(self.scores))


@dataclass(slots=True)
class Report:
    """The tallies of one split: all examples, and by kind, language and layout."""

    split: str
    all: Tally = field(default_factory=Tally)
    by_kind: dict[str, Tally] = field(default_factory=dict)
    by_language: dict[str, Tally] = field(default_factory=dict)
    by_layout: dict[str, Tally] = field(default_factory=dict)

    def add(self, example: Mapping[str, Any], result: Score) -> None:
        """Count one scored example."""
        self.all.scores.append(result)
        self.by_kind.setdefault(str(example.get("kind", "")), Tally()).scores.append(result)
        self.by_language.setdefault(str(example.get("language", "")), Tally()).scores.append(result)
        self.by_layout.setdefault(str(example.get("layout", "")).split("+")[0], Tally()).scores.append(result)

    def lines(self) -> list[str]:
        """The report as text, one line a tally."""
        groups = [(self.split, self.all)]
        for name, tallies in (("kind", self.by_kind), ("language", self.by_language), ("layout", self.by_layout)):
            groups += [(f"  {name} {key}", tally) for key, tally in sorted(tallies.items())]
        shape = "{}: {} examples, fields {}, whole {}"
        return [shape.format(name, tally.examples, tally.fields, tally.whole) for name, tally in groups]


def read_examples(path: Path) -> list[dict[str, Any]]:
    """The examples of a JSON-lines file, gzipped or not: `schema`, `document`, `answer` (text or value).

    Raises ValueError with the line's number for a line that is none.
    """
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    return [_example(line, number) for number, line in enumerate(text.split("\n"), 1) if line.strip()]


def _example(line: str, number: int) -> dict[str, Any]:
    try:
        example = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"line {number} is no JSON: {error}") from error
    if not isinstance(example, dict):
        raise ValueError(f"line {number} must be an object, not {line[:80]!r}")
    for key, kinds in (("schema", (dict, bool)), ("document", str), ("answer", object)):
        if key not in example or not isinstance(example[key], kinds):
            raise ValueError(f"line {number} has no {key!r} that can be used: {example.get(key)!r}")
    try:
        expected_value(example)
    except ValueError as error:
        raise ValueError(f"line {number}: an answer that is text must be JSON, not {example['answer']!r}") from error
    return example


def expected_value(example: Mapping[str, Any]) -> Any:
    """The expected answer; text is read as JSON, as the held-out files write it."""
    answer = example["answer"]
    return json.loads(answer) if isinstance(answer, str) else answer


def evaluate_examples(
    generate: Generate, examples: Iterable[Mapping[str, Any]], *, split: str = "file", batch: int = 64
) -> Report:
    """Score `generate` on examples, in batches that share an instruction."""
    report = Report(split)
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for example in examples:
        groups.setdefault(example.get("instruction", DEFAULT_INSTRUCTION), []).append(example)
    for instruction, waiting in groups.items():
        for start in range(0, len(waiting), batch):
            part = waiting[start : start + batch]
            prompts, schemas = [example["document"] for example in part], [example["schema"] for example in part]
            values = generate(prompts, schemas, instruction=instruction)
            if len(values) != len(part):
                raise ValueError(f"{len(part)} documents went in and {len(values)} values came out")
            for example, value in zip(part, values, strict=True):
                report.add(example, score(expected_value(example), value))
    return report


def evaluate_split(
    generate: Generate, split: str, *, folder: Path, limit: int | None = None, batch: int = 64
) -> Report:
    """Score `generate` on one held-out file of `folder`: seen, layouts, schemas or handwritten."""
    candidates = [folder / f"{split}{ending}" for ending in (".jsonl.gz", ".jsonl")]
    path = next((candidate for candidate in candidates if candidate.exists()), None)
    if path is None:
        raise FileNotFoundError(f"no {split}.jsonl or {split}.jsonl.gz in {folder}")
    return evaluate_examples(generate, read_examples(path)[:limit], split=split, batch=batch)
