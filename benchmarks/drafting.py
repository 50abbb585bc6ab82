"""Drafting on against drafting off, over the same weights, at several batch sizes; and what the drafts are worth.

The documents are invoices and held-out examples of other kinds and schemas, taken in turn. Each batch size has its own
interleaved rounds of both engines. Outputs are compared token by token; where they part, the engine without drafts runs
once more with log-probabilities, and the two likeliest tokens there must lie within 1e-4 of each other.

    python benchmarks/drafting.py [--rounds 3] [--prompts 32] [--max-draft 5] [--json FILE] [--quick]
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from benchmarks.harness.mixture import mixed_jobs
from benchmarks.harness.report import Report, arguments
from benchmarks.harness.stand import Job, Run, Stand
from benchmarks.harness.timing import Spread, figure, interleaved, ratios
from deepinfer_engine import Engine

GAP = 1e-4
SPEED_TARGET, TOKENS_TARGET = 1.4, 2.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How many outputs are the same with and without drafts, and by how much the others' choices were apart."""

    same: int
    differing: int
    gaps: tuple[float, ...]

    @property
    def unexplained(self) -> int:
        """Outputs that part where the two likeliest tokens are not close."""
        return sum(gap >= GAP for gap in self.gaps)


def agreement(stand: Stand, off: Engine, jobs: list[Job], batch: int, with_drafts: Run, without: Run) -> Agreement:
    """Compare two runs of the same jobs; run the batches that differ again for their gaps."""
    pairs = list(zip(with_drafts.results, without.results, strict=True))
    differing = [number for number, (one, other) in enumerate(pairs) if one.tokens != other.tokens]
    gaps: list[float] = []
    for start in sorted({number - number % batch for number in differing}):
        again = stand.run(off, jobs[start : start + batch], batch, logprobs=2)
        for number in differing:
            if start <= number < start + batch:
                tokens, result = with_drafts.results[number].tokens, again.results[number - start]
                gaps.append(_gap(tokens, result.tokens, [one.top for one in result.logprobs]))
    return Agreement(same=len(pairs) - len(differing), differing=len(differing), gaps=tuple(gaps))


def _gap(tokens: list[int], others: list[int], tops: list[tuple[tuple[int, float], ...]]) -> float:
    """Between the two likeliest tokens, where two outputs part; infinite where one merely ends before the other."""
    shared = zip(tokens, others, strict=False)
    place = next((place for place, (one, other) in enumerate(shared) if one != other), None)
    if place is None or len(tops[place]) < 2:
        return 0.0 if tokens == others else float("inf")
    return tops[place][0][1] - tops[place][1][1]


def by_slot(run: Run, slots: int) -> list[tuple[str, int, int]]:
    """For each draft slot: how often it was verified with all before it accepted, and how often it stood."""
    passes = [one for result in run.results for one in result.passes]
    rows = []
    for slot in range(slots):
        reached = [accepted > slot for drafted, accepted in passes if drafted > slot and accepted >= slot]
        rows.append((str(slot + 1), len(reached), sum(reached)))
    return rows


def per_verification(run: Run) -> tuple[float, float, float]:
    """Output tokens a target pass: of all tokens, of those that were not forced, both with the passes that ended the
    prompts; and of the passes after the prompts alone."""
    output, after = run.total("output_tokens"), run.total("verifications")
    prompts = len(run.results)
    passes = max(1, after + prompts)
    return output / passes, (output - run.total("forced")) / passes, (output - prompts) / max(1, after)


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__ or "", rounds=3)
    parser.add_argument("--prompts", type=int, default=32, help="documents at every batch size below 64")
    parser.add_argument("--max-draft", type=int, default=5, help="most drafts a step (default: %(default)s)")
    options = parser.parse_args()
    sizes = (1, 2) if options.quick else (1, 4, 16, 64)
    rounds, prompts = (1, 2) if options.quick else (options.rounds, options.prompts)
    stand = Stand()
    report = Report("drafting", options, threads=stand.threads)
    engines = {"on": stand.engine(max_draft=options.max_draft), "off": stand.engine(max_draft=0)}
    jobs = mixed_jobs(stand, max(prompts, sizes[-1]))
    for engine in engines.values():
        stand.run(engine, jobs[:2], 1, max_tokens=16)
    speed, worth, agreed, drafts = [], [], [], {}
    gains: dict[int, Spread] = {}
    for size in sizes:
        part = jobs[: max(prompts, size)]
        print(f"\nbatch {size}", flush=True)
        runs = interleaved({name: partial(stand.run, engine, part, size) for name, engine in engines.items()}, rounds)
        rates = {name: [run.decode_rate for run in some] for name, some in runs.items()}
        gains[size] = ratios(rates["on"], rates["off"])
        ends = ratios([run.seconds for run in runs["off"]], [run.seconds for run in runs["on"]])
        speed.append((size, len(part), Spread.of(rates["on"]), Spread.of(rates["off"]), gains[size], ends))
        on = drafts[size] = runs["on"][-1]
        verifications = on.total("verifications")
        accepted, drafted = on.total("accepted"), on.total("drafted")
        counted = (drafted / verifications, accepted / max(1, drafted), on.total("masks") / verifications)
        worth.append((size, *per_verification(on), *counted, on.total("forced"), on.finishes()))
        one = agreement(stand, engines["off"], part, size, on, runs["off"][-1])
        steady = sum(run.results[k].tokens == on.results[k].tokens for run in runs["on"] for k in range(len(part)))
        widest = f"{max(one.gaps):.1e}" if one.gaps else "none"
        agreed.append((size, one.same, one.differing, widest, one.unexplained, f"{steady}/{rounds * len(part)}"))
    columns = ("batch", "prompts", "on tokens/s", "off tokens/s", "on over off", "end to end")
    report.table(f"Decode tokens a second, {rounds} rounds, median [lowest, highest]", columns, speed)
    split = ("tokens", "unforced", "decoding only")
    counters = ("drafts", "accepted share", "mask rows", "forced", "ended")
    report.table("For each verification, drafting on", ("batch", *split, *counters), worth)
    report.note("tokens: all output over all target passes, the one that ends the prompt included;")
    report.note("decoding only: without that pass and its token")
    slots = by_slot(drafts[1], options.max_draft)
    rows = [(name, reached, stood, stood / max(1, reached)) for name, reached, stood in slots]
    title = "Acceptance by slot at batch 1, where all slots before it stood"
    report.table(title, ("slot", "verified", "stood", "share"), rows)
    agreed_columns = ("batch", "identical", "different", "widest gap", f"gap >= {GAP:g}", "repeated alike")
    report.table("Outputs with drafting on and off", agreed_columns, agreed)
    report.target("Drafting on over drafting off at batch 1, decode tokens a second", gains[1], SPEED_TARGET)
    tokens, unforced, _ = per_verification(drafts[1])
    report.target(f"Tokens a verification (without forced ones {figure(unforced)})", tokens, TOKENS_TARGET)
    report.target("Outputs that part where the gap is wide", sum(row[4] for row in agreed), 0, at_most=True)
    report.finish()


if __name__ == "__main__":
    main()
