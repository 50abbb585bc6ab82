"""Requests and parameters are checked at the door; the message says what is possible."""

import math
from typing import Any

import pytest
import torch

from deepinfer_engine.errors import CheckpointError, EngineError, InvalidRequestError
from deepinfer_engine.request import Request, SamplingParams, Usage
from deepinfer_engine.sampling.process import RowParams


class AnyToken:
    """A constraint that allows everything."""

    terminated = False

    def fill(self, row: torch.Tensor) -> None:
        row.fill_(-1)

    def accept(self, token: int) -> bool:
        return True

    def rollback(self, count: int) -> None:
        return None


@pytest.mark.parametrize(
    ("name", "values", "possible"),
    [
        ("temperature", [-1, 1e-5, 101, math.nan, math.inf, "1", True, None], "0 (greedy)"),
        ("top_p", [0, -0.1, 1.1, math.nan], "at most 1"),
        ("top_k", [0, -1, 1.5, True], "from 1"),
        ("min_p", [-0.1, 1.1, math.nan], "from 0 (off) to 1"),
        ("repetition_penalty", [0, -1, 1000, math.inf], "from 0.01 to 100"),
        ("seed", [-1, 2**63, 1.0, True], "from 0 to"),
        ("logprobs", [-1, 1001, 0.5], "from 0 to 1000"),
        ("verification", ["block", None], "'match' or 'rejection'"),
    ],
)
def test_parameters_out_of_range_are_refused(name: str, values: list[Any], possible: str) -> None:
    for value in values:
        with pytest.raises(InvalidRequestError) as caught:
            SamplingParams(**{name: value})
        message = str(caught.value)
        assert message.startswith(f"{name} is {value!r}")
        assert possible in message or "finite number" in message


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"prompt": ()}, "prompt is empty"),
        ({"prompt": [1]}, "prompt is a list"),
        ({"prompt": (1, -2)}, "prompt holds -2"),
        ({"prompt": (True,)}, "prompt holds True"),
        ({"max_tokens": 0}, "max_tokens is 0; it must be a whole number from 1"),
        ({"stop_tokens": (0.5,)}, "stop_tokens holds 0.5"),
        ({"request_id": None}, "request_id is None"),
        ({"constraint": object()}, "constraint is"),
        ({"sampling": None}, "sampling is None"),
    ],
)
def test_requests_that_cannot_be_served_are_refused(change: dict[str, Any], message: str) -> None:
    good: dict[str, Any] = {"request_id": "a", "prompt": (0, 5), "max_tokens": 3, "constraint": AnyToken()}
    assert Request(**good).stop_tokens == (1,)
    with pytest.raises(InvalidRequestError, match=message):
        Request(**{**good, **change})


def test_greedy_rows_match_and_are_not_truncated() -> None:
    greedy = SamplingParams(top_k=1, top_p=0.1, min_p=0.5, verification="rejection")
    assert greedy.greedy
    assert not greedy.rejects
    assert SamplingParams(temperature=1.0, verification="rejection").rejects
    rows = RowParams.of([greedy])
    assert not rows.sampled.any()
    assert (rows.any_temperature, rows.any_min_p, rows.most_top_k, rows.any_top_p) == (False, False, 0, False)


def test_a_snapshot_of_usage_stays_as_it_was() -> None:
    usage = Usage(prompt_tokens=3)
    before = usage.snapshot()
    usage.output_tokens += 1
    assert before == Usage(prompt_tokens=3)


def test_a_checkpoint_error_lists_the_tensors() -> None:
    error = CheckpointError("the checkpoint does not fit", missing=("a", "b"), unexpected=tuple("cdefghi"))
    assert isinstance(error, EngineError)
    assert error.__notes__ == ["missing: a, b", "unexpected: c, d, e, f, g and 2 more"]
