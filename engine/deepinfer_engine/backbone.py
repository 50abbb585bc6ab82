"""The network with its caches: runs spans of requests through it. Knows positions and slots, no sampling."""

from __future__ import annotations

from collections.abc import Sequence as Many
from dataclasses import dataclass

import torch
from torch import Tensor

from deepinfer_engine.cache.context import DraftContext, Rotations, ServingContext, Span
from deepinfer_engine.cache.memory import CacheMemory, PageTable
from deepinfer_engine.config import EngineConfig
from deepinfer_engine.model.dspark import DraftStage
from deepinfer_engine.model.rope import frequencies
from deepinfer_engine.model.transformer import Drafted, Transformer

__all__ = ["Backbone", "Chunk"]


@dataclass(frozen=True, slots=True)
class Chunk:
    """Tokens of one request to run: `tokens` sit at `span`; `history` is everything before them, oldest first."""

    span: Span
    tokens: tuple[int, ...]
    history: tuple[int, ...]
    wanted: int
    """How many of the last rows' hidden states the caller needs."""


class Backbone:
    """Owns the model, the cache memory and the page table. All allocations happen here, once."""

    def __init__(self, model: Transformer, engine: EngineConfig, token_map: Tensor | None = None) -> None:
        weight = model.embed.weight
        engine.check(model.config)
        self.model, self.config, self.engine = model, model.config, engine
        self.device, self.dtype = weight.device, weight.dtype
        if engine.quantisation is not None:
            model.set_quantisation(engine.quantisation)
        self.memory = CacheMemory(model.config, engine, weight.dtype, weight.device)
        self.pages = PageTable(
            engine.max_batch,
            self.memory.pages,
            engine.page_tokens,
            model.config.max_position_embeddings + engine.block,
            weight.device,
        )
        self.rotations = Rotations(
            frequencies(model.config, compressed=False, device=weight.device),
            frequencies(model.config, compressed=True, device=weight.device),
        )
        self._hash = model.ngram_hash(token_map)

    def run(self, chunks: Many[Chunk]) -> Tensor:
        """Process the chunks; returns the wanted hidden rows of all chunks, one after the other, `[K, d]`.

        Short chunks must come first (they share one attention product). Writes window rings, compressed entries,
        and the draft stages' keys of every row that runs through the decoder.
        """
        tokens = torch.tensor([t for chunk in chunks for t in chunk.tokens], dtype=torch.int64, device=self.device)
        spans = [chunk.span for chunk in chunks]
        context = ServingContext(self.memory, self.pages.table, spans, self.rotations)
        stream, pre = self.model.encode(tokens, self._hashes(chunks), context)
        narrowed = [_narrow(span) for span in spans]
        published = narrowed != spans
        if published:
            self.model.publish_decoder(stream, pre, context)
        if any(span.keep_from for span in spans):
            kept = [span for span in narrowed if span.length]
            if not kept:
                return stream.new_empty(0, self.config.hidden_size)
            rows = (context.positions >= self._floors(spans)).nonzero()[:, 0]
            stream, pre = stream[rows], pre[rows]
            context = ServingContext(self.memory, self.pages.table, kept, self.rotations, decoder=True)
        decoded = self.model.decode(stream, pre, context, published=published)
        if self.engine.max_draft:
            features = self.model.project_taps(decoded.taps)
            for number, stage in enumerate(self.model.mtp):
                if isinstance(stage, DraftStage):
                    context.write_stage(number, stage.seed(features, context))
        return decoded.hidden[self._wanted(chunks, narrowed)]

    def draft(self, slots: Many[int], starts: Many[int], anchors: Many[int]) -> Drafted:
        """One block of `max_draft` rows a request, the anchor `[R]` at position `starts`."""
        length = self.engine.max_draft
        context = DraftContext(self.memory, slots, starts, length, self.rotations)
        return self.model.draft(torch.tensor(anchors, dtype=torch.int64, device=self.device), length, context)

    def _hashes(self, chunks: Many[Chunk]) -> Tensor | None:
        """Engram rows from the token history, never from a cache: the same after a preemption or a prefix hit."""
        if self._hash is None:
            return None
        back = self._hash.ngram - 1
        recent: list[list[int]] = []
        for chunk in chunks:
            before = chunk.history[-back:] if back else ()
            line = (*(-1 for _ in range(back - len(before))), *before, *chunk.tokens)
            recent.extend([line[at - s] for s in range(back + 1)] for at in range(back, len(line)))
        return self._hash(torch.tensor(recent, dtype=torch.int64, device=self.device))

    def _floors(self, spans: Many[Span]) -> Tensor:
        floors = [span.keep_from for span in spans for _ in range(span.length)]
        return torch.tensor(floors, device=self.device)

    def _wanted(self, chunks: Many[Chunk], narrowed: Many[Span]) -> Tensor:
        rows: list[int] = []
        end = 0
        for chunk, span in zip(chunks, narrowed, strict=True):
            end += span.length
            rows.extend(range(end - min(chunk.wanted, span.length), end))
        return torch.tensor(rows, dtype=torch.int64, device=self.device)


def _narrow(span: Span) -> Span:
    """The part of a span that runs through the decoder: positions from `keep_from` on."""
    dropped = min(max(span.keep_from - span.start, 0), span.length)
    return Span(span.slot, span.start + dropped, span.length - dropped, span.keep_from)
