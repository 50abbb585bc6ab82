"""The Engram token map joins tokens that read the same."""

import time
from pathlib import Path

import pytest
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

from deepinfer_engine.errors import CheckpointError
from deepinfer_engine.weights.tokens import engram_token_map


def written(path: Path, tokens: list[str], special: tuple[str, ...] = ()) -> Path:
    """A byte-level tokenizer with these vocabulary strings."""
    tokenizer = Tokenizer(models.BPE(vocab={token: index for index, token in enumerate(tokens)}, merges=[]))
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(token, special=True) for token in special])
    tokenizer.save(str(path / "tokenizer.json"))
    return path / "tokenizer.json"


def groups(path: Path, tokens: list[str], special: tuple[str, ...] = ()) -> list[int]:
    token_map, count = engram_token_map(written(path, tokens, special), len(tokens) + len(special))
    assert count == len(set(token_map.tolist()))
    return token_map.tolist()


def test_case_accents_width_and_spaces_do_not_count(tmp_path: Path) -> None:
    # The last two spell "é" and the full-width "ａ" in bytes.
    assert groups(tmp_path, ["hello", "Ġhello", "HELLO", "Hello", "a", "e", "Ã©", "ï½ģ"]) == [0, 0, 0, 0, 1, 2, 2, 1]


def test_new_ids_count_in_order_of_first_appearance(tmp_path: Path) -> None:
    assert groups(tmp_path, ["b", "a", "B", "c", "A"]) == [0, 1, 0, 2, 1]


def test_white_space_is_one_space_and_not_nothing(tmp_path: Path) -> None:
    assert groups(tmp_path, ["Ġ", "ĠĠ", "Ċ", "ĉ", "x"]) == [0, 0, 0, 0, 1]


def test_a_text_that_normalises_to_nothing_keeps_itself(tmp_path: Path) -> None:
    # Combining acute and grave accents: nothing is left of either, yet they are not the same.
    assert groups(tmp_path, ["Ìģ", "ÌĢ"]) == [0, 1]


def test_bytes_that_are_no_text_keep_their_spelling(tmp_path: Path) -> None:
    assert groups(tmp_path, ["Ã", "Â", "ł"]) == [0, 1, 2]


def test_special_tokens_have_a_text_as_well(tmp_path: Path) -> None:
    assert groups(tmp_path, ["<x>", "y"], special=("<X>", "<Y>")) == [0, 1, 0, 2]


def test_ids_behind_the_tokenizer_get_zero(tmp_path: Path) -> None:
    token_map, count = engram_token_map(written(tmp_path, ["a", "b"]), 5)
    assert (token_map.tolist(), count) == ([0, 1, 0, 0, 0], 2)


def test_a_tokenizer_larger_than_the_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="has 3 tokens, the model has 2"):
        engram_token_map(written(tmp_path, ["a", "b", "c"]), 2)


def test_an_unreadable_tokenizer_is_named(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{}", encoding="utf-8")
    with pytest.raises(CheckpointError, match=r"tokenizer\.json"):
        engram_token_map(tmp_path / "tokenizer.json", 8)


def test_eight_thousand_tokens_take_no_time(tmp_path: Path) -> None:
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())[:91]
    path = written(tmp_path, [a + b for a in letters for b in letters])
    started = time.process_time()
    engram_token_map(path, 91 * 91)
    assert time.process_time() - started < 1.0
