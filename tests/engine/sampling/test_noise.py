"""Noise: the stated bits, the stated law, independence of every neighbour, and nothing but its key."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from deepinfer_engine.sampling import noise
from deepinfer_engine.sampling.noise import ACCEPT, RESIDUAL, TARGET, draft_stream, gumbel, uniform

WORD = (1 << 64) - 1
WEYL = 0x9E3779B97F4A7C15

seeds = st.integers(0, 2**63 - 1)
positions = st.integers(0, 2**31)
streams = st.integers(0, 40)


def finalise(state: int) -> int:
    state &= WORD
    state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 & WORD
    state = (state ^ (state >> 27)) * 0x94D049BB133111EB & WORD
    return state ^ (state >> 31)


def origin(seed: int, position: int, stream: int) -> int:
    state = finalise(seed + WEYL)
    state = finalise(state + position * 0xDA942042E4DD58B5 + WEYL)
    return finalise(state + stream * 0xD1342543DE82EF95 + 1)


def uniforms_of(values: Tensor) -> Tensor:
    return torch.exp(-torch.exp(-values.to(torch.float64)))


def rows(seed_values: list[int], position_values: list[int], vocabulary: int, stream: int = TARGET) -> Tensor:
    return gumbel(torch.tensor(seed_values), torch.tensor(position_values), vocabulary, torch.float64, stream=stream)


def correlation(a: Tensor, b: Tensor) -> float:
    return float(torch.corrcoef(torch.stack([a.flatten(), b.flatten()]))[0, 1])


@given(seeds, positions, streams, st.integers(0, 300))
def test_the_bits_are_those_of_the_published_finaliser(seed: int, position: int, stream: int, token: int) -> None:
    key = origin(seed, position, stream)
    bits = finalise(key + token * WEYL) >> 1
    expected = -math.log(-math.log1p(-min(max(bits * 2.0**-63, 2.0**-64), 1 - 2.0**-53)))
    for dtype, tolerance in ((torch.float64, 1e-12), (torch.float32, 1e-5)):
        drawn = gumbel(torch.tensor([seed]), torch.tensor([position]), token + 1, dtype, stream=stream)
        assert drawn[0, token].item() == pytest.approx(expected, rel=tolerance, abs=tolerance)
    coin = uniform(torch.tensor([seed]), torch.tensor([position]), stream)
    assert coin.item() == ((finalise(key + WEYL) >> 12) + 0.5) * 2.0**-52


def test_the_sequence_stays_what_it_was() -> None:
    """A seed promises the same output in every release; these numbers may not change."""
    drawn = rows([0, 7], [0, 1234], 2)
    expected = [[0.7250959633737409, 1.176361295711332], [1.2476584435297664, 1.0370721415297337]]
    torch.testing.assert_close(drawn, torch.tensor(expected, dtype=torch.float64), rtol=1e-12, atol=1e-12)


@given(st.lists(st.tuples(seeds, positions), min_size=2, max_size=40), st.integers(1, 3000))
def test_a_row_depends_on_its_key_alone(keys: list[tuple[int, int]], vocabulary: int) -> None:
    together = rows([s for s, _ in keys], [p for _, p in keys], vocabulary)
    for row, (seed, position) in zip(together, keys, strict=True):
        assert torch.equal(row, rows([seed], [position], vocabulary)[0])
        assert torch.equal(row, rows([seed], [position], vocabulary + 17)[0, :vocabulary])


def test_moments_and_distribution() -> None:
    count = 1 << 20
    drawn = rows(list(range(128)), [3] * 128, count // 128)
    assert drawn.mean().item() == pytest.approx(0.5772156649, abs=0.006)
    assert drawn.var().item() == pytest.approx(math.pi**2 / 6, abs=0.02)
    coins = uniform(torch.arange(count), torch.tensor(5), ACCEPT)
    for sample in (uniforms_of(drawn).flatten(), coins):
        assert 0 < sample.min() < 1e-4
        assert 1 - 1e-4 < sample.max() < 1
        observed = torch.histc(sample, bins=256, min=0, max=1)
        statistic = ((observed - count / 256) ** 2 / (count / 256)).sum().item()
        assert 255 - 5 * math.sqrt(510) < statistic < 255 + 5 * math.sqrt(510)


def test_the_upper_tail_is_fine_grained() -> None:
    """Maxima of many tokens live there: the largest of n Gumbels is a Gumbel shifted by log n."""
    best = gumbel(torch.arange(400), torch.zeros(400, dtype=torch.int64), 8192).amax(dim=1)
    assert len(best.unique()) == 400
    assert (best - math.log(8192)).mean().item() == pytest.approx(0.5772, abs=0.25)


@pytest.mark.parametrize("step", [1, 2, 16, 1 << 16, 1 << 32])
def test_neighbours_are_uncorrelated(step: int) -> None:
    base = rows(list(range(200)), [40] * 200, 1000)
    bound = 5 / math.sqrt(base.numel())
    assert abs(correlation(base, rows([s + step for s in range(200)], [40] * 200, 1000))) < bound
    assert abs(correlation(base, rows(list(range(200)), [40 + step] * 200, 1000))) < bound
    if step < 500:
        assert abs(correlation(base[:, step:], base[:, :-step])) < bound


def test_streams_are_uncorrelated() -> None:
    names = [TARGET, ACCEPT, RESIDUAL, *(draft_stream(slot) for slot in range(8))]
    assert len(set(names)) == len(names)
    drawn = [rows(list(range(100)), [9] * 100, 1000, stream) for stream in names]
    matrix = torch.corrcoef(torch.stack([sample.flatten() for sample in drawn]))
    assert (matrix - torch.eye(len(names), dtype=torch.float64)).abs().max() < 5.5 / math.sqrt(drawn[0].numel())


def test_seed_and_position_are_not_interchangeable() -> None:
    assert not torch.equal(rows([3], [4], 8), rows([4], [3], 8))
    assert len(uniform(torch.arange(300)[:, None], torch.arange(300), ACCEPT).unique()) == 300 * 300


@pytest.mark.parametrize("bits", [0, -1, 1 << 62, -(1 << 63)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_no_pattern_of_bits_gives_an_infinity(bits: int, dtype: torch.dtype, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noise, "_finalise_", lambda state: torch.full_like(state, bits))
    assert gumbel(torch.zeros(3, dtype=torch.int64), torch.zeros(3, dtype=torch.int64), 5, dtype).isfinite().all()
    coin = uniform(torch.tensor([0]), torch.tensor([0]), ACCEPT)
    assert 0 < coin.item() < 1


def test_no_rows() -> None:
    nothing = torch.zeros(0, dtype=torch.int64)
    assert gumbel(nothing, nothing, 5).shape == (0, 5)
    assert uniform(nothing, nothing, ACCEPT).shape == (0,)
