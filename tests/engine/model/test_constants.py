"""Numbers of the release that everything downstream depends on (model-architecture 3.1, 3.2, 3.5)."""

import pytest
import torch

from deepinfer_engine.model.engram import moduli, multipliers
from deepinfer_engine.model.rope import frequencies
from tests.engine.weights.released import flash


def test_engram_multipliers_are_the_published_ones() -> None:
    assert multipliers(1, 4, 99092) == (76632096046245, 4839876093313, 35959672319349, 73987337458391)
    assert multipliers(14, 4, 99092) == (67716810739261, 51510806800915, 30921347202721, 82619226485591)


def test_token_times_multiplier_never_leaves_int64() -> None:
    for layer in flash().engram_layer_ids:
        assert max(multipliers(layer, 4, 99092)) * 99091 < 2**63


def test_engram_moduli_are_distinct_primes_with_the_configured_sums() -> None:
    c = flash()
    primes = moduli(2, c.engram_max_ngram_size - 1, c.engram_n_heads, c.engram_vocab_size)
    flat = [[prime for order in layer for prime in order] for layer in primes]
    assert (flat[0][0], flat[0][-1]) == (16000057, 16000463)
    assert (flat[1][0], flat[1][-1]) == (16000477, 16000889)
    assert tuple(map(sum, flat)) == c.engram_num_embeddings
    assert len({prime for layer in flat for prime in layer}) == 48


def test_yarn_ramps_between_pairs_15_and_25() -> None:
    c = flash()
    plain = c.compress_rope_theta ** (-torch.arange(0, 64, 2, dtype=torch.float64) / 64)
    share = frequencies(c, compressed=True).double() / plain
    torch.testing.assert_close(share[:16], torch.ones(16, dtype=torch.float64), atol=1e-6, rtol=0)
    torch.testing.assert_close(share[25:], torch.full((7,), 1 / 16, dtype=torch.float64), atol=1e-6, rtol=0)
    ramp = 1 - torch.arange(1, 10, dtype=torch.float64) / 10 * (15 / 16)
    torch.testing.assert_close(share[16:25], ramp, atol=1e-6, rtol=0)


def test_window_layers_have_neither_yarn_nor_the_larger_base() -> None:
    """Trap 2."""
    want = 10000.0 ** (-torch.arange(0, 64, 2, dtype=torch.float64) / 64)
    torch.testing.assert_close(frequencies(flash(), compressed=False).double(), want, atol=0, rtol=1e-5)


def test_the_decoder_starts_at_the_first_layer_of_ratio_one() -> None:
    assert flash().decoder_start == 20


@pytest.mark.parametrize(
    ("layer", "entries", "indices"),
    [
        *((0, None, None), (1, None, None), (2, 2, 2), (7, 2, 2), (13, 8, 8), (19, 14, 14), (20, 20, 20), (23, 20, 20)),
        *((24, 20, 24), (27, 20, 24), (31, 20, 28), (36, 20, 36), (39, 20, 36), (40, None, None), (42, None, None)),
    ],
)
def test_sources_follow_the_layer_plan(layer: int, entries: int | None, indices: int | None) -> None:
    assert (flash().kv_source(layer), flash().index_source(layer)) == (entries, indices)
