"""The released V4.1-Flash configuration and what its checkpoint holds, as recorded."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from deepinfer_engine.config import ModelConfig

VECTORS = Path(__file__).parents[2] / "vectors"


@cache
def flash() -> ModelConfig:
    """DeepSeek-V4.1-Flash."""
    return ModelConfig.from_file(VECTORS / "v41_flash_config.json")


@cache
def inventory() -> dict[str, Any]:
    """`total` and `language` tensors of the release, a digest and patterns of the latter, and `vision` names."""
    text = (VECTORS / "v41_flash_tensors.json").read_text(encoding="utf-8")
    recorded: dict[str, Any] = json.loads(text)
    return recorded
