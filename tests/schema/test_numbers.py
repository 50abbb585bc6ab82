"""Ranges of numbers against arithmetic."""

from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from deepinfer_structured.schema.automaton import State, automaton
from deepinfer_structured.schema.grammar import NEVER, Node
from deepinfer_structured.schema.numbers import Bound, decimals, integers

VALUES = st.decimals(-1200, 1200, places=2, allow_nan=False) | st.integers(-120, 120).map(Decimal)
BOUNDS = st.none() | st.builds(Bound, VALUES, st.booleans())


def takes(node: Node, text: str) -> bool:
    states: list[State] = automaton([node]) if node != NEVER else []
    at = 0
    for char in text:
        at = (
            next((to for ranges, to in states[at].edges if any(a <= ord(char) <= b for a, b in ranges)), -1)
            if states
            else -1
        )
        if at < 0:
            return False
    return bool(states) and states[at].final


def inside(value: Decimal, low: Bound | None, high: Bound | None) -> bool:
    above = low is None or value > low.value or (value == low.value and not low.exclusive)
    return above and (high is None or value < high.value or (value == high.value and not high.exclusive))


@settings(max_examples=150)
@given(BOUNDS, BOUNDS, st.lists(VALUES, max_size=6))
def test_ranges(low: Bound | None, high: Bound | None, values: list[Decimal]) -> None:
    whole, fine = integers(low, high), decimals(low, high, places=4)
    for value in [*values, *(bound.value for bound in (low, high) if bound)]:
        value = abs(value) if value == 0 else value
        assert takes(fine, f"{value:f}") == inside(value, low, high), value
        if value == int(value):
            assert takes(whole, str(int(value))) == inside(value, low, high), value


def test_the_forms() -> None:
    for good in ("0", "-0.0", "10", "0.5", "1e-9", "1.5e+300", "9999999999999999999", "1.7976931348623157e307"):
        assert takes(decimals(None, None), good), good
    for bad in ("01", ".5", "5.", "+1", "1e400", "1e", "--1", "1" * 20, "0." + "1" * 21, "NaN", ""):
        assert not takes(decimals(None, None), bad), bad
    for bad in ("-0", "1.0", "00", "1e2"):
        assert not takes(integers(None, None), bad), bad
