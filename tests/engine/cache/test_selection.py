"""Top entries and candidate blocks against the plain reading of model-architecture 3.4."""

import math

import hypothesis.strategies as st
import torch
from hypothesis import given

from deepinfer_engine.cache.context import _candidate_entries, _top_entries

# Few distinct values: ties are the rule.
scores = st.lists(st.sampled_from([-math.inf, -1.0, 0.0, 0.5, 2.0]), min_size=1, max_size=24)


def best(values: list[float], count: int) -> set[int]:
    """Indices of the highest finite values, the lowest index first among equals."""
    finite = [index for index, value in enumerate(values) if value > -math.inf]
    return set(sorted(finite, key=lambda index: (-values[index], index))[:count])


def chosen(mask: torch.Tensor) -> set[int]:
    return set(mask.nonzero()[:, -1].tolist())


@given(scores, st.integers(1, 30))
def test_the_top_entries_are_the_best_finite_ones(values: list[float], count: int) -> None:
    assert chosen(_top_entries(torch.tensor([values]), count)) == best(values, count)


@given(scores, st.integers(1, 6), st.integers(1, 5), st.data())
def test_candidates_are_whole_blocks_with_the_newest_forced_in(
    values: list[float], blocks: int, size: int, data: st.DataObject
) -> None:
    """Trap 14: the last block may be partial, and it is the one that holds the newest entry."""
    seen = data.draw(st.integers(1, len(values)))
    visible = [value if index < seen else -math.inf for index, value in enumerate(values)]
    peaks = [max(visible[at : at + size]) for at in range(0, len(visible), size)]
    peaks[(seen - 1) // size] = math.inf
    kept = best(peaks, blocks)
    want = {index for index in range(len(values)) if index // size in kept}
    assert chosen(_candidate_entries(torch.tensor([visible]), torch.tensor([seen]), blocks, size)) == want


def test_rows_select_for_themselves() -> None:
    score = torch.tensor([[[1.0, 2.0, 3.0], [3.0, -math.inf, 2.0]]])
    assert _top_entries(score, 1).tolist() == [[[False, False, True], [True, False, False]]]
