"""Every error of the engine becomes one of this package's, with its cause."""

from collections.abc import Iterator

import pytest

from deepinfer_engine.errors import ConstraintError, EngineError
from deepinfer_structured.errors import DeadEndError, EngineFailedError, StructuredError
from deepinfer_structured.results import Usage
from deepinfer_structured.runner.failures import MAPPED, translate


def tree(root: type[EngineError]) -> Iterator[type[EngineError]]:
    yield root
    for child in root.__subclasses__():
        yield from tree(child)


@pytest.mark.parametrize("kind", list(tree(EngineError)), ids=lambda kind: kind.__name__)
def test_every_engine_error_is_mapped(kind: type[EngineError]) -> None:
    assert kind in MAPPED, f"say in runner/failures.py what {kind.__name__} becomes"
    error = kind("what went wrong")
    mapped = translate(error, text="so far", usage=Usage(output_tokens=2))
    assert isinstance(mapped, StructuredError)
    assert mapped.cause is error
    assert "what went wrong" in str(mapped)


def test_notes_are_kept() -> None:
    error = EngineError("sizes differ")
    error.add_note("missing: a, b")
    assert "missing: a, b" in str(translate(error))


def test_what_a_matcher_raised_comes_back_with_the_text_so_far() -> None:
    raised = DeadEndError("no token is legal")
    wrapped = ConstraintError("the constraint failed")
    wrapped.__cause__ = raised
    mapped = translate(wrapped, text="ab", usage=Usage(output_tokens=1))
    assert mapped is raised
    assert (raised.text, raised.usage) == ("ab", Usage(output_tokens=1))


def test_any_other_exception_is_an_engine_failure() -> None:
    assert isinstance(translate(ZeroDivisionError("x")), EngineFailedError)
