"""The wheel holds exactly what the tree holds: two packages, their data, and nothing that only a checkout needs."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.architecture.tree import ENGINE, ROOT, SDK

BUILT = {"__pycache__", ".mypy_cache"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def contents(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def files(folder: Path, installed_as: str) -> set[str]:
    return {
        f"{installed_as}/{path.relative_to(folder).as_posix()}"
        for path in folder.rglob("*")
        if path.is_file() and not BUILT & set(path.parts)
    }


def test_contents_equal_the_tree(contents: set[str]) -> None:
    expected = (
        files(SDK, "deepinfer_structured")
        | files(ROOT / "grammars", "deepinfer_structured/grammars")
        | files(ENGINE, "deepinfer_engine")
    )
    assert contents == expected


def test_two_names_are_installed(contents: set[str]) -> None:
    assert {name.split("/")[0] for name in contents} == {"deepinfer_engine", "deepinfer_structured"}


@pytest.mark.parametrize("package", ["deepinfer_engine", "deepinfer_structured"])
def test_types_are_shipped(contents: set[str], package: str) -> None:
    assert f"{package}/py.typed" in contents


def test_the_checkpoint_is_shipped(contents: set[str]) -> None:
    checkpoint = "deepinfer_engine/checkpoints/nano"
    assert {f"{checkpoint}/{name}" for name in ("config.json", "model.safetensors", "tokenizer.json")} <= contents


def test_grammars_are_shipped(contents: set[str]) -> None:
    assert files(ROOT / "grammars", "deepinfer_structured/grammars") <= contents


def test_the_licence_is_shipped(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        assert any(name.endswith(".dist-info/licenses/LICENSE") for name in archive.namelist())
