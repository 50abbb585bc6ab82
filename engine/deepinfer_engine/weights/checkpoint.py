"""Read and write a checkpoint folder: config.json, safetensors files with released names, tokenizer.json."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from deepinfer_engine.config import ModelConfig
from deepinfer_engine.errors import CheckpointError
from deepinfer_engine.model.transformer import Transformer
from deepinfer_engine.weights.formats import dequantise_fp4, dequantise_fp8, quantise_fp4, quantise_fp8
from deepinfer_engine.weights.names import Part, meta_model, parts, plain_name
from deepinfer_engine.weights.tokens import engram_token_map

__all__ = ["LoadedCheckpoint", "Storage", "load", "save"]

Storage = Literal["released", "f32", "bf16"]
"""How `save` stores tensors: each in its released format, or all of them plainly."""

CONFIG, WEIGHTS, TOKENIZER = "config.json", "model.safetensors", "tokenizer.json"
INDEX = WEIGHTS + ".index.json"

_PLAIN = {"BF16", "F16", "F32", "F64"}


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedCheckpoint:
    """A model ready for inference and what lies beside its weights.

    token_map: Engram token map `[vocabulary]` int64; None without Engram layers and where ids are not compressed.
    weights_hash: SHA-256 over the weight files.
    """

    model: Transformer
    config: ModelConfig
    token_map: Tensor | None
    tokenizer_path: Path | None
    weights_hash: str


class _Stored(NamedTuple):
    """A tensor in an open file."""

    file: Any
    name: str
    dtype: str
    shape: tuple[int, ...]

    def read(self) -> Tensor:
        tensor: Tensor = self.file.get_tensor(self.name)
        return tensor


def load(folder: Path, *, device: torch.device | str = "cpu", dtype: torch.dtype = torch.float32) -> LoadedCheckpoint:
    """Read a checkpoint folder in the released formats, or with plain BF16 or F32 tensors.

    Names, dtypes and shapes are compared before anything is read; CheckpointError lists all differences at once.
    """
    config = ModelConfig.from_file(folder / CONFIG)
    files = weight_files(folder)
    model = meta_model(config)
    wanted = list(parts(model))
    with ExitStack() as stack:
        stored = _open(files, stack)
        _compare(folder, wanted, stored)
        tensors = _read(model, wanted, stored, torch.device(device), dtype)
    model.load_state_dict(tensors, assign=True)
    model.requires_grad_(False).eval()
    tokenizer = folder / TOKENIZER if (folder / TOKENIZER).exists() else None
    return LoadedCheckpoint(
        model=model,
        config=config,
        token_map=_token_map(config, tokenizer),
        tokenizer_path=tokenizer,
        weights_hash=_hash(files),
    )


def save(model: Transformer, folder: Path, *, config: ModelConfig | None = None, storage: Storage = "released") -> None:
    """Write config.json and model.safetensors; each file appears whole or not at all. What was loaded from such a
    folder is written back byte for byte.
    """
    folder.mkdir(parents=True, exist_ok=True)
    state, tensors = model.state_dict(), dict[str, Tensor]()
    for part in parts(model):
        tensors.update(_pack(part, _place(part, state[part.parameter]).detach().cpu(), storage))
    text = json.dumps((config or model.config).to_dict(), indent=2) + "\n"
    settings, weights = folder / (CONFIG + ".part"), folder / (WEIGHTS + ".part")
    settings.write_text(text, encoding="utf-8")
    save_file(tensors, weights, metadata={"format": "pt"})
    # safetensors makes files that only their owner may read.
    weights.chmod(settings.stat().st_mode)
    settings.replace(folder / CONFIG)
    weights.replace(folder / WEIGHTS)
    (folder / INDEX).unlink(missing_ok=True)


def weight_files(folder: Path) -> list[Path]:
    """The safetensors files of a folder: what the index names, else model.safetensors, else all of them."""
    if (folder / INDEX).exists():
        try:
            mapping = json.loads((folder / INDEX).read_text(encoding="utf-8"))["weight_map"]
        except (OSError, ValueError, KeyError, TypeError) as cause:
            raise CheckpointError(f"cannot read {folder / INDEX}: {cause!r}") from cause
        files = [folder / name for name in sorted(set(mapping.values()))]
    elif (folder / WEIGHTS).exists():
        files = [folder / WEIGHTS]
    else:
        files = sorted(folder.glob("*.safetensors"))
    if absent := [file.name for file in files if not file.exists()]:
        raise CheckpointError(f"{folder} lacks {', '.join(absent[:5])} ({len(absent)} of {len(files)} weight files)")
    if not files:
        raise CheckpointError(f"{folder} has no safetensors file")
    return files


def _open(files: list[Path], stack: ExitStack) -> dict[str, _Stored]:
    """Plain name -> tensor, over all files; tensors of the vision tower and tied copies are passed over."""
    stored: dict[str, _Stored] = {}
    for path in files:
        try:
            file = stack.enter_context(safe_open(path, framework="pt"))
        except (SafetensorError, OSError) as cause:
            raise CheckpointError(f"cannot read {path}: {cause}") from cause
        for name in file.keys():  # noqa: SIM118 (safe_open is no mapping)
            plain = plain_name(name)
            if plain is None:
                continue
            if plain in stored:
                raise CheckpointError(f"{path} repeats the tensor {plain}")
            header = file.get_slice(name)
            stored[plain] = _Stored(file, name, header.get_dtype(), tuple(header.get_shape()))
    return stored


def _compare(folder: Path, wanted: list[Part], stored: dict[str, _Stored]) -> None:
    """Raise CheckpointError with everything that is missing, unexpected or of another dtype or shape."""
    missing: list[str] = []
    mismatched: list[str] = []
    known: set[str] = set()
    for part in wanted:
        main = stored.get(part.name)
        specs = dict(part.tensors())
        if main is not None and main.dtype in _PLAIN:
            specs = {part.name: (main.dtype, part.shape)}  # type: ignore[dict-item]
        for name, (dtype, shape) in specs.items():
            known.add(name)
            found = stored.get(name)
            if found is None:
                missing.append(name)
            elif (found.dtype, found.shape) != (dtype, shape):
                mismatched.append(f"{name}: {found.dtype} {list(found.shape)}, want {dtype} {list(shape)}")
    unexpected = sorted(stored.keys() - known)
    if missing or unexpected or mismatched:
        counts = ((len(missing), "missing"), (len(unexpected), "unexpected"), (len(mismatched), "of a wrong kind"))
        summary = ", ".join(f"{count} {what}" for count, what in counts if count)
        raise CheckpointError(
            f"the tensors in {folder} do not fit its config.json: {summary} (of {len(known)})",
            missing=tuple(missing),
            unexpected=tuple(unexpected),
            mismatched=tuple(mismatched),
        )


def _read(
    model: Transformer, wanted: list[Part], stored: dict[str, _Stored], device: torch.device, dtype: torch.dtype
) -> dict[str, Tensor]:
    """Parameter name -> tensor. One part is unpacked at a time, so that little is held twice."""
    shapes = {name: parameter.shape for name, parameter in model.named_parameters()}
    tensors: dict[str, Tensor] = {}
    for part in wanted:
        kind = torch.float32 if part.wide and dtype.itemsize < 4 else dtype
        values = _unpack(part, stored)
        if part.expert is None:
            # A plain tensor may be a view of the file: copy it, so that nothing depends on the file afterwards.
            tensors[part.parameter] = values.to(device, kind, copy=part.block is None or part.name not in stored)
            continue
        if part.parameter not in tensors:
            tensors[part.parameter] = torch.empty(shapes[part.parameter], dtype=kind, device=device)
        _place(part, tensors[part.parameter]).copy_(values)
    return tensors


def _place(part: Part, parameter: Tensor) -> Tensor:
    """The part's own rows of a parameter."""
    return parameter if part.expert is None else parameter[part.expert, part.begin : part.begin + part.shape[0]]


