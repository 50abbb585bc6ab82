"""Weights in small files: a checkpoint of training is a few safetensors parts, each whole or not there at all."""

from __future__ import annotations

from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

__all__ = ["load_parts", "part_files", "save_parts"]

_STAGES = "mtp."
PART_BYTES = 14 << 20
_LARGE = 1 << 16  # tensors from this many elements are rounded; hyper-connections, norms, biases stay fp32


def save_parts(
    model: nn.Module,
    folder: Path,
    *,
    dtype: torch.dtype = torch.bfloat16,
    stem: str = "weights",
    without: str | None = None,
) -> list[Path]:
    """Write `{stem}-1-of-N.safetensors` ...; large tensors in `dtype`, small ones in fp32.

    without: prefix of tensors to leave out.
    """
    folder.mkdir(parents=True, exist_ok=True)
    groups: list[dict[str, Tensor]] = [{}]
    size = 0
    for name, tensor in model.state_dict().items():
        if without is not None and name.startswith(without):
            continue
        kept = tensor.detach().to("cpu", dtype if tensor.numel() >= _LARGE else torch.float32, copy=True).contiguous()
        if size + kept.nbytes > PART_BYTES and groups[-1]:
            groups.append({})
            size = 0
        groups[-1][name] = kept
        size += kept.nbytes
    paths = [folder / f"{stem}-{i}-of-{len(groups)}.safetensors" for i in range(1, len(groups) + 1)]
    scratch = [path.with_suffix(".tmp") for path in paths]
    for path, group in zip(scratch, groups, strict=True):
        save_file(group, path)
    for path, final in zip(scratch, paths, strict=True):
        path.replace(final)
    return paths


def load_parts(model: nn.Module, source: Path, stem: str = "weights") -> None:
    """Read what `save_parts` wrote: a folder, or any one of its files. Draft stages that were left out stay as they
    are; every other parameter must be there.
    """
    tensors: dict[str, Tensor] = {}
    for path in part_files(source, stem):
        tensors |= load_file(path)
    wanted = model.state_dict()
    if not any(name.startswith(_STAGES) for name in tensors):
        tensors |= {name: tensor for name, tensor in wanted.items() if name.startswith(_STAGES)}
    if wanted.keys() != tensors.keys():
        differing = sorted(wanted.keys() ^ tensors.keys())
        raise ValueError(f"{source}: {len(differing)} tensors missing or unexpected, such as {differing[:3]}")
    model.load_state_dict(tensors)


def part_files(source: Path, stem: str = "weights") -> list[Path]:
    """All parts beside or in `source`. Raises FileNotFoundError unless each of 1..N is there exactly once."""
    folder = source if source.is_dir() else source.parent
    found = sorted(folder.glob(f"{stem}-*-of-*.safetensors"))
    counts = {path.stem.rsplit("-", 1)[1] for path in found}
    if len(counts) != 1 or len(found) != int(next(iter(counts))):
        raise FileNotFoundError(f"{folder} holds {[path.name for path in found]}, want {stem}-1-of-N to -N-of-N")
    return found
