"""The fixed held-out files: a few hundred examples a split, drawn once from a seed and committed."""

import gzip
import itertools
import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

from deepinfer_structured.prompt import DEFAULT_INSTRUCTION
from deepinfer_structured.trainset.example import Example
from deepinfer_structured.trainset.generate import examples

HELDOUT_SPLITS = ("seen", "layouts", "schemas")
SEED = 20261130
COUNT = 200


def write_heldout(out: Path, count: int = COUNT) -> None:
    """One gzipped JSON-lines file a split."""
    out.mkdir(parents=True, exist_ok=True)
    for split in HELDOUT_SPLITS:
        fitting = (example for example in examples(split, SEED) if example.schema is not None and not example.shots)
        drawn = [plainly_asked(example) for example in itertools.islice(fitting, count)]
        lines = "".join(json.dumps(asdict(example), ensure_ascii=False) + "\n" for example in drawn)
        (out / f"{split}.jsonl.gz").write_bytes(gzip.compress(lines.encode(), 9, mtime=0))


def plainly_asked(example: Example) -> Example:
    """Records are asked for by the default instruction; elsewhere the instruction says what is wanted."""
    return (
        replace(example, instruction=DEFAULT_INSTRUCTION) if example.kind in ("domain", "random", "copy") else example
    )


def read_examples(path: Path) -> Iterator[Example]:
    """The examples of one file, gzipped or not."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    for line in text.splitlines():
        if line.strip():
            fields = json.loads(line)
            fields["shots"] = tuple((document, answer) for document, answer in fields.get("shots", ()))
            yield Example(**fields)
