"""The n-gram hash: a pure function of the last tokens, with pads before the start and behind images."""

import torch
from torch import Tensor

from deepinfer_engine.model.engram import NgramHash, moduli, multipliers
from tests.toys import toy_config

IMAGE = 90
CONFIG = toy_config(image_token_id=IMAGE)
PAD = CONFIG.engram_pad_token_id


def hashed(*recent: list[int], token_map: Tensor | None = None) -> Tensor:
    return NgramHash(CONFIG, token_map, torch.device("cpu"))(torch.tensor(recent))


def plainly(recent: list[int], layer: int) -> list[int]:
    """Row ids of one layer from four token ids, newest first, in Python integers."""
    scaled = [token * m for token, m in zip(recent, multipliers(CONFIG.engram_layer_ids[layer], 4, 96), strict=True)]
    primes = moduli(2, 3, CONFIG.engram_n_heads, CONFIG.engram_vocab_size)[layer]
    rows, mixed, offset = [], scaled[0], 0
    for order in range(1, 4):
        mixed ^= scaled[order]
        for prime in primes[order - 1]:
            rows.append(mixed % prime + offset)
            offset += prime
    return rows


def test_rows_are_those_of_the_formula() -> None:
    recent = [[7, 95, 3, 0], [1, 1, 1, 1]]
    got = hashed(*recent)
    assert got.tolist() == [[plainly(row, layer) for row in recent] for layer in (0, 1)]


def test_before_the_start_lie_pads() -> None:
    assert torch.equal(hashed([7, -1, -1, -1], [7, 8, -1, -1]), hashed([7, PAD, PAD, PAD], [7, 8, PAD, PAD]))


def test_an_image_token_hides_everything_behind_it() -> None:
    """Blocking is sticky: what is older than an image counts as pad even if it is text."""
    assert torch.equal(hashed([7, IMAGE, 9, 9]), hashed([7, PAD, PAD, PAD]))
    assert torch.equal(hashed([7, 8, IMAGE, 9]), hashed([7, 8, PAD, PAD]))
    assert torch.equal(hashed([IMAGE, 8, 9, 9]), hashed([PAD, PAD, PAD, PAD]))


def test_ids_outside_the_vocabulary_block_as_well() -> None:
    assert torch.equal(hashed([7, 96, 9, 9]), hashed([7, IMAGE, 9, 9]))


def test_mapped_tokens_hash_alike_and_the_pad_is_mapped_too() -> None:
    token_map = torch.arange(96)
    token_map[10], token_map[PAD] = 11, 5
    assert torch.equal(hashed([10, 3, 4, 6], token_map=token_map), hashed([11, 3, 4, 6]))
    assert torch.equal(hashed([7, -1, -1, -1], token_map=token_map), hashed([7, 5, 5, 5]))


def test_rows_stay_inside_the_table() -> None:
    rows = [sum(sum(order) for order in layer) for layer in moduli(2, 3, 2, CONFIG.engram_vocab_size)]
    recent = torch.randint(0, 96, (500, 4), generator=torch.Generator().manual_seed(0)).tolist()
    for layer, got in enumerate(hashed(*recent)):
        assert int(got.min()) >= 0
        assert int(got.max()) < rows[layer]
