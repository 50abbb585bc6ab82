"""A bit of a mask row is set exactly when the matcher takes the token, the end of sequence included."""

import random
from typing import Any

import numpy as np
import pytest
import torch

import deepinfer_structured as ds
from deepinfer_structured.constraint.matcher import AnyMatcher, Matcher, TextMatcher, ThinkingMatcher
from deepinfer_structured.constraint.vocabulary import Vocabulary
from deepinfer_structured.constraint.xgrammar_engine import Engine
from deepinfer_structured.errors import DeadEndError
from tests.constraint.support import compiled, vocabulary

SCHEMAS: list[tuple[Any, str]] = [
    ({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}}, '{"a":12,"b":"x\\"é"}'),
    ({"type": "string", "minLength": 2, "maxLength": 6}, '"aé😀\\n"'),
    ({"type": "string", "pattern": "b+c?$", "maxLength": 5}, '"abbc"'),
    ({"type": "array", "items": {"$ref": "#"}}, "[[[],[]],[[[]]]]"),
    ({"type": "number", "minimum": -2.5, "exclusiveMaximum": 10}, "-1.25"),
    ({"type": "string", "format": "date"}, '"2024-02-29"'),
    (True, '{"k":[1,null,true],"s":"t"}'),
    ({"enum": ["a", "ab", 1, [True]]}, '"ab"'),
    (ds.Regex(r"[^\n]+"), "any text é"),
    (ds.Regex(r"(\d{1,3}\.){3}\d{1,3}"), "10.0.12.255"),
    (ds.EBNF('root ::= "[" root? "]"'), "[[[]]]"),
    (ds.EBNF('root ::= ("a" | "b" root)* "c"'), "abacc"),
    (ds.Choice(["yes", "yesterday", "no"]), "yesterday"),
]
EARLY_END = [".+", r"[^\n]+", "x.+", "<.*?>", r"https?://[^\s/$.?#].[^\s]*"]


def bits(matcher: AnyMatcher, words: Vocabulary) -> np.ndarray:
    row = torch.full((words.words,), -1, dtype=torch.int32)
    matcher.fill(row)
    return np.unpackbits(row.numpy().view(np.uint8), bitorder="little")[: words.size].astype(bool)


def agrees(matcher: AnyMatcher, words: Vocabulary) -> int:
    """Every token once: its bit and its acceptance are the same. Returns the number of legal ones."""
    legal = bits(matcher, words)
    for token in range(words.size):
        taken = matcher.accept(token)
        assert taken == legal[token], (token, words.token_bytes[token])
        if taken:
            matcher.rollback(1)
    assert (bits(matcher, words) == legal).all()
    return int(legal.sum())


@pytest.mark.parametrize(("schema", "text"), SCHEMAS, ids=[str(pair[1]) for pair in SCHEMAS])
def test_row_equals_acceptance_at_every_position(schema: Any, text: str) -> None:
    words = vocabulary()
    constraint = compiled(schema)
    assert constraint.accepts(text)
    matcher = constraint.matcher()
    for token in words.encode(text):
        assert agrees(matcher, words) > 0
        assert not any(bits(matcher, words)[index] for index in words.special.values() if index != words.eos)
        assert matcher.accept(token)
    assert matcher.is_complete
    agrees(matcher, words)
    assert matcher.accept(words.eos)
    assert matcher.terminated
    assert not matcher.accept(words.eos)
    assert list(np.flatnonzero(bits(matcher, words))) == [words.eos]


@pytest.mark.parametrize("pattern", EARLY_END)
def test_no_end_before_the_text_may_end(pattern: str) -> None:
    words = vocabulary()
    matcher = compiled(ds.Regex(pattern)).matcher()
    assert not bits(matcher, words)[words.eos]
    assert not matcher.accept(words.eos)
    assert not matcher.terminated


@pytest.mark.parametrize(("schema", "text"), SCHEMAS[:6], ids=[str(pair[1]) for pair in SCHEMAS[:6]])
def test_random_walks_and_rollback(schema: Any, text: str) -> None:
    words, draw = vocabulary(), random.Random(7)
    matcher = compiled(schema).matcher()
    rows = [bits(matcher, words)]
    for _ in range(60):
        legal = np.flatnonzero(rows[-1])
        if matcher.terminated or draw.random() < 0.3:
            count = draw.randint(0, len(rows) - 1)
            matcher.rollback(count)
            del rows[len(rows) - count :]
            assert (bits(matcher, words) == rows[-1]).all()
            continue
        assert matcher.accept(int(draw.choice(legal.tolist())))
        rows.append(bits(matcher, words))
    twin = matcher.fork()
    matcher.rollback(len(rows) - 1)
    assert (bits(matcher, words) == rows[0]).all()
    assert (bits(twin, words) == rows[-1]).all()
    with pytest.raises(ValueError, match="cannot undo"):
        matcher.rollback(1)


