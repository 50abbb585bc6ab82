"""A tiny model with every mechanism of the nano one, random weights, and packed random documents."""

from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import save_file

from deepinfer_engine.cache.context import Rotations, ServingContext, Span
from deepinfer_engine.cache.memory import CacheMemory, PageTable
from deepinfer_engine.config import EngineConfig, ModelConfig
from deepinfer_engine.model.rope import frequencies
from deepinfer_engine.model.transformer import Transformer
from deepinfer_engine.training.data import Document
from deepinfer_engine.training.nano import nano_config

WINDOW = 16


def tiny_config() -> ModelConfig:
    return nano_config(
        compressed_vocabulary=256,
        vocab_size=256,
        hidden_size=64,
        moe_intermediate_size=32,
        head_dim=32,
        qk_rope_head_dim=16,
        q_lora_rank=32,
        o_lora_rank=32,
        index_head_dim=32,
        sliding_window=WINDOW,
        dspark_markov_rank=16,
    )


def random_model(dtype: torch.dtype = torch.float32) -> Transformer:
    """Weights large enough that every mechanism shows in the logits."""
    model = Transformer(tiny_config())
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            small = any(part in name for part in ("bias", "base", "sink", "scale"))
            deviation = 0.3 if small else 0.2 if parameter.dim() == 1 else parameter.shape[-1] ** -0.5
            parameter.copy_(torch.randn(parameter.shape, generator=generator) * deviation)
            if "norm" in name:
                parameter.add_(1)
    return model.to(dtype).train()


def copy_document(numbers: np.random.Generator, low: int = 5, high: int = 20) -> Document:
    """A prompt and an answer that repeats it."""
    words = numbers.integers(20, 250, int(numbers.integers(low, high)))
    tokens = np.concatenate([[0], words, [4], words, [1]]).astype(np.uint16)
    return Document(tokens, len(words) + 2, None)


def write_shard(path: Path, documents: list[Document], masks: NDArray[np.int32] | None = None) -> None:
    starts = np.cumsum([0, *(len(d.tokens) for d in documents)])
    tensors: dict[str, NDArray[Any]] = {
        "tokens": np.concatenate([d.tokens for d in documents]).view(np.int16),
        "starts": starts.astype(np.int64),
        "answers": np.array([d.answer for d in documents]),
    }
    if masks is not None:
        tensors["masks"] = masks
    save_file(tensors, path)


class Served:
    """One document through the serving path, one chunk; the stage rings are written too."""

    def __init__(self, model: Transformer, ids: torch.Tensor) -> None:
        config = model.config
        limits = EngineConfig(max_batch=1, cache_bytes=1 << 22, max_draft=3)
        cpu = torch.device("cpu")
        self.memory = CacheMemory(config, limits, model.embed.weight.dtype, cpu)
        table = PageTable(1, self.memory.pages, limits.page_tokens, 512, cpu)
        self.slot = table.take_slot()
        table.grow(self.slot, len(ids))
        self.rotations = Rotations(frequencies(config, compressed=False), frequencies(config, compressed=True))
        context = ServingContext(self.memory, table.table, [Span(self.slot, 0, len(ids))], self.rotations)
        hashing = model.ngram_hash()
        assert hashing is not None
        back = [torch.cat((torch.full((k,), -1), ids[: len(ids) - k])) for k in range(hashing.ngram)]
        decoded = model(ids, hashing(torch.stack(back, 1)), context)
        self.logits, self.taps = model.logits(decoded.hidden), decoded.taps
        features = model.project_taps(decoded.taps)
        for number, stage in enumerate(model.mtp):
            context.write_stage(number, stage.seed(features, context))  # type: ignore[operator]
