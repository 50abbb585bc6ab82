"""Decimal numbers in ranges as grammar nodes, with a bounded count of digits; exact for every bound."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from deepinfer_structured.schema.grammar import EMPTY, NEVER, Literal, Node, alt, chars, optional, repeat, seq

INTEGER_DIGITS = 19
FRACTION_DIGITS = 20
_DIGIT = chars([(48, 57)])
_EXPONENT = alt(
    seq(optional(Literal("0")), _DIGIT),
    seq(chars([(49, 57)]), _DIGIT),
    seq(chars([(49, 50)]), _DIGIT, _DIGIT),
    seq(Literal("30"), chars([(48, 55)])),
)
_LARGE_EXPONENT = alt(
    seq(Literal("1"), chars([(54, 57)])),
    seq(chars([(50, 57)]), _DIGIT),
    seq(chars([(49, 50)]), _DIGIT, _DIGIT),
    seq(Literal("30"), chars([(48, 55)])),
)
_SMALL_EXPONENT = alt(
    seq(optional(Literal("0")), chars([(53, 57)])),
    seq(chars([(49, 57)]), _DIGIT),
    seq(chars([(49, 50)]), _DIGIT, _DIGIT),
    seq(Literal("30"), chars([(48, 55)])),
)


@dataclass(frozen=True, slots=True)
class Bound:
    """One end of a range."""

    value: Decimal
    exclusive: bool = False


def integers(low: Bound | None, high: Bound | None) -> Node:
    """Integers in the range, without leading zeros, plus sign or fraction."""
    first = None if low is None else _ceiling(low)
    last = None if high is None else _floor(high)
    if first is not None and last is not None and first > last:
        return NEVER
    positive = naturals(max(first or 0, 0), last) if last is None or last >= 0 else NEVER
    negative: Node = NEVER
    if first is None or first < 0:
        negative = naturals(1 if last is None else max(1, -last), None if first is None else -first)
    return alt(positive, seq(Literal("-"), negative))


def naturals(low: int, high: int | None) -> Node:
    """Integers from `low` (at least 0) to `high`, or to the digit limit."""
    if high is None:
        high = 10 ** max(INTEGER_DIGITS, len(str(low)) + 1) - 1
    if low > high:
        return NEVER
    parts = [Literal("0")] if low == 0 else []
    low = max(low, 1)
    nodes: list[Node] = list(parts)
    for length in range(len(str(low)), len(str(high)) + 1):
        first, last = max(low, 10 ** (length - 1)), min(high, 10**length - 1)
        if first <= last:
            nodes.append(_same_length(str(first), str(last)))
    return _join_lengths(nodes)


def decimals(low: Bound | None, high: Bound | None, *, places: int = FRACTION_DIGITS, exponents: bool = True) -> Node:
    """Numbers in the range with at most `places` digits after the point."""
    if low is not None and high is not None and _empty(low, high):
        return NEVER
    zero = Bound(Decimal(0))
    nodes: list[Node] = []
    if high is None or high.value > 0 or (high.value == 0 and not high.exclusive):
        floor = zero if low is None or low.value < 0 else low
        nodes += [_magnitudes(floor, high, places), *(_exponent_forms(floor, high) if exponents else ())]
    if low is None or low.value < 0:
        floor = zero if high is None or high.value > 0 else _negate(high)
        ceiling = None if low is None else _negate(low)
        inner = [_magnitudes(floor, ceiling, places), *(_exponent_forms(floor, ceiling) if exponents else ())]
        nodes.append(seq(Literal("-"), alt(*inner)))
    return alt(*nodes)


def _magnitudes(low: Bound, high: Bound | None, places: int) -> Node:
    low_int, low_frac = _digits(low)
    if high is None:
        above = naturals(low_int + 1, None)
        return alt(_with_fraction(str(low_int), _Tail(low_frac, not low.exclusive), None, places), _free(above, places))
    high_int, high_frac = _digits(high)
    floor, ceiling = _Tail(low_frac, not low.exclusive), _Tail(high_frac, not high.exclusive)
    if low_int == high_int:
        return _with_fraction(str(low_int), floor, ceiling, places)
    return alt(
        _with_fraction(str(low_int), floor, None, places),
        _free(naturals(low_int + 1, high_int - 1), places),
        _with_fraction(str(high_int), None, ceiling, places),
    )


@dataclass(frozen=True, slots=True)
class _Tail:
    """The digits of a bound that are still to come, and whether the bound itself is in."""

    digits: str
    inclusive: bool

    def next(self) -> tuple[int, _Tail]:
        return int(self.digits[:1] or 0), _Tail(self.digits[1:], self.inclusive)

    @property
    def zero(self) -> bool:
        return not self.digits.strip("0")


def _free(whole: Node, places: int) -> Node:
    return seq(whole, optional(seq(Literal("."), repeat(_DIGIT, 1, places)))) if places else whole


def _with_fraction(whole: str, low: _Tail | None, high: _Tail | None, places: int) -> Node:
    fraction = _fraction(low, high, places)
    tail = seq(Literal("."), fraction)
    return seq(Literal(whole), optional(tail) if _may_end(low, high) else tail)


def _may_end(low: _Tail | None, high: _Tail | None) -> bool:
    """Whether the number may stop here, all further digits being zero."""
    over = low is None or (low.zero and low.inclusive)
    return over and (high is None or not high.zero or high.inclusive)


def _fraction(low: _Tail | None, high: _Tail | None, left: int) -> Node:
    """One digit or more, at most `left`, at least `low` and at most `high`."""
    if low is not None and low.zero and low.inclusive:
        low = None
    if left == 0:
        return NEVER
    if low is None and high is None:
        return repeat(_DIGIT, 1, left)
    if high is not None and high.zero and (low is not None or not high.inclusive):
        return NEVER
    first, low_rest = low.next() if low else (0, None)
    last, high_rest = high.next() if high else (9, None)
    nodes: list[Node] = []
    for digit in range(first, last + 1):
        inner_low = low_rest if digit == first else None
        inner_high = high_rest if digit == last else None
        rest = _fraction(inner_low, inner_high, left - 1)
        tail = optional(rest) if _may_end(inner_low, inner_high) else rest
        nodes.append(seq(Literal(str(digit)), tail))
    return _join_digits(nodes)


def _exponent_forms(low: Bound, high: Bound | None) -> list[Node]:
    """Forms with an exponent that lie in the range whole: unbounded, very small, very large."""
    mantissa = optional(seq(Literal("."), repeat(_DIGIT, 1, FRACTION_DIGITS)))
    lead = seq(chars([(49, 57)]), mantissa)
    unbounded = low.value <= 0 and high is None
    if unbounded:
        return [seq(lead, Literal("e"), optional(chars([(43, 43), (45, 45)])), _EXPONENT)]
    forms: list[Node] = []
    if low.value <= 0 and high is not None and high.value >= Decimal("1e-4"):
        forms.append(seq(lead, Literal("e-"), _SMALL_EXPONENT))
    if high is None and low.value <= Decimal("1e16"):
        forms.append(seq(lead, Literal("e"), optional(Literal("+")), _LARGE_EXPONENT))
    return forms


def _same_length(low: str, high: str) -> Node:
    """Digit strings of one length from `low` to `high`."""
    if not low:
        return EMPTY
    rest = len(low) - 1
    if low.strip("0") == "" and high.strip("9") == "":
        return repeat(_DIGIT, len(low), len(low))
    if low[0] == high[0]:
        return seq(Literal(low[0]), _same_length(low[1:], high[1:]))
    first, last = int(low[0]), int(high[0])
    nodes: list[Node] = []
    if low[1:].strip("0"):
        nodes.append(seq(Literal(low[0]), _same_length(low[1:], "9" * rest)))
        first += 1
    if high[1:].strip("9"):
        nodes.append(seq(Literal(high[0]), _same_length("0" * rest, high[1:])))
        last -= 1
    if first <= last:
        nodes.append(seq(_digit_range(first, last), repeat(_DIGIT, rest, rest)))
    return alt(*nodes)


def _join_lengths(nodes: list[Node]) -> Node:
    """Full lengths in a row become one bounded repetition."""
    counts = {seq(chars([(49, 57)]), repeat(_DIGIT, count, count)): count for count in range(64)}
    lengths = sorted(counts[node] for node in nodes if node in counts)
    if len(lengths) < 2 or lengths[-1] - lengths[0] + 1 != len(lengths):
        return alt(*nodes)
    rest = [node for node in nodes if node not in counts]
    return alt(*rest, seq(chars([(49, 57)]), repeat(_DIGIT, lengths[0], lengths[-1])))


def _join_digits(nodes: list[Node]) -> Node:
    """Neighbouring digits with the same tail become one class."""
    tails: dict[Node, list[tuple[int, int]]] = {}
    for node in nodes:
        if node == NEVER:
            continue
        text, tail = _split_digit(node)
        tails.setdefault(tail, []).append((ord(text), ord(text)))
    return alt(*(seq(chars(ranges), tail) for tail, ranges in tails.items()))


def _split_digit(node: Node) -> tuple[str, Node]:
    items = node.items if hasattr(node, "items") else (node,)
    head = items[0]
    text = head.text  # type: ignore[union-attr]
    return text[0], seq(Literal(text[1:]), *items[1:])


def _digit_range(low: int, high: int) -> Node:
    return chars([(48 + low, 48 + high)])


def _digits(bound: Bound) -> tuple[int, str]:
    whole, _, fraction = f"{bound.value:f}".partition(".")
    return int(whole), fraction.rstrip("0")


def _negate(bound: Bound) -> Bound:
    return Bound(-bound.value, bound.exclusive)


def _empty(low: Bound, high: Bound) -> bool:
    return low.value > high.value or (low.value == high.value and (low.exclusive or high.exclusive))


def _ceiling(bound: Bound) -> int:
    value = int(bound.value.to_integral_value(rounding="ROUND_CEILING"))
    return value + 1 if bound.exclusive and value == bound.value else value


def _floor(bound: Bound) -> int:
    value = int(bound.value.to_integral_value(rounding="ROUND_FLOOR"))
    return value - 1 if bound.exclusive and value == bound.value else value
