"""Where seeds come from when nobody gives one, and how samples of one prompt get theirs."""

from __future__ import annotations

import hashlib
import random
import threading

__all__ = ["SeedStream", "derived"]

_BITS = 53  # exact in JSON and in a float


class SeedStream:
    """Fresh seeds, the same ones in the same order for the same start. Safe for several threads."""

    def __init__(self, start: int) -> None:
        self._random = random.Random(start)
        self._lock = threading.Lock()

    def draw(self) -> int:
        """The next seed."""
        with self._lock:
            return self._random.getrandbits(_BITS)


def derived(seed: int, sample: int) -> int:
    """The seed of a prompt's sample: the first has the prompt's own, the others follow from it and their number."""
    if sample == 0:
        return seed
    digest = hashlib.blake2b(f"{seed}/{sample}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> (64 - _BITS)
