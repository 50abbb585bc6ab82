"""Rounding points of activations and caches (model-architecture section 4)."""

import math

import hypothesis.strategies as st
import pytest
import torch
from hypothesis import given
from torch import Tensor

from deepinfer_engine.model.quant import e2m1, round_fp4_e4m3, round_fp4_e8m0, round_fp8

GRID = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0]
quantisers = pytest.mark.parametrize("rounded", [round_fp8, round_fp4_e8m0, round_fp4_e4m3])


@st.composite
def rows(draw: st.DrawFn) -> Tensor:
    generator = torch.Generator().manual_seed(draw(st.integers(0, 2**31)))
    return torch.ldexp(torch.randn(3, 64, generator=generator), torch.tensor(draw(st.integers(-30, 20))))


@given(rows())
def test_fp8_takes_the_smallest_power_of_two_that_holds_the_block(x: Tensor) -> None:
    for block, got in zip(x.split(32, -1)[0], round_fp8(x).split(32, -1)[0], strict=True):
        scale = 2.0 ** math.ceil(math.log2(max(float(block.abs().max()), 1e-4) / 448))
        want = (block / scale).clamp(-448, 448).to(torch.float8_e4m3fn).float() * scale
        assert torch.equal(got, want)


def test_fp8_floors_the_largest_value_not_the_scale() -> None:
    """Trap 13: amax is held at 1e-4 before the division by 448."""
    x = torch.full((1, 32), 1e-9)
    step = 2.0 ** math.ceil(math.log2(1e-4 / 448)) * 2.0**-9
    assert torch.equal(round_fp8(x), torch.full((1, 32), 2 * step))


@given(st.floats(-8, 8, width=32))
def test_e2m1_is_the_nearest_grid_value_with_ties_to_even_codes(value: float) -> None:
    a = min(abs(value), 6.0)
    nearest = min(range(8), key=lambda code: (abs(GRID[code] - a), code % 2))
    assert float(e2m1(torch.tensor(value))) == math.copysign(GRID[nearest], value)


@given(rows())
def test_index_vectors_use_powers_of_two(x: Tensor) -> None:
    got, scale = round_fp4_e8m0(x), torch.exp2((x.unflatten(-1, (-1, 32)).abs().amax(-1) / 6).log2().ceil())
    codes = got.unflatten(-1, (-1, 32)) / scale[..., None]
    assert set(codes.abs().unique().tolist()) <= set(GRID)


def test_main_entries_use_an_e4m3_scale_with_a_floor_and_a_ceiling() -> None:
    x = torch.zeros(3, 16)
    x[0, 0], x[1, 0], x[2, 0] = 7.0, 1e-5, 1e6
    got = round_fp4_e4m3(x)[:, 0].tolist()
    # 7/6 in E4M3 is 1.125; the smallest scale is 2^-9; the largest holds 6 x 448.
    assert got == [6 * 1.125, 0.0, 6 * 448.0]


@quantisers
def test_zero_stays_zero_and_signs_stay(rounded: object) -> None:
    assert callable(rounded)
    x = torch.randn(4, 64, generator=torch.Generator().manual_seed(0))
    assert torch.equal(rounded(torch.zeros(2, 64)), torch.zeros(2, 64))
    assert torch.equal(rounded(-x), -rounded(x))


@quantisers
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float64])
def test_the_dtype_is_kept(rounded: object, dtype: torch.dtype) -> None:
    assert callable(rounded)
    x = torch.randn(4, 64, generator=torch.Generator().manual_seed(0)).bfloat16()
    got = rounded(x.to(dtype))
    assert got.dtype == dtype
    # Rounded values have few bits, except for the product with an E4M3 scale in bf16: that fits too.
    assert torch.equal(got.float(), rounded(x.float()))
