"""A checkpoint made ready to run: where it lies, on which device, with which limits; and the loop that runs it."""

from __future__ import annotations

import re
import weakref
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Literal, TypeAlias

import torch

import deepinfer_engine
from deepinfer_engine import Engine, EngineConfig
from deepinfer_engine.constraint import Constraint
from deepinfer_engine.errors import EngineError
from deepinfer_structured.constraint.matcher import Matcher, TextMatcher, ThinkingMatcher
from deepinfer_structured.constraint.vocabulary import Vocabulary
from deepinfer_structured.errors import EngineFailedError
from deepinfer_structured.runner.failures import translate
from deepinfer_structured.runner.loop import Loop
from deepinfer_structured.runner.ticket import Ticket

__all__ = ["DTypeName", "EngineOptions", "Runner"]

DTypeName: TypeAlias = Literal["auto", "float32", "bfloat16", "float64"]

_DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float64": torch.float64}

# The matchers are what the engine asks for: the type checker proves it here.
_STEERS: tuple[type[Constraint], ...] = (Matcher, TextMatcher, ThinkingMatcher)


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineOptions:
    """How a checkpoint is run. `model` is the name of a bundled checkpoint or the folder of another."""

    model: str = "nano"
    device: str = "auto"
    dtype: DTypeName = "auto"
    max_draft: int = 5
    max_batch: int = 64
    cache_bytes: int = 256 << 20
    prefill_tokens: int = 2048

    def __post_init__(self) -> None:
        for name in ("max_draft", "max_batch", "cache_bytes", "prefill_tokens"):
            value, least = getattr(self, name), int(name != "max_draft")
            if isinstance(value, bool) or not isinstance(value, int):
                raise TypeError(f"{name} must be an int, not {type(value).__name__}: {value!r}")
            if value < least:
                raise ValueError(f"{name} must be at least {least}, not {value!r}")
        if not isinstance(self.device, str):
            raise TypeError(f"device must be a str such as 'cpu' or 'cuda', not {self.device!r}")
        if not re.fullmatch("auto|cpu|cuda(:[0-9]+)?", self.device):
            raise ValueError(f"device must be 'auto', 'cpu', 'cuda' or 'cuda:<number>', not {self.device!r}")
        if not isinstance(self.dtype, str):
            raise TypeError(f"dtype must be a str such as 'float32', not {self.dtype!r}")
        if self.dtype != "auto" and self.dtype not in _DTYPES:
            raise ValueError(f"dtype must be 'auto' or one of {', '.join(map(repr, _DTYPES))}, not {self.dtype!r}")


class Runner:
    """One loaded engine and its thread. Safe for several threads; freed when closed or forgotten."""

    def __init__(self, options: EngineOptions) -> None:
        folder = checkpoint(options.model)
        try:
            self.vocabulary = Vocabulary.load(options.model)
        except ValueError as error:
            raise EngineFailedError(str(error)) from error
        try:
            engine = _load(folder, options)
        except EngineError as error:
            raise translate(error) from error
        self.limit = engine.max_tokens
        """Most tokens that a prompt and its answer may have together."""
        self.window = 2 * options.max_batch
        """How many requests of one call are worth holding at a time."""
        self._loop: Loop | None = Loop(engine, self.vocabulary.eos)
        self._close = weakref.finalize(self, self._loop.close)

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._loop is None

    def submit(self, tickets: Iterable[Ticket]) -> None:
        """Start tickets; their events come through what they were made with. Raises EngineFailedError when closed."""
        if self._loop is None:
            raise EngineFailedError("this LLM is closed")
        self._loop.submit(tickets)

    def cancel(self, tickets: Iterable[Ticket]) -> None:
        """Abort tickets that are still under way."""
        if self._loop is not None:
            self._loop.cancel(tickets)

    def close(self) -> None:
        """Cancel what is under way and free everything. Idempotent."""
        self._close()
        self._loop = None


def checkpoint(model: str) -> Path:
    """The folder of a checkpoint. Raises FileNotFoundError with the names that are bundled."""
    bundled = files(deepinfer_engine) / "checkpoints"
    if "/" not in model and (bundled / model / "config.json").is_file():
        with as_file(bundled / model) as folder:
            return folder
    if (Path(model) / "config.json").is_file():
        return Path(model)
    names = sorted(entry.name for entry in bundled.iterdir()) if bundled.is_dir() else []
    raise FileNotFoundError(f"no checkpoint at {model!r}: a folder with config.json, or one of {', '.join(names)}")


def _load(folder: Path, options: EngineOptions) -> Engine:
    device = options.device
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    if device.startswith("cuda") and int(device[5:] or 0) >= torch.cuda.device_count():
        raise EngineFailedError(f"there is no device {device!r} here; torch sees {torch.cuda.device_count()} GPUs")
    name = options.dtype
    if name == "auto":
        name = "float32" if device == "cpu" else "bfloat16"
    config = EngineConfig(
        max_batch=options.max_batch,
        cache_bytes=options.cache_bytes,
        max_draft=options.max_draft,
        prefill_tokens=options.prefill_tokens,
    )
    return Engine.from_checkpoint(folder, config, device=device, dtype=_DTYPES[name])
