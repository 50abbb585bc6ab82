"""Processing against a slow loop that follows the order of the reference semantics token by token."""

import math
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from deepinfer_engine.request import SamplingParams
from deepinfer_engine.sampling.process import RowParams, extend_seen, process, unpack_mask

# Values that no tie can meet: with tied logits a cumulative mass is a ratio of small integers.
sampling = st.builds(
    SamplingParams,
    temperature=st.sampled_from([0.0, 0.5, 0.7, 1.0, 1.9]),
    top_p=st.sampled_from([1.0, 0.137, 0.4317, 0.7773, 0.9531]),
    top_k=st.sampled_from([None, 1, 2, 3, 7, 1000]),
    min_p=st.sampled_from([0.0, 0.0503, 0.3117, 0.9007]),
    repetition_penalty=st.sampled_from([1.0, 1.3, 0.6]),
)


@st.composite
def batches(draw: st.DrawFn) -> dict[str, Any]:
    rows, vocabulary = draw(st.integers(1, 5)), draw(st.integers(1, 70))
    generator = torch.Generator().manual_seed(draw(st.integers(0, 2**31)))
    levels = draw(st.sampled_from([1, 3, 10_000]))  # few levels: many ties
    density = draw(st.sampled_from([0.02, 0.3, 0.9]))
    return {
        "logits": (torch.randint(-levels, levels + 1, (rows, vocabulary), generator=generator) * (4 / levels)).double(),
        "legal": torch.rand(rows, vocabulary, generator=generator) < density,
        "has_mask": torch.rand(rows, generator=generator) < 0.7,
        "seen": torch.rand(rows, vocabulary, generator=generator) < 0.3,
        "params": [draw(sampling) for _ in range(rows)],
    }


