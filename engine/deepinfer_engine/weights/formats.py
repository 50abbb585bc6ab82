"""Storage formats of released weights (model-architecture section 4): packed bytes to fp32 and back.

E8M0 scales are exponent bytes: they are read as bytes, never cast as numbers; byte 255 is a NaN and refused.
Quantising what was dequantised gives the same bytes again.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import torch
import torch.nn.functional as F
from torch import Tensor

from deepinfer_engine.errors import CheckpointError

__all__ = ["FP4_BLOCK", "ROW_BLOCK", "dequantise_fp4", "dequantise_fp8", "quantise_fp4", "quantise_fp8", "scale_shape"]

Block = tuple[int, int]
"""Rows and columns that share one scale."""

FP4_BLOCK: Block = (1, 32)
ROW_BLOCK: Block = (1, 32)

_E4M3_MAX = 448.0
# Up to here a number rounds to 448 without saturating; a smaller scale would only clip.
_E4M3_REACH = 464.0
_E2M1_MAX = 6.0
_E2M1 = torch.tensor([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6])
# 2^(byte - 127); byte 255 is refused before it is looked up.
_E8M0_VALUES = np.array([math.ldexp(1.0, byte - 127) for byte in range(255)] + [math.nan], dtype=np.float32)
_FP8_VALUES = torch.arange(256, dtype=torch.uint8).view(torch.float8_e4m3fn).float().numpy()


def _nibble_pairs() -> npt.NDArray[np.uint64]:
    """Two fp32 values a byte, low nibble first, as one 64-bit word so that one lookup moves both."""
    byte = torch.arange(256)
    return torch.stack((_E2M1[byte % 16], _E2M1[byte // 16]), -1).numpy().view(np.uint64).ravel()


_FP4_PAIRS = _nibble_pairs()


def scale_shape(shape: tuple[int, int], block: Block) -> tuple[int, int]:
    """Scales of a weight `[rows, columns]`; a block that hangs over the edge has one as well."""
    return -(-shape[0] // block[0]), -(-shape[1] // block[1])


def dequantise_fp8(weight: Tensor, scale: Tensor, block: Block) -> Tensor:
    """E4M3 `[o, i]` times the E8M0 scale of its block, fp32."""
    values = torch.from_numpy(_FP8_VALUES.take(_bytes(weight)))
    return _scale(values, _exponents(scale), block)


def dequantise_fp4(weight: Tensor, scale: Tensor) -> Tensor:
    """MXFP4: bytes `[o, i / 2]`, E8M0 `[o, i / 32]` -> fp32 `[o, i]`."""
    values = torch.from_numpy(_FP4_PAIRS.take(_bytes(weight)).view(np.float32))
    return _scale(values, _exponents(scale), FP4_BLOCK)


def quantise_fp8(values: Tensor, block: Block) -> tuple[Tensor, Tensor]:
    """`[o, i]` -> E4M3 `[o, i]` and E8M0 scales; the smallest power of two at which nothing saturates."""
    blocks = _blocks(values, block)
    scale = _power_of_two(blocks.abs().amax((1, 3), keepdim=True) / _E4M3_REACH)
    rounded = (blocks / scale).clamp(-_E4M3_MAX, _E4M3_MAX)
    return _unblock(rounded, values.shape).to(torch.float8_e4m3fn), _to_e8m0(scale[:, 0, :, 0])


def quantise_fp4(values: Tensor) -> tuple[Tensor, Tensor]:
    """`[o, i]` -> int8 nibble pairs `[o, i / 2]` and E8M0 `[o, i / 32]`.

    A block takes the scale that just holds its largest value, or half of it where clipping that value costs less
    than the finer grid saves (squared error, ties to the finer grid).
    """
    blocks = _finite(values.float()).unflatten(-1, (-1, FP4_BLOCK[1]))
    wide = _power_of_two(blocks.abs().amax(-1, keepdim=True) / _E2M1_MAX)
    fine = (wide / 2).clamp_min(2.0**-127)
    codes, error = _nearest_e2m1(blocks, wide)
    finer_codes, finer_error = _nearest_e2m1(blocks, fine)
    finer = (finer_error <= error) & (wide > fine) & (blocks != 0).any(-1, keepdim=True)
    chosen = torch.where(finer, finer_codes, codes).flatten(-2)
    packed = chosen[..., 0::2] | (chosen[..., 1::2] << 4)
    return packed.view(torch.int8), _to_e8m0(torch.where(finer, fine, wide)[..., 0])


def _nearest_e2m1(blocks: Tensor, scale: Tensor) -> tuple[Tensor, Tensor]:
    """Codes uint8, ties to the even one, and the squared error of each block in units of the values."""
    magnitude = (blocks / scale).abs().clamp(max=_E2M1_MAX)
    # The step is 0.5 below 2, 1 in [2, 4), 2 in [4, 6]; codes count steps: 0-4, then 4-6, then 6-7.
    step = torch.where(magnitude < 2, 0.5, torch.where(magnitude < 4, 1.0, 2.0))
    rounded = torch.round(magnitude / step) * step
    code = torch.where(rounded <= 2, rounded * 2, torch.where(rounded <= 4, rounded + 2, rounded / 2 + 4))
    error = (rounded * scale - blocks.abs()).double().square().sum(-1, keepdim=True)
    return code.to(torch.uint8) | (torch.signbit(blocks).to(torch.uint8) << 3), error


def _bytes(packed: Tensor) -> npt.NDArray[np.uint8]:
    out: npt.NDArray[np.uint8] = packed.cpu().contiguous().view(torch.uint8).numpy()
    return out


def _exponents(scale: Tensor) -> Tensor:
    """2^(byte - 127), fp32, from the bytes."""
    byte = _bytes(scale)
    if bad := int((byte == 255).sum()):
        raise CheckpointError(f"{bad} of {byte.size} E8M0 scales are 255, which is NaN")
    return torch.from_numpy(_E8M0_VALUES.take(byte))


def _scale(values: Tensor, scale: Tensor, block: Block) -> Tensor:
    """Multiply blocks in place."""
    rows, columns = block
    if values.shape[0] % rows or values.shape[1] % columns:
        grown = scale.repeat_interleave(rows, 0)[: values.shape[0]].repeat_interleave(columns, 1)
        return values.mul_(grown[:, : values.shape[1]])
    view = values.view(scale.shape[0], rows, scale.shape[1], columns)
    view.mul_(scale[:, None, :, None])
    return values


def _blocks(values: Tensor, block: Block) -> Tensor:
    """`[o, i]` -> fp32 `[o / b, b, i / b, b]`, padded with zeros."""
    values = _finite(values.float())
    padded = F.pad(values, (0, -values.shape[1] % block[1], 0, -values.shape[0] % block[0]))
    blocks: Tensor = padded.unflatten(1, (-1, block[1])).unflatten(0, (-1, block[0]))
    return blocks


def _unblock(blocks: Tensor, shape: torch.Size) -> Tensor:
    return blocks.flatten(2, 3).flatten(0, 1)[: shape[0], : shape[1]]


def _finite(values: Tensor) -> Tensor:
    if not bool(torch.isfinite(values).all()):
        raise CheckpointError("a weight that is not finite cannot be quantised")
    return values


def _power_of_two(x: Tensor) -> Tensor:
    """The smallest power of two >= x in the range of E8M0, exactly; 1 where x is zero."""
    mantissa, exponent = torch.frexp(x.double())
    exponent = torch.where(mantissa == 0.5, exponent - 1, exponent).clamp(-127, 127)
    return torch.where(x > 0, torch.ldexp(torch.ones_like(x), exponent), 1.0)


def _to_e8m0(scale: Tensor) -> Tensor:
    """Powers of two to exponent bytes."""
    byte = (torch.frexp(scale).exponent - 1 + 127).to(torch.uint8).contiguous()
    return byte.view(torch.float8_e8m0fnu)
