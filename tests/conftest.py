"""What holds for every test: one torch thread a worker, no network, the same random examples on each run."""

import os
import socket
from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest
import torch

hypothesis.settings.register_profile(
    "suite",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("suite")


def pytest_configure(config: pytest.Config) -> None:
    if "PYTEST_XDIST_WORKER" in os.environ:
        torch.set_num_threads(1)


@pytest.fixture(scope="session", autouse=True)
def no_network() -> Iterator[None]:
    """The product opens no connection; a test that would is wrong, not slow."""
    connect = socket.socket.connect

    def refuse(self: socket.socket, address: Any) -> None:
        if self.family in {socket.AF_INET, socket.AF_INET6}:
            message = f"a test tried to reach the network: {address!r}"
            raise PermissionError(message)
        connect(self, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", refuse)
        yield
