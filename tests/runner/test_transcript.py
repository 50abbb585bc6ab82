"""Tokens to text as they arrive: whole characters, stop strings, thoughts apart."""

from collections.abc import Sequence

import pytest

from deepinfer_structured.constraint.vocabulary import THINK_CLOSE, Vocabulary
from deepinfer_structured.runner.transcript import Transcript


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.load("nano")


def grown(transcript: Transcript, ids: Sequence[int], step: int = 1) -> list[str]:
    texts = []
    for start in range(0, len(ids), step):
        transcript.push(ids[start : start + step])
        texts.append(transcript.text)
    transcript.close()
    return texts


@pytest.mark.parametrize("step", [1, 3])
@pytest.mark.parametrize("text", ["plain words", "žluťoučký kůň 🐎 漢字 \x00 end"])
def test_text_grows_by_whole_characters(vocabulary: Vocabulary, text: str, step: int) -> None:
    transcript = Transcript(vocabulary)
    ids = [*vocabulary.encode(text), vocabulary.eos]
    for part in grown(transcript, ids, step):
        assert text.startswith(part)
    assert transcript.text == text
    assert vocabulary.decode(transcript.token_ids) == text


def test_a_character_cut_short_is_one_replacement(vocabulary: Vocabulary) -> None:
    horse = next(i for i, b in enumerate(vocabulary.token_bytes) if b == "🐎".encode()[:1])
    transcript = Transcript(vocabulary)
    grown(transcript, [*vocabulary.encode("a "), horse])
    assert transcript.text == "a \ufffd"


@pytest.mark.parametrize("step", [1, 4, 100])
def test_a_stop_string_ends_text_and_tokens(vocabulary: Vocabulary, step: int) -> None:
    ids = vocabulary.encode("one two END three END")
    transcript = Transcript(vocabulary, stop=("never", "END"))
    grown(transcript, ids, step)
    assert transcript.stopped
    assert transcript.text == "one two "
    assert vocabulary.decode(transcript.token_ids).startswith("one two ")
    assert len(transcript.token_ids) < len(ids)


def test_a_stop_string_over_several_tokens_is_found(vocabulary: Vocabulary) -> None:
    ids = [token for letter in "xx--stop--yy" for token in vocabulary.encode(letter)]
    transcript = Transcript(vocabulary, stop=("--stop--",))
    grown(transcript, ids)
    assert transcript.text == "xx"
    assert vocabulary.decode(transcript.token_ids) == "xx"


def test_the_first_stop_string_wins(vocabulary: Vocabulary) -> None:
    transcript = Transcript(vocabulary, stop=("c", "bc"))
    transcript.push(vocabulary.encode("abcd"))
    assert transcript.text == "a"


def test_thoughts_are_apart(vocabulary: Vocabulary) -> None:
    close = vocabulary.special[THINK_CLOSE]
    transcript = Transcript(vocabulary, stop=("hm",), thinking=True)
    transcript.push([*vocabulary.encode("hm, well"), close, *vocabulary.encode("yes"), vocabulary.eos])
    assert (transcript.thinking, transcript.text) == ("hm, well", "yes")
    assert transcript.token_ids == vocabulary.encode("yes")


def test_without_thinking_there_are_no_thoughts(vocabulary: Vocabulary) -> None:
    assert Transcript(vocabulary).thinking is None