def test_two_levels_close_with_one_token() -> None:
    """A root that refers to itself must not forbid tokens that close several levels."""
    words = vocabulary()
    close = words.token_bytes.index(b"]]")
    for schema, opened in (
        (ds.EBNF('root ::= "[" root? "]"'), "[[[["),
        ({"type": "array", "items": {"$ref": "#"}}, "[[[["),
    ):
        matcher = compiled(schema).matcher()
        for byte in opened.encode():
            assert matcher.accept(words.token_bytes.index(bytes([byte])))
        assert bits(matcher, words)[close]


def test_control_tokens_never_enter_text() -> None:
    words = vocabulary()
    matcher = compiled({"type": "string"}).matcher()
    assert matcher.accept(words.encode('"')[0])
    for token in words.special.values():
        assert not matcher.accept(token)
    assert matcher.accept(words.encode("a")[0])


def test_forced_text_is_what_must_come() -> None:
    matcher = compiled({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}).matcher()
    assert matcher.forced_text() == '{"name":"'


def test_rows_of_a_padded_vocabulary() -> None:
    words = vocabulary()
    row = torch.full((words.words + 3,), -1, dtype=torch.int32)
    compiled({"type": "integer"}).matcher().fill(row)
    assert row[words.words :].eq(0).all()


def test_a_dead_end_is_an_error() -> None:
    """A vocabulary without the byte that must come next."""
    words = vocabulary()
    matcher = Matcher(Engine(words).compile('root ::= "\x7f"'), words)
    blind = Matcher.__new__(Matcher)
    blind.__dict__.update(matcher.__dict__)
    blind._cursor = _Nothing()  # type: ignore[assignment]
    with pytest.raises(DeadEndError, match="no token is legal"):
        blind.fill(torch.zeros(words.words, dtype=torch.int32))


class _Nothing:
    completed = False

    def fill(self, row: np.ndarray) -> None:
        row.fill(0)


def test_free_text() -> None:
    words = vocabulary()
    matcher = TextMatcher(words)
    assert agrees(matcher, words) == sum(map(bool, words.token_bytes)) + 1
    assert matcher.accept(words.encode("x")[0])
    twin = matcher.fork()
    assert matcher.accept(words.eos)
    assert not twin.terminated
    assert list(np.flatnonzero(bits(matcher, words))) == [words.eos]
    matcher.rollback(2)
    assert not matcher.terminated


def test_thinking_comes_first_and_rolls_back_over_the_boundary() -> None:
    words = vocabulary()
    close = words.special["</think>"]
    matcher = ThinkingMatcher(compiled({"type": "integer"}).matcher(), words)
    agrees(matcher, words)
    before = bits(matcher, words)
    assert not before[words.eos]
    assert before[close]
    tokens = [*words.encode("so it is 7"), close, *words.encode("7"), words.eos]
    for token in tokens:
        assert matcher.accept(token)
    assert matcher.terminated
    matcher.rollback(4)
    assert matcher.thinking
    for token in tokens[-4:]:
        agrees(matcher, words)
        assert matcher.accept(token)
    matcher.rollback(len(tokens))
    assert (bits(matcher, words) == before).all()


@pytest.mark.parametrize("budget", [0, 1, 3])
def test_a_thinking_budget_forces_the_answer(budget: int) -> None:
    words = vocabulary()
    matcher = ThinkingMatcher(compiled({"type": "integer"}).matcher(), words, budget=budget)
    for _ in range(budget):
        assert matcher.accept(words.encode("a")[0])
    assert list(np.flatnonzero(bits(matcher, words))) == [words.special["</think>"]]
    agrees(matcher, words)
    assert matcher.accept(words.special["</think>"])
    twin = matcher.fork()
    assert twin.accept(words.encode("7")[0])
    assert not matcher.is_complete
    assert twin.is_complete
