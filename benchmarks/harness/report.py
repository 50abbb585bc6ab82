"""Command line, tables and targets of a benchmark, as plain text and as JSON. Imports nothing heavy."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from benchmarks.harness.timing import Spread, figure

__all__ = ["Report", "arguments"]

SOFTWARE = ("torch", "xgrammar", "pydantic", "tokenizers", "deepinfer-structured")
CELL = str | int | float | Spread


def arguments(description: str, *, rounds: int) -> argparse.ArgumentParser:
    """The options that every benchmark has."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there as well")
    parser.add_argument("--quick", action="store_true", help="tiny sizes: shows that the script runs, measures nothing")
    parser.add_argument("--rounds", type=int, default=rounds, help="interleaved rounds (default: %(default)s)")
    return parser


class Report:
    """Prints as it goes and keeps everything for the file. Missing a target is a result, never a failure."""

    def __init__(self, name: str, options: argparse.Namespace, **settings: Any) -> None:
        self._file: Path | None = options.json
        given = {key: value for key, value in vars(options).items() if key != "json"}
        self._kept: dict[str, Any] = {
            "benchmark": name,
            "command": ["python", *sys.argv],
            "started": datetime.now(UTC).isoformat(timespec="seconds"),
            "machine": machine(),
            "settings": given | settings,
            "tables": [],
            "targets": [],
        }
        shown = ", ".join(f"{key} {value}" for key, value in self._kept["machine"].items())
        print(f"{name}\n{shown}\n" + ", ".join(f"{key} {value}" for key, value in self._kept["settings"].items()))
        if options.quick:
            print("quick: these figures mean nothing")

    def table(self, title: str, columns: Sequence[str], rows: Sequence[Sequence[CELL]]) -> None:
        """A table of text and figures. Spreads are shown as median [lowest, highest]."""
        shown = [[_shown(cell) for cell in row] for row in rows]
        widths = [max(map(len, column)) for column in zip(columns, *shown, strict=True)]
        print(f"\n{title}")
        for line in (list(columns), ["-" * width for width in widths], *shown):
            print("  " + "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)))
        kept = [dict(zip(columns, map(_recorded, row), strict=True)) for row in rows]
        self._kept["tables"].append({"title": title, "rows": kept})

    def note(self, text: str) -> None:
        """A line under a table."""
        print(f"  {text}")
        self._kept.setdefault("notes", []).append(text)

    def target(self, what: str, value: float | Spread, wanted: float, *, at_most: bool = False) -> None:
        """A figure beside what it should be."""
        middle = value.median if isinstance(value, Spread) else value
        reached = middle <= wanted if at_most else middle >= wanted
        limit = "at most" if at_most else "at least"
        print(f"\n{what}: {_shown(value)}, wanted {limit} {figure(wanted)}: {'reached' if reached else 'missed'}")
        kept = {"what": what, "value": _recorded(value), "wanted": wanted, "limit": limit, "reached": reached}
        self._kept["targets"].append(kept)

    def finish(self, **more: Any) -> None:
        """Write the file, if one was asked for."""
        self._kept |= {"ended": datetime.now(UTC).isoformat(timespec="seconds"), **more}
        if self._file is not None:
            self._file.write_text(json.dumps(self._kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def machine() -> Mapping[str, Any]:
    """What the figures depend on and the command does not say. `load` tells whether the machine was quiet."""
    found: dict[str, Any] = {"processor": _processor(), "cores": _cores(), "python": platform.python_version()}
    for package in SOFTWARE:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found | {"load": round(os.getloadavg()[0], 2)}


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _processor() -> str:
    described = Path("/proc/cpuinfo")
    lines = described.read_text(encoding="utf-8").splitlines() if described.is_file() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _shown(cell: CELL) -> str:
    return figure(cell) if isinstance(cell, float) else str(cell)


def _recorded(cell: CELL) -> Any:
    return cell.record() if isinstance(cell, Spread) else cell
