"""`python -m deepinfer_structured.trainset`: show examples, train the tokenizer, write shards and held-out files."""

import argparse
import itertools
import sys
from importlib import resources
from pathlib import Path

from deepinfer_structured.trainset.example import Example
from deepinfer_structured.trainset.generate import SPLITS, examples
from deepinfer_structured.trainset.heldout import write_heldout
from deepinfer_structured.trainset.shards import write_shards
from deepinfer_structured.trainset.tokenizer import assemble


def corpus_texts(example: Example) -> list[str]:
    """What the tokenizer learns from one example."""
    return [example.instruction, example.schema_text, example.document, example.answer]


def parser() -> argparse.ArgumentParser:
    """The command line."""
    root = argparse.ArgumentParser(prog="python -m deepinfer_structured.trainset", description=__doc__)
    commands = root.add_subparsers(dest="command", required=True)
    show = commands.add_parser("show", help="print examples")
    show.add_argument("--split", choices=SPLITS, default="train")
    show.add_argument("--count", type=int, default=5)
    show.add_argument("--seed", type=int, default=0)
    train = commands.add_parser("tokenizer", help="train the tokenizer")
    train.add_argument("--out", type=Path, required=True)
    train.add_argument("--count", type=int, default=60_000)
    shards = commands.add_parser("shards", help="write token shards")
    shards.add_argument("--out", type=Path, required=True)
    shards.add_argument("--tokenizer", type=Path)
    shards.add_argument("--split", choices=SPLITS, default="train")
    shards.add_argument("--seed", type=int, default=0)
    shards.add_argument("--workers", type=int, default=1)
    shards.add_argument("--documents-per-shard", type=int, default=4096)
    shards.add_argument("--limit", type=int, default=0, help="examples to draw in all; 0 never stops")
    held = commands.add_parser("heldout", help="write the fixed held-out files")
    held.add_argument("--out", type=Path, required=True)
    return root


def default_tokenizer() -> Path:
    """The bundled tokenizer: installed, or in the source tree."""
    tree = (
        Path(__file__).resolve().parents[2] / "engine" / "deepinfer_engine" / "checkpoints" / "nano" / "tokenizer.json"
    )
    if tree.exists():
        return tree
    return Path(str(resources.files("deepinfer_engine").joinpath("checkpoints/nano/tokenizer.json")))


def main() -> None:
    """Run one command."""
    given = parser().parse_args()
    if given.command == "show":
        for example in itertools.islice(examples(given.split, given.seed), given.count):
            head = (
                f"--- {example.kind} {example.layout} {example.language}\n{example.instruction}\n{example.schema_text}"
            )
            sys.stdout.write(f"{head}\n{example.document}\n=> {example.answer}\n")
    elif given.command == "tokenizer":
        texts = (
            text for example in itertools.islice(examples("train", 0), given.count) for text in corpus_texts(example)
        )
        assemble(texts).save(str(given.out))
    elif given.command == "shards":
        write_shards(given.out, given.split, given.seed, tokenizer=given.tokenizer or default_tokenizer(), workers=given.workers,
                     documents_per_shard=given.documents_per_shard, limit=given.limit)  # fmt: skip
    else:
        write_heldout(given.out)


if __name__ == "__main__":
    main()
