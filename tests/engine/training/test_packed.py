"""A packed document sees what it sees when served: itself, by the same rules, and nothing of its neighbours."""

import random

import numpy as np
import pytest
import torch

from deepinfer_engine.training.data import Batch, Packing, assemble, pack
from deepinfer_engine.training.flex import block_mask
from deepinfer_engine.training.forward import Packed
from deepinfer_engine.training.packed import PlainAttention, lookback
from deepinfer_engine.training.selfcheck import check_attention, random_batch
from tests.engine.training.tiny import Served, copy_document, random_model


def packed_copies(rows: int, length: int, seed: int = 0) -> Batch:
    numbers = np.random.default_rng(seed)
    documents = [copy_document(numbers, 5, length // 5) for _ in range(rows * 8)]
    bins = pack([len(d.tokens) for d in documents], length, 2)[:rows]
    random.Random(seed).shuffle(bins)
    return assemble([[documents[i] for i in members] for members in bins], Packing(rows=rows, length=length))


def test_packed_logits_are_served_logits() -> None:
    model = random_model()
    batch = packed_copies(3, 160)
    packed = Packed(model, 3, 160)
    with torch.no_grad():
        decoded = packed.run(batch, packed.context(batch.documents))
        logits = model.logits(decoded.hidden).unflatten(0, batch.tokens.shape)
        taps = decoded.taps.unflatten(0, batch.tokens.shape)
        compared = 0
        for row in range(3):
            for number in range(int(batch.documents[row].max()) + 1):
                place = batch.documents[row] == number
                served = Served(model, batch.tokens[row, place])
                torch.testing.assert_close(logits[row, place], served.logits, atol=1e-4, rtol=0)
                torch.testing.assert_close(taps[row, place], served.taps, atol=1e-4, rtol=0)
                compared += 1
    assert compared > 6
    assert logits.abs().max() > 0.5


def test_a_document_does_not_see_its_neighbours() -> None:
    model = random_model()
    batch = packed_copies(2, 128)
    packed = Packed(model, 2, 128)
    other = batch.tokens.clone()
    changed = batch.documents == 0
    other[changed] = (other[changed] + 7) % 256
    with torch.no_grad():
        one, two = (
            packed.run(batch._replace(tokens=tokens), packed.context(batch.documents)).hidden.unflatten(0, (2, 128))
            for tokens in (batch.tokens, other)
        )
    torch.testing.assert_close(one[~changed], two[~changed])
    assert not torch.allclose(one[changed], two[changed])


def test_lookback_stops_at_the_document() -> None:
    tokens = torch.tensor([[5, 6, 7, 8, 9, 2]])
    documents = torch.tensor([[0, 0, 1, 1, 1, -1]])
    expected = [[5, -1, -1], [6, 5, -1], [7, -1, -1], [8, 7, -1], [9, 8, 7], [2, -1, -1]]
    assert lookback(tokens, documents, 3).tolist() == expected


@pytest.mark.parametrize("ratio", [0, 2, 1])
def test_block_masks_are_the_plain_masks(ratio: int) -> None:
    documents = random_batch(2, 512, 200).documents
    keys = 512 + (512 // ratio if ratio else 0)
    plain = PlainAttention(documents, 64)
    plain(torch.zeros(2, 512, 1, 4), torch.zeros(2, keys, 4), torch.zeros(1), ratio)
    mask = plain._masks[ratio]
    blocks = block_mask(documents, 64, ratio)
    tiles = mask.unflatten(2, (-1, 128)).unflatten(1, (-1, 128)).transpose(2, 3).flatten(3)
    assert torch.equal(blocks.to_dense()[:, 0].bool(), tiles.any(-1))
    row = torch.arange(2)[:, None, None]
    by_mod = blocks.mask_mod(row, row, torch.arange(512)[:, None], torch.arange(keys))
    assert torch.equal(by_mod.expand_as(mask), mask)
    whole = torch.zeros_like(tiles.all(-1))
    assert blocks.full_kv_num_blocks is not None
    assert blocks.full_kv_indices is not None
    for place in np.ndindex(*whole.shape[:2]):
        count = int(blocks.full_kv_num_blocks[place[0], 0, place[1]])
        whole[place][blocks.full_kv_indices[place[0], 0, place[1], :count].long()] = True
    assert torch.equal(whole, tiles.all(-1))


def test_index_losses_train_the_indexer_alone() -> None:
    model = random_model()
    batch = packed_copies(2, 128)
    packed = Packed(model, 2, 128)
    losses = packed.losses(batch, packed.probe(2, 32))
    losses.index_loss.backward()
    touched = {name for name, p in model.named_parameters() if p.grad is not None and p.grad.abs().max() > 0}
    assert touched
    assert all(".indexer." in name for name in touched), touched


@pytest.mark.skipif(not torch.cuda.is_available(), reason="flex attention has no backward on the CPU")
def test_flex_attention_is_plain_attention() -> None:
    assert check_attention(torch.device("cuda"), torch.float32, 5e-3)
