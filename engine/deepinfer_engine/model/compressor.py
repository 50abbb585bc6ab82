"""Compressed main KV of a source layer: ratio-r gated pooling without overlap (model-architecture 3.4)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from deepinfer_engine.config import ModelConfig
from deepinfer_engine.model.context import Closing
from deepinfer_engine.model.linear import Linear
from deepinfer_engine.model.norm import RMSNorm

__all__ = ["Compressor"]


class Compressor(nn.Module):
    """latent = rms(sum over the group of softmax(gate) * content); at ratio 1 the content itself.

    Ratios above 1 are computed in fp32, ratio 1 in the stream's dtype (section 8).
    """

    def __init__(self, config: ModelConfig, ratio: int) -> None:
        super().__init__()
        self.ratio = ratio
        self.wkv = Linear(config.hidden_size, config.head_dim, "bf16")
        self.norm = RMSNorm(config.head_dim, config.rms_norm_eps)
        if ratio > 1:
            self.wgate = Linear(config.hidden_size, config.head_dim, "bf16")

    def project(self, x: Tensor) -> tuple[Tensor, Tensor | None]:
        """Per-row content and gate, `[N, head_dim]` each; what the context keeps of an unfinished group."""
        if self.ratio == 1:
            return self.wkv(x), None
        wide = x.float() if x.dtype == torch.bfloat16 else x
        return self.wkv(wide), self.wgate(wide)

    def pool(self, closing: Closing, dtype: torch.dtype) -> Tensor:
        """Latents `[E, head_dim]`, before RoPE."""
        gate = closing.gate
        pooled = closing.content[:, 0] if gate is None else (closing.content * gate.softmax(1)).sum(1)
        latent: Tensor = self.norm(pooled)
        return latent.to(dtype)
