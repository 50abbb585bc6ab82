"""Logits to the law a token is drawn from, each row on its own. The order is the reference semantics:

repetition penalty, grammar mask, temperature, min-p, top-k, top-p, log-softmax.

The mask comes before every truncation, so a truncation can never leave a row without a legal token. Drafted and
undrafted rows go through the same function, so both see the same law.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor

from deepinfer_engine.request import SamplingParams

__all__ = ["Law", "RowParams", "extend_seen", "process", "unpack_mask"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowParams:
    """Sampling parameters of N rows as tensors `[N]`, and on the host what any row asks for."""

    temperature: Tensor  # float, 1 for greedy rows
    sampled: Tensor  # bool, false for greedy rows
    min_p: Tensor  # float, 0 = off
    top_k: Tensor  # int64, 0 = off
    top_p: Tensor  # float64, 1 = off
    repetition_penalty: Tensor  # float, 1 = off
    any_temperature: bool
    any_min_p: bool
    most_top_k: int
    any_top_p: bool
    any_penalty: bool

    @classmethod
    def of(
        cls, params: Sequence[SamplingParams], *, dtype: torch.dtype = torch.float32, device: torch.device | str = "cpu"
    ) -> "RowParams":
        """One row each of `params`. Truncations of greedy rows are off: they never change the argmax."""
        temperature = [1.0 if p.greedy else p.temperature for p in params]
        min_p = [0.0 if p.greedy else p.min_p for p in params]
        top_k = [0 if p.greedy or p.top_k is None else p.top_k for p in params]
        top_p = [1.0 if p.greedy else p.top_p for p in params]
        penalty = [p.repetition_penalty for p in params]
        return cls(
            temperature=torch.tensor(temperature, dtype=dtype, device=device),
            sampled=torch.tensor([not p.greedy for p in params], dtype=torch.bool, device=device),
            min_p=torch.tensor(min_p, dtype=dtype, device=device),
            top_k=torch.tensor(top_k, dtype=torch.int64, device=device),
            top_p=torch.tensor(top_p, dtype=torch.float64, device=device),
            repetition_penalty=torch.tensor(penalty, dtype=dtype, device=device),
            any_temperature=any(t != 1 for t in temperature),
            any_min_p=any(p > 0 for p in min_p),
            most_top_k=max(top_k, default=0),
            any_top_p=any(p < 1 for p in top_p),
            any_penalty=any(p != 1 for p in penalty),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Law:
    """The processed rows."""

    scores: Tensor
    """`[N, V]` logits after every step but the last; -inf where a token cannot be drawn."""
    dead: Tensor
    """bool `[N]`: nothing finite to choose from (no legal token, or NaN or +inf among the legal). Its scores are 0."""

    def log_probs(self) -> Tensor:
        """Log-probabilities `[N, V]`, -inf where a token cannot be drawn; uniform in dead rows."""
        return torch.log_softmax(self.scores, dim=-1)


def process(
    logits: Tensor,
    params: RowParams,
    *,
    mask_rows: Tensor | None = None,
    has_mask: Tensor | None = None,
    seen: Tensor | None = None,
) -> Law:
    """The law of each row of `logits`, float32 or float64 `[N, V]`, which is left as it was.

    `mask_rows` int32 `[N, ceil(V / 32)]`; rows outside `has_mask` (bool `[N]`, None = all masked) are free.
    `seen` bool `[N, V]`: tokens of prompt, output and the draft before the row; needed only for repetition penalties.
    """
    scores = logits.clone()
    if params.any_penalty:
        if seen is None:
            raise ValueError("a repetition penalty needs the tokens seen so far")
        penalty = params.repetition_penalty[:, None]
        scores = torch.where(seen, torch.where(scores > 0, scores / penalty, scores * penalty), scores)
    if mask_rows is not None:
        illegal = ~unpack_mask(mask_rows, logits.shape[-1])
        if has_mask is not None:
            illegal &= has_mask[:, None]
        scores.masked_fill_(illegal, -torch.inf)
    best = scores.amax(dim=-1)  # NaN if any legal logit is NaN
    dead = ~best.isfinite()
    scores.masked_fill_(dead[:, None], 0.0)
    if params.any_temperature:
        scores /= params.temperature[:, None]
    if params.any_min_p:
        floor = scores.amax(dim=-1) + params.min_p.log()  # log 0 = -inf keeps all
        scores.masked_fill_(scores < floor[:, None], -torch.inf)
    if params.most_top_k:
        _keep_top_k_(scores, params)
    if params.any_top_p:
        _keep_top_p_(scores, params)
    return Law(scores=scores, dead=dead)


def unpack_mask(mask_rows: Tensor, vocabulary: int) -> Tensor:
    """Bool `[N, vocabulary]` from int32 `[N, ceil(vocabulary / 32)]`: token t is bit t % 32 of word t // 32."""
    words = -(-vocabulary // 32)
    if mask_rows.dtype != torch.int32 or mask_rows.shape[-1] != words:
        raise ValueError(f"mask rows are {mask_rows.dtype} {tuple(mask_rows.shape)}; {words} int32 words are needed")
    octets = mask_rows.contiguous().view(torch.uint8).flatten().to(torch.int32)
    bits = torch.index_select(_octet_table(mask_rows.device), 0, octets).view(torch.bool)
    return bits.view(*mask_rows.shape[:-1], words * 32)[..., :vocabulary]


def extend_seen(seen: Tensor, drafts: Tensor) -> Tensor:
    """Bool `[R, K + 1, V]` from `seen` bool `[R, V]` (anchor included) and `drafts` int64 `[R, K]`.

    Row k counts the drafts before it, x_1..x_k, as an undrafted run would have.
    """
    rows = seen[:, None].repeat(1, drafts.shape[1] + 1, 1)
    for slot in range(drafts.shape[1]):
        index = drafts[:, slot, None, None].expand(-1, drafts.shape[1] - slot, 1)
        rows[:, slot + 1 :].scatter_(2, index, True)
    return rows


@cache
def _octet_table(device: torch.device) -> Tensor:
    """Eight bools for each octet, as one int64, lowest bit first (little endian)."""
    octets = torch.arange(256, device=device)
    return ((octets[:, None] >> torch.arange(8, device=device)) & 1).to(torch.bool).view(torch.int64).squeeze(1)


def _keep_top_k_(scores: Tensor, params: RowParams) -> None:
    """Keep the k best of each row, ties to the lowest ids; rows with k = 0 keep all."""
    most = min(params.most_top_k, scores.shape[-1])
    k = torch.where(params.top_k > 0, params.top_k, scores.shape[-1]).clamp(max=scores.shape[-1])[:, None]
    last = torch.topk(scores, most, dim=-1).values.gather(1, k.clamp(max=most) - 1)
    above, level = scores > last, scores == last
    room = k - above.sum(dim=-1, keepdim=True)
    kept = above | (level & (level.cumsum(dim=-1) <= room)) | (params.top_k == 0)[:, None]
    scores.masked_fill_(~kept, -torch.inf)


def _keep_top_p_(scores: Tensor, params: RowParams) -> None:
    """Keep the shortest head, best first and ties to the lowest ids, whose mass reaches p; rows with p = 1 keep all."""
    asking = (params.top_p < 1).nonzero().squeeze(1)
    order = scores[asking].sort(dim=-1, descending=True, stable=True)
    mass = torch.softmax(order.values.to(torch.float64), dim=-1)
    beyond = mass.cumsum(dim=-1) - mass >= params.top_p[asking, None]
    dropped = torch.empty_like(beyond).scatter_(1, order.indices, beyond)
    scores[asking] = scores[asking].masked_fill(dropped, -torch.inf)
