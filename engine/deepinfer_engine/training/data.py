"""Token shards to packed batches: reads shards as they appear, packs documents into rows, keeps a queue filled."""

from __future__ import annotations

import logging
import queue
import random
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file
from torch import Tensor

__all__ = ["Batch", "Document", "Loader", "Packing", "pack", "read_shard"]

_log = logging.getLogger(__name__)

PADDING = -1
_PATIENCE = 0.5  # seconds between two looks at an empty folder
_FAILURES = 40


class Document(NamedTuple):
    """Token ids, the offset of the first answer token, and the legal tokens at each answer position, if known."""

    tokens: NDArray[np.uint16]
    answer: int
    masks: NDArray[np.int32] | None


class Batch(NamedTuple):
    """Rows of packed documents.

    tokens: int64 `[B, T]`; documents: int32 `[B, T]`, number of each token's document in its row, -1 for padding;
    weights: fp32 `[B, T]`, weight of predicting this token from the one before; masks: int32 `[M, words]` legal
    tokens, and mask_rows: int64 `[B, T]` where in it the mask of this token is, -1 without (None if no shard had any).
    """

    tokens: Tensor
    documents: Tensor
    weights: Tensor
    masks: Tensor | None = None
    mask_rows: Tensor | None = None

    def to(self, device: torch.device) -> Batch:
        """The same on `device`; does not wait for the copy."""
        return self._each(lambda x: x.to(device, non_blocking=True))

    def pinned(self) -> Batch:
        """The same in page-locked memory."""
        return self._each(lambda x: x.pin_memory())

    def _each(self, change: Callable[[Tensor], Tensor]) -> Batch:
        optional = (None if x is None else change(x) for x in (self.masks, self.mask_rows))
        return Batch(change(self.tokens), change(self.documents), change(self.weights), *optional)


@dataclass(frozen=True, slots=True, kw_only=True)
class Packing:
    """Shape of a batch and weights of its tokens. `align`: documents start at multiples of it."""

    rows: int = 32
    length: int = 1024
    align: int = 2
    pad: int = 2
    prompt_weight: float = 0.1
    pool: int = 4096


def read_shard(path: Path) -> list[Document]:
    """The documents of one shard (docs/design/contracts.md)."""
    tensors = load_file(path)
    tokens, starts, answers = tensors["tokens"].view(np.uint16), tensors["starts"], tensors["answers"]
    masks = tensors.get("masks")
    documents, used = [], 0
    for begin, end, answer in zip(starts[:-1].tolist(), starts[1:].tolist(), answers.tolist(), strict=True):
        count = end - begin - answer
        own = None if masks is None else masks[used : used + count]
        used += count
        documents.append(Document(tokens[begin:end], answer, own))
    return documents


