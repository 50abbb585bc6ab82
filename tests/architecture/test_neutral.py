"""Nothing that is committed names the machine it was written on or the registry it was installed from."""

import re
from pathlib import Path

import pytest

from tests.architecture.tree import ROOT, name, tracked

# A machine's own folders, as absolute paths, and the hosts of package registries.
FOLDERS = r"(?<![\w.~-])/(?:work|tmp|root|opt|mnt|workspace|home/\w+|Users/\w+)/"
HOSTS = r"pypi\.org|pythonhosted|npmjs|debian\.org|proxy\.golang"
FOREIGN = re.compile(f"{FOLDERS}|{HOSTS}")

# Files that must spell one of these, with the reason.
ALLOWED = {
    "tests/architecture/test_neutral.py": "the rule itself",
}


def test_nothing_names_a_machine_or_a_registry() -> None:
    files = tracked()
    if not files:
        pytest.skip("not a checkout")
    found = [hit for path in files if name(path) not in ALLOWED for hit in hits(path)]
    assert not found, "\n".join(found)


def hits(path: Path) -> list[str]:
    text = readable(path)
    lines = enumerate(text.splitlines(), start=1) if FOREIGN.search(text) else []
    return [f"{name(path)}:{number}: {match.group()}" for number, line in lines for match in FOREIGN.finditer(line)]


def readable(path: Path) -> str:
    """The text of a file; nothing of a binary one."""
    raw = path.read_bytes()
    return "" if b"\0" in raw[:8192] else raw.decode("utf-8", errors="replace")


@pytest.mark.parametrize("foreign", ["cd /work/thing", "'/tmp/x'", "see /home/someone/code", "https://pypi.org/simple"])
def test_the_rule_sees(foreign: str) -> None:
    assert FOREIGN.search(foreign)


@pytest.mark.parametrize("neutral", ["a/work/b", "tests/tmp/x", "../work/x", "clock/work time", "and/or"])
def test_the_rule_is_not_shy(neutral: str) -> None:
    assert not FOREIGN.search(neutral)


def test_the_allowlist_is_alive() -> None:
    for allowed in ALLOWED:
        assert FOREIGN.search((ROOT / allowed).read_text(encoding="utf-8")), f"{allowed} needs no exception any more"
