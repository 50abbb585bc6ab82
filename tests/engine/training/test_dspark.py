"""Draft blocks in packed rows are the blocks that serving drafts; their losses are those of the paper."""

import math

import numpy as np
import torch

from deepinfer_engine.cache.context import DraftContext
from deepinfer_engine.training.data import Batch, Packing, assemble, read_shard
from deepinfer_engine.training.dspark import (
    Blocks,
    Drafting,
    PackedDraftContext,
    compare,
    legal_tokens,
    sample_blocks,
)
from deepinfer_engine.training.forward import Packed
from deepinfer_engine.training.optimiser import Optimiser
from tests.engine.training.tiny import Served, copy_document, random_model, write_shard


def batch_of(count: int, rows: int = 2, length: int = 128) -> Batch:
    numbers = np.random.default_rng(3)
    documents = [copy_document(numbers, 12, 20) for _ in range(rows * count)]
    groups = [documents[i * count : (i + 1) * count] for i in range(rows)]
    return assemble(groups, Packing(rows=rows, length=length))


def test_packed_blocks_are_served_blocks() -> None:
    model, batch = random_model(), batch_of(2)
    length = model.config.dspark_block_size
    packed = Packed(model, 2, 128)
    blocks = sample_blocks(batch, 6, length)
    with torch.no_grad():
        context = packed.context(batch.documents)
        features = model.project_taps(packed.run(batch, context).taps)
        keys = {
            model.config.num_hidden_layers + i: stage.seed(features, context).unflatten(0, (2, 128))  # type: ignore[operator]
            for i, stage in enumerate(model.mtp)
        }
        tokens = torch.full((12, length), model.config.dspark_noise_token_id)
        tokens[:, 0] = batch.tokens.gather(1, blocks.anchors).flatten()
        drafted = model.run_stages(tokens, PackedDraftContext(packed, batch.documents, blocks, length, keys))
        for number, anchor in enumerate(blocks.anchors.flatten().tolist()):
            row = number // 6
            place = (batch.documents[row] == batch.documents[row, anchor]).nonzero()[:, 0]
            before = place[place < anchor]
            served = Served(model, batch.tokens[row, before])
            own = DraftContext(served.memory, [served.slot], [len(before)], length, served.rotations)
            expected = model.draft(batch.tokens[row, anchor][None], length, own)
            torch.testing.assert_close(drafted.logits[number], expected.logits[0], atol=1e-4, rtol=0)
            torch.testing.assert_close(drafted.hidden[number], expected.hidden[0], atol=1e-4, rtol=0)


def test_anchors_lie_in_answers_and_slots_stop_with_them() -> None:
    batch = batch_of(3)
    anchors, valid = sample_blocks(batch, 40, 5)
    some = valid.any(-1)
    assert some.any()
    weights = batch.weights.gather(1, anchors)
    assert bool((weights[some] == 1).all())
    for row, column in some.nonzero().tolist():
        anchor = int(anchors[row, column])
        follows = [
            anchor + k < 128
            and batch.documents[row, anchor + k] == batch.documents[row, anchor]
            and bool(batch.weights[row, anchor + k] == 1)
            for k in range(1, 6)
        ]
        assert valid[row, column].tolist() == follows


def test_losses_by_hand() -> None:
    draft, target = torch.tensor([[[0.5, 0.5], [0.9, 0.1]]]).log(), torch.tensor([[[0.7, 0.3], [0.2, 0.8]]]).log()
    losses = compare(draft, target, torch.tensor([[0, 1]]), torch.zeros(1, 2), torch.ones(1, 2).bool(), None)
    torch.testing.assert_close(losses.accept, torch.tensor([0.8, 0.3]))
    assert math.isclose(float(losses.tau), 1 + 0.8 + 0.8 * 0.3, rel_tol=1e-5)
    weight = [1, math.exp(-0.25)]
    each = [0.1 * -math.log(0.5) + 0.9 * 0.4 + math.log(2), 0.1 * -math.log(0.1) + 0.9 * 1.4 + math.log(2)]
    assert math.isclose(
        float(losses.total), sum(w * x for w, x in zip(weight, each, strict=True)) / sum(weight), rel_tol=1e-5
    )


def test_masked_losses_compare_what_is_legal() -> None:
    draft, target = torch.randn(1, 1, 3), torch.randn(1, 1, 3)
    legal = torch.tensor([[[True, False, False]]])
    losses = compare(draft, target, torch.tensor([[0]]), torch.zeros(1, 1), torch.ones(1, 1).bool(), legal)
    assert float(losses.accept[0]) == 1


def test_masks_travel_from_shard_to_position(tmp_path) -> None:  # type: ignore[no-untyped-def]
    numbers = np.random.default_rng(0)
    documents = [copy_document(numbers) for _ in range(4)]
    answers = [len(d.tokens) - d.answer for d in documents]
    masks = np.zeros((sum(answers), 8), np.int32)
    sequence = np.concatenate([d.tokens[d.answer :] for d in documents]).astype(np.int64)
    bit = np.left_shift(np.uint32(1), (sequence % 32).astype(np.uint32)).view(np.int32)
    masks[np.arange(len(sequence)), sequence // 32] = bit
    write_shard(tmp_path / "shard.safetensors", documents, masks)
    batch = assemble([read_shard(tmp_path / "shard.safetensors")], Packing(rows=1, length=256))
    positions = (batch.weights[0] == 1).nonzero().T
    legal = legal_tokens(batch, positions, 256)
    assert legal is not None
    assert torch.equal(legal[0].nonzero()[:, 1], batch.tokens[0, positions[0]])
    assert bool(legal_tokens(batch, torch.tensor([[0]]), 256).all())  # type: ignore[union-attr]


def test_stages_learn_and_the_backbone_stays() -> None:
    torch.manual_seed(0)
    model, batch = random_model(), batch_of(2)
    model.requires_grad_(False)
    for name, parameter in model.mtp.named_parameters():
        parameter.requires_grad_("gate.bias" not in name)
    frozen = {name: p.clone() for name, p in model.named_parameters() if not p.requires_grad}
    drafting = Drafting(Packed(model, 2, 128), 12)
    optimiser = Optimiser(model.mtp, rate=3e-3, muon_rate=3e-3)
    blocks: Blocks = sample_blocks(batch, 12, 5)
    history = []
    for _ in range(12):
        losses = drafting.losses(batch, blocks)
        losses.total.backward()
        optimiser.step(1.0)
        history.append(float(losses.total.detach()))
    assert history[-1] < 0.8 * history[0]
    assert all(torch.equal(p, frozen[name]) for name, p in model.named_parameters() if name in frozen)
