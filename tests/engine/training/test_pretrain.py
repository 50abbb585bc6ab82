"""The loop learns, balances, saves and goes on; the nano model fits the size it promises."""

from pathlib import Path

import numpy as np
import pytest
import torch

from deepinfer_engine.model.moe import Router
from deepinfer_engine.model.transformer import Transformer
from deepinfer_engine.training.data import Packing, assemble
from deepinfer_engine.training.forward import Packed
from deepinfer_engine.training.initial import initialise
from deepinfer_engine.training.nano import checkpoint_bytes, nano_config
from deepinfer_engine.training.optimiser import Optimiser, balance, orthogonalise, reset_load
from deepinfer_engine.training.parts import load_parts, save_parts
from deepinfer_engine.training.schedule import Clock, Schedule
from deepinfer_engine.weights.checkpoint import save
from tests.engine.training.tiny import copy_document, random_model, tiny_config


def fresh_model() -> Transformer:
    model = Transformer(tiny_config())
    initialise(model)
    model.mtp.requires_grad_(False)
    return model.train()


def test_loss_falls_on_a_copy_task() -> None:
    torch.manual_seed(0)
    numbers = np.random.default_rng(0)
    documents = [copy_document(numbers, 6, 10) for _ in range(16)]
    batch = assemble([documents[:8], documents[8:]], Packing(rows=2, length=192))
    model = fresh_model()
    packed, optimiser = Packed(model, 2, 192), Optimiser(model, rate=6e-3, muon_rate=6e-3)
    reset_load(model)
    history = []
    for step in range(40):
        losses = packed.losses(batch, packed.probe(2, 32))
        (losses.weighted / batch.weights.sum() + 0.1 * losses.index_loss).backward()
        optimiser.step(min(1.0, (step + 1) / 5))
        uneven = balance(model, 1e-3)
        history.append(float(losses.answers / losses.answer_count))
        assert float(uneven) >= 1
    assert abs(history[0] - np.log(256)) < 0.01
    assert history[-1] < 0.5 * history[0]


def test_balance_pushes_against_the_load() -> None:
    model = fresh_model()
    reset_load(model)
    router = next(module for module in model.modules() if isinstance(module, Router))
    router(torch.randn(100, 64))
    assert router.load is not None
    load = router.load.clone()
    assert int(load.sum()) == 200
    balance(model, 0.5)
    assert torch.equal(router.bias.sign(), (load.float().mean() - load).sign())
    assert int(router.load.sum()) == 0


@pytest.mark.parametrize("shape", [(3, 8, 8), (2, 6, 20), (2, 20, 6)])
def test_orthogonalised_singular_values_are_near_one(shape: tuple[int, int, int]) -> None:
    values = torch.linalg.svdvals(orthogonalise(torch.randn(shape, generator=torch.Generator().manual_seed(0))))
    assert float(values.min()) > 0.3
    assert float(values.max()) < 1.4


def test_resuming_continues_with_the_same_weights(tmp_path: Path) -> None:
    model = random_model()
    save_parts(model, tmp_path, dtype=torch.float32)
    other = fresh_model()
    load_parts(other, tmp_path)
    assert all(torch.equal(p, q) for p, q in zip(model.state_dict().values(), other.state_dict().values(), strict=True))
    batch = assemble([[copy_document(np.random.default_rng(1))]], Packing(rows=1, length=64))
    losses = []
    for one in (model, other):
        one.mtp.requires_grad_(False)
        optimiser = Optimiser(one)
        Packed(one, 1, 64).losses(batch).weighted.backward()
        optimiser.step(1.0)
        losses.append(float(Packed(one, 1, 64).losses(batch).weighted.detach()))
    assert losses[0] == losses[1]


def test_parts_may_leave_the_stages_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deepinfer_engine.training.parts.PART_BYTES", 100_000)
    model = random_model()
    files = save_parts(model, tmp_path, without="mtp.")
    assert len(files) > 2
    other = fresh_model()
    kept = other.mtp[0].state_dict()
    load_parts(other, files[0])
    assert all(torch.equal(value, kept[name]) for name, value in other.mtp[0].state_dict().items())
    files[1].unlink()
    with pytest.raises(FileNotFoundError, match="want weights-1-of-N"):
        load_parts(other, tmp_path)


def test_schedule() -> None:
    schedule = Schedule(warmup=0.1, decay=0.4, floor=0.0, ramp=((0.5, 1), (1.0, 4)))
    assert [round(schedule.rate(f), 3) for f in (0.05, 0.1, 0.6, 0.8, 1.0)] == [0.5, 1, 1, 0.5, 0]
    assert [schedule.micro_batches(f) for f in (0, 0.49, 0.5, 1)] == [1, 1, 4, 4]
    clock = Clock(1e6, 0.5, 1.0)
    assert clock.fraction() == 0.5
    assert not clock.over


def test_the_nano_model_fits() -> None:
    assert 35.0 < checkpoint_bytes(nano_config()) / 2**20 <= 35.5


def test_the_predicted_size_is_the_written_size(tmp_path: Path) -> None:
    model = random_model()
    save(model, tmp_path)
    assert abs((tmp_path / "model.safetensors").stat().st_size - checkpoint_bytes(model.config)) < 1024
