"""Slots and pages: sizes as promised, and nothing lost or dealt twice."""

import hypothesis.strategies as st
import pytest
import torch
from hypothesis import given

from deepinfer_engine.cache.memory import CacheMemory, PageTable, bytes_per_page, bytes_per_slot
from deepinfer_engine.config import EngineConfig
from deepinfer_engine.errors import ConfigError
from tests.engine.weights.released import flash
from tests.toys import toy_config

CPU = torch.device("cpu")


def held(tensors: object) -> int:
    values = tensors.values() if isinstance(tensors, dict) else tensors
    return sum(tensor.numel() * tensor.element_size() for tensor in values)  # type: ignore[attr-defined]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float64])
@pytest.mark.parametrize("max_draft", [0, 3, 5])
def test_the_promised_bytes_are_the_allocated_ones(dtype: torch.dtype, max_draft: int) -> None:
    model, engine = toy_config(), EngineConfig(max_batch=3, cache_bytes=1 << 16, max_draft=max_draft, page_tokens=8)
    memory = CacheMemory(model, engine, dtype, CPU)
    assert held(memory.rings) + held(memory.tails) == 3 * bytes_per_slot(model, engine, dtype)
    pages = held(memory.entries) + held(memory.keys)
    assert pages == memory.pages * bytes_per_page(model, engine, dtype)
    assert pages <= 1 << 16 < pages + bytes_per_page(model, engine, dtype)


def test_rings_hold_the_window_and_what_may_be_taken_back() -> None:
    memory = CacheMemory(toy_config(), EngineConfig(max_batch=1, cache_bytes=1 << 16, max_draft=5), torch.float32, CPU)
    assert memory.ring == 8 + 6
    assert memory.tail == 2 - 1 + 6


def test_the_release_keeps_four_sources_a_position() -> None:
    """Section 6: three sources of ratio 2 and one of ratio 1, entry and index key each."""
    page = bytes_per_page(flash(), EngineConfig(page_tokens=128), torch.bfloat16)
    assert page == 128 * (3 * (512 + 128) // 2 + 512 + 128) * 2


def test_a_page_holds_whole_groups() -> None:
    with pytest.raises(ConfigError, match=r"page_tokens is 9, want a multiple of the ratios \[2\]"):
        CacheMemory(toy_config(), EngineConfig(page_tokens=9), torch.float32, CPU)


class Book:
    """What a page table should say."""

    def __init__(self) -> None:
        self.table = PageTable(4, 12, 8, 64, CPU)
        self.tokens: dict[int, int] = {}

    def check(self) -> None:
        owned = [page for pages in self.table.owned.values() for page in pages]
        assert sorted(owned + self.table.free_pages) == list(range(12))
        assert sorted([*self.table.owned, *self.table.free_slots]) == list(range(4))
        for slot, tokens in self.tokens.items():
            pages = self.table.pages_for(tokens)
            assert self.table.table[slot, :pages].tolist() == self.table.owned[slot][:pages]


@given(st.lists(st.tuples(st.sampled_from(["take", "grow", "release"]), st.integers(0, 3), st.integers(1, 64))))
def test_no_page_is_lost_or_dealt_twice(moves: list[tuple[str, int, int]]) -> None:
    book = Book()
    for move, pick, tokens in moves:
        slots = sorted(book.tokens)
        if move == "take" and book.table.free_slots:
            slot = book.table.take_slot()
            assert slot == min(set(range(4)) - set(slots))
            book.tokens[slot] = 0
        elif slots and move == "release":
            slot = slots[pick % len(slots)]
            book.table.release(slot)
            del book.tokens[slot]
        elif slots and book.table.can_grow(slot := slots[pick % len(slots)], tokens):
            book.table.grow(slot, tokens)
            book.tokens[slot] = max(tokens, book.tokens[slot])
        book.check()
