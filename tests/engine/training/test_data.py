"""Shards become rows: nothing is lost or cut, documents start even, weights stand where they should."""

from pathlib import Path

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st

from deepinfer_engine.training.data import Loader, Packing, assemble, pack, read_shard
from tests.engine.training.tiny import copy_document, write_shard


@given(st.lists(st.integers(1, 64), max_size=60), st.sampled_from([1, 2, 4]))
def test_bins_hold_every_document_once(lengths: list[int], align: int) -> None:
    bins = pack(lengths, 64, align)
    assert sorted(i for members in bins for i in members) == list(range(len(lengths)))
    assert all(sum(-(-lengths[i] // align) * align for i in members) <= 64 for members in bins)


def test_packing_wastes_little() -> None:
    lengths = np.random.default_rng(0).integers(20, 600, 2000).tolist()
    bins = pack(lengths, 1024, 2)
    assert sum(lengths) > 0.97 * 1024 * len(bins)


def test_layout_of_a_row() -> None:
    numbers = np.random.default_rng(1)
    documents = [copy_document(numbers, 5, 8) for _ in range(3)]
    batch = assemble([documents], Packing(rows=1, length=64, pad=2))
    for number, (tokens, answer, _) in enumerate(documents):
        place = (batch.documents[0] == number).nonzero()[:, 0]
        assert int(place[0]) % 2 == 0
        assert batch.tokens[0, place].tolist() == tokens.tolist()
        expected = [0] + [0.1] * (answer - 1) + [1] * (len(tokens) - answer)
        torch.testing.assert_close(batch.weights[0, place], torch.tensor(expected, dtype=torch.float32))
    padding = batch.documents[0] == -1
    assert bool((batch.tokens[0, padding] == 2).all())
    assert float(batch.weights[0, padding].sum()) == 0


def test_the_loader_waits_consumes_and_repeats(tmp_path: Path) -> None:
    numbers = np.random.default_rng(2)
    packing = Packing(rows=2, length=64, pool=20)
    loader = Loader(tmp_path, packing, consume=True)
    try:
        documents = [copy_document(numbers) for _ in range(40)]
        write_shard(tmp_path / "a.safetensors", documents)
        batch = next(loader)
        assert batch.tokens.shape == (2, 64)
        assert not list(tmp_path.glob("*.safetensors"))
    finally:
        loader.close()
    write_shard(tmp_path / "b.safetensors", documents[:5])
    again = Loader(tmp_path, packing, repeat=True)
    try:
        assert next(again).tokens.shape == (2, 64)
    finally:
        again.close()
    assert len(read_shard(tmp_path / "b.safetensors")) == 5


def test_documents_that_do_not_fit_are_counted(tmp_path: Path) -> None:
    numbers = np.random.default_rng(3)
    write_shard(
        tmp_path / "a.safetensors", [*(copy_document(numbers) for _ in range(30)), copy_document(numbers, 90, 91)]
    )
    loader = Loader(tmp_path, Packing(rows=1, length=64, pool=8))
    try:
        next(loader)
        assert loader.dropped == 1
    finally:
        loader.close()
