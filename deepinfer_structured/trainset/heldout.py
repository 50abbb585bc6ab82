"""The fixed held-out files: a few hundred examples a split, drawn once from a seed and committed."""

import gzip
import itertools
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from deepinfer_structured.trainset.example import Example
from deepinfer_structured.trainset.generate import examples

HELDOUT_SPLITS = ("seen", "layouts", "schemas")
SEED = 20261130
COUNT = 200


def write_heldout(out: Path, count: int = COUNT) -> None:
    """One gzipped JSON-lines file a split."""
    out.mkdir(parents=True, exist_ok=True)
    for split in HELDOUT_SPLITS:
        drawn = itertools.islice((e for e in examples(split, SEED) if e.schema is not None), count)
        lines = "".join(json.dumps(asdict(example), ensure_ascii=False) + "\n" for example in drawn)
        (out / f"{split}.jsonl.gz").write_bytes(gzip.compress(lines.encode(), 9, mtime=0))


def read_examples(path: Path) -> Iterator[Example]:
    """The examples of one file, gzipped or not."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    for line in text.splitlines():
        if line.strip():
            fields = json.loads(line)
            fields["shots"] = tuple((document, answer) for document, answer in fields.get("shots", ()))
            yield Example(**fields)
