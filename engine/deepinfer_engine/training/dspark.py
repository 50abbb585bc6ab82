"""What DSpark learns from: draft blocks at sampled anchors of packed answers, judged by the frozen backbone.

A block at anchor p sees stage keys of its document's tokens in [p - window, p) and itself; slot k predicts token p + k.
Losses and their weights are those of the DSpark paper (design notes, 3.3).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

import torch
import torch.nn.functional as F
from torch import Tensor

from deepinfer_engine.model.context import Closing
from deepinfer_engine.model.dspark import DraftStage
from deepinfer_engine.model.rope import Rotation, frequencies, rotation
from deepinfer_engine.training.data import Batch
from deepinfer_engine.training.forward import Packed

__all__ = ["Blocks", "DraftLosses", "Drafting", "PackedDraftContext", "compare", "legal_tokens", "sample_blocks"]

_SHARE = {"entropy": 0.1, "distance": 0.9, "confidence": 1.0}
_FADE = 4.0


class Blocks(NamedTuple):
    """A blocks a row: anchors int64 `[B, A]` (positions in the row) and valid `[B, A, K]`, whether slot k is judged."""

    anchors: Tensor
    valid: Tensor


class DraftLosses(NamedTuple):
    """total: what is minimised. accept: mean acceptance of each slot `[K]`. tau, greedy: expected tokens a
    verification, when sampling and at temperature 0, over blocks with all slots. confidence: its mean error."""

    total: Tensor
    accept: Tensor
    tau: Tensor
    greedy: Tensor
    confidence: Tensor


def sample_blocks(batch: Batch, count: int, length: int) -> Blocks:
    """Up to `count` anchors a row among answer tokens that are followed by one, uniformly without replacement."""
    answers = batch.weights == 1
    following = torch.zeros_like(answers)
    following[:, :-1] = answers[:, 1:] & (batch.documents[:, 1:] == batch.documents[:, :-1])
    chance = torch.rand(answers.shape, device=answers.device) * (answers & following)
    chance, anchors = chance.topk(count, -1)
    slots = anchors[..., None] + torch.arange(1, length + 1, device=anchors.device)
    inside, slots = slots < answers.shape[1], slots.clamp_max(answers.shape[1] - 1)
    same = _at(batch.documents, slots) == batch.documents.gather(1, anchors)[..., None]
    valid = (chance[..., None] > 0) & inside & same & _at(answers, slots)
    return Blocks(anchors, valid.cumprod(-1).bool())


def _at(rows: Tensor, positions: Tensor) -> Tensor:
    """`rows [B, T]` at `positions [B, ...]`."""
    return rows.gather(1, positions.flatten(1)).view(positions.shape)


class PackedDraftContext:
    """Context of draft blocks in packed rows: `keys` are the stage keys `[B, T, d]` of each stage's layer."""

    def __init__(
        self, packed: Packed, documents: Tensor, blocks: Blocks, length: int, keys: Mapping[int, Tensor]
    ) -> None:
        self.config = packed.model.config
        self.keys, self.length = keys, length
        anchors = blocks.anchors
        self.shape = (*anchors.shape, length)
        steps = torch.arange(length, device=anchors.device)
        positions = (anchors[..., None] + steps).flatten()
        self._rotation = rotation(positions, frequencies(self.config, compressed=False, device=anchors.device))
        place = torch.arange(documents.shape[1], device=anchors.device)
        back = anchors[..., None] - place
        same = documents[:, None] == documents.gather(1, anchors)[..., None]
        self._past = same & (back > 0) & (back <= self.config.sliding_window)

    def rotation(self, compressed: bool) -> Rotation:
        if compressed:
            raise _no_compression()
        return self._rotation

    def rotation_at(self, positions: Tensor) -> Rotation:
        raise _no_compression()

    def close_groups(self, layer: int, content: Tensor, gate: Tensor | None, ratio: int) -> Closing:
        raise _no_compression()

    def store(self, layer: int, entries: Tensor, keys: Tensor, closing: Closing) -> None:
        raise _no_compression()

    def select(self, layer: int, queries: Tensor, weights: Tensor) -> None:
        raise _no_compression()

    def attend(self, layer: int, queries: Tensor, window: Tensor, sink: Tensor) -> Tensor:
        past = self.keys[layer]
        own = window.unflatten(0, self.shape)
        scaled = (queries * self.config.head_dim**-0.5).unflatten(0, self.shape)
        wide = torch.promote_types(queries.dtype, torch.float32)
        before = torch.einsum("baqhd,btd->baqht", scaled, past).to(wide)
        before = before.masked_fill(~self._past[:, :, None, None], -torch.inf)
        beside = torch.einsum("baqhd,bakd->baqhk", scaled, own).to(wide)
        column = sink.to(wide)[:, None].expand(*beside.shape[:-1], 1)
        share = torch.cat((before, beside, column), -1).softmax(-1).to(past.dtype)
        seen = past.shape[1]
        out = torch.einsum("baqht,btd->baqhd", share[..., :seen], past)
        out = out + torch.einsum("baqhk,bakd->baqhd", share[..., seen : seen + self.length], own)
        return out.flatten(0, 2)


