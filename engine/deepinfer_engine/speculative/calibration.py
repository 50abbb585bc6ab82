"""Sequential temperature scaling: one temperature a draft slot, so that survival means what it says.

Products of raw confidences are over-confident and the error grows along the block. The fit goes left to right and
minimises the calibration error of the *product* at each slot (DSpark paper, calibration). Pure functions.
"""

import torch
from torch import Tensor

__all__ = ["calibrated_confidence", "expected_calibration_error", "fit_temperatures", "temperature_grid"]


def expected_calibration_error(predicted: Tensor, outcome: Tensor, *, bins: int = 20) -> float:
    """Mean gap between prediction and frequency over equal bins, weighted by count.

    `predicted` float `[N]` in 0..1, `outcome` bool `[N]`. 0 for no data.
    """
    if len(predicted) == 0:
        return 0.0
    predicted = predicted.to(torch.float64)
    index = (predicted * bins).to(torch.int64).clamp(0, bins - 1)
    gap = torch.zeros(bins, dtype=torch.float64, device=predicted.device)
    gap.index_add_(0, index, predicted - outcome.to(torch.float64))
    return float(gap.abs().sum() / len(predicted))


def temperature_grid(low: float = 0.25, high: float = 5.0, points: int = 61) -> Tensor:
    """Candidate temperatures, evenly spaced in the logarithm, float64 `[points]`."""
    edges = torch.tensor([low, high], dtype=torch.float64).log()
    return torch.linspace(float(edges[0]), float(edges[1]), points, dtype=torch.float64).exp()


def fit_temperatures(logits: Tensor, alive: Tensor, *, grid: Tensor | None = None, bins: int = 20) -> Tensor:
    """One temperature a slot, float64 `[K]`, from `logits` float `[N, K]` and `alive` bool `[N, K]`.

    `logits` are the confidence head's before the sigmoid; `alive[n, k]` says that slots 0..k of round n all stood,
    measured by verifying every slot. All rounds count at every slot, also those already dead: the product is the
    probability of survival, not of the next step. 1 is always a candidate and ties go to
    the temperature nearest it, so that no evidence means no change.
    """
    if logits.shape != alive.shape or logits.ndim != 2:
        raise ValueError(f"logits {tuple(logits.shape)} and alive {tuple(alive.shape)} must be equal, rounds by slots")
    candidates = (temperature_grid() if grid is None else grid).to(torch.float64)
    candidates = torch.cat([candidates.new_ones(1), candidates])
    by_nearness = [float(t) for t in candidates[candidates.log().abs().argsort(stable=True)]]
    before = torch.ones(len(logits), dtype=torch.float64, device=logits.device)
    fitted = []
    for slot in range(logits.shape[1]):
        z = logits[:, slot].to(torch.float64)
        errors = [
            expected_calibration_error(before * torch.sigmoid(z / t), alive[:, slot], bins=bins) for t in by_nearness
        ]
        best = by_nearness[errors.index(min(errors))]
        before = before * torch.sigmoid(z / best)
        fitted.append(best)
    return torch.tensor(fitted, dtype=torch.float64)


def calibrated_confidence(logits: Tensor, temperatures: Tensor) -> Tensor:
    """Confidence `[.., K]` from the head's logits `[.., K]` and fitted `temperatures` `[K]`."""
    return torch.sigmoid(logits / temperatures.to(logits))
