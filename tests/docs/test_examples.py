"""Every example runs as its own process, and prints what examples/expected/ says it prints."""

import difflib
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.markdown import ROOT, name

EXAMPLES = ROOT / "examples"
LIMIT = 180  # seconds


def expected(script: Path) -> Path:
    return EXAMPLES / "expected" / f"{script.stem}.txt"


@pytest.mark.parametrize("script", sorted(EXAMPLES.glob("*.py")), ids=name)
def test_an_example_prints_what_it_promises(script: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error::SyntaxWarning", str(script)]
    ran = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", timeout=LIMIT, check=False
    )
    assert ran.returncode == 0, ran.stderr
    promised = expected(script)
    if promised.exists():
        assert ran.stdout == (text := promised.read_text(encoding="utf-8")), difference(text, ran.stdout, promised)


def difference(promised: str, printed: str, source: Path) -> str:
    lines = difflib.unified_diff(promised.splitlines(), printed.splitlines(), name(source), "printed", lineterm="")
    return "\n".join(lines)


def test_every_expected_output_has_its_example() -> None:
    orphans = [text.name for text in EXAMPLES.glob("expected/*.txt") if not (EXAMPLES / f"{text.stem}.py").exists()]
    assert not orphans
