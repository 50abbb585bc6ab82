"""However a text is cut into passes, with or without rows that are taken back, every row gives the same logits."""

from functools import cache

import pytest
import torch
from torch import Tensor

from deepinfer_engine.cache.context import Span
from deepinfer_engine.model.transformer import Transformer
from tests.engine.cache.drive import Drive
from tests.toys import toy_model, toy_tokens

LENGTH = 83
TEXT = toy_tokens(LENGTH)
CUTS = {
    "ragged": (3, 1, 7, 2, 5, 1, 1, 9, 30),
    "single": (1,) * LENGTH,
    "sixes": (6,) * 14,
    "longer-than-the-ring": (40,),
    "odd": (13, 17),
}

quantisers = pytest.mark.parametrize("quantise", [False, True], ids=["off", "on"])


@cache
def wide_model() -> Transformer:
    """float64, so that no sum in another order can push a value over a rounding boundary."""
    return toy_model(dtype=torch.float64)


@cache
def one_shot(quantise: bool) -> tuple[Tensor, Tensor]:
    return Drive(wide_model(), quantise=quantise, page_tokens=128).feed(TEXT, ())


def same(got: tuple[Tensor, Tensor], want: tuple[Tensor, Tensor]) -> None:
    # Angles are fp32 and the quantisers round in fp32: that is the noise left.
    for one, other in zip(got, want, strict=True):
        torch.testing.assert_close(one, other, atol=1e-6, rtol=0)


@quantisers
@pytest.mark.parametrize("sizes", CUTS.values(), ids=CUTS.keys())
def test_any_cut_equals_one_shot(quantise: bool, sizes: tuple[int, ...]) -> None:
    drive = Drive(wide_model(), quantise=quantise)
    drive.poison()
    same(drive.feed(TEXT, sizes, slot=2), one_shot(quantise))


@pytest.mark.parametrize("page_tokens", [2, 4, 6, 32])
def test_pages_of_any_size(page_tokens: int) -> None:
    same(Drive(wide_model(), page_tokens=page_tokens).feed(TEXT, CUTS["ragged"]), one_shot(False))


@quantisers
@pytest.mark.parametrize("max_draft", [1, 3, 5])
def test_rows_that_are_taken_back_leave_no_trace(quantise: bool, max_draft: int) -> None:
    """Passes of an anchor and `max_draft` drafts of which 0 .. all are right: the wrong ones are other tokens."""
    drive = Drive(wide_model(), quantise=quantise, max_draft=max_draft)
    drive.poison()
    generator = torch.Generator().manual_seed(max_draft)
    logits, taps = (list(part.split(9)) for part in drive.feed(TEXT[:9], (4,)))
    at = 9
    while at < LENGTH:
        accepted = int(torch.randint(0, max_draft + 1, (1,), generator=generator))
        good = min(1 + accepted, LENGTH - at)
        line = [*TEXT[: at + good], *toy_tokens(max_draft + 1, seed=at)]
        got = drive.step([line], [Span(0, at, max_draft + 1)])
        logits.append(got[0][:good])
        taps.append(got[1][:good])
        at += good
    same((torch.cat(logits), torch.cat(taps)), one_shot(quantise))


@quantisers
def test_drafts_after_rejected_rows_are_those_of_a_clean_run(quantise: bool) -> None:
    clean, used = Drive(wide_model(), quantise=quantise), Drive(wide_model(), quantise=quantise)
    clean.feed(TEXT[:40], ())
    used.feed(TEXT[:34], (5, 5))
    # Six drafted rows, all but the anchor wrong; then the right ones, of which again only some are right.
    used.step([[*TEXT[:35], *toy_tokens(5, seed=1)]], [Span(0, 34, 6)])
    used.step([[*TEXT[:40], 9]], [Span(0, 35, 6)])
    for got, want in zip(used.draft([7], [0], [40], 5), clean.draft([7], [0], [40], 5), strict=True):
        torch.testing.assert_close(got, want, atol=1e-6, rtol=0)


def test_the_index_reads_its_owner_at_odd_counts() -> None:
    """Trap 10: where no group closes, an index source of ratio 2 scores its own layer's keys all the same."""
    drive = Drive(wide_model())
    drive.feed(TEXT[:50], ())
    logits = torch.cat([drive.step([TEXT], [Span(0, at, 1)])[0] for at in range(50, LENGTH)])
    torch.testing.assert_close(logits[0::2], one_shot(False)[0][50::2], atol=1e-6, rtol=0)
    torch.testing.assert_close(logits[1::2], one_shot(False)[0][51::2], atol=1e-6, rtol=0)


@pytest.mark.parametrize("change", [{"index_topk": 64}, {"candidate_topk_blocks": 64}, {"sliding_window": 64}])
def test_the_toy_model_feels_its_limits(change: dict[str, int]) -> None:
    """Selection, candidates and the window all leave something out, or the tests above would show little."""
    loose = Drive(toy_model(dtype=torch.float64, **change), page_tokens=128).feed(TEXT, ())[0]
    apart = (loose - one_shot(False)[0]).abs().amax(-1)
    assert float(apart[:4].max()) < 1e-6, "short texts are the same"
    assert float(apart[-1]) > 1e-3


def test_single_precision_agrees_with_double() -> None:
    got = Drive(toy_model(), page_tokens=128).feed(TEXT, CUTS["ragged"])[0]
    torch.testing.assert_close(got.double(), one_shot(False)[0], atol=1e-4, rtol=0)
