"""Documents whose values are glued from random vocabulary pieces, so that a model learns to copy every piece there is.

Words of the lexicon leave hundreds of pieces untouched, and a piece that no answer ever held cannot be copied later.
Pieces are glued to others, so that no held-out word stands alone.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from deepinfer_engine.training.data import read_shard
from deepinfer_engine.training.rows import answer_counts
from deepinfer_structured.constraint.vocabulary import Vocabulary
from deepinfer_structured.trainset.draw import Draw
from deepinfer_structured.trainset.example import Example, encode
from deepinfer_structured.trainset.generate import CHARACTER_LIMIT, from_record
from deepinfer_structured.trainset.nodes import Group, Leaf, Node
from deepinfer_structured.trainset.random_schemas import random_record
from deepinfer_structured.trainset.shards import TOKEN_LIMIT, write_shard

__all__ = ["glued", "piece_examples", "rare_pieces"]

_GLUE = ("-", "_", ".", "/", "", "", "+", "#", ":")


def glued(draw: Draw, pieces: Sequence[str]) -> str:
    """One to three words, each of two or three pieces."""
    words = []
    for _ in range(draw.pick((1, 1, 1, 2, 2, 3))):
        glue = draw.pick(_GLUE)
        word = glue.join(draw.pick(pieces) for _ in range(draw.pick((2, 2, 3))))
        words.append(word if glue else word + draw.digits(1))
    return " ".join(words)


def piece_examples(pieces: Sequence[str], seed: int, start: int = 0, step: int = 1) -> Iterator[Example]:
    """Endless examples of random schemas. `pieces` are texts without white space, drawn evenly."""
    index = start
    while True:
        draw = Draw(random.Random(f"pieces/{seed}/{index}"))
        record = random_record(draw)
        for leaf in leaves(record.nodes) + leaves(record.page):
            if leaf.present and isinstance(leaf.answer, str) and leaf.text == leaf.answer and "enum" not in leaf.schema:
                leaf.text = leaf.answer = glued(draw, pieces)
        made = from_record(draw, record, "pieces")
        if len(made.document) + len(made.answer) <= CHARACTER_LIMIT:
            yield made
        index += step


def rare_pieces(vocabulary: Vocabulary, seen: Path, least: int) -> list[str]:
    """Texts of the pieces with fewer than `least` occurrences in the answers of the shards in `seen`."""
    documents = (document for path in sorted(seen.glob("*.safetensors")) for document in read_shard(path))
    counts = answer_counts(documents, vocabulary.size).tolist()
    special = set(vocabulary.special.values())
    texts = {_text(vocabulary.token_bytes[t]) for t, count in enumerate(counts) if count < least and t not in special}
    return sorted(text for text in texts if text and text.isprintable() and not any(map(str.isspace, text)))


def _text(spelled: bytes) -> str:
    """A piece without its leading space; empty for a part of a character."""
    try:
        return spelled.decode().strip()
    except UnicodeDecodeError:
        return ""


def leaves(nodes: Sequence[Node]) -> list[Leaf]:
    """All leaves, those of groups and tables too."""
    found: list[Leaf] = []
    for node in nodes:
        if isinstance(node, Leaf):
            found.append(node)
        elif isinstance(node, Group):
            found.extend(node.children)
        else:
            found.extend(leaf for row in node.rows for leaf in row)
    return found


def main(arguments: list[str] | None = None) -> None:
    """`python -m deepinfer_structured.trainset.pieces`"""
    parser = argparse.ArgumentParser(prog="python -m deepinfer_structured.trainset.pieces", description=__doc__)
    parser.add_argument("--checkpoint", default="nano", help="bundled name or folder, for its tokenizer")
    parser.add_argument("--seen", type=Path, required=True, help="shards of the training stream")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--least", type=int, default=20)
    parser.add_argument("--limit", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    vocabulary = Vocabulary.load(options.checkpoint)
    stream = piece_examples(rare_pieces(vocabulary, options.seen, options.least), options.seed)
    encoded = [encode(example, vocabulary) for example in islice(stream, options.limit)]
    documents = [(prompt, answer) for prompt, answer in encoded if len(prompt) + len(answer) <= TOKEN_LIMIT]
    options.out.mkdir(parents=True, exist_ok=True)
    write_shard(options.out / f"pieces-{options.seed:04d}.safetensors", documents)


if __name__ == "__main__":
    main()
