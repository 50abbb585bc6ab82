"""A drafter that knows the answers: tests decide which drafts are right, and how many there are."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import torch

from deepinfer_engine.engine import Engine
from deepinfer_engine.request import RequestId
from deepinfer_engine.sequence import Sequence as Running
from deepinfer_engine.speculative.drafter import Drafter, Proposal
from deepinfer_engine.speculative.masks import MaskRows


class Guess(Drafter):
    """Drafts the tokens that the plain loop gives, each replaced with probability `errors`; unmasked.

    `rng` also cuts drafts at random; without it every draft is as long as it may be and right.
    """

    def __init__(
        self,
        engine: Engine,
        answers: Mapping[RequestId, Sequence[int]],
        *,
        errors: float = 0.0,
        rng: random.Random | None = None,
    ) -> None:
        super().__init__(engine._backbone, masked=False)
        self.answers, self.errors, self.rng = answers, errors, rng

    def propose(self, sequences: Sequence[Running], threshold: float) -> Proposal:
        tokens = torch.zeros(len(sequences), self.slots, dtype=torch.int64)
        lengths = []
        for r, sequence in enumerate(sequences):
            done = sequence.usage.output_tokens
            ahead = list(
                self.answers[sequence.request.request_id][done : done + min(self.slots, sequence.remaining - 1)]
            )
            if self.rng is not None:
                ahead = ahead[: self.rng.randint(0, len(ahead))]
                ahead = [self.rng.randrange(self.vocabulary) if self.rng.random() < self.errors else t for t in ahead]
            tokens[r, : len(ahead)] = torch.tensor(ahead, dtype=torch.int64)
            lengths.append(len(ahead))
        masks = MaskRows(sequences, self.slots + 1, self.vocabulary)
        confidence = torch.ones(len(sequences), self.slots)
        return Proposal(tokens=tokens, lengths=lengths, confidence=confidence, law=None, masks=masks)
