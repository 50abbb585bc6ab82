"""Mixture of experts: sqrt-softplus router with a selection bias, clamped SwiGLU experts and one shared expert."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from deepinfer_engine.model.linear import Linear
from deepinfer_engine.model.quant import round_fp8

__all__ = ["Experts", "MixtureOfExperts", "Router"]

# Up to this many rows all experts are computed in two products: on a CPU that is quicker than a loop over experts.
_DENSE_ROWS = 12


class Router(nn.Module):
    """s = sqrt(softplus(x W^T)) in fp32; the bias only selects; weights are the chosen s, normalised, scaled."""

    def __init__(self, hidden: int, experts: int, top: int, scale: float) -> None:
        super().__init__()
        self.top, self.scale = top, scale
        self.weight = nn.Parameter(torch.empty(experts, hidden))
        self.bias = nn.Parameter(torch.empty(experts), requires_grad=False)
        # Replaces `bias` for image tokens in the release; carried so that a checkpoint round-trips.
        self.bias_vl = nn.Parameter(torch.empty(experts), requires_grad=False)
        # Rows sent to each expert, counted while a trainer has put a tensor `[experts]` here.
        self.load: Tensor | None = None

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Chosen experts `[N, top]` int64 and their weights `[N, top]` fp32."""
        wide = x.float() if x.dtype.itemsize < 4 else x
        scores = F.softplus(F.linear(wide, self.weight)).sqrt()
        chosen = (scores.detach() + self.bias).topk(self.top, -1).indices
        weights = scores.gather(1, chosen)
        if self.load is not None:
            self.load += F.one_hot(chosen, len(self.load)).sum((0, 1))
        return chosen, weights / (weights.sum(-1, keepdim=True) + 1e-20) * self.scale


class Experts(nn.Module):
    """All routed experts of a layer, stacked: `w13 [E, 2 I, D]` (gate rows, then up rows) and `w2 [E, D, I]`."""

    def __init__(self, hidden: int, inner: int, count: int, limit: float) -> None:
        super().__init__()
        self.inner, self.count, self.limit, self.quantise = inner, count, limit, False
        self.w13 = nn.Parameter(torch.empty(count, 2 * inner, hidden))
        self.w2 = nn.Parameter(torch.empty(count, hidden, inner))

    def activate(self, hidden: Tensor, weight: Tensor) -> Tensor:
        """Clamped SwiGLU times the routing weight, cast before w2: `[..., 2 I]`, `[..., 1]` -> `[..., I]`."""
        gate, up = hidden.chunk(2, -1)
        inner = F.silu(gate.clamp(max=self.limit)) * up.clamp(-self.limit, self.limit)
        inner = (inner * weight).to(hidden.dtype)
        return round_fp8(inner) if self.quantise else inner

    def forward(self, x: Tensor, chosen: Tensor, weights: Tensor) -> Tensor:
        """sum over the chosen experts, `[N, D]` fp32."""
        if self.quantise:
            x = round_fp8(x)
        if self.training or (len(x) <= _DENSE_ROWS and self.count <= 16):
            return self.dense(x, chosen, weights)
        return self.by_expert(x, chosen, weights)

    def dense(self, x: Tensor, chosen: Tensor, weights: Tensor) -> Tensor:
        """Every expert for every row, unchosen ones at weight 0: two products, no data-dependent shape."""
        share = torch.zeros(len(x), self.count, dtype=weights.dtype, device=x.device).scatter(1, chosen, weights)
        hidden = F.linear(x, self.w13.to(x.dtype).flatten(0, 1)).unflatten(-1, (self.count, -1))
        inner = self.activate(hidden, share[..., None])
        return F.linear(inner.flatten(1), self.w2.to(x.dtype).transpose(0, 1).flatten(1)).to(weights.dtype)

    def by_expert(self, x: Tensor, chosen: Tensor, weights: Tensor) -> Tensor:
        """Rows sorted by expert, one pair of products for each expert that was chosen; fixed order of addition."""
        order = chosen.flatten().argsort(stable=True)
        counts = torch.bincount(chosen.flatten(), minlength=self.count).tolist()
        rows = order // chosen.shape[1]
        gathered, share = x[rows], weights.flatten()[order][:, None]
        out = torch.empty(len(rows), x.shape[1], dtype=x.dtype, device=x.device)
        start = 0
        for expert, count in enumerate(counts):
            if count:
                part = slice(start, start + count)
                hidden = F.linear(gathered[part], self.w13[expert].to(x.dtype))
                out[part] = F.linear(self.activate(hidden, share[part]), self.w2[expert].to(x.dtype))
                start += count
        # Back to [N, top, D] so that each row adds its experts in the same order whatever the batch.
        unsorted = torch.empty_like(out)
        unsorted[order] = out
        total: Tensor = unsorted.unflatten(0, chosen.shape).to(weights.dtype).sum(1)
        return total


class SharedExpert(nn.Module):
    """The expert every row takes; same clamp, no routing weight."""

    def __init__(self, hidden: int, inner: int, limit: float) -> None:
        super().__init__()
        self.limit = limit
        self.w1 = Linear(hidden, inner)
        self.w3 = Linear(hidden, inner)
        self.w2 = Linear(inner, hidden)

    def forward(self, x: Tensor) -> Tensor:
        inner = F.silu(self.w1(x).clamp(max=self.limit)) * self.w3(x).clamp(-self.limit, self.limit)
        out: Tensor = self.w2(inner)
        return out


class MixtureOfExperts(nn.Module):
    """Routed experts (fp32 sum) plus the shared expert, one cast (model-architecture sections 1 and 3.6)."""

    def __init__(self, hidden: int, inner: int, experts: int, top: int, scale: float, limit: float) -> None:
        super().__init__()
        self.gate = Router(hidden, experts, top, scale)
        self.experts = Experts(hidden, inner, experts, limit)
        self.shared_experts = SharedExpert(hidden, inner, limit)

    def forward(self, x: Tensor) -> Tensor:
        routed: Tensor = self.experts(x, *self.gate(x))
        shared: Tensor = self.shared_experts(x)
        return (routed + shared).to(x.dtype)
