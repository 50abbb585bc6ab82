"""The tensors behind a running batch, allocated once: rings and tails a slot, pages for what grows with the text."""

from __future__ import annotations

import torch
from torch import Tensor

from deepinfer_engine.config import EngineConfig, ModelConfig
from deepinfer_engine.errors import ConfigError

__all__ = ["CacheMemory", "PageTable", "bytes_per_page", "bytes_per_slot"]


def _sizes(model: ModelConfig, engine: EngineConfig) -> tuple[int, int]:
    """Ring length (window plus what a step may take back) and tail length (a group less one, plus the same)."""
    ring = model.sliding_window + max(engine.block, model.dspark_block_size)
    groups = [model.compress_ratios[s] for s in model.kv_source_layer_ids]
    return ring, max([1, *groups]) - 1 + engine.block


def bytes_per_slot(model: ModelConfig, engine: EngineConfig, dtype: torch.dtype) -> int:
    """Bytes that one running request costs before its first page."""
    ring, tail = _sizes(model, engine)
    rings = (model.num_hidden_layers + model.num_nextn_predict_layers) * ring * model.head_dim * dtype.itemsize
    pooled = sum(model.compress_ratios[s] > 1 for s in model.kv_source_layer_ids)
    return rings + pooled * tail * 2 * model.head_dim * max(dtype.itemsize, 4)


def bytes_per_page(model: ModelConfig, engine: EngineConfig, dtype: torch.dtype) -> int:
    """Bytes of one page (`page_tokens` positions) over all KV sources."""
    entries = sum(engine.page_tokens // model.compress_ratios[s] for s in model.kv_source_layer_ids)
    return entries * (model.head_dim + model.index_head_dim) * dtype.itemsize


class CacheMemory:
    """Rings `[slots, ring, d]` a layer and stage, tails `[slots, tail, 2 d]` a pooled source, pages a source.

    Ring and tail rows sit at `position mod length`; both are long enough that rows of a step which are taken back
    never overwrite a row that is still visible, so a rollback copies nothing (model-architecture 3.9, section 6).
    """

    def __init__(self, model: ModelConfig, engine: EngineConfig, dtype: torch.dtype, device: torch.device) -> None:
        self.model, self.page_tokens = model, engine.page_tokens
        if uneven := {r for r in model.compress_ratios if r and engine.page_tokens % r}:
            raise ConfigError(f"page_tokens is {engine.page_tokens}, want a multiple of the ratios {sorted(uneven)}")
        self.ring, self.tail = _sizes(model, engine)
        slots, size = engine.max_batch, model.head_dim
        self.pages = engine.cache_bytes // max(1, bytes_per_page(model, engine, dtype))
        wide = torch.float32 if dtype.itemsize < 4 else dtype

        def zeros(*shape: int, of: torch.dtype = dtype) -> Tensor:
            return torch.zeros(shape, dtype=of, device=device)

        layers = model.num_hidden_layers + model.num_nextn_predict_layers
        self.rings = [zeros(slots, self.ring, size) for _ in range(layers)]
        self.tails = {
            s: zeros(slots, self.tail, 2 * size, of=wide)
            for s in model.kv_source_layer_ids
            if model.compress_ratios[s] > 1
        }
        self.entries: dict[int, Tensor] = {}
        self.keys: dict[int, Tensor] = {}
        for s in model.kv_source_layer_ids:
            rows = engine.page_tokens // model.compress_ratios[s]
            self.entries[s] = zeros(self.pages, rows, size)
            self.keys[s] = zeros(self.pages, rows, model.index_head_dim)


class PageTable:
    """Which pages hold which request: `table [slots, pages a request]`; deals out pages and slots."""

    def __init__(self, slots: int, pages: int, page_tokens: int, max_tokens: int, device: torch.device) -> None:
        self.page_tokens = page_tokens
        self.free_pages = list(range(pages - 1, -1, -1))
        self.free_slots = list(range(slots - 1, -1, -1))
        self.owned: dict[int, list[int]] = {}
        self.table = torch.zeros(slots, -(-max_tokens // page_tokens), dtype=torch.int64, device=device)

    def pages_for(self, tokens: int) -> int:
        """Pages that `tokens` positions need."""
        return -(-tokens // self.page_tokens)

    def missing(self, slot: int, tokens: int) -> int:
        """Pages still to be taken before `slot` can hold `tokens` positions."""
        return max(0, self.pages_for(tokens) - len(self.owned[slot]))

    def can_grow(self, slot: int, tokens: int) -> bool:
        """Whether enough pages are free for `slot` to hold `tokens` positions."""
        return self.missing(slot, tokens) <= len(self.free_pages)

    def take_slot(self) -> int:
        """The lowest free slot: running requests stay close together, so batches are views and not copies."""
        slot = min(self.free_slots)
        self.free_slots.remove(slot)
        self.owned[slot] = []
        return slot

    def grow(self, slot: int, tokens: int) -> None:
        """Give `slot` the pages for `tokens` positions; the caller has asked `can_grow`."""
        pages = self.owned[slot]
        for _ in range(self.missing(slot, tokens)):
            page = self.free_pages.pop()
            self.table[slot, len(pages)] = page
            pages.append(page)

    def release(self, slot: int) -> None:
        """Give back the slot and all its pages."""
        self.free_pages.extend(reversed(self.owned.pop(slot)))
        self.free_slots.append(slot)
