"""Bounded replay: the prompt's last KEEP rows alone run through the decoder (model-architecture 3.8)."""

from functools import cache

import pytest
import torch
from torch import Tensor

from deepinfer_engine.cache.context import Span
from deepinfer_engine.config import EngineConfig
from deepinfer_engine.errors import ConfigError
from deepinfer_engine.model.transformer import Transformer
from tests.engine.cache.drive import Drive
from tests.toys import toy_config, toy_model, toy_tokens

PROMPT = 61
TEXT = toy_tokens(PROMPT + 20, seed=11)
WINDOW = toy_config().sliding_window
KEEP = WINDOW + 6

quantisers = pytest.mark.parametrize("quantise", [False, True], ids=["off", "on"])


@cache
def model() -> Transformer:
    return toy_model(dtype=torch.float64)


def prefill(drive: Drive, sizes: tuple[int, ...], keep: int = KEEP, slot: int = 0) -> tuple[Tensor, Tensor]:
    start, outputs = 0, []
    for size in (*sizes, PROMPT):
        length = min(size, PROMPT - start)
        if length:
            outputs.append(drive.step_replay([TEXT], [Span(slot, start, length, max(0, PROMPT - keep))]))
        start += length
    logits, taps = zip(*outputs, strict=True)
    return torch.cat(logits), torch.cat(taps)


def close(got: Tensor, want: Tensor) -> None:
    torch.testing.assert_close(got, want, atol=1e-6, rtol=0)


@quantisers
@pytest.mark.parametrize("sizes", [(7, 11, 1, 13), (1,) * PROMPT, (PROMPT - KEEP,), (PROMPT - KEEP + 1,)])
def test_the_result_does_not_depend_on_the_chunks(quantise: bool, sizes: tuple[int, ...]) -> None:
    whole, cut = Drive(model(), quantise=quantise), Drive(model(), quantise=quantise)
    cut.poison()
    for got, want in zip(prefill(cut, sizes), prefill(whole, ()), strict=True):
        assert len(got) == KEEP
        close(got, want)


def test_a_prompt_that_fits_is_exact() -> None:
    close(prefill(Drive(model()), (9,), keep=PROMPT)[0], Drive(model()).feed(TEXT[:PROMPT], ())[0])


def test_a_longer_prompt_is_not() -> None:
    exact = Drive(model()).feed(TEXT[:PROMPT], ())[0]
    assert float((prefill(Drive(model()), ())[0][-1] - exact[-1]).abs().max()) > 1e-3


def test_global_entries_are_exact_all_the_same() -> None:
    exact, replayed = Drive(model()), Drive(model())
    exact.feed(TEXT[:PROMPT], ())
    prefill(replayed, (10, 20))
    for layer, entries in exact.memory.entries.items():
        close(replayed.memory.entries[layer], entries)
        close(replayed.memory.keys[layer], exact.memory.keys[layer])


@quantisers
def test_a_rollback_after_replay_still_has_its_window(quantise: bool) -> None:
    """KEEP = window + block: verification rows may be taken back down to the prompt's end."""
    clean, used = Drive(model(), quantise=quantise), Drive(model(), quantise=quantise)
    used.poison()
    prefill(clean, ())
    prefill(used, ())
    floor = PROMPT - KEEP
    for bad in range(3):
        used.step_replay([[*TEXT[: PROMPT + 1], *toy_tokens(5, seed=bad)]], [Span(0, PROMPT, 6, floor)])
    want = [clean.step_replay([TEXT], [Span(0, at, 1, floor)])[0] for at in range(PROMPT, PROMPT + 12)]
    got = [used.step_replay([TEXT], [Span(0, at, 6, floor)])[0] for at in (PROMPT, PROMPT + 6)]
    close(torch.cat(got), torch.cat(want))
    for mine, theirs in zip(
        used.draft([7], [0], [PROMPT + 12], 5), clean.draft([7], [0], [PROMPT + 12], 5), strict=True
    ):
        close(mine, theirs)


def test_requests_with_and_without_replay_share_a_pass() -> None:
    other = toy_tokens(30, seed=12)
    alone, mixed = Drive(model()), Drive(model(), page_tokens=4)
    want = prefill(alone, ())[0][-KEEP:], alone.feed(other, (), slot=1)[0]
    floor = PROMPT - KEEP
    mixed.step_replay([TEXT, other], [Span(3, 0, 20, floor), Span(1, 0, 10)])
    got = mixed.step_replay([other, TEXT], [Span(1, 10, 20), Span(3, 20, PROMPT - 20, floor)])[0]
    close(got[:20], want[1][10:])
    close(got[20:], want[0])


def test_keep_must_cover_the_window_and_a_rollback() -> None:
    config = toy_config()
    EngineConfig(replay=WINDOW + 6, max_draft=5).check(config)
    EngineConfig(replay=WINDOW + 1, max_draft=0).check(config)
    with pytest.raises(ConfigError, match=r"replay is 13, want at least window \+ largest rollback = 14"):
        EngineConfig(replay=WINDOW + 5, max_draft=5).check(config)
