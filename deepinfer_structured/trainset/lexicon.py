"""Names, places and words by language, cut in two: what training may use and what only held-out splits use.

The cut is a stable hash of the word itself, so a name on the held-out side never occurs in training under any heading.
Common words, of which remarks and fillers are made, are whole on the held-out side.
"""

import functools
import gzip
import json
import re
import zlib
from importlib import resources

HELDOUT_SHARE = 8  # one word in this many
SPLIT_KINDS = ("first", "last", "city", "street", "company", "job", "food", "noun", "adjective")
NAMED_LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pl", "pt", "sv", "da", "fi", "cs", "tr", "ro", "hu")


def is_heldout(word: str) -> bool:
    """Whether a word belongs to the held-out side."""
    return zlib.crc32(word.lower().encode()) % HELDOUT_SHARE == 0


def trainable(entry: str) -> bool:
    """Whether training may use an entry: neither it nor a word of it is held out."""
    return not is_heldout(entry) and not any(is_heldout(word) for word in re.findall(r"\w+", entry))


@functools.cache
def languages() -> dict[str, dict[str, list[str]]]:
    """The committed lexicon, uncut: language -> kind -> words."""
    packed = resources.files(__package__).joinpath("lexicon.json.gz").read_bytes()
    data: dict[str, dict[str, list[str]]] = json.loads(gzip.decompress(packed))["languages"]
    return data


@functools.cache
def words(language: str, kind: str, heldout: bool) -> tuple[str, ...]:
    """One list of one side; falls back to English where a language lacks the kind."""
    found = languages().get(language, {}).get(kind) or languages()["en"].get(kind, [])
    if heldout:
        return tuple(entry for entry in found if kind not in SPLIT_KINDS or is_heldout(entry))
    return tuple(entry for entry in found if kind == "company_suffix" or trainable(entry))
