"""Seconds from starting `python -c` to the first typed object, against a bare `import torch` in the same rounds.

Every round starts fresh processes. The wall time is taken outside, from the start of a process to its end. A second
program does the same in parts and says when each was done. One round beforehand is not counted: it fills the file cache
and writes byte code, so that the rounds show a cold process on a machine that has read the files before.

    python benchmarks/cold_start.py [--rounds 7] [--json FILE] [--quick]
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from benchmarks.harness.report import Report, arguments
from benchmarks.harness.timing import Spread, interleaved, ratios

TARGET = 4.0

BEGIN = """
from datetime import date
from pydantic import BaseModel
from deepinfer_structured import generate
class Item(BaseModel):
    name: str
    quantity: int
    price: float
class Invoice(BaseModel):
    number: str
    customer: str
    date: date
    items: list[Item]
    total: float
document = '''Invoice RE-883 | 2023-11-05
Customer: Maria Keller

3 x Notebook @ 4.50
1 x Desk lamp @ 32.00

Amount due: 45.50
'''
"""
FIRST_OBJECT = BEGIN + "print(repr(generate(document, Invoice)))"

# The same in parts, each with the time of day at its end: the parent has the start and the end of the process.
IN_PARTS = f"""
import json, time
marks = [("start", time.time())]
{BEGIN}
from deepinfer_structured import LLM, compile
marks.append(("imports", time.time()))
llm = LLM()
marks.append(("load", time.time()))
compile(Invoice)
marks.append(("compile", time.time()))
invoice = llm.generate(document, Invoice)
marks.append(("generate", time.time()))
print(json.dumps(marks))
"""

ARMS: Mapping[str, str] = {
    "first object": FIRST_OBJECT,
    "first object in parts": IN_PARTS,
    "import torch": "import torch",
    "nothing": "pass",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """A process that has ended: time of day at its start and its end, wall seconds, what it printed."""

    start: float
    end: float
    seconds: float
    printed: str


def process(program: str) -> Process:
    """Run a program in a fresh interpreter."""
    start, began = time.time(), time.perf_counter()
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - began
    if ran.returncode:
        raise SystemExit(f"a measured process failed:\n{ran.stderr}")
    return Process(start=start, end=time.time(), seconds=seconds, printed=ran.stdout)


def parts(run: Process) -> dict[str, float]:
    """Seconds of each part, from the marks that the program printed."""
    marks = [*json.loads(run.printed), ("exit", run.end)]
    begins = [run.start, *(at for _, at in marks)]
    return {name: at - begin for begin, (name, at) in zip(begins, marks, strict=False)}


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__ or "", rounds=7).parse_args()
    rounds = 1 if options.quick else options.rounds
    report = Report("cold_start", options)
    if not options.quick:
        for program in ARMS.values():
            process(program)
    results = interleaved({name: partial(process, program) for name, program in ARMS.items()}, rounds)
    seconds = {name: [run.seconds for run in runs] for name, runs in results.items()}
    torch = seconds["import torch"]
    rows = [(name, Spread.of(walls), ratios(walls, torch)) for name, walls in seconds.items()]
    title = f"Wall seconds of a process, {rounds} rounds, median [lowest, highest]"
    report.table(title, ("program", "seconds", "times import torch"), rows)
    split = [parts(run) for run in results["first object in parts"]]
    spreads = [(name, Spread.of([one[name] for one in split])) for name in split[0]]
    report.table("Where the time goes", ("part", "seconds"), spreads)
    report.note("imports: torch, pydantic, xgrammar and both packages; exit: from the object to the end of the process")
    whole = Spread.of(seconds["first object"])
    report.target("First object from a cold python -c, seconds to the end of the process", whole, TARGET, at_most=True)
    report.finish(seconds=seconds, parts=split)


if __name__ == "__main__":
    main()
