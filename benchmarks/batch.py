"""64 invoices as one batch against the same 64 one prompt at a time: same weights, kernels, threads, engine.

Decode tokens a second count the steps that run no prompt, with their tokens; a step that runs a prompt counts as the
prompt's, with whatever other requests decode in it. Objects a second are end to end: from documents to typed objects,
the schema compiled before. Each round runs every batch size once, every other round in the opposite order.

    python benchmarks/batch.py [--rounds 3] [--max-draft 5] [--prefill-tokens 2048] [--json FILE] [--quick]
"""

from __future__ import annotations

from functools import partial

from benchmarks.harness.invoices import Invoice, invoices
from benchmarks.harness.report import Report, arguments
from benchmarks.harness.stand import Run, Stand
from benchmarks.harness.timing import Spread, interleaved, ratios

TARGET = 6.0


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__ or "", rounds=3)
    parser.add_argument("--max-draft", type=int, default=5, help="most drafts a step, 0 is off (default: %(default)s)")
    parser.add_argument("--prefill-tokens", type=int, default=2048, help="of a step (default: %(default)s)")
    options = parser.parse_args()
    sizes = (1, 2) if options.quick else (1, 4, 16, 64)
    rounds = 1 if options.quick else options.rounds
    stand = Stand()
    report = Report("batch", options, threads=stand.threads)
    engine = stand.engine(max_draft=options.max_draft, prefill_tokens=options.prefill_tokens)
    jobs = [stand.job(text, Invoice) for text in invoices(sizes[-1])]
    words = [len(job.document.split()) for job in jobs]
    stand.run(engine, jobs[: min(4, len(jobs))], 2)
    runs = interleaved({str(size): partial(stand.run, engine, jobs, size) for size in sizes}, rounds)
    show(report, runs, f"{len(jobs)} invoices of {min(words)} to {max(words)} words")
    decode = {name: [run.decode_rate for run in part] for name, part in runs.items()}
    gain = ratios(decode[str(sizes[-1])], decode["1"])
    report.target(f"Decode tokens a second, {sizes[-1]} at a time over one at a time", gain, TARGET)
    report.finish()


def show(report: Report, runs: dict[str, list[Run]], what: str) -> None:
    """One row a batch size, each figure with its spread over the rounds."""
    decode = {name: [run.decode_rate for run in part] for name, part in runs.items()}
    objects = {name: [len(run.results) / run.seconds for run in part] for name, part in runs.items()}
    rows = [
        (
            name,
            Spread.of(decode[name]),
            ratios(decode[name], decode["1"]),
            Spread.of(objects[name]),
            ratios(objects[name], objects["1"]),
            Spread.of([100 * run.prompt_seconds / run.seconds for run in part]),
            Spread.of([100 * (1 - run.decode_tokens / run.output_tokens) for run in part]),
        )
        for name, part in runs.items()
    ]
    report.table(
        f"{what}, {len(runs['1'])} rounds, median [lowest, highest]",
        (
            "at a time",
            "decode tokens/s",
            "times one",
            "objects/s",
            "times one",
            "prefill % of time",
            "tokens % in it",
        ),
        rows,
    )
    for name, part in runs.items():
        last = part[-1]
        report.note(
            f"{name} at a time: {last.total('prompt_tokens')} prompt and {last.output_tokens} output tokens,"
            f" {last.finishes()}"
        )


if __name__ == "__main__":
    main()
