"""Runs a model through its serving caches, row by row or in any other cut, without the engine around it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import torch
from torch import Tensor

from deepinfer_engine.cache.context import DraftContext, Rotations, ServingContext, Span
from deepinfer_engine.cache.memory import CacheMemory
from deepinfer_engine.config import EngineConfig, QuantisationPoints
from deepinfer_engine.model.dspark import DraftStage
from deepinfer_engine.model.rope import frequencies
from deepinfer_engine.model.transformer import Decoded, Transformer

SLOTS, MAX_TOKENS = 4, 256


class Drive:
    """A cache with a few slots; pages are dealt out in a scrambled order so that no test relies on neighbours."""

    def __init__(
        self, model: Transformer, *, quantise: bool = False, page_tokens: int = 16, max_draft: int | None = None
    ) -> None:
        model.set_quantisation(QuantisationPoints(cache=quantise, linear=False))
        self.model, self.config = model, model.config
        draft = self.config.dspark_block_size if max_draft is None else max_draft
        engine = EngineConfig(max_batch=SLOTS, cache_bytes=4 << 20, max_draft=draft, page_tokens=page_tokens)
        weight = model.embed.weight
        self.memory = CacheMemory(self.config, engine, weight.dtype, weight.device)
        columns = -(-MAX_TOKENS // page_tokens)
        order = torch.randperm(self.memory.pages, generator=torch.Generator().manual_seed(3))
        self.table = order[: SLOTS * columns].view(SLOTS, columns)
        self.rotations = Rotations(*(frequencies(self.config, compressed=compressed) for compressed in (False, True)))
        self.hash = model.ngram_hash()

    def poison(self) -> None:
        """Fill all caches with NaN, which no weight of 0 takes away: what is read without having been written shows."""
        memory = self.memory
        for pool in (memory.rings, memory.tails.values(), memory.entries.values(), memory.keys.values()):
            for tensor in pool:
                tensor.fill_(torch.nan)

    def rows(self, tokens: Sequence[Sequence[int]], spans: Sequence[Span]) -> tuple[Tensor, Tensor | None]:
        """Token ids of the spans and their n-gram hashes; `tokens[i]` is the whole text of span i."""
        n = self.config.engram_max_ngram_size
        flat, recent = [], []
        for text, span in zip(tokens, spans, strict=True):
            for at in range(span.start, span.start + span.length):
                flat.append(text[at])
                recent.append([text[at - back] if at >= back else -1 for back in range(n)])
        hashes = self.hash(torch.tensor(recent)) if self.hash is not None else None
        return torch.tensor(flat), hashes

    @torch.no_grad()
    def step(self, tokens: Sequence[Sequence[int]], spans: Sequence[Span]) -> tuple[Tensor, Tensor]:
        """One pass over the spans: logits and taps of all rows, stage rings written."""
        context = ServingContext(self.memory, self.table, spans, self.rotations)
        return self.finish(self.model(*self.rows(tokens, spans), context), context)

    @torch.no_grad()
    def step_replay(self, tokens: Sequence[Sequence[int]], spans: Sequence[Span]) -> tuple[Tensor, Tensor]:
        """The same in compact form: only rows from `keep_from` on run through the decoder and come back."""
        context = ServingContext(self.memory, self.table, spans, self.rotations)
        stream, pre = self.model.encode(*self.rows(tokens, spans), context)
        self.model.publish_decoder(stream, pre, context)
        kept = torch.cat([torch.arange(s.start, s.start + s.length) >= s.keep_from for s in spans])
        if not bool(kept.any()):
            empty = stream.new_empty(0, self.config.vocab_size)
            return empty, stream.new_empty(0, len(self.config.dspark_target_layer_ids) * self.config.hidden_size)
        narrow = [
            Span(s.slot, begin, s.start + s.length - begin, s.keep_from)
            for s in spans
            if (begin := max(s.start, s.keep_from)) < s.start + s.length
        ]
        context = ServingContext(self.memory, self.table, narrow, self.rotations, decoder=True)
        return self.finish(self.model.decode(stream[kept], pre[kept], context, published=True), context)

    def finish(self, decoded: Decoded, context: ServingContext) -> tuple[Tensor, Tensor]:
        if len(self.model.mtp):
            projected = self.model.project_taps(decoded.taps)
            for number, stage in enumerate(self.model.mtp):
                assert isinstance(stage, DraftStage)
                context.write_stage(number, stage.seed(projected, context))
        return self.model.logits(decoded.hidden), decoded.taps

    def feed(self, text: Sequence[int], sizes: Iterable[int], slot: int = 0) -> tuple[Tensor, Tensor]:
        """A whole text alone, in chunks of `sizes` (the rest of it in one)."""
        start, outputs = 0, []
        for size in [*sizes, len(text)]:
            length = min(size, len(text) - start)
            if length:
                outputs.append(self.step([text], [Span(slot, start, length)]))
                start += length
        logits, taps = zip(*outputs, strict=True)
        return torch.cat(logits), torch.cat(taps)

    @torch.no_grad()
    def draft(self, anchors: Sequence[int], slots: Sequence[int], starts: Sequence[int], length: int) -> Drafts:
        """Greedy draft blocks."""
        context = DraftContext(self.memory, slots, starts, length, self.rotations)
        drafted = self.model.draft(torch.tensor(anchors), length, context)
        last = self.model.mtp[-1]
        assert isinstance(last, DraftStage)
        previous, logits, confidence, tokens = torch.tensor(anchors), [], [], []
        for index in range(length):
            bias, embedded = last.markov_head(previous)
            logits.append(drafted.logits[:, index] + bias)
            confidence.append(last.confidence_head(drafted.hidden[:, index], embedded).sigmoid())
            previous = logits[-1].argmax(-1)
            tokens.append(previous)
        return torch.stack(tokens, 1), torch.stack(logits, 1), torch.stack(confidence, 1)


Drafts = tuple[Tensor, Tensor, Tensor]
"""Tokens `[R, B]`, logits `[R, B, vocabulary]` and confidence `[R, B]`."""
