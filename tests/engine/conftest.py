"""Toy models in float64, built once a run; nothing writes to them."""

import pytest

from deepinfer_engine.model.transformer import Transformer
from tests.engine.mixes import Plain, small_model


@pytest.fixture(scope="session")
def small() -> Transformer:
    """Four layers and one draft stage."""
    return small_model()


@pytest.fixture(scope="session")
def plain(small: Transformer) -> Plain:
    """The plain loop of the small model, remembering its answers."""
    return Plain(small)
