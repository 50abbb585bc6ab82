"""The intermediate form as EBNF text, the notation every mask engine reads; decides nothing."""

from __future__ import annotations

from deepinfer_structured.schema.grammar import Alt, Chars, Literal, Node, Ref, Repeat, Rules, Seq

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 !#$%&'()*+,./:;<=>?@_`{|}~")

_QUOTED = frozenset('"\\')
_HEX = frozenset("0123456789abcdefABCDEF")


def render(grammar: Rules, root: str = "root") -> str:
    """EBNF text. The root is wrapped in a rule of its own, so nothing refers back to it."""
    names = {name: f"r{index}" for index, name in enumerate(grammar.rules)}
    lines = [f"{root} ::= {names[grammar.root]}"]
    lines += [f"{names[name]} ::= {_node(node, names, 0)}" for name, node in grammar.rules.items()]
    return "\n".join(lines) + "\n"


def _node(node: Node, names: dict[str, str], level: int) -> str:
    """Level 0: anything; 1: inside a sequence; 2: before a repetition mark."""
    match node:
        case Literal(text):
            return '"' + _text(text) + '"'
        case Chars(ranges):
            return "[" + "".join(_range(low, high) for low, high in ranges) + "]"
        case Ref(name):
            return names[name]
        case Seq(items):
            text = " ".join(_node(item, names, 1) for item in items)
            return f"({text})" if level == 2 else text
        case Alt(items):
            text = " | ".join(_node(item, names, 1) for item in items)
            return f"({text})" if level else text
        case Repeat(item, low, high):
            text = _node(item, names, 2) + _times(low, high)
            return f"({text})" if level == 2 else text


def _times(low: int, high: int | None) -> str:
    if high is None:
        return "*" if low == 0 else "+" if low == 1 else f"{{{low},}}"
    if (low, high) == (0, 1):
        return "?"
    return f"{{{low}}}" if low == high else f"{{{low},{high}}}"


def _text(text: str) -> str:
    """A string's content. xgrammar reads an escape as far as hexadecimal digits go, so a digit after one is escaped."""
    parts: list[str] = []
    for char in text:
        if char in _QUOTED:
            parts.append("\\" + char)
        elif char not in _PLAIN or (char in _HEX and parts and parts[-1].startswith("\\x")):
            parts.append(_code(char))
        else:
            parts.append(char)
    return "".join(parts)


def _range(low: int, high: int) -> str:
    return _code(chr(low)) if low == high else f"{_code(chr(low))}-{_code(chr(high))}"


def _code(char: str) -> str:
    return f"\\x{ord(char):02x}"
