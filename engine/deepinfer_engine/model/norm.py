"""RMSNorm, computed in fp32 with one cast at the end."""

from __future__ import annotations

import torch
from torch import Tensor, nn

__all__ = ["RMSNorm", "rms"]


def rms(x: Tensor, eps: float) -> Tensor:
    """x / sqrt(mean(x^2) + eps) over the last axis, fp32 (or wider), no weight."""
    wide = x.float() if x.dtype.itemsize < 4 else x
    return wide * torch.rsqrt(wide.square().mean(-1, keepdim=True) + eps)


class RMSNorm(nn.Module):
    """y = w * rms(x); the weight is stored bf16 and used in fp32."""

    storage = "bf16"

    def __init__(self, size: int, eps: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        return (rms(x, self.eps) * self.weight).to(x.dtype)
