"""EBNF and GBNF text as a grammar, with line and column in errors; knows no schema."""

from __future__ import annotations

import re
from dataclasses import dataclass

from deepinfer_structured.errors import GrammarSyntaxError
from deepinfer_structured.schema.grammar import (
    EMPTY,
    MAX_CHAR,
    Literal,
    Node,
    Ref,
    Rules,
    alt,
    chars,
    invert_ranges,
    repeat,
    seq,
)

_TOKEN = re.compile(
    r"""(?P<skip>[ \t\r\n]+|\#[^\n]*|//[^\n]*)
      | (?P<define>::=)
      | (?P<name>[A-Za-z_][A-Za-z0-9_.-]*)
      | (?P<text>"(?:[^"\\\n]|\\.)*")
      | (?P<set>\[(?:[^\]\\\n]|\\.)*\])
      | (?P<times>\{\s*-?\d*\s*(?:,\s*-?\d*\s*)?\})
      | (?P<look>\(=)
      | (?P<mark>[|()*+?.])""",
    re.VERBOSE,
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "b": "\b", "v": "\v", "0": "\0", "a": "\a"}
_CODE = re.compile(r"x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|u\{([0-9A-Fa-f]{1,6})\}")
MAX_NESTING = 200


def parse_ebnf(text: str, root: str = "root") -> Rules:
    """The rules of `name ::= ...` text; `root` is where it begins."""
    reader = _Reader(text)
    rules = reader.rules()
    if root not in rules:
        known = ", ".join(list(rules)[:8]) or "none"
        raise GrammarSyntaxError(f"the grammar has no rule {root!r}; its rules: {known}", line=1, column=1)
    for name, at in reader.used.items():
        if name not in rules:
            raise reader.error(f"rule {name!r} is not defined", at)
    return Rules(rules, root)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    at: int


class _Reader:
    """A recursive-descent parser."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.used: dict[str, int] = {}
        self._tokens = self._scan()
        self._next = 0
        self._depth = 0

    def rules(self) -> dict[str, Node]:
        found: dict[str, Node] = {}
        while self._peek().kind != "end":
            name = self._take()
            if name.kind != "name" or self._peek().kind != "define":
                raise self.error(f"expected a rule such as name ::= ..., found {name.text!r}", name.at)
            self._take()
            if name.text in found:
                raise self.error(f"rule {name.text!r} is defined twice", name.at)
            found[name.text] = self._choice()
            follow = self._peek()
            if follow.kind not in ("end", "name"):
                raise self.error(f"unexpected {follow.text!r}", follow.at)
        return found

    def error(self, message: str, at: int) -> GrammarSyntaxError:
        line = self.text.count("\n", 0, at) + 1
        return GrammarSyntaxError(message, line=line, column=at - (self.text.rfind("\n", 0, at) + 1) + 1, offset=at)

    def _scan(self) -> list[_Token]:
        tokens: list[_Token] = []
        at = 0
        while at < len(self.text):
            match = _TOKEN.match(self.text, at)
            if match is None:
                found = "an unfinished string" if self.text[at] in "\"'[" else f"unexpected {self.text[at]!r}"
                raise self.error(found, at)
            if match.lastgroup != "skip":
                tokens.append(_Token(str(match.lastgroup), match.group(), at))
            at = match.end()
        return [*tokens, _Token("end", "the end of the grammar", len(self.text))]

    def _peek(self, ahead: int = 0) -> _Token:
        return self._tokens[min(self._next + ahead, len(self._tokens) - 1)]

    def _take(self) -> _Token:
        token = self._peek()
        self._next += 1
        return token

    def _choice(self) -> Node:
        branches = [self._sequence()]
        while self._peek().text == "|" and self._peek().kind == "mark":
            self._take()
            branches.append(self._sequence())
        return alt(*branches)

    def _sequence(self) -> Node:
        items: list[Node] = []
        while True:
            token = self._peek()
            starts = token.kind in ("text", "set", "look") or (token.kind == "mark" and token.text in "(.")
            if not starts and not (token.kind == "name" and self._peek(1).kind != "define"):
                return seq(*items)
            items.append(self._repeated())

    def _repeated(self) -> Node:
        node = self._atom()
        while True:
            token = self._peek()
            if token.kind == "mark" and token.text in "*+?":
                self._take()
                low, high = {"*": (0, None), "+": (1, None), "?": (0, 1)}[token.text]
                node = repeat(node, low, high)
            elif token.kind == "times":
                self._take()
                node = repeat(node, *self._times(token))
            else:
                return node

    def _times(self, token: _Token) -> tuple[int, int | None]:
        first, comma, last = token.text.strip("{} ").replace(" ", "").partition(",")
        low = int(first or 0)
        high = low if not comma else int(last) if last and last != "-1" else None
        if low < 0 or (high is not None and high < low) or (not comma and not first):
            raise self.error(f"the repetition {token.text!r} is empty", token.at)
        return low, high

    def _atom(self) -> Node:
        token = self._take()
        if token.kind == "name":
            self.used.setdefault(token.text, token.at)
            return Ref(token.text)
        if token.kind == "text":
            return Literal("".join(chr(code) for code, _ in self._codes(token.text[1:-1], token.at + 1)))
        if token.kind == "set":
            return self._set(token)
        if token.text == ".":
            return chars(invert_ranges([(10, 10)]))
        self._depth += 1
        if self._depth > MAX_NESTING:
            raise self.error(f"more than {MAX_NESTING} brackets deep", token.at)
        inner = self._choice()
        self._depth -= 1
        close = self._take()
        if close.text != ")":
            raise self.error(f"expected ')' for the '(' before, found {close.text!r}", close.at)
        return EMPTY if token.kind == "look" else inner

    def _set(self, token: _Token) -> Node:
        body = token.text[1:-1]
        negate = body.startswith("^")
        codes = self._codes(body[negate:], token.at + 1 + negate)
        ranges: list[tuple[int, int]] = []
        index = 0
        while index < len(codes):
            low = codes[index][0]
            if index + 2 < len(codes) and codes[index + 1] == (45, False):
                high = codes[index + 2][0]
                if high < low:
                    raise self.error(f"the range {chr(low)!r} to {chr(high)!r} is empty", token.at)
                ranges.append((low, high))
                index += 3
            else:
                ranges.append((low, low))
                index += 1
        return chars(invert_ranges(ranges) if negate else ranges)

    def _codes(self, body: str, at: int) -> list[tuple[int, bool]]:
        """The code points of a string's or class's content, and which were escaped."""
        codes: list[tuple[int, bool]] = []
        index = 0
        while index < len(body):
            if body[index] != "\\":
                if 0xD800 <= ord(body[index]) <= 0xDFFF:
                    raise self.error(f"{body[index]!r} is half a surrogate pair", at + index)
                codes.append((ord(body[index]), False))
                index += 1
                continue
            match = _CODE.match(body, index + 1)
            if match:
                code = int(next(filter(None, match.groups())), 16)
                if code > MAX_CHAR or 0xD800 <= code <= 0xDFFF:
                    raise self.error(f"{match.group()!r} is no character", at + index)
                codes.append((code, True))
                index = match.end()
            elif body[index + 1] in "xuU":
                raise self.error(f"bad escape {body[index : index + 4]!r}", at + index)
            else:
                codes.append((ord(_ESCAPES.get(body[index + 1], body[index + 1])), True))
                index += 2
        return codes
