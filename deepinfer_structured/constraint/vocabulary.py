"""A checkpoint's tokenizer: text to ids and back, the bytes of each token, the special ids; knows no grammar."""

from __future__ import annotations

import codecs
import hashlib
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path

from tokenizers import Tokenizer

from deepinfer_structured.errors import InvalidPromptError

EOS = "<｜end▁of▁sentence｜>"
THINK_OPEN, THINK_CLOSE = "<think>", "</think>"


class Vocabulary:
    """The tokens of one checkpoint. Immutable; shared between threads."""

    def __init__(self, tokenizer: Tokenizer, *, name: str = "", eos: str = EOS) -> None:
        tokenizer.encode_special_tokens = True
        self._tokenizer = tokenizer
        self.name = name
        self.size: int = tokenizer.get_vocab_size(with_added_tokens=True)
        added = tokenizer.get_added_tokens_decoder()
        self.special: dict[str, int] = {token.content: index for index, token in sorted(added.items())}
        if eos not in self.special:
            raise ValueError(f"the tokenizer has no special token {eos!r}; it has {list(self.special)[:8]!r}")
        self.eos: int = self.special[eos]
        self.token_bytes: tuple[bytes, ...] = tuple(self._bytes(index) for index in range(self.size))

    @classmethod
    def load(cls, where: str | Path = "nano") -> Vocabulary:
        """The tokenizer of a bundled checkpoint by its name, or a path to tokenizer.json or its folder."""
        return _load(str(where))

    @cached_property
    def hash(self) -> str:
        """Equal for vocabularies that give equal masks."""
        digest = hashlib.sha256(str((self.eos, self.size)).encode())
        for token in self.token_bytes:
            digest.update(len(token).to_bytes(4, "little") + token)
        return digest.hexdigest()

    @property
    def words(self) -> int:
        """The length of a mask row in 32-bit words."""
        return (self.size + 31) // 32

    def encode(self, text: str) -> list[int]:
        """The ids of plain text; the spelling of a special token stays plain text."""
        try:
            return list(self._tokenizer.encode(text, add_special_tokens=False).ids)
        except (UnicodeEncodeError, TypeError) as error:
            if not isinstance(text, str):
                raise TypeError(f"text must be a str, not {type(text).__name__}: {text!r}") from error
            raise InvalidPromptError(f"the text is not valid Unicode: {_surrogate(text)}") from error

    def bytes_of(self, ids: Iterable[int]) -> bytes:
        """The bytes of the ids, special tokens left out."""
        return b"".join(self.token_bytes[index] for index in ids)

    def decode(self, ids: Iterable[int]) -> str:
        """The text of the ids, special tokens left out; bytes that are no UTF-8 become U+FFFD."""
        return self.bytes_of(ids).decode("utf-8", "replace")

    def stream(self) -> TextStream:
        """A decoder that is fed tokens as they come."""
        return TextStream(self)

    def _bytes(self, index: int) -> bytes:
        token = self._tokenizer.id_to_token(index)
        if token is None or token in self.special:
            return b""
        return bytes(map(_BYTE_OF.__getitem__, token))


class TextStream:
    """Turns tokens into text as they arrive; half a character waits for its other half."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def push(self, ids: Sequence[int]) -> str:
        """The characters that these ids complete."""
        return self._decoder.decode(self._vocabulary.bytes_of(ids))

    def finish(self) -> str:
        """What is left: nothing, or one U+FFFD for a character cut short."""
        return self._decoder.decode(b"", final=True)


def _surrogate(text: str) -> str:
    """The first lone surrogate and its place."""
    at = next((index for index, char in enumerate(text) if 0xD800 <= ord(char) <= 0xDFFF), 0)
    around = text[max(0, at - 10) : at + 10]
    return f"U+{ord(text[at]):04X} at character {at} is half of a surrogate pair, in ...{around!r}"


@lru_cache(maxsize=8)
def _load(where: str) -> Vocabulary:
    candidates = [Path(where) / "tokenizer.json", Path(where)]
    if "/" not in where:
        candidates.insert(0, _checkpoints() / where / "tokenizer.json")
    for path in candidates:
        if path.is_file():
            return Vocabulary(_read(path), name=where)
    raise FileNotFoundError(f"no tokenizer at {where!r}: neither a bundled checkpoint nor a folder or file")


def _read(path: Path) -> Tokenizer:
    try:
        return Tokenizer.from_str(path.read_text(encoding="utf-8"))
    except Exception as error:  # tokenizers raises nothing narrower
        raise ValueError(f"{path} is no tokenizer: {error}") from error


def _checkpoints() -> Path:
    """The engine's package data, found without importing the engine."""
    spec = find_spec("deepinfer_engine")
    places = list(spec.submodule_search_locations or ()) if spec else []
    return Path(places[0]) / "checkpoints" if places else Path()


def _byte_alphabet() -> dict[str, int]:
    """GPT-2's printable stand-ins for bytes."""
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    rest = [byte for byte in range(256) if byte not in set(plain)]
    return {chr(byte): byte for byte in plain} | {chr(256 + index): byte for index, byte in enumerate(rest)}


_BYTE_OF = _byte_alphabet()
