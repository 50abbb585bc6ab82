"""The tokenizer: size, round trips, copying, punctuation groups."""

import itertools
import json
import re
from collections.abc import Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from deepinfer_structured.trainset.__main__ import default_tokenizer
from deepinfer_structured.trainset.generate import examples
from deepinfer_structured.trainset.tokenizer import JSON_GROUPS, SCHEMA_GROUPS, SIZE, SPECIAL, NanoTokenizer, byte_signs

TOKENIZER = NanoTokenizer(default_tokenizer())
VOCABULARY = TOKENIZER.tokenizer.get_vocab()


def pieces(text: str) -> list[str]:
    return [str(TOKENIZER.tokenizer.id_to_token(token)) for token in TOKENIZER.encode(text)]


def test_size_and_special_ids() -> None:
    assert TOKENIZER.tokenizer.get_vocab_size() == SIZE == 8192
    assert sorted(VOCABULARY.values()) == list(range(SIZE))
    assert [VOCABULARY[token] for token in SPECIAL] == list(range(16))


def test_every_byte_has_an_id() -> None:
    signs = {byte_signs(chr(code)) for code in range(128)}
    for code in range(0x80, 0x2000):
        signs |= set(byte_signs(chr(code)))
    assert all(sign in VOCABULARY for sign in signs)


@given(st.text(max_size=60) | st.binary(max_size=40).map(lambda data: data.decode("utf-8", "replace")))
def test_every_text_round_trips(text: str) -> None:
    ids = TOKENIZER.encode(text)
    assert TOKENIZER.decode(ids) == text
    assert all(token >= len(SPECIAL) for token in ids)


@given(
    st.lists(st.sampled_from([*SPECIAL, " ", "a", "\n", '"', "\0", "😀", "é", "1", ":", "_"]), max_size=12).map("".join)
)
def test_special_spellings_round_trip_as_text(text: str) -> None:
    ids = TOKENIZER.encode(text)
    assert TOKENIZER.decode(ids) == text
    assert all(token >= len(SPECIAL) for token in ids)


def test_groups_are_single_tokens() -> None:
    for group in (*JSON_GROUPS, *SCHEMA_GROUPS):
        assert len(TOKENIZER.encode(group)) == 1, group
    assert pieces('{"a":"b","n":1}') == ['{"', "a", '":"', "b", '","', "n", '":', "1", "}"]


def test_one_token_a_digit_and_cuts_in_names() -> None:
    assert pieces("2024") == ["2", "0", "2", "4"]
    assert pieces("due_date")[1] == "_"
    assert "".join(pieces("dueDate")).index("Date") == 3
    assert all(not re.search(r"\d.|.\d", token) for token in VOCABULARY if token not in SPECIAL)


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from texts(part)


def test_copied_values_split_alike_in_document_and_answer() -> None:
    alike = total = 0
    for example in itertools.islice(examples("train", 11), 800):
        if example.schema is None:
            continue
        document = "\1" + "\1".join(pieces(example.document)) + "\1"
        for text in set(texts(json.loads(example.answer))):
            quoted = pieces(json.dumps(text, ensure_ascii=False))
            if not text or text not in example.document or (quoted[0], quoted[-1]) != ('"', '"'):
                continue
            inner = "\1".join(quoted[1:-1]) + "\1"
            total += 1
            alike += f"\1{inner}" in document or f"\1Ġ{inner}" in document
    assert total > 1500
    assert alike / total > 0.999


@given(st.sampled_from(["Jane", "invoice", "Löwenstraße", "Kowalska", "total", "X", "Brücke"]))
def test_words_split_alike_after_space_and_quote(word: str) -> None:
    bare = pieces(word)
    spaced = pieces(f" {word}")
    spaced = spaced[1:] if spaced[0] == "Ġ" else [spaced[0].removeprefix("Ġ"), *spaced[1:]]
    assert bare == spaced == pieces(f'"{word}"')[1:-1]