def pack(legal: Tensor) -> Tensor:
    """Int32 words from bools, bit by bit."""
    words = torch.zeros(legal.shape[0], -(-legal.shape[1] // 32), dtype=torch.int64)
    for row, token in legal.nonzero().tolist():
        words[row, token // 32] |= 1 << (token % 32)
    return torch.where(words >= 1 << 31, words - (1 << 32), words).to(torch.int32)


def slow_law(logits: list[float], legal: list[bool], seen: list[bool], params: SamplingParams) -> list[float] | None:
    """Log-probabilities of one row, or None where nothing is legal."""
    scores = {}
    for token, value in enumerate(logits):
        if seen[token]:
            value = value / params.repetition_penalty if value > 0 else value * params.repetition_penalty
        if legal[token]:
            scores[token] = value / (params.temperature or 1.0)
    if not scores:
        return None
    best_first = sorted(scores, key=lambda token: (-scores[token], token))
    if not params.greedy:
        best = scores[best_first[0]]
        best_first = [t for t in best_first if params.min_p == 0 or scores[t] >= best + math.log(params.min_p)]
        best_first = best_first[: params.top_k]
        mass = [math.exp(scores[t] - best) for t in best_first]
        kept = [t for i, t in enumerate(best_first) if sum(mass[:i]) / sum(mass) < params.top_p]
    else:
        kept = best_first
    total = math.log(sum(math.exp(scores[t]) for t in kept))
    return [scores[t] - total if t in kept else -math.inf for t in range(len(logits))]


@given(batches())
def test_process_is_the_slow_loop(batch: dict[str, Any]) -> None:
    params, legal = batch["params"], batch["legal"] | ~batch["has_mask"][:, None]
    before = batch["logits"].clone()
    law = process(
        batch["logits"],
        RowParams.of(params, dtype=torch.float64),
        mask_rows=pack(batch["legal"]),
        has_mask=batch["has_mask"],
        seen=batch["seen"],
    )
    assert torch.equal(batch["logits"], before)
    found = law.log_probs()
    for row, one in enumerate(params):
        expected = slow_law(before[row].tolist(), legal[row].tolist(), batch["seen"][row].tolist(), one)
        assert bool(law.dead[row]) == (expected is None)
        if expected is not None:
            torch.testing.assert_close(found[row], torch.tensor(expected, dtype=torch.float64), rtol=0, atol=1e-9)


@given(batches(), st.sampled_from([torch.float32, torch.float64]))
def test_a_row_does_not_feel_its_neighbours(batch: dict[str, Any], dtype: torch.dtype) -> None:
    masks, logits = pack(batch["legal"]), batch["logits"].to(dtype)
    together = process(logits, RowParams.of(batch["params"], dtype=dtype), mask_rows=masks, seen=batch["seen"])
    for row, params in enumerate(batch["params"]):
        one = slice(row, row + 1)
        alone = process(logits[one], RowParams.of([params], dtype=dtype), mask_rows=masks[one], seen=batch["seen"][one])
        assert torch.equal(together.scores[one], alone.scores)
        assert torch.equal(together.dead[one], alone.dead)
        assert torch.equal(together.log_probs()[one], alone.log_probs())


@given(st.integers(1, 200), st.integers(0, 2**31))
def test_unpack_is_the_inverse_of_packing(vocabulary: int, seed: int) -> None:
    legal = torch.rand(3, vocabulary, generator=torch.Generator().manual_seed(seed)) < 0.5
    assert torch.equal(unpack_mask(pack(legal), vocabulary), legal)
    wide = unpack_mask(pack(legal).view(3, 1, -1).expand(3, 2, -1), vocabulary)
    assert torch.equal(wide, legal[:, None].expand(3, 2, -1))


def test_bits_past_the_vocabulary_mean_nothing() -> None:
    assert unpack_mask(torch.tensor([[-1]], dtype=torch.int32), 5).tolist() == [[True] * 5]
    law = process(
        torch.zeros(1, 5), RowParams.of([SamplingParams()]), mask_rows=torch.tensor([[32]], dtype=torch.int32)
    )
    assert law.dead.tolist() == [True]


@pytest.mark.parametrize("rows", [torch.zeros(1, 1, dtype=torch.int32), torch.zeros(1, 2, dtype=torch.int64)])
def test_mask_rows_of_another_vocabulary_are_refused(rows: Tensor) -> None:
    with pytest.raises(ValueError, match="2 int32 words are needed"):
        unpack_mask(rows, 33)


def test_one_bad_row_leaves_the_others_alone() -> None:
    logits = torch.tensor([[1.0, 2.0, 3.0]]).repeat(5, 1)
    logits[1, 0] = torch.nan
    logits[2, 0] = torch.inf
    logits[3, 0] = torch.nan  # illegal there: harmless
    masks = torch.tensor([[7], [7], [7], [6], [0]], dtype=torch.int32)
    law = process(logits, RowParams.of([SamplingParams(temperature=0.5, top_p=0.9, top_k=2)] * 5), mask_rows=masks)
    assert law.dead.tolist() == [False, True, True, False, True]
    assert not law.log_probs().isnan().any()
    assert law.scores[0].tolist() == [-math.inf, 4.0, 6.0]
    assert law.scores[3].tolist() == [-math.inf, 4.0, 6.0]


def test_truncation_comes_after_the_mask() -> None:
    """The three best are illegal: a truncation before the mask would leave nothing."""
    logits = torch.tensor([[9.0, 8.0, 7.0, 1.0, 0.0]])
    mask = pack(torch.tensor([[False, False, False, True, True]]))
    for params in (SamplingParams(temperature=1.0, top_k=1), SamplingParams(temperature=1.0, top_p=0.5)):
        law = process(logits, RowParams.of([params]), mask_rows=mask)
        assert law.log_probs().exp().tolist() == [[0.0, 0.0, 0.0, 1.0, 0.0]]


def test_ties_go_to_the_lowest_id() -> None:
    for params in (SamplingParams(temperature=1.0, top_k=2), SamplingParams(temperature=1.0, top_p=0.35)):
        law = process(torch.zeros(1, 5), RowParams.of([params]))
        assert law.scores.isfinite().tolist() == [[True, True, False, False, False]]


def test_a_penalty_needs_the_tokens_seen() -> None:
    with pytest.raises(ValueError, match="seen"):
        process(torch.zeros(1, 5), RowParams.of([SamplingParams(repetition_penalty=1.1)]))


@given(st.integers(0, 4), st.integers(0, 2**31))
def test_a_drafted_row_has_seen_what_an_undrafted_one_would(slots: int, seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    seen = torch.rand(3, 6, generator=generator) < 0.3
    drafts = torch.randint(0, 6, (3, slots), generator=generator)
    rows = extend_seen(seen, drafts)
    assert rows.shape == (3, slots + 1, 6)
    for request in range(3):
        expected = set(seen[request].nonzero().flatten().tolist())
        for row in range(slots + 1):
            assert set(rows[request, row].nonzero().flatten().tolist()) == expected
            if row < slots:
                expected = expected | {int(drafts[request, row])}
