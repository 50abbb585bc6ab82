"""Mechanisms that ports of the model got wrong, one test each (model-architecture section 7)."""

import math
from pathlib import Path
from typing import Any

import pytest
import torch

from deepinfer_engine.cache.context import ServingContext, Span
from deepinfer_engine.model.block import Block
from deepinfer_engine.model.hyper_connections import HyperConnection, Mix, first_mix, spread
from deepinfer_engine.model.moe import Experts, Router
from deepinfer_engine.model.norm import RMSNorm
from deepinfer_engine.model.rope import rotate, rotation
from deepinfer_engine.weights.checkpoint import load, save
from tests.engine.cache.drive import Drive
from tests.toys import toy_config, toy_model, toy_tokens


def test_rotation_turns_interleaved_pairs_of_the_last_channels() -> None:
    """Trap 1."""
    by = rotation(torch.tensor([3]), torch.tensor([1.0, 0.5]))
    x = torch.tensor([[9.0, 8.0, 1.0, 0.0, 0.0, 1.0]])
    want = [9.0, 8.0, math.cos(3), math.sin(3), -math.sin(1.5), math.cos(1.5)]
    torch.testing.assert_close(rotate(x, by), torch.tensor([want]))


def test_the_inverse_rotation_undoes_it() -> None:
    """Trap 3: without mscale the rotation keeps lengths, and its inverse is exact."""
    by, x = rotation(torch.tensor([5, 900]), torch.tensor([1.0, 0.1])), torch.randn(2, 3, 8)
    torch.testing.assert_close(rotate(rotate(x, by), by, inverse=True), x)
    torch.testing.assert_close(rotate(x, by).norm(dim=-1), x.norm(dim=-1))


def test_entries_are_rotated_at_the_position_of_their_first_token() -> None:
    """Trap 3: entry j of ratio 2 sits at 2 j, not at j."""
    model, text = toy_model(), toy_tokens(9)
    drive = Drive(model, page_tokens=32)
    seen: list[list[int]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ServingContext, "store", lambda *args: seen.append(args[-1].positions.tolist()))
        drive.step([text], [Span(0, 0, 9)])
    assert seen[0] == [0, 2, 4, 6]


def mix(n: int = 4, rows: int = 3) -> Mix:
    generator = torch.Generator().manual_seed(0)
    outputs = (2 + n) * n
    fn = torch.randn(outputs, n * 8, generator=generator)
    base, scale = torch.randn(outputs, generator=generator), torch.tensor([0.9, 0.8, 0.7])
    return HyperConnection(n, 20, 1e-6, 1e-20)(torch.randn(rows, n, 8, generator=generator), fn, base, scale)


def test_hyper_connection_coefficients_have_their_ranges() -> None:
    """Trap 4: post reaches 2 and has no eps, pre is a sigmoid, comb is doubly stochastic and ends on columns."""
    pre, post, comb = mix()
    assert bool(((pre > 0) & (pre < 1 + 1e-5)).all())
    assert bool((post < 2).all())
    assert bool((post > 1).any())
    torch.testing.assert_close(comb.sum(-2), torch.ones(3, 4), atol=5e-6, rtol=0)
    torch.testing.assert_close(comb.sum(-1), torch.ones(3, 4), atol=0.05, rtol=0)


def test_the_stream_is_mixed_over_the_first_index_of_comb() -> None:
    """Trap 4: B transposed would pass every test with a symmetric matrix."""
    comb = torch.zeros(1, 2, 2)
    comb[0, 0, 1] = 1.0
    stream = torch.tensor([[[1.0, 2.0], [30.0, 40.0]]])
    out = spread(stream, Mix(torch.ones(1, 2), torch.tensor([[0.5, 2.0]]), comb), torch.tensor([[100.0, 0.0]]))
    assert out.tolist() == [[[50.0, 0.0], [201.0, 2.0]]]


def test_the_first_sublayer_reads_the_embedding_row() -> None:
    assert first_mix(2, 4, torch.device("cpu")).tolist() == [[1, 0, 0, 0]] * 2


