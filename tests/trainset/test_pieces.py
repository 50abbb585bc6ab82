"""Documents of glued pieces: every value is copied, no held-out word stands alone, every piece comes up."""

import itertools
import json
import random
import re

from deepinfer_structured.trainset.draw import Draw
from deepinfer_structured.trainset.pieces import glued, piece_examples

PIECES = ["qua", "zol", "Trim", "éa", "##", "un"]


def test_values_are_copied_from_the_document() -> None:
    """Nearly all: a few layouts wrap long lines or escape markup."""
    found, total = 0, 0
    for example in itertools.islice(piece_examples(PIECES, 3), 60):
        for spelled in re.findall(r'"(?:[^"\\]|\\.)*"', example.answer):
            if any(piece in spelled for piece in ("qua", "zol", "éa")):
                found, total = found + (json.loads(spelled) in example.document), total + 1
    assert total > 60
    assert found > 0.9 * total


def test_a_piece_never_stands_alone_and_each_comes_up() -> None:
    draw = Draw(random.Random(0))
    words = [word for _ in range(500) for word in glued(draw, PIECES).split()]
    assert not set(words) & set(PIECES)
    assert all(any(piece in word for word in words) for piece in PIECES)


def test_the_stream_depends_on_seed_and_index_alone() -> None:
    whole = [example.answer for example in itertools.islice(piece_examples(PIECES, 5), 6)]
    again = [example.answer for example in itertools.islice(piece_examples(PIECES, 5), 6)]
    assert whole == again != [example.answer for example in itertools.islice(piece_examples(PIECES, 6), 6)]
