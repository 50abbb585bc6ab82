"""One training forward: packed batch to losses, with the parts between attention compiled."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from deepinfer_engine.model.block import Block
from deepinfer_engine.model.transformer import Decoded, Transformer
from deepinfer_engine.training.data import Batch
from deepinfer_engine.training.flex import FlexAttention
from deepinfer_engine.training.packed import Layout, PackedContext, PlainAttention, Probe, lookback

__all__ = ["Losses", "Packed", "compile_parts", "cross_entropy"]


class Losses(NamedTuple):
    """Sums over a batch: weighted loss (what is minimised, once divided by the weights' sum), negative log-likelihood
    of answers and of prompts, their token counts, and the mean index loss."""

    weighted: Tensor
    answers: Tensor
    prompts: Tensor
    answer_count: Tensor
    prompt_count: Tensor
    index_loss: Tensor


def cross_entropy(hidden: Tensor, head: Tensor, targets: Tensor) -> Tensor:
    """-log p of each target `[N]` from normed hidden states `[N, d]`; logits in fp32."""
    return F.cross_entropy(F.linear(hidden.float(), head.float()), targets, reduction="none")


class Packed:
    """A model set up for packed batches of one shape on its device.

    flex: flex attention (CUDA) instead of materialised masks. compile: compile what lies between attention.
    """

    def __init__(
        self,
        model: Transformer,
        rows: int,
        length: int,
        *,
        token_map: Tensor | None = None,
        flex: bool = False,
        compiled: bool = False,
    ) -> None:
        device = model.embed.weight.device
        self.model, self.flex = model, flex
        self.layout = Layout(model.config, rows, length, device)
        self.hash = model.ngram_hash(token_map)
        self._entropy: Any = torch.compile(cross_entropy, dynamic=False) if compiled else cross_entropy
        if compiled:
            compile_parts(model)

    def context(self, documents: Tensor, probe: Probe | None = None) -> PackedContext:
        """Who sees whom in one batch."""
        window = self.model.config.sliding_window
        attend = FlexAttention(documents, window) if self.flex else PlainAttention(documents, window)
        return PackedContext(self.layout, documents, attend, probe)

    def run(self, batch: Batch, context: PackedContext) -> Decoded:
        """The backbone over all rows, flat."""
        hashes = None
        if self.hash is not None:
            hashes = self.hash(lookback(batch.tokens, batch.documents, self.hash.ngram))
        decoded: Decoded = self.model(batch.tokens.flatten(), hashes, context)
        return decoded

    def losses(self, batch: Batch, probe: Probe | None = None) -> Losses:
        """Losses of predicting each token from the one before."""
        context = self.context(batch.documents, probe)
        decoded = self.run(batch, context)
        hidden = self.model.norm(decoded.hidden)
        # Every row predicts the next token; the last of a row predicts nothing that counts.
        targets = batch.tokens.roll(-1, 1).flatten()
        weights = batch.weights.roll(-1, 1)
        weights[:, -1] = 0
        weights = weights.flatten()
        loss = self._entropy(hidden, self.model.head.weight, targets)
        answers, prompts = weights == 1, (weights > 0) & (weights < 1)
        index = torch.stack(context.index_losses).mean() if context.index_losses else loss.new_zeros(())
        detached = loss.detach()
        return Losses(
            (loss * weights).sum(),
            (detached * answers).sum(),
            (detached * prompts).sum(),
            answers.sum(),
            prompts.sum(),
            index,
        )

    def probe(self, rows: int = 2, positions: int = 128) -> Probe:
        """Random queries for the index loss."""
        layout = self.layout
        row = torch.randint(layout.rows, (rows,), device=layout.device)
        return Probe(row, torch.randint(layout.length, (positions,), device=layout.device))


def compile_parts(model: Transformer) -> None:
    """Compile each layer's two parts around attention, and Engram; equal layers share their code."""
    torch._dynamo.config.recompile_limit = 64
    for block in (*model.layers, *model.mtp):
        if not isinstance(block, Block):
            continue
        for name in ("before", "after"):
            setattr(block, name, torch.compile(getattr(block, name), dynamic=False))
        if block.engram is not None:
            block.engram.compile(dynamic=False)
