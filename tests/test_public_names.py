"""The names other people's scripts are written against; importing them is cheap."""

import subprocess
import sys

import pytest

import deepinfer_structured as ds

NAMES = {
    *("EBNF", "LLM", "BatchError", "Choice", "Completion", "Constraint", "FinishReason", "Grammar", "JSONSchema"),
    *("Lark", "Regex", "Report", "SamplingParams", "StructuredError", "Usage", "compile", "errors", "generate"),
}
HEAVY = ("torch", "xgrammar", "transformers", "jsonschema", "pydantic")


def test_all_is_sorted_and_has_the_public_names() -> None:
    upper = [name for name in ds.__all__ if name.isupper()]
    rest = [name for name in ds.__all__ if name not in upper]
    assert ds.__all__ == [*upper, *sorted(rest)]
    assert NAMES <= set(ds.__all__) <= set(dir(ds))
    assert {name for name in vars(ds.errors) if name.endswith("Error")} <= set(ds.__all__)


def test_lazy_names_resolve() -> None:
    for name in ("compile", "Constraint", "Matcher", "Vocabulary"):
        assert getattr(ds, name) is not None
    with pytest.raises(AttributeError, match="nothing"):
        _ = ds.nothing


def test_importing_loads_nothing_heavy() -> None:
    code = f"import sys, deepinfer_structured; print(*(set({HEAVY}) & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split() == []
