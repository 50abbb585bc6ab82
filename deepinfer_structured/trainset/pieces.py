"""Documents whose values are glued from random vocabulary pieces, so that a model learns to copy every piece there is.

Words of the lexicon leave hundreds of pieces untouched, and a piece that no answer ever held cannot be copied later.
Pieces are glued to others, so that no held-out word stands alone.
"""

import random
from collections.abc import Iterator, Sequence

from deepinfer_structured.trainset.draw import Draw
from deepinfer_structured.trainset.example import Example
from deepinfer_structured.trainset.generate import CHARACTER_LIMIT, from_record
from deepinfer_structured.trainset.nodes import Group, Leaf, Node
from deepinfer_structured.trainset.random_schemas import random_record

__all__ = ["glued", "piece_examples"]

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
