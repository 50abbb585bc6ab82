"""Laws to tokens, and what to report about them. Pure functions."""

import torch
from torch import Tensor

from deepinfer_engine.sampling.noise import TARGET, gumbel

__all__ = ["choose", "token_logprobs"]


def choose(scores: Tensor, sampled: Tensor, seeds: Tensor, positions: Tensor, *, stream: int = TARGET) -> Tensor:
    """One token a row, int64 `[N]`: argmax of score plus noise where `sampled` (bool `[N]`), else of the score alone.

    `scores` `[N, V]` are log-probabilities up to a constant a row, so the sampled token follows their softmax exactly
    (Gumbel argmax). Ties go to the lowest id. `seeds` and `positions` int64 `[N]` key the noise. As scores are not
    shifted, a mask that leaves the winner legal leaves the choice as it was, to the bit.
    """
    rows = sampled.nonzero().squeeze(1)
    if len(rows) == 0:
        return scores.argmax(dim=-1)
    noise = gumbel(seeds[rows], positions[rows], scores.shape[-1], scores.dtype, stream=stream)
    if len(rows) == len(scores):
        return noise.add_(scores).argmax(dim=-1)
    tokens = scores.argmax(dim=-1)
    tokens[rows] = noise.add_(scores[rows]).argmax(dim=-1)
    return tokens


def token_logprobs(log_probs: Tensor, chosen: Tensor, top: int) -> tuple[Tensor, Tensor, Tensor]:
    """For `log_probs` `[N, V]` and `chosen` int64 `[N]`: (chosen's `[N]`, top ids `[N, top]`, top's `[N, top]`).

    Best first, ties to the lowest id. With fewer than `top` legal tokens the tail is -inf.
    """
    own = log_probs.gather(1, chosen[:, None]).squeeze(1)
    order = torch.sort(log_probs, dim=-1, descending=True, stable=True)
    top = min(top, log_probs.shape[-1])
    return own, order.indices[:, :top], order.values[:, :top]
