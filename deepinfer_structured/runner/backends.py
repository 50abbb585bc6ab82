"""What this machine can run: devices, mask engines, bundled checkpoints."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import version
from importlib.resources import files

import torch

import deepinfer_engine

__all__ = ["Backend", "backends"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Backend:
    """One part that a generation can run on. `kind` is device, masks or checkpoint."""

    kind: str
    name: str
    available: bool
    detail: str = ""


def backends() -> list[Backend]:
    """Everything that is built, with what is missing here; the first available device is what "auto" takes."""
    found = [
        Backend(
            kind="device",
            name=f"cuda:{index}",
            available=True,
            detail=f"{torch.cuda.get_device_name(index)}, torch reference kernels",
        )
        for index in range(torch.cuda.device_count())
    ]
    if not found:
        found.append(Backend(kind="device", name="cuda", available=False, detail="torch sees no GPU"))
    threads = f"{torch.get_num_threads()} threads, torch {torch.__version__}, torch reference kernels"
    found.append(Backend(kind="device", name="cpu", available=True, detail=threads))
    found.append(Backend(kind="masks", name="xgrammar", available=True, detail=version("xgrammar")))
    return [*found, *_checkpoints()]


def _checkpoints() -> list[Backend]:
    folder = files(deepinfer_engine) / "checkpoints"
    names = sorted(entry.name for entry in folder.iterdir() if entry.is_dir()) if folder.is_dir() else []
    return [_checkpoint(name) for name in names]


def _checkpoint(name: str) -> Backend:
    folder = files(deepinfer_engine) / "checkpoints" / name
    parts = ("config.json", "tokenizer.json", "model.safetensors")
    missing = [part for part in parts if not (folder / part).is_file()]
    detail = f"lacks {', '.join(missing)}" if missing else "bundled"
    return Backend(kind="checkpoint", name=name, available=not missing, detail=detail)
