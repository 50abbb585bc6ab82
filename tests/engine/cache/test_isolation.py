"""What a request computes does not depend on its neighbours, its slot, its pages or the width of the call."""

from functools import cache

import pytest
import torch
from torch import Tensor

from deepinfer_engine.cache.context import Span
from deepinfer_engine.model.transformer import Transformer
from tests.engine.cache.drive import SLOTS, Drive
from tests.toys import toy_model, toy_tokens

LENGTHS = (61, 44, 30, 53)
TEXTS = [toy_tokens(length, seed=number) for number, length in enumerate(LENGTHS)]


@cache
def model() -> Transformer:
    return toy_model()


@cache
def alone(number: int) -> Tensor:
    return Drive(model(), page_tokens=128).feed(TEXTS[number], ())[0]


def close(got: Tensor, want: Tensor) -> None:
    torch.testing.assert_close(got, want, atol=1e-5, rtol=0)


def run_mixed(drive: Drive, seed: int, most: int) -> list[Tensor]:
    """All texts at the same time, each pass a random set of requests with spans of random length, in random slots."""
    generator = torch.Generator().manual_seed(seed)

    def draw(limit: int) -> int:
        return int(torch.randint(0, limit, (1,), generator=generator))

    slots = torch.randperm(SLOTS, generator=generator).tolist()
    done, outputs = [0] * len(TEXTS), [list[Tensor]() for _ in TEXTS]
    while any(done[number] < len(text) for number, text in enumerate(TEXTS)):
        chosen = [n for n, text in enumerate(TEXTS) if done[n] < len(text) and draw(3)]
        if not chosen:
            continue
        chosen = [chosen[index] for index in torch.randperm(len(chosen), generator=generator).tolist()]
        spans = [Span(slots[n], done[n], min(1 + draw(most), len(TEXTS[n]) - done[n])) for n in chosen]
        logits = drive.step([TEXTS[n] for n in chosen], spans)[0]
        for number, span, part in zip(chosen, spans, logits.split([s.length for s in spans]), strict=True):
            outputs[number].append(part)
            done[number] += span.length
    return [torch.cat(parts) for parts in outputs]


@pytest.mark.parametrize(("seed", "most"), [(0, 1), (1, 6), (2, 6), (3, 20), (4, 40)])
def test_mixed_batches_equal_each_request_alone(seed: int, most: int) -> None:
    drive = Drive(model(), page_tokens=4)
    drive.poison()
    for number, logits in enumerate(run_mixed(drive, seed, most)):
        close(logits, alone(number))


@pytest.mark.parametrize("width", [1, 2, 5, 16, 17])
def test_a_row_does_not_depend_on_the_width_of_the_call(width: int) -> None:
    """Dense and gathered experts, short and long groups: the last row is the same."""
    drive = Drive(model())
    drive.feed(TEXTS[0][: 60 - width], ())
    close(drive.step([TEXTS[0]], [Span(0, 60 - width, width)])[0], alone(0)[60 - width : 60])


def test_a_reused_slot_holds_nothing_of_its_last_request() -> None:
    drive = Drive(model(), page_tokens=4)
    drive.feed(TEXTS[0], (9, 9))
    for number in (1, 2):
        close(drive.feed(TEXTS[number], (5, 1, 1))[0], alone(number))


@pytest.mark.parametrize("start", [0, 3, 8, 20])
def test_what_another_request_left_behind_harms_nobody(start: int) -> None:
    """A slot and pages full of NaN (a request that failed) beside a request that is further on."""
    drive = Drive(model(), page_tokens=4)
    drive.poison()
    drive.feed(TEXTS[0][:40], (), slot=1)
    if start:
        drive.feed(TEXTS[1][:start], (), slot=0)
    logits = drive.step([TEXTS[1], TEXTS[0]], [Span(0, start, 3), Span(1, 40, 2)])[0]
    close(logits[:3], alone(1)[start : start + 3])
    close(logits[3:], alone(0)[40:42])
    drafts = drive.draft([7, 7], [0, 1], [start + 3, 42], 5)
    assert all(bool(part.isfinite().all()) for part in drafts)


def test_drafts_of_a_batch_equal_each_alone() -> None:
    together = Drive(model(), page_tokens=4)
    starts = [20, 3, 1, 33]
    for number, start in enumerate(starts):
        together.feed(TEXTS[number][:start], (), slot=number)
    order = [2, 0, 3, 1]
    batch = together.draft([9 + n for n in order], order, [starts[n] for n in order], 5)
    for row, number in enumerate(order):
        single = Drive(model())
        single.feed(TEXTS[number][: starts[number]], ())
        for got, want in zip(batch, single.draft([9 + number], [0], [starts[number]], 5), strict=True):
            close(got[row : row + 1], want)
