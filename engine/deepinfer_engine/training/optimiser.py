"""Muon for matrices (orthogonalised momentum, stacked matrices in one batch) and AdamW for everything else."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn

from deepinfer_engine.model.attention import Attention
from deepinfer_engine.model.engram import Engram
from deepinfer_engine.model.linear import Linear
from deepinfer_engine.model.moe import Experts, Router

__all__ = ["Muon", "Optimiser", "balance", "orthogonalise", "reset_load"]

# Quintic Newton-Schulz: singular values go to about 1, from any start in (0, 1].
_COEFFICIENTS = (3.4445, -4.7750, 2.0315)
_NARROW = 16  # matrices with fewer rows or columns are heads and gates: AdamW's


def orthogonalise(matrices: Tensor, steps: int = 5) -> Tensor:
    """`[S, m, n]` -> about U V^T of each, in bf16 on CUDA."""
    x: Tensor = matrices.bfloat16() if matrices.is_cuda else matrices
    tall = x.shape[-2] > x.shape[-1]
    x = x.mT if tall else x
    x = x / (x.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    a, b, c = _COEFFICIENTS
    for _ in range(steps):
        gram = x @ x.mT
        x = a * x + torch.baddbmm(b * gram, gram, gram, alpha=c) @ x
    return x.mT if tall else x


class Muon:
    """Updates of equal size in every matrix: RMS 0.2 an element times the rate, like a well-fed Adam's.

    `matrices`: parameters with how many matrices lie stacked in each (experts, gate and up rows, output groups).
    """

    def __init__(self, matrices: Iterable[tuple[nn.Parameter, int]], momentum: float = 0.95) -> None:
        self.momentum = momentum
        groups: dict[tuple[int, ...], list[tuple[nn.Parameter, int]]] = defaultdict(list)
        for parameter, count in matrices:
            flat = parameter.view(count, -1, parameter.shape[-1])
            groups[tuple(flat.shape[1:])].append((parameter, count))
        self.groups = dict(groups)
        self.buffers = {
            shape: torch.zeros(sum(count for _, count in members), *shape, device=members[0][0].device)
            for shape, members in self.groups.items()
        }

    @torch.no_grad()
    def step(self, rate: float, decay: float) -> None:
        """One update; parameters without a gradient count as gradient zero."""
        for (rows, columns), members in self.groups.items():
            shape = (rows, columns)
            gradient = torch.cat([_gradient(parameter).view(-1, *shape) for parameter, _ in members])
            buffer = self.buffers[shape]
            buffer.lerp_(gradient, 1 - self.momentum)
            update = orthogonalise(gradient.lerp(buffer, self.momentum)).float()
            update *= -rate * 0.2 * max(shape) ** 0.5
            parts = update.split([count for _, count in members])
            parameters: list[Tensor] = [parameter for parameter, _ in members]
            torch._foreach_mul_(parameters, 1 - rate * decay)
            torch._foreach_add_(parameters, [p.view(q.shape) for p, q in zip(parts, parameters, strict=True)])


def _gradient(parameter: nn.Parameter) -> Tensor:
    return torch.zeros_like(parameter) if parameter.grad is None else parameter.grad


class Optimiser:
    """Both rules over the trainable parameters of `root`; `step(scale)` takes the schedule's factor.

    AdamW has three rates: `rate` for tables, head, gates and norms, a third of it for hyper-connections and sinks.
    """

    def __init__(self, root: nn.Module, *, rate: float = 3e-3, muon_rate: float = 2e-3, decay: float = 0.01) -> None:
        stacked = _stacked(root)
        self.muon = Muon(stacked.values())
        self.parameters = [p for p in root.parameters() if p.requires_grad]
        self.muon_rate, self.decay = muon_rate, decay
        gentle: list[nn.Parameter] = []
        plain: list[nn.Parameter] = []
        for name, parameter in root.named_parameters():
            if parameter.requires_grad and name not in stacked:
                (gentle if ".hc_" in "." + name or "attn_sink" in name else plain).append(parameter)
        groups: list[dict[str, Any]] = [{"params": plain, "rate": rate}, {"params": gentle, "rate": rate / 3}]
        fused = any(p.is_cuda for p in plain)
        self.adam = torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.95), eps=1e-10, weight_decay=0.0, fused=fused)

    def step(self, scale: float, clip: float = 1.0) -> Tensor:
        """Clip, update, clear; returns the gradient norm before clipping."""
        norm = torch.nn.utils.clip_grad_norm_(self.parameters, clip)
        for group in self.adam.param_groups:
            group["lr"] = group["rate"] * scale
        self.adam.step()
        self.muon.step(self.muon_rate * scale, self.decay)
        for parameter in self.parameters:
            parameter.grad = None
        return norm


def _stacked(root: nn.Module) -> dict[str, tuple[nn.Parameter, int]]:
    """Muon's parameters by name. Vocabulary-sized matrices, gates, norms and small heads are AdamW's."""
    found: dict[str, tuple[nn.Parameter, int]] = {}
    counts = {id(m.wkv.weight): m.rows + 1 for m in root.modules() if isinstance(m, Engram)}
    counts |= {id(m.wo_a.weight): m.groups for m in root.modules() if isinstance(m, Attention)}
    for path, module in root.named_modules():
        prefix = path + "." if path else ""
        if isinstance(module, Experts):
            found[prefix + "w13"] = (module.w13, 2 * module.count)
            found[prefix + "w2"] = (module.w2, module.count)
        elif isinstance(module, Linear) and min(module.weight.shape) >= _NARROW and not path.endswith("head"):
            found[prefix + "weight"] = (module.weight, counts.get(id(module.weight), 1))
    return {name: (p, count) for name, (p, count) in found.items() if p.requires_grad}


def reset_load(root: nn.Module) -> None:
    """Start counting the rows that each router below `root` sends to each expert."""
    for module in root.modules():
        if isinstance(module, Router):
            module.load = torch.zeros(len(module.bias), dtype=torch.int64, device=module.bias.device)


@torch.no_grad()
def balance(model: nn.Module, rate: float) -> Tensor:
    """Bias towards experts below the mean load and away from those above (sign update); counts start over.

    Returns the worst max / mean load.
    """
    worst = []
    for module in model.modules():
        if isinstance(module, Router) and module.load is not None:
            load = module.load.float()
            module.bias.add_(torch.sign(load.mean() - load), alpha=rate)
            worst.append(load.max() / load.mean().clamp_min(1))
            module.load.zero_()
    return torch.stack(worst).max() if worst else torch.ones(())
