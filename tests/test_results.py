"""Results and options are frozen values with clear errors."""

import dataclasses
from typing import Any

import pytest

from deepinfer_structured import Completion, FinishReason, SamplingParams, Usage


def test_finish_reasons_equal_their_strings() -> None:
    reasons: list[str] = list(FinishReason)
    assert reasons == ["stop", "length", "abort", "error"]
    assert [str(reason) for reason in FinishReason] == ["stop", "length", "abort", "error"]


def test_a_completion_is_never_without_usage_and_tokens() -> None:
    row = Completion(value="x")
    assert row.usage == Usage()
    assert row.token_ids == []
    with pytest.raises(dataclasses.FrozenInstanceError):
        row.text = "y"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"temperature": -1}, "temperature must be at least 0 and finite, not -1"),
        ({"temperature": float("nan")}, "temperature"),
        ({"top_p": 0}, "top_p must be above 0 and at most 1, not 0"),
        ({"top_p": 1.1}, "top_p"),
        ({"top_k": 0}, "top_k must be at least 1, not 0"),
        ({"min_p": 2}, "min_p"),
        ({"repetition_penalty": 0}, "repetition_penalty must be above 0 and finite"),
        ({"seed": -1}, "seed"),
        ({"n": 0}, "n must be at least 1"),
        ({"logprobs": -1}, "logprobs"),
        ({"verification": "x"}, "'match' or 'rejection', not 'x'"),
    ],
)
def test_values_out_of_range(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SamplingParams(**options)


@pytest.mark.parametrize("options", [{"temperature": "1"}, {"n": 1.5}, {"seed": True}, {"top_k": "3"}])
def test_wrong_types(options: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        SamplingParams(**options)


def test_the_default_is_greedy() -> None:
    assert SamplingParams().temperature == 0
    assert SamplingParams(temperature=1, top_k=5, seed=3) == SamplingParams(temperature=1, top_k=5, seed=3)
