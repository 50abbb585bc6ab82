"""A bias-free linear layer that knows how its weight is stored and whether its input is rounded."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from deepinfer_engine.model.quant import round_fp8

__all__ = ["Linear", "Storage"]

Storage = str
"""How a tensor is stored in a released checkpoint: "fp8", "fp4", "bf16" or "f32"."""


class Linear(nn.Module):
    """y = x W^T, W `[out, in]`.

    `storage` is the released format; FP8 weights have a rounding point at their input, applied when `quantise` is set.
    """

    def __init__(self, inputs: int, outputs: int, storage: Storage = "fp8") -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(outputs, inputs))
        self.storage = storage
        self.quantise = False

    def forward(self, x: Tensor) -> Tensor:
        if self.quantise and self.storage == "fp8":
            x = round_fp8(x)
        return F.linear(x, self.weight.to(x.dtype))
