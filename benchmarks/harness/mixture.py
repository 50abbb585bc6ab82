"""Structured prompts of many kinds: invoices and held-out documents, in turn."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

from benchmarks.harness.invoices import Invoice, invoices
from benchmarks.harness.stand import Job, Stand
from deepinfer_structured.evaluate.splits import read_examples

__all__ = ["mixed_jobs"]

HELD_OUT = Path(__file__).parents[2] / "tests" / "vectors" / "heldout"
SPLITS = ("seen", "layouts", "schemas")


def mixed_jobs(stand: Stand, count: int) -> list[Job]:
    """Every other one an invoice, the rest from three held-out files, taken at even distances."""
    splits = [read_examples(HELD_OUT / f"{name}.jsonl.gz") for name in SPLITS]
    wanted = count // 2
    each = max(1, -(-wanted // len(splits)))
    spread = [split[:: max(1, len(split) // each)] for split in splits]
    examples = list(chain.from_iterable(zip(*spread, strict=False)))[:wanted]
    plain = [stand.job(text, Invoice) for text in invoices(count - len(examples))]
    turns = chain.from_iterable(zip(plain, stand.jobs(examples), strict=False))
    return [*turns, *plain[len(examples) :]]
