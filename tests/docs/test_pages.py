"""Every Python block of the README and of docs/ runs, in order, page by page; the output that a page shows is compared.

A block fenced as `python no-run` is shown only. A block fenced as `text output` right after a Python block is what that
block prints.
"""

import contextlib
import io
import re
import sys
import types
from pathlib import Path

import pytest

from tests.docs.markdown import ROOT, Block, blocks, is_run, name, pages

LINK = re.compile(r"\[[^\]]*\]\((?P<target>[^)\s]+)\)")


def runnable(block: Block) -> bool:
    return block.language == "python" and "no-run" not in block.options


def has_code(page: Path) -> bool:
    return is_run(page) and any(runnable(block) for block in blocks(page.read_text(encoding="utf-8")))


@pytest.mark.parametrize("page", [page for page in pages() if has_code(page)], ids=name)
def test_the_blocks_of_a_page_run(page: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    module = types.ModuleType(f"page_{page.stem.replace('-', '_')}")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.chdir(tmp_path)
    printed = ""
    for block in blocks(page.read_text(encoding="utf-8")):
        if runnable(block):
            printed = run(block, page, module)
        elif block.language == "text" and "output" in block.options:
            assert printed == block.text, f"{name(page)}:{block.line}: the block above prints something else"


def run(block: Block, page: Path, module: types.ModuleType) -> str:
    """What the block prints; a traceback points into the page."""
    code = compile("\n" * (block.line - 1) + block.text, str(page), "exec")
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(code, module.__dict__)
    return printed.getvalue()


@pytest.mark.parametrize("page", pages(), ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    targets = [match["target"] for match in LINK.finditer(page.read_text(encoding="utf-8"))]
    local = [
        target.split("#")[0] for target in targets if "://" not in target and not target.startswith(("#", "mailto:"))
    ]
    missing = [target for target in local if not (page.parent / target).exists()]
    assert not missing, f"{name(page)} links to what is not there: {missing}"


def test_blocks_are_found() -> None:
    text = "# Page\n\n```python\nprint(1)\n```\n\n```text output\n1\n```\n\n  ```python no-run\n  boom()\n  ```\n"
    assert blocks(text) == [
        Block(language="python", options=(), text="print(1)\n", line=4),
        Block(language="text", options=("output",), text="1\n", line=8),
        Block(language="python", options=("no-run",), text="boom()\n", line=12),
    ]


def test_a_traceback_points_into_the_page() -> None:
    block = Block(language="python", options=(), text="x = 1\nraise ValueError(x)\n", line=40)
    with pytest.raises(ValueError, match="1") as caught:
        run(block, ROOT / "README.md", types.ModuleType("page"))
    assert caught.traceback[-1].lineno == 40  # counted from 0
