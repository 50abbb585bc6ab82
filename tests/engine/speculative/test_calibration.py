"""Calibration: the error by hand, and a fit that mends an over-confident head."""

import pytest
import torch

from deepinfer_engine.speculative.admission import survival
from deepinfer_engine.speculative.calibration import (
    calibrated_confidence,
    expected_calibration_error,
    fit_temperatures,
    temperature_grid,
)


def test_error_by_hand() -> None:
    predicted = torch.tensor([0.1, 0.1, 0.9, 1.0])
    outcome = torch.tensor([True, False, True, False])
    # Bins of width 0.5: two rounds at 0.1 with frequency 0.5, two at 0.95 with frequency 0.5.
    assert expected_calibration_error(predicted, outcome, bins=2) == pytest.approx(0.5 * 0.4 + 0.5 * 0.45)
    assert expected_calibration_error(torch.zeros(0), torch.zeros(0, dtype=torch.bool)) == 0.0
    assert expected_calibration_error(torch.tensor([0.0, 1.0]), torch.tensor([False, True])) == 0.0


def test_the_fit_mends_an_overconfident_head() -> None:
    generator = torch.Generator().manual_seed(1)
    rounds, slots = 30_000, 7
    truth = 1.5 + 1.2 * torch.randn(rounds, slots, generator=generator)
    stands = torch.rand(rounds, slots, generator=generator) < truth.sigmoid()
    alive = stands.to(torch.int64).cumprod(1).to(torch.bool)
    logits = 1.9 * truth + 0.15

    def errors(temperatures: torch.Tensor) -> list[float]:
        predicted = survival(calibrated_confidence(logits, temperatures))
        return [expected_calibration_error(predicted[:, slot], alive[:, slot]) for slot in range(slots)]

    fitted = fit_temperatures(logits, alive)
    assert max(errors(torch.ones(slots))) > 0.1
    assert max(errors(fitted)) < 0.02
    assert fitted.tolist() == pytest.approx([1.9] * slots, abs=0.5)


def test_a_slot_is_fitted_to_survival_not_to_the_next_step() -> None:
    """Slot 2 stands exactly when slot 1 does; its own temperature must leave the product alone."""
    logits = torch.tensor([[0.0, 9.0]]).repeat(1000, 1)
    alive = torch.arange(1000)[:, None].repeat(1, 2) % 2 == 0
    fitted = fit_temperatures(logits, alive)
    assert float(torch.sigmoid(logits[0, 1] / fitted[1])) == pytest.approx(1.0, abs=0.001)


def test_no_evidence_changes_nothing() -> None:
    assert fit_temperatures(torch.zeros(0, 3), torch.zeros(0, 3, dtype=torch.bool)).tolist() == [1.0, 1.0, 1.0]


def test_grid_is_even_in_the_logarithm() -> None:
    grid = temperature_grid()
    assert len(grid) == 61
    assert grid[[0, -1]].tolist() == [pytest.approx(0.25), pytest.approx(5.0)]
    assert grid.log().diff().diff().abs().max() < 1e-12


def test_shapes_must_agree() -> None:
    with pytest.raises(ValueError, match="rounds by slots"):
        fit_temperatures(torch.zeros(4, 3), torch.zeros(4, 2, dtype=torch.bool))
