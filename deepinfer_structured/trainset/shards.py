"""Writes token shards from many processes, endlessly or up to a number, each file whole or not there.

A shard is one safetensors file: `tokens` int16 (read it as uint16), `starts` int64 [documents + 1], `answers` int64
[documents], the place of the first answer token inside its document. A document is prompt, answer, end of sequence.
"""

import multiprocessing
from collections.abc import Callable
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file

from deepinfer_structured.trainset.example import encode
from deepinfer_structured.trainset.generate import examples
from deepinfer_structured.trainset.tokenizer import NanoTokenizer

TOKEN_LIMIT = 1024


def write_shard(
    path: Path, documents: list[tuple[list[int], list[int]]], masks: list[NDArray[np.int32]] | None = None
) -> None:
    """One shard, written beside its place and then moved there.

    `masks`: for each document int32 `[answer tokens, words]`, which tokens its constraint allowed at each of them.
    """
    lengths = [len(prompt) + len(answer) for prompt, answer in documents]
    starts = np.zeros(len(documents) + 1, dtype=np.int64)
    np.cumsum(lengths, out=starts[1:])
    tokens = np.fromiter(
        (t for prompt, answer in documents for t in (*prompt, *answer)), dtype=np.uint16, count=int(starts[-1])
    )
    answers = np.array([len(prompt) for prompt, _ in documents], dtype=np.int64)
    hidden = path.with_name(f".{path.name}.part")
    tensors: dict[str, NDArray[Any]] = {"tokens": tokens.view(np.int16), "starts": starts, "answers": answers}
    if masks is not None:
        tensors["masks"] = np.concatenate(masks)
    save_file(tensors, str(hidden))
    hidden.replace(path)


def produce(
    out: Path,
    tokenizer_path: Path,
    split: str,
    seed: int,
    worker: int,
    workers: int,
    per_shard: int,
    limit: int,
    stopped: Callable[[], bool],
) -> None:
    """One worker's share of the stream: every `workers`-th example."""
    tokenizer = NanoTokenizer(tokenizer_path)
    documents: list[tuple[list[int], list[int]]] = []
    shard = 0
    for index, example in enumerate(examples(split, seed, worker, workers)):
        prompt, answer = encode(example, tokenizer)
        if len(prompt) + len(answer) <= TOKEN_LIMIT:
            documents.append((prompt, answer))
        last = limit and (index + 1) * workers + worker >= limit
        if len(documents) == per_shard or (last and documents):
            write_shard(out / f"{split}-{seed:04d}-{shard:06d}-{worker:03d}.safetensors", documents)
            documents, shard = [], shard + 1
        if last or stopped():
            return


def write_shards(
    out_dir: str | Path,
    split: str = "train",
    seed: int = 0,
    *,
    tokenizer: str | Path,
    workers: int = 1,
    documents_per_shard: int = 4096,
    limit: int = 0,
    stop: Event | None = None,
) -> None:
    """Write shards from `workers` processes until `limit` examples are drawn (0: until `stop` is set).

    The files depend on split, seed, worker count and shard size alone, and sort in the order of the stream.
    """
    out = Path(out_dir)
    out.mkdir(parents=True, exist_ok=True)
    stop = stop or multiprocessing.get_context("spawn").Event()
    share = (out, Path(tokenizer), split, seed)
    if workers == 1:
        produce(*share, 0, 1, documents_per_shard, limit, stop.is_set)
        return
    context = multiprocessing.get_context("spawn")
    processes = [
        context.Process(target=produce, args=(*share, worker, workers, documents_per_shard, limit, stop.is_set))
        for worker in range(workers)
    ]
    for process in processes:
        process.start()
    try:
        for process in processes:
            process.join()
    except KeyboardInterrupt:
        stop.set()
        for process in processes:
            process.join()
    failed = [process.exitcode for process in processes if process.exitcode]
    if failed:
        raise RuntimeError(f"{len(failed)} of {workers} shard workers failed")
