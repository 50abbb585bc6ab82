"""Results and options are frozen values with clear errors."""

import dataclasses
from typing import Any

import pytest

import deepinfer_engine
from deepinfer_engine.errors import InvalidRequestError
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
        ({"temperature": -1}, "temperature must be at least 0 and at most 100, not -1"),
        ({"temperature": float("nan")}, "temperature"),
        ({"top_p": 0}, "top_p must be above 0 and at most 1, not 0"),
        ({"top_p": 1.1}, "top_p"),
        ({"top_k": 0}, "top_k must be from 1 to 2147483647, not 0"),
        ({"min_p": 2}, "min_p"),
        ({"repetition_penalty": 0}, "repetition_penalty must be at least 0.01 and at most 100"),
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


LIMITS: list[tuple[str, list[Any], list[Any]]] = [
    ("temperature", [0, 1e-3, 100], [1e-4, 101, float("inf")]),
    ("repetition_penalty", [0.01, 100], [0.009, 101]),
    ("top_k", [1, 2**31 - 1], [0, 2**31]),
    ("seed", [0, 2**63 - 1], [-1, 2**63]),
    ("logprobs", [0, 1000], [-1, 1001]),
]


@pytest.mark.parametrize(("name", "good", "bad"), LIMITS, ids=[name for name, _, _ in LIMITS])
def test_limits_are_those_of_the_engine(name: str, good: list[Any], bad: list[Any]) -> None:
    for value in good:
        SamplingParams(**{name: value})
        deepinfer_engine.SamplingParams(**{name: value})
    for value in bad:
        with pytest.raises(ValueError, match=name):
            SamplingParams(**{name: value})
        with pytest.raises(InvalidRequestError):
            deepinfer_engine.SamplingParams(**{name: value})
