"""Text to tokens and back: bytes, specials, half characters."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepinfer_structured.constraint.vocabulary import Vocabulary
from deepinfer_structured.errors import InvalidPromptError
from tests.constraint.support import SPECIAL, vocabulary


@given(st.text(max_size=40))
def test_round_trip(text: str) -> None:
    words = vocabulary()
    ids = words.encode(text)
    assert words.decode(ids) == text
    stream = words.stream()
    assert "".join(stream.push([index]) for index in ids) + stream.finish() == text
    assert not set(ids) & set(words.special.values())


def test_the_spelling_of_a_special_token_is_plain_text() -> None:
    words = vocabulary()
    for text in SPECIAL:
        ids = words.encode(f"a{text}b")
        assert not set(ids) & set(words.special.values())
        assert words.decode(ids) == f"a{text}b"


def test_bytes_cover_every_byte_and_specials_have_none() -> None:
    words = vocabulary()
    assert {bytes([byte]) for byte in range(256)} <= set(words.token_bytes)
    assert all(words.token_bytes[index] == b"" for index in words.special.values())
    assert words.decode([words.eos, *words.encode("x"), words.eos]) == "x"


def test_half_a_character_waits() -> None:
    words = vocabulary()
    first, *rest = [words.token_bytes.index(bytes([byte])) for byte in "😀".encode()]
    stream = words.stream()
    assert stream.push([first]) == ""
    assert stream.push(rest) == "😀"
    stream.push([first])
    assert stream.finish() == "\ufffd"


def test_bad_text() -> None:
    with pytest.raises(InvalidPromptError):
        vocabulary().encode("\ud800")
    with pytest.raises(TypeError):
        vocabulary().encode(b"x")  # type: ignore[arg-type]


def test_load_names_and_paths(tmp_path: Path) -> None:
    words = vocabulary()
    path = tmp_path / "tokenizer.json"
    words._tokenizer.save(str(path))
    for where in (path, tmp_path):
        loaded = Vocabulary.load(where)
        assert loaded.hash == words.hash
        assert loaded.special == words.special
    with pytest.raises(FileNotFoundError, match="no tokenizer"):
        Vocabulary.load(tmp_path / "none")
