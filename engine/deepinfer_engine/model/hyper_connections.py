"""Single-pass manifold-constrained hyper-connections: several residual rows, mixed by a Sinkhorn-normalised matrix."""

from __future__ import annotations

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from deepinfer_engine.model.norm import rms

__all__ = ["HyperConnection", "Mix", "collapse", "first_mix", "spread"]


class Mix(NamedTuple):
    """Coefficients of one sublayer for rows `[N]`: pre `[N, n]` (used by the NEXT sublayer), post `[N, n]`,
    comb `[N, n, n]` (used at once), all fp32."""

    pre: Tensor
    post: Tensor
    comb: Tensor


class HyperConnection:
    """Computes the coefficients from a stream `[N, n, d]` (model-architecture sections 1 and 3.3).

    It holds no parameters: the block owns them under their released flat names.
    """

    def __init__(self, rows: int, iterations: int, eps: float, norm_eps: float) -> None:
        self.rows, self.iterations, self.eps, self.norm_eps = rows, iterations, eps, norm_eps

    def __call__(self, stream: Tensor, fn: Tensor, base: Tensor, scale: Tensor) -> Mix:
        n = self.rows
        logits = F.linear(rms(stream.flatten(1), self.norm_eps), fn)
        # pre, post and comb have one scale each.
        scales = torch.cat((scale[0].expand(n), scale[1].expand(n), scale[2].expand(n * n)))
        logits = logits * scales + base
        pre = torch.sigmoid(logits[:, :n]) + self.eps
        post = 2 * torch.sigmoid(logits[:, n : 2 * n])
        comb = logits[:, 2 * n :].unflatten(-1, (n, n)).softmax(-1) + self.eps
        # Columns first; `iterations` column passes, one row pass fewer, ending on columns.
        comb = comb / (comb.sum(-2, keepdim=True) + self.eps)
        for _ in range(self.iterations - 1):
            comb = comb / (comb.sum(-1, keepdim=True) + self.eps)
            comb = comb / (comb.sum(-2, keepdim=True) + self.eps)
        return Mix(pre, post, comb)


def first_mix(rows: int, count: int, device: torch.device) -> Tensor:
    """The pre-mix of the first sublayer: row 0, the embedding. `[rows, count]` fp32."""
    mix = torch.zeros(rows, count, device=device)
    mix[:, 0] = 1
    return mix


def collapse(stream: Tensor, pre: Tensor) -> Tensor:
    """h = sum_j pre_j X_j: `[N, n, d]`, `[N, n]` -> `[N, d]`."""
    if torch.compiler.is_compiling():  # a compiler fuses the sum with its neighbours; eager, one product is quicker
        return (pre[..., None] * stream).sum(1).to(stream.dtype)
    return torch.bmm(pre[:, None].to(stream.dtype), stream)[:, 0]


def spread(stream: Tensor, mix: Mix, y: Tensor) -> Tensor:
    """X'_k = post_k y + sum_j comb_jk X_j: the sum runs over the first index of comb."""
    if torch.compiler.is_compiling():
        kept = (mix.comb[..., None] * stream[:, :, None]).sum(1)
        return (kept + mix.post[..., None] * y[:, None]).to(stream.dtype)
    mixed = torch.baddbmm(mix.post[..., None] * y[:, None], mix.comb.transpose(1, 2), stream.to(mix.comb.dtype))
    return mixed.to(stream.dtype)


def parameters(rows: int, size: int) -> tuple[nn.Parameter, nn.Parameter, nn.Parameter]:
    """fn `[(2 + n) n, n d]`, base `[(2 + n) n]`, scale `[3]`, all fp32."""
    outputs = (2 + rows) * rows
    return (
        nn.Parameter(torch.empty(outputs, rows * size)),
        nn.Parameter(torch.empty(outputs)),
        nn.Parameter(torch.empty(3)),
    )
