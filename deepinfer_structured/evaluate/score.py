"""Compares one answer with the expected one, field by field.

A field is a leaf of the expected value, named by its JSON pointer: a scalar, an empty list or an empty object. Fields
that the answer has and the expectation lacks count as wrong ones too, so a longer list does not score for free. A null
and a key left out are the same.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

ABSENT = object()


@dataclass(frozen=True, slots=True)
class Score:
    """How many fields of one answer are right, out of how many; `wrong` names the others."""

    right: int
    total: int
    whole: bool
    wrong: tuple[str, ...] = ()


def leaves(value: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    """The fields of a value with their JSON pointers (RFC 6901)."""
    if isinstance(value, dict) and value:
        for key, part in value.items():
            yield from leaves(part, f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}")
    elif isinstance(value, list) and value:
        for index, part in enumerate(value):
            yield from leaves(part, f"{pointer}/{index}")
    else:
        yield pointer, value


def same(expected: Any, got: Any) -> bool:
    """Equality of JSON leaves: numbers by value, booleans only with booleans, texts exactly."""
    if isinstance(expected, bool) or isinstance(got, bool):
        return expected is got
    if isinstance(expected, (int, float)) and isinstance(got, (int, float)):
        return float(expected) == float(got)
    return type(expected) is type(got) and bool(expected == got)


def score(expected: Any, got: Any) -> Score:
    """Fields right and in all; `whole` when every one is right and none is added."""
    wanted, found = dict(leaves(expected)), dict(leaves(got))
    wrong = []
    for pointer, value in wanted.items():
        missing = None if value is None else ABSENT
        if not same(value, found.get(pointer, missing)):
            wrong.append(pointer)
    added = [pointer for pointer in found.keys() - wanted.keys() if not covered(pointer, found[pointer], wanted)]
    total = len(wanted) + len(added)
    return Score(total - len(wrong) - len(added), total, not wrong and not added, (*wrong, *sorted(added)))


def covered(pointer: str, value: Any, wanted: dict[str, Any]) -> bool:
    """Whether an added leaf is an explicit null, or stands where a wanted field already counts as wrong."""
    parents = [pointer[:end] for end in range(len(pointer)) if pointer[end] == "/"]
    deeper = any(key.startswith(f"{pointer}/") for key in wanted)
    return value is None or deeper or any(parent in wanted for parent in parents)
