"""Block formats: exact on what they can represent, nearest elsewhere, and stable when applied again."""

import hypothesis.strategies as st
import pytest
import torch
from hypothesis import given
from torch import Tensor

from deepinfer_engine.errors import CheckpointError
from deepinfer_engine.weights.formats import (
    ROW_BLOCK,
    dequantise_fp4,
    dequantise_fp8,
    quantise_fp4,
    quantise_fp8,
    scale_shape,
)

E2M1 = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0]
blocks = st.sampled_from([(32, 32), (16, 32), (1, 32), (128, 128)])


@st.composite
def weights(draw: st.DrawFn, columns: int = 1) -> Tensor:
    """Matrices whose entries span many magnitudes, with zero blocks, outliers and negative zeros."""
    rows, width = draw(st.integers(1, 70)), columns * draw(st.integers(1, 70 // min(columns, 32)))
    generator = torch.Generator().manual_seed(draw(st.integers(0, 2**31)))
    value = torch.randn(rows, width, generator=generator)
    value = torch.ldexp(value, torch.tensor(draw(st.integers(-60, 60))))
    if draw(st.booleans()):
        value[torch.rand(value.shape, generator=generator) < 0.3] *= 1000
    if draw(st.booleans()):
        value[torch.rand(value.shape, generator=generator) < 0.5] *= -0.0
    if draw(st.booleans()):
        value[: rows // 2] = 0
    return value


def e8m0(*exponents: int) -> Tensor:
    return torch.tensor([[exponent + 127 for exponent in exponents]], dtype=torch.uint8).view(torch.float8_e8m0fnu)


@given(weights(), blocks)
def test_fp8_quantised_again_gives_the_same_bytes(value: Tensor, block: tuple[int, int]) -> None:
    packed, scale = quantise_fp8(value, block)
    assert scale.shape == scale_shape((value.shape[0], value.shape[1]), block)
    again, scale_again = quantise_fp8(dequantise_fp8(packed, scale, block), block)
    assert torch.equal(again.view(torch.uint8), packed.view(torch.uint8))
    assert torch.equal(scale_again.view(torch.uint8), scale.view(torch.uint8))


@given(weights(columns=32))
def test_fp4_quantised_again_gives_the_same_bytes(value: Tensor) -> None:
    packed, scale = quantise_fp4(value)
    again, scale_again = quantise_fp4(dequantise_fp4(packed, scale))
    assert torch.equal(again, packed)
    assert torch.equal(scale_again.view(torch.uint8), scale.view(torch.uint8))


@given(weights(), blocks)
def test_fp8_errors_stay_within_half_a_step(value: Tensor, block: tuple[int, int]) -> None:
    packed, scale = quantise_fp8(value, block)
    error = (dequantise_fp8(packed, scale, block) - value).abs()
    largest = float(value.abs().max())
    # Three mantissa bits: half a step is 1/16; below the normal range it is 2^-10 of the block's scale.
    assert bool((error <= value.abs() / 16 + largest * 2.0**-10 / 232).all())


@given(weights(columns=32))
def test_fp4_beats_the_scale_that_never_clips(value: Tensor) -> None:
    packed, scale = quantise_fp4(value)
    groups = value.unflatten(-1, (-1, 32))
    fixed = torch.exp2((groups.abs().amax(-1, keepdim=True) / 6).log2().ceil())
    grid = torch.tensor(E2M1)
    nearest = grid[((groups / fixed).abs()[..., None] - grid).abs().argmin(-1)] * fixed * groups.sign()
    nearest = torch.where(fixed > 0, nearest, 0.0)
    ours = dequantise_fp4(packed, scale).unflatten(-1, (-1, 32))
    error, plain = ((x - groups).double().square().sum(-1) for x in (ours, nearest))
    assert bool((error <= plain * (1 + 1e-6)).all())


def test_low_nibbles_are_even_columns() -> None:
    codes = list(range(16)) * 2
    packed = torch.tensor(
        [[low | high << 4 for low, high in zip(codes[::2], codes[1::2], strict=True)]], dtype=torch.uint8
    )
    want = torch.tensor([[*E2M1, *(-x for x in E2M1)] * 2])
    assert torch.equal(dequantise_fp4(packed.view(torch.int8), e8m0(0)), want)
    assert torch.equal(dequantise_fp4(packed.view(torch.int8), e8m0(-3)), want / 8)


def test_scales_are_bytes_not_numbers() -> None:
    """Trap 9: 2^-7 cast to an integer would be 0."""
    value = torch.full((1, 32), 1.0).to(torch.float8_e4m3fn)
    assert dequantise_fp8(value, e8m0(-7), ROW_BLOCK).unique().tolist() == [2.0**-7]


def test_every_exponent_is_exact() -> None:
    scale = torch.arange(255, dtype=torch.uint8)[:, None].view(torch.float8_e8m0fnu)
    one = torch.ones(255, 32).to(torch.float8_e4m3fn)
    got = dequantise_fp8(one, scale, ROW_BLOCK)[:, 0].double()
    assert got.tolist() == [2.0 ** (byte - 127) for byte in range(255)]


def test_a_nan_scale_is_refused() -> None:
    scale = torch.tensor([[255]], dtype=torch.uint8).view(torch.float8_e8m0fnu)
    with pytest.raises(CheckpointError, match="NaN"):
        dequantise_fp8(torch.zeros(32, 32).to(torch.float8_e4m3fn), scale, (32, 32))
    with pytest.raises(CheckpointError, match="NaN"):
        dequantise_fp4(torch.zeros(1, 16, dtype=torch.int8), scale)


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_what_is_not_finite_is_refused(bad: float) -> None:
    value = torch.ones(2, 32)
    value[1, 3] = bad
    with pytest.raises(CheckpointError, match="finite"):
        quantise_fp4(value)
    with pytest.raises(CheckpointError, match="finite"):
        quantise_fp8(value, (32, 32))


def test_blocks_over_the_edge_have_their_own_scale() -> None:
    value = torch.ones(33, 40)
    value[32, 35] = 2.0**20
    packed, scale = quantise_fp8(value, (32, 32))
    assert scale.shape == (2, 2)
    assert torch.equal(dequantise_fp8(packed, scale, (32, 32))[:32], value[:32])
    assert float(dequantise_fp8(packed, scale, (32, 32))[32, 35]) == 2.0**20


def test_ties_go_to_the_even_code() -> None:
    value = torch.zeros(1, 32)
    value[0, :9] = torch.tensor([6.0, 0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0, -2.5])
    packed, scale = quantise_fp4(value)
    assert dequantise_fp4(packed, scale)[0, :9].tolist() == [6.0, 0.0, 1.0, 1.0, 2.0, 2.0, 4.0, 4.0, -2.0]
