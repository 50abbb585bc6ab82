"""The model on the meta device has exactly the tensors of the release."""

import hashlib
import re
from collections import Counter
from functools import cache

import pytest
import torch

from deepinfer_engine.weights.names import TensorSpec, meta_model, parts, plain_name, released_tensors
from tests.engine.weights.released import flash, inventory
from tests.toys import toy_config, toy_model


@cache
def released() -> dict[str, TensorSpec]:
    return released_tensors(flash())


def line(name: str, spec: TensorSpec) -> str:
    return f"{name} {spec.dtype} {list(spec.shape)}"


def test_kinds_of_tensors_are_those_of_the_release() -> None:
    patterns = Counter(line(re.sub(r"\.\d+\.", ".*.", name), spec) for name, spec in released().items())
    assert dict(patterns) == inventory()["patterns"]


def test_every_name_dtype_and_shape_is_that_of_the_release() -> None:
    assert len(released()) == inventory()["language"]
    text = "".join(line(name, spec) + "\n" for name, spec in sorted(released().items()))
    assert hashlib.sha256(text.encode()).hexdigest() == inventory()["sha256"]


def test_the_release_has_the_vision_tower_besides() -> None:
    vision = inventory()["vision"]
    assert all(plain_name(name) is None for name in vision)
    blocks = sum(".blocks." in name for name in vision)
    assert inventory()["language"] + len(vision) + 31 * blocks == inventory()["total"] == 96085


def test_the_engram_tables_have_the_configured_rows() -> None:
    rows = [spec.shape[0] for name, spec in released().items() if name.endswith("engram.embed.weight")]
    assert tuple(rows) == flash().engram_num_embeddings


@pytest.mark.parametrize("name", ["layers.0.attn.wkv.weight", "mtp.2.markov_head.head.weight", "embed.weight"])
def test_a_leading_model_is_tolerated(name: str) -> None:
    assert plain_name("model." + name) == plain_name(name) == name


@pytest.mark.parametrize("name", ["mtp.0.embed.weight", "mtp.2.head.weight", "model.mtp.1.head.weight"])
def test_tied_copies_are_ignored(name: str) -> None:
    assert plain_name(name) is None


def test_names_that_contain_each_other_stay_apart() -> None:
    """Trap 8: `w1` lies inside `markov_w1`, `gate.bias` inside `gate.bias_vl`; shared experts are no routed ones."""
    names = released()
    assert names["mtp.0.ffn.gate.bias"] == names["mtp.0.ffn.gate.bias_vl"] == TensorSpec("F32", (128,))
    assert sum("shared_experts" in name and name.startswith("mtp.") for name in names) == 18
    assert "mtp.2.markov_head.embed.weight" in names


def test_v4_tensors_are_not_expected() -> None:
    """Trap 12: no `hc_head`, no per-head query norm, no APE, and a scale for each 32 x 32 block."""
    assert not [name for name in released() if "hc_head" in name or ".ape" in name or "q_b_norm" in name]
    assert released()["layers.0.attn.wq_a.scale"].shape == (1280 // 32, 5120 // 32)


def test_every_parameter_is_covered_once() -> None:
    model = toy_model()
    rows = Counter[str]()
    for part in parts(model):
        rows[part.parameter] += int(torch.Size(part.shape).numel())
    assert rows == {name: parameter.numel() for name, parameter in model.named_parameters()}


def test_experts_follow_the_configured_dtype() -> None:
    name = "layers.0.ffn.experts.3.w2.weight"
    assert released_tensors(toy_config(expert_dtype="fp8"))[name] == TensorSpec("F8_E4M3", (64, 32))
    assert released_tensors(toy_config(expert_dtype="fp4"))[name] == TensorSpec("I8", (64, 16))


def test_the_meta_model_takes_no_memory() -> None:
    assert all(parameter.is_meta for parameter in meta_model(toy_config()).parameters())
