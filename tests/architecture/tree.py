"""The source tree as the architecture tests see it: files, parsed once, and names to show in a failure."""

import ast
import functools
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
SDK = ROOT / "deepinfer_structured"
ENGINE = ROOT / "engine" / "deepinfer_engine"

Function = ast.FunctionDef | ast.AsyncFunctionDef


def modules(package: Path) -> list[Path]:
    return sorted(package.rglob("*.py"))


def sources() -> list[Path]:
    return [*modules(SDK), *modules(ENGINE)]


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@functools.cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def functions(path: Path) -> Iterator[Function]:
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def tracked() -> list[Path]:
    """What git would commit: tracked files and new ones that are not ignored; empty outside a checkout."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    names = listing.stdout.decode().split("\0") if listing.returncode == 0 else []
    return sorted(path for name in set(names) if name and (path := ROOT / name).is_file())
