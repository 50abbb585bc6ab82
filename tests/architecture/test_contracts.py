"""The import contracts of pyproject.toml, run inside pytest so that one command tells all."""

import pytest
from importlinter import cli

from tests.architecture.tree import ROOT


def test_import_contracts_are_kept(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.syspath_prepend(str(ROOT / "engine"))
    status = cli.lint_imports(no_cache=True, no_logo=True)
    assert status == cli.EXIT_STATUS_SUCCESS, capsys.readouterr().out
