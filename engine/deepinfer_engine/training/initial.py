"""Initial weights: the network starts as a plain residual stream whose sublayers say nothing yet.

- Input projections: normal, 1/sqrt(fan-in). Output projections (`wo_b`, `w2`): zero, so that every sublayer starts
  silent and the first gradients reach them first. Embedding: normal 0.3; head: zero, so that the first loss is
  log(vocabulary).
- Hyper-connections: `base` makes pre = 1/n for every row (the sublayer reads the rows' mean), comb near the identity
  (softmax logits 4 on the diagonal), post 1 on average, but larger on one row, which is another one from sublayer to
  sublayer: rows that are equal at first would otherwise get equal gradients for ever. `fn` is small and `scale` 0.1,
  so the mix starts almost independent of the stream.
- Sinks 0 (one more key of score 0), router biases 0, norm weights 1, Engram table normal 0.02 with q and k weights 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import cast

import torch
from torch import Tensor, nn

from deepinfer_engine.model.attention import Attention
from deepinfer_engine.model.block import Block
from deepinfer_engine.model.dspark import ConfidenceHead, MarkovHead
from deepinfer_engine.model.engram import Engram
from deepinfer_engine.model.linear import Linear
from deepinfer_engine.model.moe import Experts, Router, SharedExpert
from deepinfer_engine.model.norm import RMSNorm
from deepinfer_engine.model.transformer import Transformer

__all__ = ["initialise"]

Fill = Callable[[Tensor, float], None]


@torch.no_grad()
def initialise(model: Transformer, seed: int = 0) -> None:
    """Fill every parameter, stages included."""
    generator = torch.Generator().manual_seed(seed)

    def normal(parameter: Tensor, deviation: float) -> None:
        parameter.copy_(torch.randn(parameter.shape, generator=generator) * deviation)

    for module in model.modules():
        if isinstance(module, Linear):
            normal(module.weight, module.weight.shape[1] ** -0.5)
        elif isinstance(module, nn.Embedding):
            normal(module.weight, 0.3)
        elif isinstance(module, Router):
            normal(module.weight, module.weight.shape[1] ** -0.5)
            module.bias.zero_()
            module.bias_vl.zero_()
        elif isinstance(module, Experts):
            normal(module.w13, module.w13.shape[-1] ** -0.5)
        elif isinstance(module, RMSNorm):
            module.weight.fill_(1)
        elif isinstance(module, Engram):
            normal(module.embed.weight, 0.02)
            module.q_weight.fill_(1)
            module.k_weight.fill_(1)
    _silence(model)
    for block in (*model.layers, *model.mtp):
        _connect(cast(Block, block), normal)


def _connect(block: Block, normal: Fill) -> None:
    rows = block.hc_attn_base.shape[0]
    n = math.isqrt(1 + rows) - 1  # (2 + n) n outputs
    for turn, name in enumerate(("attn", "ffn")):
        fn, base, scale = (getattr(block, f"hc_{name}_{part}") for part in ("fn", "base", "scale"))
        normal(fn, 0.02)
        scale.fill_(0.1)
        pre = torch.full((n,), -math.log(n - 1) if n > 1 else 8.0)
        post = torch.full((n,), -0.3)
        post[(2 * block.layer + turn) % n] = 0.3 * (n - 1)
        base.copy_(torch.cat((pre, post, (4 * torch.eye(n)).flatten())))


def _silence(model: Transformer) -> None:
    """Zero what a sublayer adds, the logits, the Markov bias and the confidence."""
    for module in model.modules():
        if isinstance(module, Experts):
            module.w2.zero_()
        elif isinstance(module, Attention):
            module.wo_b.weight.zero_()
            module.attn_sink.zero_()
        elif isinstance(module, SharedExpert):
            module.w2.weight.zero_()
        elif isinstance(module, MarkovHead):
            module.head.weight.zero_()
        elif isinstance(module, ConfidenceHead):
            module.proj.weight.zero_()
    model.head.weight.zero_()
