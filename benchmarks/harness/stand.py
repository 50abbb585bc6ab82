"""The engine driven by hand, a step at a time, so that prompts and decoding can be timed apart.

Decoding is what happens in steps that run no prompt: a step in which a request still waits for its first token counts
as the prompt's, with its tokens. Requests are what `LLM.generate` would send: the same template, masks and defaults.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

import deepinfer_structured
from deepinfer_engine import Engine, EngineConfig, Request, SamplingParams
from deepinfer_engine.request import Output, TokenLogprobs, Usage
from deepinfer_engine.weights.checkpoint import load
from deepinfer_structured import StructuredError, Vocabulary
from deepinfer_structured.prompt import compact_schema, render
from deepinfer_structured.runner.runner import checkpoint

__all__ = ["Job", "Result", "Run", "Stand", "Step"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One document with the schema that is wanted of it."""

    document: str
    constraint: Any
    schema_text: str
    instruction: str | None = None


@dataclass(slots=True, kw_only=True)
class Result:
    """What one request gave."""

    tokens: list[int] = field(default_factory=list)
    logprobs: list[TokenLogprobs] = field(default_factory=list)
    passes: list[tuple[int, int]] = field(default_factory=list)
    """Drafts fed and drafts accepted, of every verification after the prompt's own."""
    finish: str | None = None
    usage: Usage = field(default_factory=Usage)
    valid: bool = False
    """Whether the text became a typed object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of the engine."""

    seconds: float
    tokens: int
    requests: int
    prompts: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """All jobs, done once. `seconds` is end to end: documents to typed objects, schemas compiled before."""

    results: list[Result]
    steps: list[Step]
    seconds: float

    @property
    def prompt_seconds(self) -> float:
        """Time of the steps that ran a prompt."""
        return sum(step.seconds for step in self.steps if step.prompts)

    @property
    def decode_tokens(self) -> int:
        """Tokens of the steps that ran none."""
        return sum(step.tokens for step in self.steps if not step.prompts)

    @property
    def output_tokens(self) -> int:
        """All tokens."""
        return sum(step.tokens for step in self.steps)

    @property
    def decode_rate(self) -> float:
        """Tokens a second while nothing but decoding goes on."""
        return self.rate(1)

    def rate(self, least: int) -> float:
        """The decode rate over the steps with at least so many requests; the run's thin end can be left out."""
        chosen = [step for step in self.steps if not step.prompts and step.requests >= least]
        seconds = sum(step.seconds for step in chosen)
        return sum(step.tokens for step in chosen) / seconds if seconds else 0.0

    def total(self, counter: str) -> int:
        """The sum of one counter of `Usage`."""
        return sum(int(getattr(result.usage, counter)) for result in self.results)

    def finishes(self) -> str:
        """How the requests ended."""
        counts = Counter(str(result.finish) for result in self.results)
        valid = sum(result.valid for result in self.results)
        ended = ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))
        return f"{ended}; {valid} of {len(self.results)} became objects"


class Stand:
    """The bundled weights, loaded once. Engines made here share them, and the kernels and threads with them."""

    def __init__(self) -> None:
        self.vocabulary = Vocabulary.load("nano")
        self._loaded = load(checkpoint("nano"))
        self.threads = torch.get_num_threads()

    def engine(self, **limits: Any) -> Engine:
        """An engine over the shared weights, with the defaults of `EngineConfig` but for `limits`."""
        return Engine(self._loaded.model, EngineConfig(**limits), token_map=self._loaded.token_map)

    def job(self, document: str, schema: Any, instruction: str | None = None) -> Job:
        """A document with a schema, which is compiled here unless an equal one was."""
        constraint = deepinfer_structured.compile(schema)
        text = compact_schema(constraint.json_schema)
        return Job(document=document, constraint=constraint, schema_text=text, instruction=instruction)

    def jobs(self, examples: Sequence[Mapping[str, Any]]) -> list[Job]:
        """Held-out examples as jobs."""
        return [self.job(one["document"], one["schema"], one.get("instruction")) for one in examples]

    def run(self, engine: Engine, jobs: Sequence[Job], batch: int, *, max_tokens: int = 256, logprobs: int = 0) -> Run:
        """The jobs in order, `batch` at a time: the next ones start when all of these are done."""
        results: list[Result] = []
        steps: list[Step] = []
        started = time.perf_counter()
        for start in range(0, len(jobs), batch):
            part = jobs[start : start + batch]
            fresh = {number: Result() for number in range(start, start + len(part))}
            for number, job in zip(fresh, part, strict=True):
                engine.submit(self._request(number, job, max_tokens, logprobs))
            while not engine.idle:
                steps.append(_step(engine, fresh))
            for result, job in zip(fresh.values(), part, strict=True):
                result.valid = self._parses(result, job)
            results += fresh.values()
        return Run(results=results, steps=steps, seconds=time.perf_counter() - started)

    def _request(self, number: int, job: Job, max_tokens: int, logprobs: int) -> Request:
        prompt = render(self.vocabulary, job.document, schema_text=job.schema_text, instruction=job.instruction)
        return Request(
            request_id=number,
            prompt=tuple(prompt),
            max_tokens=max_tokens,
            sampling=SamplingParams(logprobs=logprobs),
            constraint=job.constraint.matcher(),
            stop_tokens=(self.vocabulary.eos,),
        )

    def _parses(self, result: Result, job: Job) -> bool:
        text = self.vocabulary.decode([token for token in result.tokens if token != self.vocabulary.eos])
        try:
            job.constraint.parse(text)
        except StructuredError:
            return False
        return result.finish == "stop"


def _step(engine: Engine, results: Mapping[int, Result]) -> Step:
    """One step, timed; what it gave goes into `results`."""
    live = [result for result in results.values() if result.finish is None]
    prompts = any(not result.tokens for result in live)
    started = time.perf_counter()
    outputs = engine.step()
    seconds = time.perf_counter() - started
    for output in outputs:
        _take(results[int(output.request_id)], output)
    tokens = sum(len(output.tokens) for output in outputs)
    return Step(seconds=seconds, tokens=tokens, requests=len(live), prompts=prompts)


def _take(result: Result, output: Output) -> None:
    if result.tokens:
        before, after = result.usage, output.usage
        result.passes.append((after.drafted - before.drafted, after.accepted - before.accepted))
    result.tokens += output.tokens
    result.logprobs += output.logprobs or ()
    result.finish, result.usage = output.finish, output.usage