def _unpack(part: Part, stored: dict[str, _Stored]) -> Tensor:
    main = stored[part.name]
    if part.block is None or main.dtype in _PLAIN:
        return main.read()
    scale = stored[part.scale_name].read()
    try:
        return (
            dequantise_fp4(main.read(), scale) if main.dtype == "I8" else dequantise_fp8(main.read(), scale, part.block)
        )
    except CheckpointError as cause:
        raise CheckpointError(f"{part.scale_name}: {cause}") from cause


def _pack(part: Part, values: Tensor, storage: Storage) -> Iterator[tuple[str, Tensor]]:
    if storage != "released":
        yield part.name, values.to(torch.float32 if storage == "f32" else torch.bfloat16, copy=True)
    elif part.block is None:
        yield part.name, values.to(torch.bfloat16 if part.storage == "bf16" else torch.float32, copy=True)
    else:
        try:
            packed, scale = quantise_fp4(values) if part.storage == "fp4" else quantise_fp8(values, part.block)
        except CheckpointError as cause:
            raise CheckpointError(f"{part.name}: {cause}") from cause
        yield part.name, packed.contiguous()
        yield part.scale_name, scale


def _token_map(config: ModelConfig, tokenizer: Path | None) -> Tensor | None:
    if not config.engram_layer_ids:
        return None
    want = config.engram_compressed_vocab_size
    if tokenizer is None:
        if want == config.vocab_size:
            return None
        raise CheckpointError(f"the Engram token map needs {TOKENIZER}, which the checkpoint lacks")
    token_map, count = engram_token_map(tokenizer, config.vocab_size)
    if count != want:
        raise CheckpointError(f"{tokenizer} gives {count} Engram tokens, config.json says {want}")
    return token_map


def _hash(files: list[Path]) -> str:
    digest = hashlib.sha256()
    for path in files:
        with path.open("rb") as file:
            while chunk := file.read(1 << 20):
                digest.update(chunk)
    return digest.hexdigest()
