"""The tiny model gives the recorded outputs of the independent restatement."""

import pytest
import torch
from torch import Tensor

from deepinfer_engine.cache.context import Span
from tests.engine.cache.drive import Drive
from tests.engine.model.golden import golden

TAP_ROWS, REPLAY_TOKENS, REPLAY_ROLLBACK = 2, 39, 3

quantisers = pytest.mark.parametrize("quantise", [False, True], ids=["off", "on"])


def recorded(quantise: bool) -> tuple[list[int], dict[str, Tensor]]:
    tensors = golden()[1]
    tag = "on." if quantise else "off."
    return tensors["ids"].tolist(), {n.removeprefix(tag): v for n, v in tensors.items() if n.startswith(tag)}


@quantisers
@pytest.mark.parametrize("sizes", [(), (3, 1, 7, 2, 5, 1, 1, 9), (1,) * 64], ids=["one-shot", "ragged", "single"])
def test_logits_and_taps_are_the_recorded_ones(quantise: bool, sizes: tuple[int, ...]) -> None:
    ids, want = recorded(quantise)
    logits, taps = Drive(golden()[0], quantise=quantise).feed(ids, sizes, slot=1)
    torch.testing.assert_close(logits, want["logits"], atol=1e-4, rtol=0)
    torch.testing.assert_close(taps[::TAP_ROWS], want["taps"], atol=1e-4, rtol=0)


@quantisers
def test_the_draft_block_is_the_recorded_one(quantise: bool) -> None:
    ids, want = recorded(quantise)
    drive = Drive(golden()[0], quantise=quantise)
    logits, _ = drive.feed(ids, (6,) * 10)
    tokens, drafts, confidence = drive.draft([int(logits[-1].argmax())], [0], [len(ids)], 3)
    assert tokens[0].tolist() == want["draft"].tolist()
    torch.testing.assert_close(drafts[0], want["draft_logits"], atol=1e-4, rtol=0)
    torch.testing.assert_close(confidence[0], want["confidence"], atol=1e-4, rtol=0)


@quantisers
@pytest.mark.parametrize("sizes", [(39,), (7, 11, 1, 13, 7), (1,) * 39], ids=["one-shot", "ragged", "single"])
def test_bounded_replay_gives_the_recorded_rows(quantise: bool, sizes: tuple[int, ...]) -> None:
    ids, want = recorded(quantise)
    drive = Drive(golden()[0], quantise=quantise)
    drive.poison()
    keep_from = REPLAY_TOKENS - drive.config.sliding_window - REPLAY_ROLLBACK
    start, outputs = 0, []
    for size in sizes:
        outputs.append(drive.step_replay([ids], [Span(0, start, size, keep_from)]))
        start += size
    logits, taps = (torch.cat(part) for part in zip(*outputs, strict=True))
    torch.testing.assert_close(logits, want["replay_logits"], atol=1e-4, rtol=0)
    torch.testing.assert_close(taps, want["replay_taps"], atol=1e-4, rtol=0)
    after = [drive.step_replay([ids], [Span(0, at, 1, keep_from)])[0] for at in (REPLAY_TOKENS, REPLAY_TOKENS + 1)]
    torch.testing.assert_close(torch.cat(after), want["replay_after"], atol=1e-4, rtol=0)