def test_queries_are_not_normed_per_head() -> None:
    """Trap 12: a norm behind wq_b would cancel its scale."""
    text = toy_tokens(6)
    want = Drive(toy_model()).feed(text, ())[0]
    model = toy_model()
    for layer in model.layers:
        assert isinstance(layer, Block)
        layer.attn.wq_b.weight.mul_(2)
    assert float((Drive(model).feed(text, ())[0] - want).abs().max()) > 1e-2
    norms = [name for name, module in model.layers[0].named_modules() if isinstance(module, RMSNorm)]
    assert norms == ["attn_norm", "ffn_norm", "attn.q_norm", "attn.kv_norm"]


def test_index_scores_pass_through_a_relu() -> None:
    """Trap 5: sum of weight x relu(dot) over heads; without the relu entry 0 would win."""
    drive = Drive(toy_model(index_topk=1), page_tokens=32)
    keys = drive.memory.keys[1]
    page = int(drive.table[0, 0])
    keys[page, :3, :3] = torch.tensor([[-1.0, 0, 0], [1.0, 0, 0], [0, 0, 0.5]])
    queries, weights = torch.zeros(1, 8, 32), torch.zeros(1, 8)
    queries[0, 0, 0] = queries[0, 1, 2] = 1.0
    weights[0, :2] = torch.tensor([-1.0, 1.0])
    context = ServingContext(drive.memory, drive.table, [Span(0, 5, 1)], drive.rotations)
    context.select(1, queries, weights)
    chosen = context._chosen[0]
    assert chosen is not None
    assert chosen.flatten().tolist() == [False, False, True]


def test_the_router_bias_selects_and_does_not_weigh() -> None:
    router = Router(4, 3, 2, 1.5)
    with torch.no_grad():
        router.weight.copy_(torch.eye(3, 4))
        router.bias.copy_(torch.tensor([0.0, 0.0, 50.0]))
    chosen, weights = router(torch.tensor([[2.0, 1.0, -1.0, 0.0]]))
    scores = torch.nn.functional.softplus(torch.tensor([2.0, -1.0])).sqrt()
    order = chosen[0].argsort()
    assert chosen[0][order].tolist() == [0, 2]
    torch.testing.assert_close(weights[0][order], scores / scores.sum() * 1.5)


def test_dense_and_gathered_experts_agree() -> None:
    experts = Experts(16, 32, 6, 0.3)
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for parameter in experts.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator))
    x = torch.randn(9, 16, generator=generator)
    chosen = torch.stack([torch.randperm(6, generator=generator)[:2] for _ in range(9)])
    weights = torch.rand(9, 2, generator=generator)
    with torch.no_grad():
        torch.testing.assert_close(experts.dense(x, chosen, weights), experts.by_expert(x, chosen, weights))


def test_a_draft_block_sees_all_of_itself() -> None:
    """Trap 8: rows of the block attend to later rows too, so a longer block changes its first row."""
    drive = Drive(toy_model())
    drive.feed(toy_tokens(20), ())
    short, long = (drive.draft([7], [0], [20], length)[1] for length in (2, 5))
    assert float((short[0, 0] - long[0, 0]).abs().max()) > 1e-4


def test_double_precision_runs() -> None:
    model, text = toy_model(), toy_tokens(30)
    want = Drive(model).feed(text, (7,))[0]
    got = Drive(toy_model(dtype=torch.float64)).feed(text, (7,))[0]
    assert got.dtype == torch.float64
    torch.testing.assert_close(got.float(), want, atol=1e-4, rtol=0)


def test_half_precision_runs(tmp_path: Path) -> None:
    save(toy_model(), tmp_path)
    text = toy_tokens(8)
    want = Drive(load(tmp_path).model).feed(text, ())[0]
    drive = Drive(load(tmp_path, dtype=torch.bfloat16).model)
    got = drive.feed(text, (3,))[0]
    assert got.dtype == torch.float32
    # Rounding flips routes now and then, so only the whole is near.
    assert float((got - want).norm() / want.norm()) < 0.5
    assert drive.draft([7], [0], [8], 5)[1].dtype == torch.float32


def test_a_model_without_engram_and_draft_stages_runs() -> None:
    bare: dict[str, Any] = {"engram_layer_ids": (), "num_nextn_predict_layers": 0, "dspark_target_layer_ids": ()}
    drive = Drive(toy_model(compress_ratios=toy_config().compress_ratios[:9], **bare), max_draft=0)
    text = toy_tokens(20)
    torch.testing.assert_close(drive.feed(text, (6, 1))[0], drive.feed(text, ())[0], atol=1e-5, rtol=0)