def pack(lengths: list[int], room: int, align: int) -> list[list[int]]:
    """Best fit, longest first: bins of document numbers whose aligned lengths fit into `room`."""
    bins: list[list[int]] = []
    by_room: dict[int, list[int]] = {}
    free = 0  # bit r set: some bin has r tokens left
    for number in sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True):
        need = -(-lengths[number] // align) * align
        fitting = free >> need
        if fitting:
            left = need + (fitting & -fitting).bit_length() - 1
            place = by_room[left].pop()
            if not by_room[left]:
                free &= ~(1 << left)
        else:
            left, place = room, len(bins)
            bins.append([])
        bins[place].append(number)
        by_room.setdefault(left - need, []).append(place)
        free |= 1 << (left - need)
    return bins


class Loader:
    """Iterator of batches for `Packing`, filled by a thread.

    Shards are taken from `folder` once each, in no particular order; new ones are waited for. `consume` deletes a shard
    when it is read, `repeat` starts over when all have been read instead of waiting.
    """

    def __init__(
        self, folder: Path, packing: Packing, *, consume: bool = False, repeat: bool = False, pin: bool = False
    ) -> None:
        self.folder, self.packing, self.consume, self.repeat, self.pin = folder, packing, consume, repeat, pin
        self.waited = 0.0
        self.dropped = 0
        self._random = random.Random(0)
        self._seen: set[str] = set()
        self._stop = threading.Event()
        self._queue: queue.Queue[Batch | BaseException] = queue.Queue(maxsize=16)
        self._thread = threading.Thread(target=self._work, name="loader", daemon=True)
        self._thread.start()

    def __iter__(self) -> Iterator[Batch]:
        return self

    def __next__(self) -> Batch:
        began = time.monotonic()
        item = self._queue.get()
        self.waited += time.monotonic() - began
        if isinstance(item, BaseException):
            raise item
        return item

    def close(self) -> None:
        """Stop the thread."""
        self._stop.set()
        while not self._queue.empty():
            self._queue.get_nowait()
        self._thread.join(timeout=5)

    def _work(self) -> None:
        try:
            pool: list[Document] = []
            for documents in self._shards():
                kept = [d for d in documents if 0 < d.answer < len(d.tokens) <= self.packing.length]
                self.dropped += len(documents) - len(kept)
                pool.extend(kept)
                while len(pool) >= self.packing.pool:
                    pool = self._emit(pool)
        except BaseException as cause:  # noqa: BLE001 (handed to the consumer)
            self._put(cause)

    def _shards(self) -> Iterator[list[Document]]:
        failures = 0
        while not self._stop.is_set():
            fresh = [path for path in sorted(self.folder.glob("*.safetensors")) if path.name not in self._seen]
            if not fresh:
                if self.repeat and self._seen:
                    self._seen.clear()
                else:
                    time.sleep(_PATIENCE)
                continue
            path = self._random.choice(fresh)
            try:
                documents = read_shard(path)
            except (SafetensorError, OSError) as cause:  # perhaps still being written
                failures += 1
                if failures > _FAILURES:
                    raise
                _log.warning("cannot read %s yet: %s", path, cause)
                time.sleep(_PATIENCE)
                continue
            self._seen.add(path.name)
            if self.consume:
                path.unlink()
            yield documents

    def _emit(self, pool: list[Document]) -> list[Document]:
        """Pack the pool; batches of its full rows go out, the documents of the fewest-filled rows stay."""
        p = self.packing
        self._random.shuffle(pool)
        bins = pack([len(d.tokens) for d in pool], p.length, p.align)
        bins.sort(key=lambda members: -sum(len(pool[i].tokens) for i in members))
        whole = max(len(bins) // p.rows - 1, 1) * p.rows if len(bins) >= p.rows else 0
        if not whole:  # short documents only: the pool must grow before it fills a batch
            bins.extend([] for _ in range(p.rows - len(bins)))
            whole = p.rows
        going, staying = bins[:whole], bins[whole:]
        self._random.shuffle(going)
        for start in range(0, whole, p.rows):
            batch = assemble([[pool[i] for i in members] for members in going[start : start + p.rows]], p)
            self._put(batch.pinned() if self.pin else batch)
        return [pool[i] for members in staying for i in members]

    def _put(self, item: Batch | BaseException) -> None:
        while not self._stop.is_set():
            try:
                self._queue.put(item, timeout=0.5)
            except queue.Full:
                continue
            return


def assemble(rows: list[list[Document]], packing: Packing) -> Batch:
    """Lay documents out; `len(rows)` is the batch's B."""
    p = packing
    tokens = np.full((len(rows), p.length), p.pad, dtype=np.int64)
    numbers = np.full((len(rows), p.length), PADDING, dtype=np.int32)
    weights = np.zeros((len(rows), p.length), dtype=np.float32)
    masks: list[NDArray[np.int32]] = []
    mask_rows = np.full((len(rows), p.length), -1, dtype=np.int64)
    used = 0
    for row, documents in enumerate(rows):
        at = 0
        for number, (ids, answer, own) in enumerate(documents):
            end = at + len(ids)
            tokens[row, at:end], numbers[row, at:end] = ids, number
            weights[row, at + 1 : at + answer] = p.prompt_weight
            weights[row, at + answer : end] = 1
            if own is not None:
                mask_rows[row, at + answer : end] = np.arange(used, used + len(own))
                masks.append(own)
                used += len(own)
            at = -(-end // p.align) * p.align
    batch = Batch(torch.from_numpy(tokens), torch.from_numpy(numbers), torch.from_numpy(weights))
    if masks:
        batch = batch._replace(masks=torch.from_numpy(np.concatenate(masks)), mask_rows=torch.from_numpy(mask_rows))
    return batch
