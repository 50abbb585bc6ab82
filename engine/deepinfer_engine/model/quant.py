"""Activation and cache quantisers of DeepSeek-V4.1 (model-architecture section 4): values are rounded, not packed."""

from __future__ import annotations

import torch
from torch import Tensor

__all__ = ["e2m1", "round_fp4_e4m3", "round_fp4_e8m0", "round_fp8"]

_E4M3_MAX = 448.0
_E2M1_MAX = 6.0


def _power_of_two_ceiling(x: Tensor) -> Tensor:
    """The smallest power of two >= x, exactly (from the bits, no logarithm); x > 0, fp32."""
    mantissa, exponent = torch.frexp(x)
    return torch.ldexp(torch.ones_like(x), torch.where(mantissa == 0.5, exponent - 1, exponent))


def round_fp8(x: Tensor, block: int = 32) -> Tensor:
    """q8(b): E4M3 with a power-of-two scale for each `block` consecutive channels of the last axis."""
    groups: Tensor = x.float().unflatten(-1, (-1, block))
    scale = _power_of_two_ceiling(groups.abs().amax(-1, keepdim=True).clamp_min(1e-4) * (1 / _E4M3_MAX))
    rounded = (groups / scale).clamp(-_E4M3_MAX, _E4M3_MAX).to(torch.float8_e4m3fn).float() * scale
    return rounded.flatten(-2).to(x.dtype)


def e2m1(x: Tensor) -> Tensor:
    """Round fp32 to the E2M1 grid (0, .5, 1, 1.5, 2, 3, 4, 6 and signs), ties to the even code, saturating."""
    a = x.abs().clamp(max=_E2M1_MAX)
    # The step is 0.5 below 2, 1 in [2, 4), 2 in [4, 6]; torch.round ties to even, which is the even code here.
    step = torch.where(a < 2, 0.5, torch.where(a < 4, 1.0, 2.0))
    return torch.copysign(torch.round(a / step) * step, x)


def round_fp4_e8m0(x: Tensor, block: int = 32) -> Tensor:
    """q4(32, E8M0): index queries and keys."""
    groups: Tensor = x.float().unflatten(-1, (-1, block))
    amax = groups.abs().amax(-1, keepdim=True)
    scale = _power_of_two_ceiling(amax.clamp_min(_E2M1_MAX * 2.0**-126) * (1 / _E2M1_MAX))
    return (e2m1(groups / scale) * scale).flatten(-2).to(x.dtype)


def round_fp4_e4m3(x: Tensor, block: int = 16) -> Tensor:
    """q4(16, E4M3): main KV entries."""
    groups: Tensor = x.float().unflatten(-1, (-1, block))
    amax = groups.abs().amax(-1, keepdim=True)
    scale = (amax.clamp_min(_E2M1_MAX * 2.0**-9) / _E2M1_MAX).clamp(max=_E4M3_MAX).to(torch.float8_e4m3fn).float()
    return (e2m1(groups / scale) * scale).flatten(-2).to(x.dtype)
