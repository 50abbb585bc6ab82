"""Which draft tokens stand and which token follows them. Pure functions over dense rows `[R, K + 1]`.

Row k of a request holds the target's law for the token after the anchor and drafts x_1..x_k; slot k (from 0) holds
draft x_{k+1}, which row k judges. A verdict always yields one token more than it accepts.

Two rules. *Match*: the target's token at every position is fixed by committed noise, drafts only guess it; exact
for every drafter and every admission rule. *Rejection* (Leviathan et al. 2023; Chen et al. 2023): exact if drafts were
sampled from the stated law and admission looked only backwards; see `admission`.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from deepinfer_engine.sampling.choose import choose
from deepinfer_engine.sampling.noise import ACCEPT, RESIDUAL, TARGET, uniform

__all__ = [
    "NO_TOKEN",
    "Verdict",
    "accept_probability",
    "emission_law",
    "residual",
    "slot_accept_probabilities",
    "verify_match",
    "verify_rejection",
]

NO_TOKEN = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What R requests emit."""

    accepted: Tensor
    """int64 `[R]`: how many drafts stand."""
    next_token: Tensor
    """int64 `[R]`: the token after them; `NO_TOKEN` where `dead`."""
    tokens: Tensor
    """int64 `[R, K + 1]`: the accepted drafts, the next token, then `NO_TOKEN`."""
    dead: Tensor
    """bool `[R]`: the row after the accepted drafts had nothing to choose from."""


def verify_match(
    scores: Tensor,
    drafts: Tensor,
    lengths: Tensor,
    *,
    sampled: Tensor,
    seeds: Tensor,
    positions: Tensor,
    dead: Tensor | None = None,
) -> Verdict:
    """Accept while the draft equals the target's own token, drawn with committed noise or greedily.

    `scores` `[R, K + 1, V]` (`Law.scores`; rows past `lengths` are not read), `drafts` int64 `[R, K]`, `lengths` int64
    `[R]` drafts that were fed, `sampled` bool `[R]` (false = greedy), `seeds` int64 `[R]`, `positions` int64 `[R]`
    absolute position of the first draft (the anchor's + 1), `dead` bool `[R, K + 1]`.
    The emitted tokens are those of a run without drafts: drafts and lengths decide only how many come at once.
    """
    width = scores.shape[1]
    slots = torch.arange(width, device=scores.device)
    live = slots <= lengths[:, None]
    request, row = live.nonzero(as_tuple=True)
    rows = scores[request, row]
    chosen = choose(rows, sampled[request], seeds[request], positions[request] + row)
    targets = drafts.new_full((len(drafts), width), NO_TOKEN).index_put_((request, row), chosen)
    stands = (targets[:, :-1] == drafts) & (slots[:-1] < lengths[:, None])
    if dead is not None:
        stands &= ~dead[:, :-1]
    accepted = _prefix_length(stands)
    return _verdict(drafts, accepted, targets.gather(1, accepted[:, None]).squeeze(1), dead)


def verify_rejection(
    p: Tensor,
    q: Tensor,
    drafts: Tensor,
    *,
    fed: Tensor,
    tested: Tensor,
    seeds: Tensor,
    positions: Tensor,
    dead: Tensor | None = None,
) -> Verdict:
    """Accept draft x with probability min(1, p(x) / q(x)); replace the first rejected by a draw from the residual.

    `p` probabilities `[R, K + 1, V]` and `q` `[R, K, V]`, the law each draft was really drawn from; `drafts` int64
    `[R, K]`; `fed` int64 `[R]` drafts whose rows the target computed (row k of `p` is read for k <= `fed`); `tested`
    int64 `[R]` drafts admitted by a rule that looks only backwards, at most `fed` + 1. `seeds`, `positions`, `dead` as
    for `verify_match`. Greedy requests belong to `verify_match`.

    `tested` = `fed` + 1 is the *virtual rejection*: the draft at slot `fed` was admitted, is illegal, and so was not
    fed. It is rejected with certainty and its slot drawn from the residual. Drawing it from `p` would be biased,
    because that the slot was given up depends on the token drawn there.
    """
    slots = torch.arange(drafts.shape[1], device=drafts.device)
    coins = uniform(seeds[:, None], positions[:, None] + slots, ACCEPT)
    stands = coins < slot_accept_probabilities(p, q, drafts, fed=fed, tested=tested)
    if dead is not None:
        stands &= ~dead[:, :-1]
    accepted = _prefix_length(stands)
    law = emission_law(p, q, accepted, tested=tested).log()
    everyone = torch.ones_like(accepted, dtype=torch.bool)
    rejected = accepted < tested
    at = positions + accepted
    tokens = torch.where(
        rejected,
        choose(law, everyone & rejected, seeds, at, stream=RESIDUAL),
        choose(law, everyone & ~rejected, seeds, at, stream=TARGET),
    )
    return _verdict(drafts, accepted, tokens, dead)


