"""Token shards whose answers are the model's own, under the grammar: what its drafter is trained on (dspark.md 3.1)."""

import argparse
import multiprocessing
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from deepinfer_engine import Engine, EngineConfig, Request, SamplingParams
from deepinfer_structured.constraint.compiler import Compiler
from deepinfer_structured.constraint.matcher import Matcher, TextMatcher
from deepinfer_structured.constraint.vocabulary import Vocabulary
from deepinfer_structured.errors import SchemaError
from deepinfer_structured.trainset.example import encode
from deepinfer_structured.trainset.generate import examples
from deepinfer_structured.trainset.shards import TOKEN_LIMIT, write_shard

__all__ = ["AnswerRun", "write_answers"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRun:
    """What one run of generation is made of; every worker takes its share of the examples.

    `warm` of each four answers are sampled at temperature 0.7, the others are greedy: how the drafter will be used.
    """

    checkpoint: Path
    out: Path
    seed: int = 0
    workers: int = 1
    limit: int = 0
    device: str = "cpu"
    batch: int = 128
    per_shard: int = 512
    max_tokens: int = 320
    warm: int = 1

    def engine(self) -> Engine:
        """An engine without drafting, roomy enough for `batch` requests."""
        config = EngineConfig(max_batch=self.batch, max_draft=0, cache_bytes=self.batch << 22, prefill_tokens=1 << 14)
        return Engine.from_checkpoint(self.checkpoint, config, device=self.device)


def requests(run: AnswerRun, worker: int, vocabulary: Vocabulary) -> Iterator[Request]:
    """The worker's share of the training stream as requests. Examples whose schema does not compile are left out."""
    compiler = Compiler(vocabulary)
    stream = examples("train", run.seed, worker, run.workers)
    for number, example in enumerate(islice(stream, run.limit // run.workers if run.limit else None)):
        prompt, answer = encode(example, vocabulary)
        if len(prompt) + max(run.max_tokens, len(answer)) > TOKEN_LIMIT + run.max_tokens:
            continue
        try:
            constraint = compiler.compile(example.schema) if example.schema is not None else None
        except SchemaError:
            continue
        sampled = number % 4 < run.warm
        yield Request(
            request_id=number,
            prompt=tuple(prompt),
            max_tokens=run.max_tokens,
            sampling=SamplingParams(temperature=0.7 if sampled else 0.0, seed=run.seed * 1_000_003 + number),
            constraint=TextMatcher(vocabulary) if constraint is None else constraint.matcher(),
            stop_tokens=(vocabulary.eos,),
        )


def legal_rows(matcher: Matcher | TextMatcher, answer: list[int], words: int) -> NDArray[np.int32]:
    """What a matcher at its start allows along `answer`: int32 `[tokens, words]`."""
    rows = torch.empty(len(answer), words, dtype=torch.int32)
    for row, token in zip(rows, answer, strict=True):
        matcher.fill(row)
        if not matcher.accept(token):
            raise RuntimeError(f"token {token} of an answer is not legal under the grammar that made it")
    return rows.numpy()


def produce(run: AnswerRun, worker: int) -> None:
    """Keep the engine full; write a shard for every `per_shard` answers that came to their end."""
    engine = run.engine()
    vocabulary = Vocabulary.load(str(run.checkpoint))
    waiting = requests(run, worker, vocabulary)
    running: dict[int | str, tuple[Request, list[int]]] = {}
    done: list[tuple[list[int], list[int]]] = []
    masks: list[NDArray[np.int32]] = []
    shard = 0
    while True:
        for request in islice(waiting, run.batch - len(running)):
            running[request.request_id] = (request, [])
            engine.submit(request)
        if not running:
            break
        for output in engine.step():
            running[output.request_id][1].extend(output.tokens)
            if output.finish is not None:
                request, answer = running.pop(output.request_id)
                if output.finish == "stop" and len(request.prompt) + len(answer) <= TOKEN_LIMIT:
                    done.append((list(request.prompt), answer))
                    masks.append(_masks(request, answer, vocabulary.words))
        if len(done) >= run.per_shard:
            write_shard(_path(run, worker, shard), done, masks)
            done, masks, shard = [], [], shard + 1
    if done:
        write_shard(_path(run, worker, shard), done, masks)


def _masks(request: Request, answer: list[int], words: int) -> NDArray[np.int32]:
    matcher = request.constraint
    if not isinstance(matcher, Matcher | TextMatcher):
        raise TypeError(f"a request of this run has the constraint {matcher!r}")
    matcher.rollback(len(answer))
    return legal_rows(matcher, answer, words)


def write_answers(run: AnswerRun) -> None:
    """Run all workers, each in a process of its own, to the end of their shares."""
    run.out.mkdir(parents=True, exist_ok=True)
    if run.workers == 1:
        produce(run, 0)
        return
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=produce, args=(run, worker)) for worker in range(run.workers)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    if failed := [process.exitcode for process in processes if process.exitcode]:
        raise RuntimeError(f"{len(failed)} of {run.workers} workers failed")


def _path(run: AnswerRun, worker: int, shard: int) -> Path:
    return run.out / f"answers-{run.seed:04d}-{shard:06d}-{worker:03d}.safetensors"


def main(arguments: list[str] | None = None) -> None:
    """`python -m deepinfer_structured.trainset.answers`"""
    parser = argparse.ArgumentParser(prog="python -m deepinfer_structured.trainset.answers", description=__doc__)
    parser.add_argument("--checkpoint", type=Path, required=True, help="folder with config, tokenizer and weights")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--limit", type=int, required=True, help="examples to draw in all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--per-shard", type=int, default=512, help="answers a shard")
    parser.add_argument("--batch", type=int, default=128, help="requests of a worker at a time")
    parser.add_argument("--device", default="cpu")
    write_answers(AnswerRun(**vars(parser.parse_args(arguments))))


if __name__ == "__main__":
    main()
