"""The source of randomness of one example, with the lexicon side and the language it may draw from."""

import random
from collections.abc import Sequence
from typing import TypeVar

from deepinfer_structured.trainset import lexicon

T = TypeVar("T")

UPPER = "ABCDEFGHJKLMNPQRSTUVWXYZ"
ALPHABET = UPPER.lower()


class Draw:
    """Fast picks from one generator. Every split but `train` draws from the held-out side of the lexicon."""

    __slots__ = ("heldout", "heldout_layouts", "heldout_schemas", "language", "random", "rng")

    def __init__(self, rng: random.Random, *, split: str = "train", language: str = "en") -> None:
        self.rng = rng
        self.random = rng.random
        self.heldout = split != "train"
        self.heldout_layouts = split in ("layouts", "schemas")
        self.heldout_schemas = split == "schemas"
        self.language = language

    def pick(self, options: Sequence[T]) -> T:
        """One of a non-empty sequence."""
        return options[int(self.random() * len(options))]

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self.random() < probability

    def integer(self, low: int, high: int) -> int:
        """An integer in [low, high]."""
        return low + int(self.random() * (high - low + 1))

    def some(self, options: Sequence[T], count: int) -> list[T]:
        """`count` different positions of a sequence, in random order; all of them where it is shorter."""
        return self.rng.sample(options, min(count, len(options)))

    def shuffled(self, options: Sequence[T]) -> list[T]:
        """A shuffled copy."""
        copy = list(options)
        self.rng.shuffle(copy)
        return copy

    def word(self, kind: str, language: str | None = None) -> str:
        """One entry of the lexicon."""
        return self.pick(lexicon.words(language or self.language, kind, self.heldout))

    def digits(self, count: int) -> str:
        """A run of digits that does not begin with zero."""
        return str(self.integer(10 ** (count - 1), 10**count - 1))

    def letters(self, count: int) -> str:
        """A run of capital letters."""
        return "".join(self.pick(UPPER) for _ in range(count))

    def pattern(self, pattern: str) -> str:
        """Fill `#` with a digit, `@` with a capital, `%` with a small letter, `^` with a hexadecimal digit."""
        out = []
        for symbol in pattern:
            if symbol == "#":
                out.append("0123456789"[int(self.random() * 10)])
            elif symbol == "@":
                out.append(self.pick(UPPER))
            elif symbol == "%":
                out.append(self.pick(ALPHABET))
            elif symbol == "^":
                out.append("0123456789abcdef"[int(self.random() * 16)])
            else:
                out.append(symbol)
        return "".join(out)