def accept_probability(p: Tensor, q: Tensor) -> Tensor:
    """min(1, p / q) for the target's and the drafter's probability of a token that was drafted, as float64.

    A drafted token has q > 0; where q underflowed to 0, it is 1 if p > 0 and else 0.
    """
    ratio = p.to(torch.float64) / q.to(torch.float64)
    return ratio.nan_to_num(nan=0.0, posinf=1.0).clamp(max=1.0)


def residual(p: Tensor, q: Tensor) -> Tensor:
    """The law of the token that replaces a rejected draft: max(p - q, 0) normalised, float64 `[.., V]`.

    No mass is left only if p = q, where a rejection has probability 0 but for rounding; then the law is p.
    """
    p = p.to(torch.float64)
    rest = (p - q.to(torch.float64)).clamp(min=0)
    mass = rest.sum(dim=-1, keepdim=True)
    return torch.where(mass > 0, rest / mass.clamp(min=torch.finfo(torch.float64).tiny), p)


def slot_accept_probabilities(p: Tensor, q: Tensor, drafts: Tensor, *, fed: Tensor, tested: Tensor) -> Tensor:
    """For each slot, the probability that its draft stands given that all before it stood: float64 `[R, K]`.

    0 for slots that were not fed (virtual rejection) or not tested (drawn afresh).
    """
    index = drafts.clamp(min=0)[..., None]
    chance = accept_probability(p[:, :-1].gather(2, index).squeeze(2), q.gather(2, index).squeeze(2))
    slots = torch.arange(drafts.shape[1], device=drafts.device)
    return chance.masked_fill(slots >= torch.minimum(fed, tested)[:, None], 0.0)


def emission_law(p: Tensor, q: Tensor, accepted: Tensor, *, tested: Tensor) -> Tensor:
    """The law of the token after `accepted` drafts, float64 `[R, V]`: the residual where one was rejected, else p."""
    request = torch.arange(len(accepted), device=accepted.device)
    target = p[request, accepted].to(torch.float64)
    if q.shape[1] == 0:
        return target
    drafter = q[request, accepted.clamp(max=q.shape[1] - 1)]
    return torch.where((accepted < tested)[:, None], residual(target, drafter), target)


def _prefix_length(stands: Tensor) -> Tensor:
    """Length of the leading run of true, int64 `[R]` from bool `[R, K]`."""
    return stands.to(torch.int64).cumprod(dim=1).sum(dim=1)


def _verdict(drafts: Tensor, accepted: Tensor, following: Tensor, dead: Tensor | None) -> Verdict:
    width = drafts.shape[1] + 1
    if dead is None:
        ended = torch.zeros_like(accepted, dtype=torch.bool)
    else:
        ended = dead.gather(1, accepted[:, None]).squeeze(1)
    following = following.masked_fill(ended, NO_TOKEN)
    slots = torch.arange(width, device=drafts.device)
    padded = torch.cat([drafts, drafts.new_full((len(drafts), 1), NO_TOKEN)], dim=1)
    tokens = padded.masked_fill(slots >= accepted[:, None], NO_TOKEN)
    tokens = tokens.scatter(1, accepted[:, None], following[:, None])
    return Verdict(accepted=accepted, next_token=following, tokens=tokens, dead=ended)
