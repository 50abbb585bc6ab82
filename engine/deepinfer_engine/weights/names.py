"""Released tensor names, dtypes and shapes, and where each tensor lives in the model.

The modules say how they are stored (`storage`); nothing here knows a layer number. Experts are stacked in the model and
single in a checkpoint; all other parameters carry their released names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import nn

from deepinfer_engine.config import ModelConfig
from deepinfer_engine.model.moe import Experts, Router
from deepinfer_engine.model.transformer import Transformer
from deepinfer_engine.weights.formats import FP4_BLOCK, ROW_BLOCK, scale_shape

__all__ = ["Part", "TensorSpec", "meta_model", "parts", "plain_name", "released_tensors"]

_OURS_NOT = re.compile(r"vision\.|aligner\.|image_(start|end|newline)$|mtp\.\d+\.(embed|head)\.weight$")


class TensorSpec(NamedTuple):
    """dtype in the spelling of safetensors, and shape."""

    dtype: str
    shape: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """One released tensor and its place: all of `parameter`, or rows `[begin, begin + shape[0])` of one expert.

    `storage`: "fp8" (blocks), "fp8_rows", "fp4", "bf16" or "f32". `wide`: computed in fp32 whatever the model's dtype.
    """

    name: str
    parameter: str
    storage: str
    shape: tuple[int, ...]
    block: tuple[int, int] | None = None
    expert: int | None = None
    begin: int = 0
    wide: bool = False

    @property
    def scale_name(self) -> str:
        """Name of the E8M0 scales of a quantised tensor."""
        return self.name.removesuffix("weight") + "scale"

    def tensors(self) -> Iterator[tuple[str, TensorSpec]]:
        """The released tensors of this part: itself, and its scales if it has any."""
        if self.block is None:
            yield self.name, TensorSpec({"bf16": "BF16", "f32": "F32"}[self.storage], self.shape)
            return
        rows, columns = self.shape
        packed = TensorSpec("I8", (rows, columns // 2)) if self.storage == "fp4" else TensorSpec("F8_E4M3", self.shape)
        yield self.name, packed
        yield self.scale_name, TensorSpec("F8_E8M0", scale_shape((rows, columns), self.block))


def meta_model(config: ModelConfig) -> Transformer:
    """The model without memory."""
    with torch.device("meta"):
        return Transformer(config)


def parts(model: Transformer) -> Iterator[Part]:
    """Every released tensor of the language model, in the order of the model's parameters."""
    config = model.config
    for path, module in model.named_modules():
        prefix = path + "." if path else ""
        if isinstance(module, Experts):
            yield from _expert_parts(prefix, module, config)
            continue
        for name, parameter in module.named_parameters(recurse=False):
            storage = _storage(module, name)
            block = {"fp8": config.weight_block_size, "fp8_rows": ROW_BLOCK}.get(storage)
            wide = storage == "f32" or isinstance(module, Router)
            yield Part(prefix + name, prefix + name, storage, tuple(parameter.shape), block, wide=wide)


def released_tensors(model: Transformer | ModelConfig) -> dict[str, TensorSpec]:
    """Name -> dtype and shape of every tensor that a released checkpoint of this model holds (vision left out)."""
    model = meta_model(model) if isinstance(model, ModelConfig) else model
    return {name: spec for part in parts(model) for name, spec in part.tensors()}


def plain_name(name: str) -> str | None:
    """The name without a leading `model.`; None for what is not the language model's own: the vision tower, and
    copies of the shared embedding and head in draft stages."""
    name = name.removeprefix("model.")
    return None if _OURS_NOT.match(name) else name


def _storage(module: nn.Module, name: str) -> str:
    if isinstance(module, Router):
        return "bf16" if name == "weight" else "f32"
    if name in {"q_weight", "k_weight"} or isinstance(module, nn.Embedding):
        return "bf16"
    # What a module declares; parameters that hang on a block or an attention directly are sinks and hyper-connections.
    return str(getattr(module, "storage", "f32"))


def _expert_parts(prefix: str, module: Experts, config: ModelConfig) -> Iterator[Part]:
    hidden, inner = module.w2.shape[1], module.inner
    storage = config.expert_dtype
    block = FP4_BLOCK if storage == "fp4" else config.weight_block_size
    for expert in range(module.count):
        start = f"{prefix}{expert}."
        yield Part(start + "w1.weight", prefix + "w13", storage, (inner, hidden), block, expert)
        yield Part(start + "w2.weight", prefix + "w2", storage, (hidden, inner), block, expert)
        yield Part(start + "w3.weight", prefix + "w13", storage, (inner, hidden), block, expert, begin=inner)
