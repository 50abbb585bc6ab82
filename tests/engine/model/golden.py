"""The golden run of the tiny model: its configuration, its weights drawn again, and the recorded outputs."""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from torch import Tensor

from deepinfer_engine.config import ModelConfig, RopeScaling
from deepinfer_engine.model.transformer import Transformer
from deepinfer_engine.weights.names import parts

VECTORS = Path(__file__).parents[2] / "vectors"


@cache
def golden() -> tuple[Transformer, dict[str, Tensor]]:
    """The model and the recorded tensors (see tests/vectors/make_v41_golden.py)."""
    with safe_open(VECTORS / "v41_golden.safetensors", framework="pt") as file:
        metadata = file.metadata()
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (safe_open is no mapping)
    with torch.device("meta"):
        model = Transformer(tiny_config(json.loads(metadata["config"])))
    model.to_empty(device="cpu").requires_grad_(False).eval()
    total = draw(model, json.loads(metadata["names"]))
    assert math.isclose(total, float(metadata["check"]), rel_tol=1e-9), "torch draws other random numbers than recorded"
    return model, tensors


def draw(model: Transformer, names: list[str]) -> float:
    """Weights in the order and scale of the restatement; returns their sum."""
    by_name = {part.name: part for part in parts(model)}
    state = model.state_dict()
    generator = torch.Generator().manual_seed(0)
    total = 0.0
    for name in names:
        part = by_name.pop(name)
        value = scaled(name, torch.randn(part.shape, generator=generator))
        total += float(value.double().sum())
        place = state[part.parameter]
        if part.expert is not None:
            place = place[part.expert, part.begin : part.begin + part.shape[0]]
        place.copy_(value)
    # The restatement knows no images, so it has no bias for them.
    assert all(name.endswith("gate.bias_vl") for name in by_name)
    for name in by_name:
        state[name].zero_()
    return total


def scaled(name: str, value: Tensor) -> Tensor:
    if name.endswith(("norm.weight", "q_weight", "k_weight")):
        return 1 + 0.2 * value
    if name.endswith(("_base", "gate.bias")):
        return 0.4 * value
    if name.endswith("_scale"):
        return 0.7 + 0.2 * value.abs()
    if name.endswith(("attn_sink", "embed.weight")):
        return value
    return value * (0.8 / math.sqrt(value.shape[-1]))


def tiny_config(c: dict[str, Any]) -> ModelConfig:
    """The restatement's short names under the released ones."""
    yarn = c["yarn"]
    return ModelConfig(
        vocab_size=c["vocab"],
        hidden_size=c["dim"],
        num_hidden_layers=c["n_layers"],
        moe_intermediate_size=c["inter"],
        num_attention_heads=c["heads"],
        head_dim=c["hd"],
        qk_rope_head_dim=c["rope"],
        q_lora_rank=c["q_rank"],
        o_lora_rank=c["o_rank"],
        o_groups=c["o_groups"],
        n_routed_experts=c["experts"],
        num_experts_per_tok=c["top"],
        compress_ratios=tuple(c["ratios"]),
        kv_source_layer_ids=tuple(c["kv_src"]),
        index_source_layer_ids=tuple(c["ix_src"]),
        index_n_heads=c["ih"],
        index_head_dim=c["ihd"],
        index_topk=c["topk"],
        candidate_source_layer_id=c["cand_src"],
        candidate_topk_blocks=c["cand_blocks"],
        candidate_block_size=c["cand_block"],
        routed_scaling_factor=c["scale"],
        swiglu_limit=c["limit"],
        rms_norm_eps=c["eps"],
        rope_theta=c["theta"],
        compress_rope_theta=c["ctheta"],
        rope_scaling=RopeScaling(
            factor=yarn["factor"],
            beta_fast=yarn["fast"],
            beta_slow=yarn["slow"],
            original_max_position_embeddings=yarn["orig"],
        ),
        sliding_window=c["window"],
        hc_mult=c["hc"],
        hc_sinkhorn_iters=c["sink"],
        hc_eps=c["hc_eps"],
        engram_layer_ids=tuple(c["eng_layers"]),
        engram_max_ngram_size=c["eng_n"],
        engram_vocab_size=c["eng_vocab"],
        engram_n_heads=c["eng_heads"],
        engram_head_dim=c["eng_hd"],
        engram_pad_token_id=c["eng_pad"],
        engram_compressed_vocab_size=c["vocab"],
        num_nextn_predict_layers=c["stages"],
        dspark_block_size=c["block"],
        dspark_noise_token_id=c["noise"],
        dspark_target_layer_ids=tuple(c["targets"]),
        dspark_markov_rank=c["mrank"],
        dspark_n_routed_experts=c["d_experts"],
        dspark_num_experts_per_tok=c["d_top"],
    )
