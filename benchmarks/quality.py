"""Fields right and whole objects right on the four held-out files, with 95 % intervals; tokens a verification of each.

Greedy, so every run gives the same answers; one run is enough. Intervals are those of `deepinfer_structured.evaluate`:
over documents, since the fields of one document fail together. A generation that fails counts as all fields wrong.

    python benchmarks/quality.py [--limit N] [--max-tokens 600] [--batch 64] [--json FILE] [--quick]
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.harness.report import Report, arguments
from deepinfer_structured import LLM, Completion
from deepinfer_structured.evaluate import evaluate_split
from deepinfer_structured.evaluate.splits import Schema

HELD_OUT = Path(__file__).parents[1] / "tests" / "vectors" / "heldout"
TARGETS = {"seen": 97.0, "layouts": 75.0, "schemas": 50.0}
SPLITS = (*TARGETS, "handwritten")


class Counted:
    """`LLM.generate` for the evaluation, keeping the completions."""

    def __init__(self, llm: LLM, max_tokens: int) -> None:
        self.llm, self.max_tokens = llm, max_tokens
        self.completions: list[Completion[Any]] = []

    def __call__(self, prompts: list[str], schemas: list[Schema], *, instruction: str) -> Sequence[Any]:
        """Values in the order of the prompts, None where a row failed."""
        part = self.llm.generate(
            prompts,
            schemas,
            instruction=instruction,
            max_tokens=self.max_tokens,
            details=True,
            on_error="return",
            progress=False,
        )
        self.completions += part
        return [completion.value for completion in part]

    def total(self, counter: str) -> int:
        """The sum of one counter of `Usage`."""
        return sum(int(getattr(completion.usage, counter)) for completion in self.completions)

    def failures(self) -> str:
        """Which errors there were, and how many."""
        counts = Counter(type(one.error).__name__ for one in self.completions if one.error is not None)
        return ", ".join(f"{count} {name}" for name, count in sorted(counts.items())) or "none"


def main() -> None:
    """Evaluate and print."""
    parser = arguments(__doc__ or "", rounds=1)
    parser.add_argument("--limit", type=int, help="examples of each file (default: all)")
    parser.add_argument("--max-tokens", type=int, default=600, help="of an answer (default: %(default)s)")
    parser.add_argument("--batch", type=int, default=64, help="documents a call (default: %(default)s)")
    options = parser.parse_args()
    limit, max_tokens = (2, 64) if options.quick else (options.limit, options.max_tokens)
    report = Report("quality", options)
    scores, drafts, details, shares = [], [], [], {}
    with LLM() as llm:
        for split in SPLITS:
            print(f"\n{split} ...", flush=True)
            started = time.perf_counter()
            counted = Counted(llm, max_tokens)
            found = evaluate_split(counted, split, folder=HELD_OUT, limit=limit, batch=options.batch)
            seconds = time.perf_counter() - started
            fields, whole = found.all.fields, found.all.whole
            shares[split] = 100 * fields.value
            scores.append(
                (split, found.all.examples, _percent(fields), _percent(whole), counted.failures(), round(seconds))
            )
            # The pass that ends a prompt yields a token too, and is not among the verifications.
            passes = max(1, counted.total("verifications") + found.all.examples)
            output = counted.total("output_tokens")
            drafted, forced = counted.total("drafted"), counted.total("forced")
            each = output / passes, (output - forced) / passes
            accepted = counted.total("accepted") / max(1, drafted)
            drafts.append((split, output, passes, *each, forced, drafted / passes, accepted))
            details += found.lines()
    columns = ("file", "examples", "fields right %", "whole objects %", "failed", "seconds")
    report.table("Held-out files, share [95 % interval]", columns, scores)
    report.table(
        "Drafting on them",
        ("file", "output tokens", "target passes", "tokens each", "unforced each", "forced", "drafts each", "accepted"),
        drafts,
    )
    print("\nBy kind, language and layout")
    for line in details:
        print(f"  {line}")
    for split, wanted in TARGETS.items():
        report.target(f"Fields right on {split}, %", shares[split], wanted)
    report.finish(details=details)


def _percent(share: Any) -> str:
    return f"{100 * share.value:.1f} [{100 * share.low:.1f}, {100 * share.high:.1f}]"


if __name__ == "__main__":
    main()
