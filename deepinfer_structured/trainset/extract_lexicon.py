"""Build `lexicon.json.gz` from Faker, mimesis and randomname (all MIT): a development-time script.

The generator itself needs none of the three; install them only to rebuild the file:

    pip install Faker mimesis randomname
    python -m deepinfer_structured.trainset.extract_lexicon
"""

import gzip
import importlib
import json
import random
import re
from pathlib import Path
from typing import Any

LOCALES = {
    "en": ("en_US", "en_GB"), "de": ("de_DE",), "fr": ("fr_FR",), "es": ("es_ES",), "it": ("it_IT",),
    "nl": ("nl_NL",), "pl": ("pl_PL",), "pt": ("pt_BR", "pt_PT"), "sv": ("sv_SE",), "da": ("da_DK",),
    "fi": ("fi_FI",), "cs": ("cs_CZ",), "tr": ("tr_TR",), "ro": ("ro_RO",), "hu": ("hu_HU",),
}  # fmt: skip
FAKER = {
    "first": ("person", ("first_names", "first_names_male", "first_names_female")),
    "last": ("person", ("last_names", "unisex_last_names")),
    "city": ("address", ("cities",)),
    "street": ("address", ("streets", "street_names")),
    "country": ("address", ("countries",)),
    "company_suffix": ("company", ("company_suffixes",)),
    "job": ("job", ("jobs",)),
    "word": ("lorem", ("word_list",)),
}
REFUSED = re.compile(
    r"orgasm|sex on|\bsexy?\b|sexo|porno|penis|fuck|bitch|interracial|terror|pornostar|\bdick\b", re.IGNORECASE
)
LIMITS = {"first": 700, "last": 1000, "city": 450, "street": 450, "country": 120, "job": 250, "word": 900}


def flatten(value: Any) -> list[str]:
    """Every string in a nest of lists, tuples and dictionaries."""
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple, set)) else ()
    return [text for part in parts for text in flatten(part)]


def from_faker(kind: str, locale: str) -> list[str]:
    """The raw list of one kind from one Faker locale; empty where the locale lacks it."""
    provider, names = FAKER[kind]
    try:
        module = importlib.import_module(f"faker.providers.{provider}.{locale}")
    except ModuleNotFoundError:
        return []
    found: list[str] = []
    for name in names:
        raw = vars(module.Provider).get(name) or ()
        found += [part for text in (raw if not isinstance(raw, dict) else raw.keys()) for part in flatten(text)]
    return found


def from_mimesis(kind: str, language: str) -> list[str]:
    """The raw list of one kind from mimesis' JSON data."""
    import mimesis  # noqa: PLC0415 - development-time dependency

    root = Path(mimesis.__file__).parent / "datasets" / language

    def read(name: str) -> Any:
        path = root / name
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}

    if kind == "first":
        return flatten(read("person.json").get("names", []))
    if kind == "last":
        return flatten(read("person.json").get("surnames", []))
    if kind == "job":
        return flatten(read("person.json").get("occupation", []))
    if kind == "city":
        return flatten(read("address.json").get("city", []))
    if kind == "street":
        return flatten(read("address.json").get("street", {}).get("name", []))
    if kind == "word":
        return flatten(read("text.json").get("words", []))
    if kind == "food":
        return flatten(read("food.json"))
    if kind == "company":
        return flatten(read("finance.json").get("company", {}).get("name", [])) if language == "en" else []
    return []


def from_randomname(folder: str) -> list[str]:
    """Every word of randomname's lists below one folder."""
    import randomname  # noqa: PLC0415 - development-time dependency

    root = Path(randomname.__file__).parent / "wordlists" / folder
    lines = [line for path in sorted(root.rglob("*.txt")) for line in path.read_text(encoding="utf-8").splitlines()]
    return [line.strip() for line in lines]


def clean(words: list[str], limit: int, rng: random.Random) -> list[str]:
    """Unique, printable, short; a fixed sample of `limit`."""
    kept = sorted({word.strip() for word in words if re.fullmatch(r"[^\W\d_][\w '’.&/-]{1,34}", word.strip())} - {""})
    kept = [word for word in kept if not REFUSED.search(word)]
    return kept if len(kept) <= limit else sorted(rng.sample(kept, limit))


def build() -> dict[str, dict[str, list[str]]]:
    """The whole lexicon: language -> kind -> sorted list."""
    rng = random.Random(20261130)
    lexicon: dict[str, dict[str, list[str]]] = {}
    for language, locales in LOCALES.items():
        kinds: dict[str, list[str]] = {}
        for kind in (*FAKER, "food"):
            raw = [text for locale in locales for text in (from_faker(kind, locale) if kind in FAKER else [])]
            words = clean(raw + from_mimesis(kind, language), LIMITS.get(kind, 300), rng)
            if words:
                kinds[kind] = words
        lexicon[language] = kinds
    lexicon["en"]["noun"] = clean([w.replace("_", " ") for w in from_randomname("nouns")], 2500, rng)
    lexicon["en"]["adjective"] = clean(from_randomname("adjectives"), 900, rng)
    lexicon["en"]["verb"] = clean(from_randomname("verbs"), 500, rng)
    lexicon["en"]["company"] = clean(from_mimesis("company", "en") + from_randomname("names/companies"), 400, rng)
    return lexicon


def main() -> None:
    """Write the file beside this script."""
    languages = build()
    data = {"licence": "MIT: from Faker, mimesis and randomname", "languages": languages}
    payload = json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
    path = Path(__file__).with_name("lexicon.json.gz")
    path.write_bytes(gzip.compress(payload, 9, mtime=0))
    print(path.stat().st_size, {k: {n: len(v) for n, v in d.items()} for k, d in languages.items()})


if __name__ == "__main__":
    main()
