"""A checkpoint of random weights with the bundled tokenizer: what tests of the SDK run the real engine with."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import deepinfer_engine
from deepinfer_engine.weights.checkpoint import save
from deepinfer_engine.weights.tokens import engram_token_map
from deepinfer_structured.llm import LLM
from tests.toys import toy_model

TOKENIZER = Path(str(files(deepinfer_engine) / "checkpoints" / "nano" / "tokenizer.json"))


def write_toy(folder: Path, **overrides: int) -> Path:
    """Config, tokenizer and weights of a tiny random model, in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(TOKENIZER, folder / "tokenizer.json")
    size = 8192
    token_map, count = engram_token_map(TOKENIZER, size)
    assert len(token_map) == size
    settings: dict[str, Any] = {"max_position_embeddings": 1024, "dspark_noise_token_id": 5} | overrides
    model = toy_model(vocab_size=size, engram_compressed_vocab_size=count, **settings)
    save(model, folder, storage="f32")
    return folder


@pytest.fixture(scope="session")
def toy_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_toy(tmp_path_factory.mktemp("toy") / "checkpoint")


@pytest.fixture(scope="session")
def llm(toy_folder: Path) -> Iterator[LLM]:
    with LLM(toy_folder, max_batch=8, cache_bytes=32 << 20) as shared:
        yield shared
