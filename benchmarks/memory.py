"""Peak resident memory of a process that loads the bundled checkpoint and turns 64 invoices into objects.

Each round starts fresh processes, one of them a bare `import torch` to compare with. The peak is what `getrusage`
says of the process itself; this parent imports no torch, because a process begins with the peak of its parent. The
"held" column is resident memory at that moment, where the system tells it.

    python benchmarks/memory.py [--rounds 3] [--json FILE] [--quick]
"""

from __future__ import annotations

import json
import subprocess
import sys
from functools import partial

from benchmarks.harness.report import Report, arguments
from benchmarks.harness.timing import Spread, interleaved, ratios

TARGET_GIB = 1.5
MIB = 1 << 20

PROBE = """
import json, resource, sys
from pathlib import Path
marks = {}
def mark(name):
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    pages = Path("/proc/self/statm")
    held = int(pages.read_text().split()[1]) * resource.getpagesize() if pages.is_file() else peak
    marks[name] = (held, peak)
mark("python")
"""

LOADS = """
import benchmarks.harness.invoices as drawn
from deepinfer_structured import LLM
import deepinfer_structured
mark("imports")
llm = LLM()
mark("load")
deepinfer_structured.compile(drawn.Invoice)
mark("compile")
texts = drawn.invoices({count})
llm.generate(texts[0], drawn.Invoice, on_error="return")
mark("1 invoice")
llm.generate(texts, drawn.Invoice, on_error="return")
mark("{count} invoices")
"""

TORCH = "import torch\nmark('import torch')\n"
TELL = "print(json.dumps(marks))\n"


def process(program: str) -> dict[str, tuple[int, int]]:
    """The marks of a fresh process: bytes held and the peak so far."""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    if ran.returncode:
        raise SystemExit(f"a measured process failed:\n{ran.stderr}")
    return {name: (held, peak) for name, (held, peak) in json.loads(ran.stdout).items()}


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__ or "", rounds=3).parse_args()
    rounds, count = (1, 2) if options.quick else (options.rounds, 64)
    report = Report("memory", options)
    arms = {
        "nano": partial(process, PROBE + LOADS.format(count=count) + TELL),
        "import torch": partial(process, PROBE + TORCH + TELL),
    }
    results = interleaved(arms, rounds)
    for name, runs in results.items():
        rows = []
        for place in runs[0]:
            held, peak = ([run[place][kind] / MIB for run in runs] for kind in (0, 1))
            rows.append((place, Spread.of(held), Spread.of(peak)))
        report.table(f"{name}: MiB, {rounds} rounds, median [lowest, highest]", ("after", "held", "peak so far"), rows)
    peaks = {name: [list(run.values())[-1][1] for run in runs] for name, runs in results.items()}
    report.note(f"times a bare import torch: {ratios(peaks['nano'], peaks['import torch'])}")
    gib = Spread.of([peak / (1 << 30) for peak in peaks["nano"]])
    report.target(f"Peak of loading and {count} invoices, GiB", gib, TARGET_GIB, at_most=True)
    report.finish(marks=results)


if __name__ == "__main__":
    main()
