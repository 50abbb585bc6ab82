"""Checkpoint folders: round trips, plain and sharded files, and one error that lists everything that does not fit."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from deepinfer_engine.config import ModelConfig
from deepinfer_engine.errors import CheckpointError, ConfigError
from deepinfer_engine.model.transformer import Transformer
from deepinfer_engine.weights.checkpoint import Storage, load, save
from deepinfer_engine.weights.names import released_tensors
from tests.engine.weights.test_tokens import written
from tests.toys import toy_config, toy_model

# Few layers, so that a test is quick: window, Full, Full decoder with draft stages.
SMALL: dict[str, Any] = {
    "num_hidden_layers": 3,
    "compress_ratios": (0, 2, 1, 0, 0, 0),
    "kv_source_layer_ids": (1, 2),
    "index_source_layer_ids": (1, 2),
    "candidate_source_layer_id": 2,
    "engram_layer_ids": (0,),
    "dspark_target_layer_ids": (2,),
}


@pytest.fixture
def model() -> Transformer:
    return toy_model(**SMALL)


@pytest.fixture
def folder(model: Transformer, tmp_path: Path) -> Path:
    save(model, tmp_path / "saved")
    return tmp_path / "saved"


def edit(folder: Path, change: Callable[[dict[str, Tensor]], object]) -> None:
    tensors = load_file(folder / "model.safetensors")
    change(tensors)
    save_file(tensors, folder / "model.safetensors")


def states_equal(one: Transformer, other: Transformer) -> bool:
    state, others = one.state_dict(), other.state_dict()
    return state.keys() == others.keys() and all(torch.equal(state[name], others[name]) for name in state)


@pytest.mark.parametrize("storage", ["released", "f32", "bf16"])
@pytest.mark.parametrize("experts", ["fp4", "fp8"])
def test_what_was_loaded_is_written_back_byte_for_byte(tmp_path: Path, storage: Storage, experts: str) -> None:
    save(toy_model(expert_dtype=experts, **SMALL), tmp_path / "one", storage=storage)
    loaded = load(tmp_path / "one")
    save(loaded.model, tmp_path / "two", storage=storage)
    for name in ("config.json", "model.safetensors"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    assert loaded.weights_hash == load(tmp_path / "two").weights_hash
    assert sorted(path.name for path in (tmp_path / "one").iterdir()) == ["config.json", "model.safetensors"]


def test_plain_storage_loses_nothing(model: Transformer, tmp_path: Path) -> None:
    save(model, tmp_path, storage="f32")
    loaded = load(tmp_path)
    assert states_equal(loaded.model, model)
    assert loaded.config == model.config


def test_the_released_formats_stay_close(folder: Path, model: Transformer) -> None:
    for name, got in load(folder).model.state_dict().items():
        want = model.state_dict()[name]
        error = float((got - want).norm() / want.norm())
        assert error < (0.12 if "experts" in name and "shared" not in name else 0.04), name


def test_the_file_holds_the_released_tensors(folder: Path) -> None:
    spelling = {torch.bfloat16: "BF16", torch.float32: "F32", torch.int8: "I8"}
    spelling |= {torch.float8_e4m3fn: "F8_E4M3", torch.float8_e8m0fnu: "F8_E8M0"}
    stored = {n: (spelling[t.dtype], tuple(t.shape)) for n, t in load_file(folder / "model.safetensors").items()}
    assert stored == {name: tuple(spec) for name, spec in released_tensors(toy_config(**SMALL)).items()}


def test_a_loaded_model_is_for_inference(folder: Path) -> None:
    model = load(folder).model
    assert not model.training
    assert not any(parameter.requires_grad or parameter.is_meta for parameter in model.parameters())


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float64])
def test_other_dtypes_keep_what_must_be_wide(folder: Path, dtype: torch.dtype) -> None:
    state, exact = load(folder, dtype=dtype).model.state_dict(), load(folder).model.state_dict()
    wide = torch.promote_types(dtype, torch.float32)
    for name, value in state.items():
        kept = "hc_" in name or "attn_sink" in name or ".gate." in name
        assert value.dtype == (wide if kept else dtype), name
        # Released values have few bits: bf16 holds all of them exactly.
        assert torch.equal(value.float(), exact[name]), name


def test_nothing_depends_on_the_file_once_loaded(folder: Path) -> None:
    loaded = load(folder)
    before = {name: value.clone() for name, value in loaded.model.state_dict().items()}
    size = (folder / "model.safetensors").stat().st_size
    with (folder / "model.safetensors").open("r+b") as file:
        file.write(b"\xff" * size)
    assert all(torch.equal(value, before[name]) for name, value in loaded.model.state_dict().items())


@pytest.mark.parametrize("index", [True, False])
def test_shards_are_read_as_one(folder: Path, index: bool) -> None:
    whole = load(folder).model
    tensors = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    names = sorted(tensors)
    mapping: dict[str, str] = {}
    for part in range(3):
        file = f"model-0000{part}-of-00003.safetensors"
        save_file({name: tensors[name] for name in names[part::3]}, folder / file)
        mapping |= dict.fromkeys(names[part::3], file)
    if index:
        (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": mapping}), encoding="utf-8")
    assert states_equal(load(folder).model, whole)
    save(whole, folder)
    assert states_equal(load(folder).model, whole)


def test_a_missing_shard_is_named(folder: Path) -> None:
    mapping = {"weight_map": {"embed.weight": "model-00001-of-00002.safetensors"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(mapping), encoding="utf-8")
    with pytest.raises(CheckpointError, match=r"lacks model-00001-of-00002\.safetensors"):
        load(folder)


def test_prefixed_names_vision_and_tied_copies_are_tolerated(folder: Path) -> None:
    whole = load(folder).model

    def change(tensors: dict[str, Tensor]) -> None:
        for name in list(tensors):
            tensors["model." + name] = tensors.pop(name)
        tensors["mtp.0.embed.weight"] = tensors["model.embed.weight"].clone()
        tensors["vision.norm.weight"] = torch.zeros(4)
        tensors["image_start"] = torch.zeros(4)

    edit(folder, change)
    assert states_equal(load(folder).model, whole)


def test_one_error_lists_all_that_does_not_fit(folder: Path) -> None:
    def change(tensors: dict[str, Tensor]) -> None:
        del tensors["norm.weight"], tensors["layers.1.attn.wkv.scale"]
        tensors["layers.7.attn.wkv.weight"] = torch.zeros(4)
        tensors["head.weight"] = tensors["head.weight"][:5].clone()
        tensors["layers.0.ffn.experts.0.w1.weight"] = tensors["layers.0.ffn.experts.0.w1.weight"].view(torch.uint8)

    edit(folder, change)
    with pytest.raises(CheckpointError, match="2 missing, 1 unexpected, 2 of a wrong kind") as caught:
        load(folder)
    error = caught.value
    assert set(error.missing) == {"layers.1.attn.wkv.scale", "norm.weight"}
    assert error.unexpected == ("layers.7.attn.wkv.weight",)
    assert set(error.mismatched) == {
        "head.weight: BF16 [5, 64], want BF16 [96, 64]",
        "layers.0.ffn.experts.0.w1.weight: U8 [32, 32], want I8 [32, 32]",
    }
    assert any("unexpected: layers.7.attn.wkv.weight" in note for note in error.__notes__)


def test_long_lists_are_shown_in_part(folder: Path) -> None:
    edit(folder, lambda tensors: [tensors.pop(name) for name in list(tensors) if "experts" in name])
    with pytest.raises(CheckpointError) as caught:
        load(folder)
    assert len(caught.value.missing) > 100
    assert all(len(note) < 500 for note in caught.value.__notes__)


def test_scales_beside_a_plain_tensor_are_unexpected(folder: Path) -> None:
    name = "layers.0.attn.wkv.weight"
    edit(folder, lambda tensors: tensors.update({name: torch.zeros(32, 64)}))
    with pytest.raises(CheckpointError) as caught:
        load(folder)
    assert caught.value.unexpected == ("layers.0.attn.wkv.scale",)


def test_a_nan_scale_names_its_tensor(folder: Path) -> None:
    name = "layers.0.attn.wkv.scale"
    edit(folder, lambda tensors: tensors[name].view(torch.uint8).fill_(255))
    with pytest.raises(CheckpointError, match=name):
        load(folder)


def test_a_model_that_is_not_finite_is_not_saved(model: Transformer, folder: Path) -> None:
    before = (folder / "model.safetensors").read_bytes()
    model.state_dict()["layers.0.ffn.experts.w13"][2, 3, 4] = torch.nan
    with pytest.raises(CheckpointError, match=r"layers\.0\.ffn\.experts\.2\.w1\.weight"):
        save(model, folder)
    assert (folder / "model.safetensors").read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"not a file of tensors at all", b"\xff" * 64])
def test_a_broken_file_is_named(folder: Path, content: bytes) -> None:
    (folder / "model.safetensors").write_bytes(content)
    with pytest.raises(CheckpointError, match=r"model\.safetensors"):
        load(folder)


def test_an_empty_folder_says_what_it_lacks(folder: Path, tmp_path: Path) -> None:
    (folder / "model.safetensors").unlink()
    with pytest.raises(CheckpointError, match="no safetensors file"):
        load(folder)
    with pytest.raises(ConfigError, match=r"config\.json"):
        load(tmp_path)


def tokens_for(folder: Path, distinct: int) -> None:
    """A tokenizer of 96 ids whose texts fold to `distinct` ones, beside a config that expects 70."""
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    config["text_config"]["engram_compressed_vocab_size"] = 70
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    written(folder, [f"t{index}" for index in range(distinct)] + [f"T{index}" for index in range(96 - distinct)])


def test_the_token_map_comes_with_the_checkpoint(folder: Path) -> None:
    assert load(folder).token_map is None
    tokens_for(folder, 70)
    loaded = load(folder)
    assert loaded.tokenizer_path == folder / "tokenizer.json"
    assert loaded.token_map is not None
    assert loaded.token_map.tolist() == [*range(70), *range(26)]


def test_a_token_map_of_another_size_is_refused(folder: Path) -> None:
    tokens_for(folder, 80)
    with pytest.raises(CheckpointError, match=r"gives 80 Engram tokens, config\.json says 70"):
        load(folder)


def test_compressed_ids_need_the_tokenizer(folder: Path) -> None:
    tokens_for(folder, 70)
    (folder / "tokenizer.json").unlink()
    with pytest.raises(CheckpointError, match=r"needs tokenizer\.json"):
        load(folder)


def test_the_configuration_survives(folder: Path) -> None:
    assert ModelConfig.from_file(folder / "config.json") == toy_config(**SMALL)
