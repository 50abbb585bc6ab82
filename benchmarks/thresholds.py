"""Decode tokens a second by draft threshold and batch size: where `EngineConfig.draft_thresholds` comes from.

A request stops drafting at the first slot whose estimated survival is below the threshold; 0 always drafts to the end.
One engine a threshold over the same weights, and one without drafts to compare with. All prompts are processed in one
step, and only steps with at least three quarters of the batch still running count, so that a row shows its batch size
and not the thin end of a run. Thresholds whose ranges over the rounds reach the best one's median are as good as it.

    python benchmarks/thresholds.py [--rounds 3] [--thresholds 0,0.1,...] [--batches 1,4,16,64] [--json FILE] [--quick]
"""

from __future__ import annotations

from functools import partial

from benchmarks.harness.mixture import mixed_jobs
from benchmarks.harness.report import Report, arguments
from benchmarks.harness.stand import Stand
from benchmarks.harness.timing import Spread, interleaved, ratios

THRESHOLDS = "0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8"
BATCHES = "1,4,16,64"
LEAST_JOBS = 16
OFF = "off"


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__ or "", rounds=3)
    parser.add_argument("--thresholds", default=THRESHOLDS, help="to sweep (default: %(default)s)")
    parser.add_argument("--batches", default=BATCHES, help="batch sizes (default: %(default)s)")
    options = parser.parse_args()
    thresholds = [float(one) for one in ("0,0.4" if options.quick else options.thresholds).split(",")]
    batches = [int(one) for one in ("1,2" if options.quick else options.batches).split(",")]
    rounds, least = (1, 1) if options.quick else (options.rounds, LEAST_JOBS)
    stand = Stand()
    report = Report("thresholds", options, threads=stand.threads)
    engines = {OFF: stand.engine(max_draft=0, prefill_tokens=1 << 15)}
    engines |= {f"{one:g}": stand.engine(draft_threshold=one, prefill_tokens=1 << 15) for one in thresholds}
    jobs = mixed_jobs(stand, max(least, *batches))
    for engine in engines.values():
        stand.run(engine, jobs[:1], 1, max_tokens=16)
    chosen: list[tuple[int, float]] = []
    for batch in batches:
        part = jobs[: max(least, batch)]
        print(f"\nbatch {batch}", flush=True)
        runs = interleaved({name: partial(stand.run, engine, part, batch) for name, engine in engines.items()}, rounds)
        busy = -(-3 * batch // 4)
        rates = {name: [run.rate(busy) for run in some] for name, some in runs.items()}
        spreads = {name: Spread.of(values) for name, values in rates.items()}
        best = max((name for name in rates if name != OFF), key=lambda name: spreads[name].median)
        rows = []
        for name, some in runs.items():
            last = some[-1]
            passes = max(1, last.total("verifications"))
            alike = name != OFF and spreads[name].high >= spreads[best].median
            mark = "best" if name == best else "as good" if alike else ""
            each = last.total("output_tokens") / passes, last.total("drafted") / passes
            rows.append((name, spreads[name], ratios(rates[name], rates[OFF]), *each, mark))
        columns = ("threshold", "decode tokens/s", "times off", "tokens a pass", "drafts a pass", "")
        title = f"Batch {batch}, {len(part)} prompts, {rounds} rounds, median [lowest, highest]"
        report.table(title, columns, rows)
        chosen.append((batch, float(best)))
    report.note(f"draft_thresholds = {tuple(chosen)!r}")
    report.finish(best=chosen)


if __name__ == "__main__":
    main()
