"""The error tree is the one in its docstring; every error keeps what it was given."""

import pickle
import re

import pytest

from deepinfer_structured import errors
from deepinfer_structured.results import Completion, FinishReason

CLASSES = [
    kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.StructuredError)
]


def test_the_tree_is_drawn_and_complete() -> None:
    drawn = re.findall(r"^[│├└─ ]*(\w+Error)\b", errors.__doc__ or "", re.MULTILINE)
    assert sorted(drawn) == sorted(kind.__name__ for kind in CLASSES)


@pytest.mark.parametrize("kind", CLASSES)
def test_one_base_and_a_plain_message(kind: type[errors.StructuredError]) -> None:
    error = kind("what was wrong")
    assert str(error) == error.message == "what was wrong" or isinstance(error, errors.BatchError)
    assert isinstance(error, errors.StructuredError)
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is kind
    assert copy.__dict__ == error.__dict__


def test_places_are_kept_and_shown() -> None:
    error = errors.UnsupportedSchemaError("keyword 'not'", pointer="/a")
    assert (error.pointer, str(error)) == ("/a", "keyword 'not' (at '/a')")
    assert "root" in str(errors.UnsupportedSchemaError("x", pointer=""))
    assert str(errors.GrammarSyntaxError("x", line=2, column=3)) == "x (line 2:3)"
    assert str(errors.RegexSyntaxError("x", offset=4)) == "x (offset 4)"


def test_the_cause_is_the_error_underneath() -> None:
    below = ValueError("x")
    with pytest.raises(errors.CheckFailedError) as caught:
        raise errors.CheckFailedError("no", text="x") from below
    assert caught.value.cause is below
    assert caught.value.text == "x"


def test_a_batch_error_numbers_its_errors() -> None:
    lost = errors.TruncatedError("cut", text="[1")
    rows = [Completion(value=1), Completion[int](value=None, error=lost, finish_reason=FinishReason.LENGTH)]
    error = errors.BatchError(completions=rows)
    assert error.errors == [(1, lost)]
    assert error.completions == rows
    assert str(error) == "1 of 2 prompts failed; the first, prompt 1: TruncatedError: cut"
