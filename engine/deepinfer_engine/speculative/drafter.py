"""Drafting: one DSpark block a request, then token after token through the Markov head, under the request's mask."""

from __future__ import annotations

from collections.abc import Sequence as Many
from contextlib import ExitStack
from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor

from deepinfer_engine.backbone import Backbone
from deepinfer_engine.model.dspark import DraftStage
from deepinfer_engine.model.transformer import Drafted
from deepinfer_engine.sampling.choose import choose
from deepinfer_engine.sampling.noise import TARGET, draft_stream
from deepinfer_engine.sampling.process import RowParams, process
from deepinfer_engine.sequence import Sequence
from deepinfer_engine.speculative.masks import MaskRows
from deepinfer_engine.speculative.trial import Trial

__all__ = ["Drafter", "Proposal"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """Drafts of R requests. Row r of everything belongs to sequence r.

    `tokens` int64 `[R, K]`; `lengths` drafted slots; `confidence` float `[R, K]`, the estimated conditional acceptance,
    known before the slot's token was drawn; `law` float `[R, K, V]`, what sampled drafts were drawn from, kept only
    where rejection sampling needs it; `masks` the rows filled on the way.
    """

    tokens: Tensor
    lengths: list[int]
    confidence: Tensor
    law: Tensor | None
    masks: MaskRows


class Drafter:
    """Proposes drafts for decoding sequences.

    `threshold`: a request stops at the first slot whose survival (product of confidences up to the slot) is below it;
    this looks only at what is known before the slot's token, so it is a legal admission rule (see `admission`).
    `masked=False` drafts without the grammar; `step.mask_rows` then cuts at the first illegal token.
    """

    def __init__(self, backbone: Backbone, *, masked: bool = True) -> None:
        self.backbone, self.masked = backbone, masked
        self.slots = backbone.engine.max_draft
        self.vocabulary = backbone.config.vocab_size

    def propose(self, sequences: Many[Sequence], threshold: float) -> Proposal:
        """Drafts for `sequences`, all of them decoding; matchers are left where they were."""
        count, device = len(sequences), self.backbone.device
        masks = MaskRows(sequences, self.slots + 1, self.vocabulary)
        tokens = torch.zeros(count, self.slots, dtype=torch.int64, device=device)
        confidence = torch.zeros(count, self.slots, device=device)
        if not self.slots or not count:
            return Proposal(tokens=tokens, lengths=[0] * count, confidence=confidence, law=None, masks=masks)
        slots = [cast(int, s.slot) for s in sequences]
        block = self.backbone.draft(slots, [s.processed for s in sequences], [s.anchor for s in sequences])
        walk = _Walk(self, sequences, block, masks, threshold)
        with ExitStack() as stack:
            walk.enter(stack)
            for slot in range(self.slots):
                if not walk.advance(slot, tokens, confidence):
                    break
        for r, trial in walk.trials.items():
            masks.check(r, trial)
        return Proposal(tokens=tokens, lengths=walk.lengths, confidence=confidence, law=walk.law, masks=masks)


class _Walk:
    """The sequential part of one proposal: slot k of every live request, then slot k + 1."""

    def __init__(
        self, drafter: Drafter, sequences: Many[Sequence], block: Drafted, masks: MaskRows, threshold: float
    ) -> None:
        self.drafter, self.sequences, self.block, self.masks = drafter, sequences, block, masks
        self.threshold = threshold
        self.head = cast(DraftStage, drafter.backbone.model.mtp[-1])
        self.device = drafter.backbone.device
        # The last output token needs no draft behind it: the verified row itself yields it.
        self.limits = [min(drafter.slots, s.remaining - 1) for s in sequences]
        self.lengths = [0] * len(sequences)
        self.live = [r for r, limit in enumerate(self.limits) if limit > 0]
        self.survival = torch.ones(len(sequences), device=self.device)
        self.previous = torch.tensor([s.anchor for s in sequences], dtype=torch.int64, device=self.device)
        rejects = any(s.request.sampling.rejects for s in sequences)
        shape = (len(sequences), drafter.slots, drafter.vocabulary)
        self.law = torch.zeros(shape, dtype=block.logits.dtype, device=self.device) if rejects else None
        self.seen = {
            r: s.seen_tokens(drafter.vocabulary, self.device).clone()
            for r, s in enumerate(sequences)
            if s.request.sampling.repetition_penalty != 1
        }
        self.trials: dict[int, Trial] = {}

    def enter(self, stack: ExitStack) -> None:
        """Open a trial for every constraint that drafting walks."""
        if self.drafter.masked:
            for r in self.live:
                constraint = self.sequences[r].request.constraint
                if constraint is not None:
                    self.trials[r] = stack.enter_context(Trial(constraint))

    def advance(self, slot: int, tokens: Tensor, confidence: Tensor) -> bool:
        """Draft one slot for all live requests; False when none is left."""
        rows = torch.tensor(self.live, dtype=torch.int64, device=self.device)
        bias, embedded = self.head.markov_head(self.previous[rows])
        trust = torch.sigmoid(self.head.confidence_head(self.block.hidden[rows, slot], embedded)).to(confidence.dtype)
        self.survival[rows] *= trust
        confidence[rows, slot] = trust
        good = (self.survival[rows] >= self.threshold).tolist()
        picked = [i for i, keep in enumerate(good) if keep]
        if not picked:
            return False
        self.live = [self.live[i] for i in picked]
        for r in self.live:
            if r in self.trials:
                self.masks.fill(r, slot)
        chosen = self._draw(slot, self.block.logits[rows[picked], slot] + bias[picked])
        rows = rows[picked]
        tokens[rows, slot] = chosen
        self.previous[rows] = chosen
        self.live = [r for r, token in zip(self.live, chosen.tolist(), strict=True) if self._take(r, slot, token)]
        return bool(self.live)

    def _draw(self, slot: int, logits: Tensor) -> Tensor:
        params = [self.sequences[r].request.sampling for r in self.live]
        masked = torch.tensor([r in self.trials for r in self.live])
        law = process(
            logits,
            RowParams.of(params, dtype=logits.dtype, device=self.device),
            mask_rows=self.masks.rows[self.live, slot].to(self.device) if bool(masked.any()) else None,
            has_mask=None if bool(masked.all()) else masked.to(self.device),
            seen=self._seen() if any(p.repetition_penalty != 1 for p in params) else None,
        )
        if self.law is not None:
            self.law[self.live, slot] = law.log_probs().exp()
        at = [self.sequences[r].processed + 1 for r in self.live]
        return _choose(law.scores, [(p.seed, p.greedy, p.rejects) for p in params], at, slot)

    def _seen(self) -> Tensor:
        none = torch.zeros(self.drafter.vocabulary, dtype=torch.bool, device=self.device)
        return torch.stack([self.seen.get(r, none) for r in self.live])

    def _take(self, request: int, slot: int, token: int) -> bool:
        """Record a draft; whether the request goes on to the next slot."""
        self.lengths[request] = slot + 1
        if request in self.seen:
            self.seen[request][token] = True
        if request in self.trials and not self.trials[request].accept(token):
            # Only a dead row (nothing legal or nothing finite) yields an illegal token; verification will say so.
            self.lengths[request] = slot
            return False
        ended = token in self.sequences[request].request.stop_tokens
        return not ended and slot + 1 < self.limits[request]


def _choose(scores: Tensor, rules: list[tuple[int, bool, bool]], positions: list[int], slot: int) -> Tensor:
    """Match rows share the target's committed noise at their own position; rejection rows draw on the draft stream,
    keyed by the anchor's position."""
    device = scores.device
    seeds = torch.tensor([seed for seed, _, _ in rules], dtype=torch.int64, device=device)
    sampled = torch.tensor([not greedy for _, greedy, _ in rules], device=device)
    rejects = torch.tensor([reject for _, _, reject in rules], device=device)
    first = torch.tensor(positions, dtype=torch.int64, device=device)
    tokens = choose(scores, sampled & ~rejects, seeds, first + slot, stream=TARGET)
    if bool(rejects.any()):
        own = choose(scores, rejects, seeds, first - 1, stream=draft_stream(slot))
        tokens = torch.where(rejects, own, tokens)
    return tokens
