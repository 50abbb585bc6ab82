"""mypy and pyright see the types that the interface promises."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CHECKERS = {
    "mypy": ["-m", "mypy", "--no-error-summary", "--hide-error-context"],
    "pyright": ["-m", "pyright", "--pythonpath", sys.executable],
}


def errors(checker: str, path: Path) -> tuple[set[int], str]:
    """The lines with an error, and what was said."""
    if importlib.util.find_spec(checker) is None:
        pytest.skip(f"{checker} is not installed")
    command = [sys.executable, *CHECKERS[checker], str(path)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode in {0, 1}, ran.stdout + ran.stderr
    found = re.findall(rf"{re.escape(path.name)}:(\d+):(?:\d+)?(?: -)? ?error", ran.stdout)
    return {int(line) for line in found}, ran.stdout


@pytest.mark.parametrize("checker", CHECKERS)
def test_values_have_the_type_of_their_schema(checker: str) -> None:
    lines, said = errors(checker, HERE / "calls.py")
    assert not lines, said


@pytest.mark.parametrize("checker", CHECKERS)
def test_mistakes_are_refused(checker: str, tmp_path: Path) -> None:
    text = (HERE / "mistakes.txt").read_text(encoding="utf-8")
    path = tmp_path / "mistakes.py"
    path.write_text(text, encoding="utf-8")
    lines, said = errors(checker, path)
    refused = {number for number, line in enumerate(text.splitlines(), start=1) if line.endswith("# refused")}
    assert lines == refused, said