def _no_compression() -> RuntimeError:
    return RuntimeError("a DSpark stage has ratio 0: it neither compresses nor selects")


def legal_tokens(batch: Batch, positions: Tensor, vocabulary: int) -> Tensor | None:
    """Bool `[..., vocabulary]`: what the constraint allows at `positions [B, ...]`; all of it where unknown."""
    if batch.masks is None or batch.mask_rows is None:
        return None
    rows = _at(batch.mask_rows, positions)
    words = batch.masks[rows.clamp_min(0)]
    bits = torch.arange(32, device=words.device, dtype=torch.int32)
    legal = ((words[..., None] >> bits) & 1).bool().flatten(-2)[..., :vocabulary]
    return legal | (rows < 0)[..., None]


def compare(
    draft: Tensor, target: Tensor, labels: Tensor, confidence: Tensor, valid: Tensor, legal: Tensor | None
) -> DraftLosses:
    """Losses of draft logits against target logits, both `[R, K, V]` fp32; the rest `[R, K]`, confidence as logits."""
    if legal is not None:
        draft, target = (x.masked_fill(~legal, -1e9) for x in (draft, target))
    slots = labels.shape[1]
    fade = torch.exp(-torch.arange(slots, device=labels.device) / _FADE)
    weight = valid * fade
    total = weight.sum().clamp_min(1e-6)
    log_q = draft.log_softmax(-1)
    distance = (log_q.exp() - target.softmax(-1)).abs().sum(-1)
    entropy = -log_q.gather(-1, labels[..., None])[..., 0]
    accept = (1 - 0.5 * distance).detach()
    confident = F.binary_cross_entropy_with_logits(confidence, accept.clamp(0, 1), reduction="none")
    loss = _SHARE["entropy"] * entropy + _SHARE["distance"] * distance + _SHARE["confidence"] * confident
    with torch.no_grad():
        whole = valid.all(-1)
        blocks = whole.sum().clamp_min(1)
        agree = (draft.argmax(-1) == target.argmax(-1)).float()
        tau, greedy = (1 + (x.cumprod(-1).sum(-1) * whole).sum() / blocks for x in (accept, agree))
        each = (accept * valid).sum(0) / valid.sum(0).clamp_min(1)
        error = ((confidence.sigmoid() - accept) * valid).sum() / valid.sum().clamp_min(1)
    return DraftLosses((loss * weight).sum() / total, each, tau, greedy, error)


class Drafting:
    """Draft losses of packed batches: the backbone runs without gradient, the stages with."""

    def __init__(self, packed: Packed, anchors: int, *, compiled: bool = False) -> None:
        self.packed, self.model, self.anchors = packed, packed.model, anchors
        self.length = packed.model.config.dspark_block_size
        self._compare: Any = torch.compile(compare, dynamic=False) if compiled else compare

    def losses(self, batch: Batch, blocks: Blocks | None = None) -> DraftLosses:
        """Losses of one batch at the given or at fresh anchors."""
        model = self.model
        blocks = sample_blocks(batch, self.anchors, self.length) if blocks is None else blocks
        slots = blocks.anchors[..., None] + torch.arange(self.length + 1, device=blocks.anchors.device)
        slots = slots.clamp_max(batch.tokens.shape[1] - 1)
        sequence = _at(batch.tokens, slots).flatten(0, 1)
        previous, labels = sequence[:, :-1], sequence[:, 1:]
        context = self.packed.context(batch.documents)
        with torch.no_grad():
            decoded = self.packed.run(batch, context)
            row = torch.arange(len(slots), device=slots.device)[:, None, None] * batch.tokens.shape[1]
            target = model.logits(decoded.hidden[(row + slots[..., :-1]).flatten()]).unflatten(0, labels.shape)
        features = model.project_taps(decoded.taps)
        first, keys = model.config.num_hidden_layers, dict[int, Tensor]()
        for number, stage in enumerate(model.mtp):
            seeded = cast(DraftStage, stage).seed(features, context)
            keys[first + number] = seeded.unflatten(0, batch.tokens.shape)
        tokens = torch.full_like(labels, model.config.dspark_noise_token_id)
        tokens[:, 0] = previous[:, 0]
        drafted = model.run_stages(tokens, PackedDraftContext(self.packed, batch.documents, blocks, self.length, keys))
        last = cast(DraftStage, model.mtp[-1])
        bias, embedded = last.markov_head(previous.flatten())
        logits = drafted.logits + bias.unflatten(0, labels.shape)
        confidence = last.confidence_head(drafted.hidden, embedded.unflatten(0, labels.shape))
        legal = legal_tokens(batch, slots[..., 1:], model.config.vocab_size)
        losses: DraftLosses = self._compare(
            logits,
            target,
            labels,
            confidence,
            blocks.valid.flatten(0, 1),
            None if legal is None else legal.flatten(0, 1),
        )
        return losses
