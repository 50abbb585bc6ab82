"""Mask rows of a step in one dense buffer `[request, slot, words]`: the place of a row never depends on trimming."""

from __future__ import annotations

from collections.abc import Sequence as Many

import numpy as np
import torch
from torch import Tensor

from deepinfer_engine.sequence import Sequence
from deepinfer_engine.speculative.trial import Trial

__all__ = ["MaskRows"]

_FREE = -1  # all bits set


class MaskRows:
    """Row (r, k) says what may follow the anchor and k drafts of request r; free rows have every bit set."""

    def __init__(self, sequences: Many[Sequence], slots: int, vocabulary: int) -> None:
        self.sequences, self.vocabulary = sequences, vocabulary
        self.rows = torch.full((len(sequences), slots, -(-vocabulary // 32)), _FREE, dtype=torch.int32)
        self.constrained = [s.request.constraint is not None for s in sequences]
        self.filled = [0] * len(sequences)
        self.faults: dict[int, tuple[int, Exception]] = {}
        """By request: the first slot at which its constraint failed, and with what."""

    def take_over(self, drafted: MaskRows) -> None:
        """Start with the rows that drafting has filled for the first of these sequences."""
        count = len(drafted.sequences)
        self.rows[:count] = drafted.rows
        self.filled[:count] = drafted.filled
        self.faults = dict(drafted.faults)

    def has_mask(self, device: torch.device) -> Tensor:
        """Which requests are constrained, bool `[R]`."""
        return torch.tensor(self.constrained, dtype=torch.bool, device=device)

    def fill(self, request: int, slot: int) -> None:
        """Fill the next row of a request from its constraint's present state. A terminated one keeps a free row:
        what follows the end of sequence is thrown away. So does one that fails: `fault` will say so."""
        constraint = self.sequences[request].request.constraint
        if slot < self.filled[request] or constraint is None:
            return
        self.filled[request] = slot + 1
        try:
            if not constraint.terminated:
                constraint.fill(self.rows[request, slot])
                self.sequences[request].usage.masks += 1
        except Exception as fault:  # noqa: BLE001 - the fault of one request; commit ends it
            self.rows[request, slot] = _FREE
            self.faults.setdefault(request, (slot, fault))

    def fault(self, request: int, slot: int) -> Exception | None:
        """What the constraint of a request raised on the way to its row at `slot`, if it failed by then."""
        first, fault = self.faults.get(request, (slot + 1, None))
        return fault if first <= slot else None

    def check(self, request: int, trial: Trial) -> None:
        """Note a constraint that could not be taken back: nothing it says can be trusted."""
        if trial.fault is not None:
            self.faults[request] = (0, trial.fault)

    def walk(self, request: int, drafts: Many[int]) -> int:
        """Fill the rows that are still missing along `drafts`; how many of these are legal from the start."""
        constraint = self.sequences[request].request.constraint
        if constraint is None:
            return len(drafts)
        legal = 0
        with Trial(constraint) as trial:
            for slot, token in enumerate(drafts):
                self.fill(request, slot)
                if not trial.accept(token):
                    break
                legal = slot + 1
            self.fill(request, legal)
        self.check(request, trial)
        return legal

    def single(self) -> list[list[bool]]:
        """Where exactly one token is legal, `[request][slot]`."""
        words = self.rows.numpy().view(np.uint32)
        single: list[list[bool]] = (np.bitwise_count(words).sum(-1, dtype=np.int64) == 1).tolist()
        return single

    def on(self, device: torch.device) -> Tensor | None:
        """All rows on `device`, or None when nothing is constrained."""
        return self.rows.to(device) if any(self.constrained) else None
