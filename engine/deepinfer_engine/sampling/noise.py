"""Counter-based noise: a function of (seed, position, token, stream) and of nothing else. Holds no state.

Place in a batch, step count, draft length and preemption never move it. The integers are the same bits on every
device; the logarithms may differ in the last place.

The generator is a 64-bit counter (a Weyl sequence over tokens) through the splitmix64 finaliser (Steele, Lea and
Flood 2014; constants of Stafford's variant 13). Its origin is the chained finaliser of seed, position and stream.

Which position keys which stream:

- `TARGET`    absolute position of the token that is drawn: the committed noise of match verification, which the
              drafter shares on purpose, and every draw from the target that follows no rejection.
- `ACCEPT`    absolute position of the draft token under test.
- `RESIDUAL`  absolute position of the token that replaces a rejected draft.
- `draft_stream(slot)`  position of the round's *anchor*, not of the slot. An anchor is new each round, so the drafts
              of a round are independent of everything that earlier rounds showed. Keyed by its own position, an
              unverified draft would be drawn again next round, and a budget computed from last round's confidences
              would know it: that budget would no longer be exogenous, and rejection sampling no longer exact.
"""

import torch
from torch import Tensor

__all__ = ["ACCEPT", "RESIDUAL", "TARGET", "draft_stream", "gumbel", "uniform"]

TARGET, ACCEPT, RESIDUAL = 0, 1, 2
_FIRST_DRAFT_STREAM = 16

_BLOCK = 1 << 16  # elements worked on at a time on a CPU: the block stays in its cache


def draft_stream(slot: int) -> int:
    """The stream of the draft draw at `slot`, keyed by the anchor's position."""
    return _FIRST_DRAFT_STREAM + slot


def gumbel(
    seeds: Tensor, positions: Tensor, vocabulary: int, dtype: torch.dtype = torch.float32, *, stream: int = TARGET
) -> Tensor:
    """Standard Gumbel noise `[N, vocabulary]` in `dtype` for `seeds` and `positions`, both int64 `[N]`.

    g = -log(-log U) with U = 1 - W, W having 63 random bits: fine where g is large, which is where maxima are.
    """
    origin = _origin(seeds, positions, stream)
    counter = torch.arange(vocabulary, dtype=torch.int64, device=origin.device).mul_(_WEYL)
    noise = torch.empty(len(origin), vocabulary, dtype=dtype, device=origin.device)
    rows = max(1, _BLOCK // max(vocabulary, 1)) if origin.device.type == "cpu" else max(1, len(origin))
    highest = 1 - torch.finfo(dtype).eps / 2
    for first in range(0, len(origin), rows):
        bits = _finalise_(origin[first : first + rows, None] + counter)
        bits.bitwise_right_shift_(1).bitwise_and_(_LOW_63)
        block = noise[first : first + rows]
        block.copy_(bits)
        block.mul_(2.0**-63).clamp_(2.0**-64, highest).neg_().log1p_().neg_().log_().neg_()
    return noise


def uniform(seeds: Tensor, positions: Tensor, stream: int) -> Tensor:
    """Float64 uniforms strictly inside (0, 1), shaped like `seeds` and `positions` (int64, broadcast)."""
    bits = _finalise_(_origin(seeds, positions, stream) + _WEYL)
    return bits.bitwise_right_shift_(12).bitwise_and_((1 << 52) - 1).to(torch.float64).add_(0.5).mul_(2.0**-52)


def _origin(seeds: Tensor, positions: Tensor, stream: int) -> Tensor:
    state = _finalise_(seeds.to(torch.int64) + _WEYL)
    state = _finalise_(state + positions.to(torch.int64) * _ODD + _WEYL)
    return _finalise_(state + _wrap(stream * 0xD1342543DE82EF95 + 1))


def _finalise_(state: Tensor) -> Tensor:
    """The splitmix64 finaliser in place; int64 arithmetic wraps, a mask makes each right shift logical."""
    state ^= (state >> 30) & ((1 << 34) - 1)
    state *= _FIRST
    state ^= (state >> 27) & ((1 << 37) - 1)
    state *= _SECOND
    state ^= (state >> 31) & ((1 << 33) - 1)
    return state


def _wrap(value: int) -> int:
    """`value` modulo 2**64 as a signed 64-bit integer."""
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


_LOW_63 = (1 << 63) - 1
_WEYL = _wrap(0x9E3779B97F4A7C15)
_ODD = _wrap(0xDA942042E4DD58B5)
_FIRST = _wrap(0xBF58476D1CE4E5B9)
_SECOND = _wrap(0x94D049BB133111EB)
