"""Partial rotary embedding: the last channels of a head, interleaved pairs, YaRN for compressed layers."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from deepinfer_engine.config import ModelConfig

__all__ = ["Rotation", "frequencies", "rotate", "rotation"]

Rotation = tuple[Tensor, Tensor]
"""cos `[N, rope]` and signed sin `[N, rope]`, fp32, each angle repeated for the pair (2i, 2i + 1)."""


def frequencies(config: ModelConfig, *, compressed: bool, device: torch.device | None = None) -> Tensor:
    """`[rope / 2]` fp32 (model-architecture section 1): theta 10000 without YaRN for window-only layers,
    compress_rope_theta with YaRN for everything in a layer that has a compressed part. There is no mscale.
    """
    size = config.qk_rope_head_dim
    base = config.compress_rope_theta if compressed else config.rope_theta
    freq = base ** (-torch.arange(0, size, 2, dtype=torch.float32, device=device) / size)
    if not compressed:
        return freq
    scaling = config.rope_scaling

    def correction(rotations: float) -> float:
        length = scaling.original_max_position_embeddings
        return size * math.log(length / (2 * math.pi * rotations)) / (2 * math.log(base))

    low = max(math.floor(correction(scaling.beta_fast)), 0)
    high = min(math.ceil(correction(scaling.beta_slow)), size - 1)
    index = torch.arange(size // 2, dtype=torch.float32, device=device)
    ramp = ((index - low) / max(high - low, 1e-3)).clamp(0, 1)
    return freq * (1 - ramp) + freq / scaling.factor * ramp


def rotation(positions: Tensor, freq: Tensor) -> Rotation:
    """Angles of integer `positions [N]`."""
    angle = positions.float()[:, None] * freq
    cos, sin = angle.cos(), angle.sin()
    return torch.repeat_interleave(cos, 2, -1), torch.stack((-sin, sin), -1).flatten(-2)


def rotate(x: Tensor, by: Rotation, *, inverse: bool = False) -> Tensor:
    """Rotate the last channels of `x [N, ..., d]` by the angle of its row; the other channels are untouched."""
    cos, sin = by
    size = cos.shape[-1]
    shape = (cos.shape[0], *[1] * (x.dim() - 2), size)
    cos, sin = cos.view(shape), sin.view(shape)
    tail = x[..., -size:]
    swapped = tail.unflatten(-1, (-1, 2)).flip(-1).flatten(-2)
    turned = tail * cos - swapped * sin if inverse else tail * cos + swapped * sin
    return torch.cat((x[..., :-size], turned.to(x.dtype)), -1)
