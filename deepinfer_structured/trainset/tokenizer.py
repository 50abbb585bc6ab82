"""Trains `tokenizer.json`: a byte-level BPE of exactly 8,192 ids made for copying values from documents into JSON.

1. Words are learnt without their leading space; the commonest then get a fused `space + piece` twin that only joins
   after every other merge, so a value splits the same way in a document and after a quote.
2. One token a digit.
3. Cuts at camelCase and underscores, so that field names meet labels.
4. The punctuation groups of compact JSON and of the compact schema are single tokens.
"""

import collections
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

SIZE: Final = 8192
TWINS: Final = 1300
SPECIAL: Final = (
    "<｜begin▁of▁sentence｜>", "<｜end▁of▁sentence｜>", "<｜▁pad▁｜>", "<｜System｜>", "<｜User｜>", "<｜Assistant｜>", "<think>",
    "</think>", "｜DSML｜", "<｜latest_reminder｜>", "<｜noise｜>", *(f"<｜place▁holder▁{index}｜>" for index in range(11, 16)),
)  # fmt: skip
JSON_GROUPS: Final = (
    '"}},{"', '"}],"', '"}]}', '"},{"', '"},"', '"}}', '"]}', '"],"', '":{"', '":[{"', '":["', '":[]', '":"', '":', '","', '",', '"}', '"]',
    '[{"', '{"', '["', '},{"', '}],"', '}]}', '},"', '}}', '],"', ']}', '}]', ',"', '[]', '{}', '"|"', '":null', '":true', '":false',
    '":""', '""', ":[{", "}]", "]}", "|null", '|"', ':"',
)  # fmt: skip
TYPES: Final = ("str", "num", "int", "bool", "date", "datetime", "time", "email", "url", "any")
SCHEMA_GROUPS: Final = (*(f"{mark}:{name}" for mark in ("", "?") for name in TYPES), "?:", ":[", ":{", ":[str]")


def group_pattern() -> str:
    """The alternation of punctuation groups, longest first; words among them end at a word boundary."""
    groups = sorted({*JSON_GROUPS, *SCHEMA_GROUPS}, key=len, reverse=True)
    return "|".join(re.escape(group) + ("(?![\\p{L}\\d_])" if group[-1].isalpha() else "") for group in groups)


WORD: Final = r"\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|\p{Lu}+(?![\p{Ll}])|[\p{L}\p{M}]"
RUNS: Final = r"-{2,}|={2,}|\.{3,}|_{2,}|\*{2,}|#{2,}|~{2,}|/{2,}"
PATTERN: Final = f"{group_pattern()}| (?:{WORD})|{WORD}|\\d|{RUNS}| +(?= \\p{{L}})| +|\\t+|(?:\\r?\\n)+|\\s|."


def pre_tokenizer() -> pre_tokenizers.PreTokenizer:
    """Cuts text, then spells it in byte signs."""
    cuts = pre_tokenizers.Split(Regex(PATTERN.removesuffix("|.") + "|[\\s\\S]"), "isolated")
    return pre_tokenizers.Sequence([cuts, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])


def byte_signs(text: str) -> str:
    """A text in the alphabet of byte-level BPE."""
    pieces = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False).pre_tokenize_str(text)
    return "".join(piece for piece, _ in pieces)


def count_pieces(texts: Iterable[str]) -> tuple[collections.Counter[str], collections.Counter[str]]:
    """Pre-tokens without their leading space, and those that had one."""
    cutter = pre_tokenizer()
    every: collections.Counter[str] = collections.Counter()
    spaced: collections.Counter[str] = collections.Counter()
    for text in texts:
        for piece, _ in cutter.pre_tokenize_str(text):
            if piece[0] == "Ġ" and len(piece) > 1 and piece[1] != "Ġ":
                spaced[piece[1:]] += 1
                piece = piece[1:]
            every[piece] += 1
    return every, spaced


def learn(every: Mapping[str, int], size: int) -> dict[str, Any]:
    """Ordinary BPE on counted pieces: its vocabulary and merges."""
    learner = Tokenizer(models.BPE())
    learner.pre_tokenizer = pre_tokenizers.Split(Regex("\n"), "removed")
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    trainer = trainers.BpeTrainer(vocab_size=size, initial_alphabet=alphabet, min_frequency=2, show_progress=False)
    lines = (piece for piece, number in every.items() for _ in range(min(number, 400)))
    learner.train_from_iterator(lines, trainer)
    found: dict[str, Any] = json.loads(learner.to_str())["model"]
    return found


def assemble(texts: Iterable[str]) -> Tokenizer:
    """The whole tokenizer from a corpus."""
    every, spaced = count_pieces(texts)
    groups = [byte_signs(group) for group in sorted({*JSON_GROUPS, *SCHEMA_GROUPS}, key=lambda g: (len(g), g))]
    groups = [group for group in groups if len(group) > 1]
    words = {piece: number for piece, number in every.items() if piece not in groups}
    room = SIZE - len(SPECIAL) - TWINS - len(groups)
    model = learn(words, room)
    vocabulary: dict[str, int] = {token: index for index, token in enumerate(SPECIAL)}
    merges = [tuple(merge) for merge in model["merges"]]
    for token in sorted(model["vocab"], key=model["vocab"].get):
        vocabulary.setdefault(token, len(vocabulary))
    for group in groups:
        vocabulary.setdefault(group, len(vocabulary))
    splitter = Tokenizer(models.BPE(vocab=model["vocab"], merges=merges))
    heads: collections.Counter[str] = collections.Counter()
    for piece, number in spaced.items():
        heads[splitter.encode(piece).tokens[0]] += number
    for piece, _ in heads.most_common():
        if len(vocabulary) == SIZE:
            break
        if f"Ġ{piece}" not in vocabulary:
            vocabulary[f"Ġ{piece}"] = len(vocabulary)
            merges.append(("Ġ", piece))
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=merges, ignore_merges=True))
    tokenizer.pre_tokenizer = pre_tokenizer()
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(list(SPECIAL))
    if tokenizer.get_vocab_size() != SIZE:
        raise ValueError(f"the corpus gave {tokenizer.get_vocab_size()} ids instead of {SIZE}")
    return tokenizer


class NanoTokenizer:
    """The little that encoding needs: plain text to ids with special tokens off."""

    def __init__(self, path: str | Path) -> None:
        self.tokenizer = Tokenizer.from_file(str(path))
        self.tokenizer.encode_special_tokens = True
        self.special: dict[str, int] = {token: index for index, token in enumerate(SPECIAL)}

    def encode(self, text: str) -> list[int]:
        """Ids of plain text."""
        ids: list[int] = self.tokenizer.encode(text, add_special_tokens=False).ids
        return ids

    def decode(self, ids: list[int]) -> str:
        """The text of ids, special tokens spelled out."""
        text: str = self.tokenizer.decode(ids, skip_special_tokens=False)
        return text
