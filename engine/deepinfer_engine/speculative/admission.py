"""How many draft tokens of each request are sent to the target. Pure functions, no state.

Legality. Under rejection sampling the output law is exact if and only if admission is *adapted*: whether slot k of a
request is admitted may depend on its draft tokens before slot k, on other requests and on the past, never on the
token at slot k or later. The confidence at slot k is computed before its token is drawn, so every rule here obeys, as
long as the caller's other inputs do: `available` must come from limits (tokens left, window), never from whether a
drafted token is legal (that is `tested` of `verify_rejection`), and a budget from earlier steps whose drafts are
independent of this step's (`noise.draft_stream`). Match verification and deterministic drafts allow any rule.

`confidence` is float `[R, K]`: the probability that slot k stands given that all before it stood. `available` is
int64 `[R]`: how many slots were drafted. Every rule returns int64 `[R]`, at most `available`.
"""

import torch
from torch import Tensor

from deepinfer_engine.errors import ConfigError

__all__ = ["admit_all", "admit_budget", "admit_scheduled", "admit_threshold", "survival"]

_UNAVAILABLE = -1.0


def survival(confidence: Tensor) -> Tensor:
    """Probability that a slot and all before it stand, float64 `[R, K]`; NaN counts as 0."""
    return confidence.to(torch.float64).nan_to_num(nan=0.0).clamp(0.0, 1.0).cumprod(dim=1)


def admit_all(confidence: Tensor, available: Tensor) -> Tensor:
    """Every drafted slot."""
    return available.clamp(max=confidence.shape[1])


def admit_threshold(confidence: Tensor, available: Tensor, *, threshold: float) -> Tensor:
    """Stop before the first slot whose own confidence is below `threshold`."""
    good = (confidence >= threshold) & _drafted(confidence, available)
    return good.to(torch.int64).cumprod(dim=1).sum(dim=1)


def admit_budget(confidence: Tensor, available: Tensor, *, budget: int) -> Tensor:
    """The `budget` slots of highest survival in the batch, ties by slot, then by request (paper, section 5.2).

    Adapted because the budget is fixed beforehand and a slot never ranks behind its own descendants.
    """
    _, order = _ranked(confidence, available)
    return _count(order, budget, confidence, available)


def admit_scheduled(confidence: Tensor, available: Tensor, *, seconds: Tensor, base_rows: int | None = None) -> Tensor:
    """DSpark's Algorithm 1: admit by descending survival while tokens a second strictly improve, then stop.

    `seconds` `[B + 1]`: measured time of a step of 0..B rows; slots beyond the table are not admitted. `base_rows`:
    rows of the step without any draft, one a request unless prompts are computed in the same pass. Stopping at the
    first slot that does not improve is what keeps the rule adapted: looking past it would read unrevealed tokens.
    """
    requests = len(confidence)
    rows = requests if base_rows is None else base_rows
    if rows >= len(seconds) or not bool((seconds[max(rows, 1) :] > 0).all()):
        raise ConfigError(
            f"the cost table has {len(seconds)} entries; it needs positive times for 0..{rows} rows and beyond"
        )
    values, order = _ranked(confidence, available)
    values = values[: len(seconds) - 1 - rows].clamp(min=0.0)
    tokens = torch.cat([values.new_zeros(1), values.cumsum(0)]) + requests
    rate = tokens / seconds[rows : rows + len(tokens)].to(values)
    better = rate[1:] > rate[:-1]
    return _count(order, int(better.to(torch.int64).cumprod(0).sum()), confidence, available)


def _drafted(confidence: Tensor, available: Tensor) -> Tensor:
    return torch.arange(confidence.shape[1], device=confidence.device) < available[:, None]


def _ranked(confidence: Tensor, available: Tensor) -> tuple[Tensor, Tensor]:
    """Survivals in descending order and their flat indices slot * R + request, `[R * K]`; undrafted slots last."""
    values = survival(confidence).masked_fill(~_drafted(confidence, available), _UNAVAILABLE)
    ranked = values.t().flatten().sort(descending=True, stable=True)
    return ranked.values, ranked.indices


def _count(order: Tensor, admitted: int, confidence: Tensor, available: Tensor) -> Tensor:
    """Slots a request among the first `admitted` of `order`. Prefixes, as survival never rises along a request."""
    admitted = max(0, min(admitted, int(admit_all(confidence, available).sum())))
    return torch.bincount(order[:admitted] % max(len(confidence), 1), minlength=len(confidence))
