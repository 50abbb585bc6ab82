"""Choice: greedy and with noise, the law it follows, and what is reported about it."""

import math

import torch
from hypothesis import given
from hypothesis import strategies as st

from deepinfer_engine.request import SamplingParams
from deepinfer_engine.sampling.choose import choose, token_logprobs
from deepinfer_engine.sampling.noise import RESIDUAL, gumbel
from deepinfer_engine.sampling.process import RowParams, process
from tests.engine.sampling.test_process import pack

NONE, BOTH = torch.tensor([False, False]), torch.tensor([True, True])


def test_greedy_ties_go_to_the_lowest_id() -> None:
    scores = torch.tensor([[0.0, 2.0, 2.0], [-torch.inf, -torch.inf, -5.0]])
    assert choose(scores, NONE, torch.zeros(2, dtype=torch.int64), torch.zeros(2, dtype=torch.int64)).tolist() == [1, 2]


@given(st.integers(1, 12), st.integers(0, 2**31))
def test_rows_choose_as_if_alone(rows: int, seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    scores = torch.randn(rows, 50, generator=generator)
    sampled = torch.rand(rows, generator=generator) < 0.5
    seeds, positions = (torch.randint(0, 1 << 40, (rows,), generator=generator) for _ in range(2))
    together = choose(scores, sampled, seeds, positions)
    noise = gumbel(seeds, positions, 50)
    for row in range(rows):
        expected = (scores[row] + noise[row] if sampled[row] else scores[row]).argmax()
        assert together[row] == expected
        one = slice(row, row + 1)
        assert choose(scores[one], sampled[one], seeds[one], positions[one]) == expected
    order = torch.randperm(rows, generator=generator)
    assert torch.equal(choose(scores[order], sampled[order], seeds[order], positions[order]), together[order])


def test_sampled_tokens_follow_the_law() -> None:
    count = 200_000
    law = torch.tensor([0.5, 0.2, 0.15, 0.1, 0.04, 0.01], dtype=torch.float64)
    everyone = torch.ones(count, dtype=torch.bool)
    for stream in (0, RESIDUAL):
        tokens = choose(law.log().expand(count, -1), everyone, torch.arange(count), torch.tensor([77]).expand(count))
        observed = torch.bincount(tokens, minlength=6)
        assert ((observed - count * law) ** 2 / (count * law)).sum() < 5 + 5 * math.sqrt(10), stream


@given(st.integers(0, 2**31), st.sampled_from([0.3, 1.0, 2.0]))
def test_a_mask_that_spares_the_free_winner_changes_nothing(seed: int, temperature: float) -> None:
    """The pure-temperature oracle: bit for bit, without tolerance."""
    generator = torch.Generator().manual_seed(seed)
    logits = torch.randn(64, 40, generator=generator) * 3
    legal = torch.rand(64, 40, generator=generator) < 0.5
    legal[:, 0] = True
    params = RowParams.of([SamplingParams(temperature=temperature)] * 64)
    seeds, positions = torch.arange(64), torch.arange(64) + seed
    free = choose(process(logits, params).scores, params.sampled, seeds, positions)
    bound = choose(process(logits, params, mask_rows=pack(legal)).scores, params.sampled, seeds, positions)
    spared = legal.gather(1, free[:, None]).squeeze(1)
    assert spared.any()
    assert torch.equal(free[spared], bound[spared])
    assert legal.gather(1, bound[:, None]).all()


def test_logprobs_are_those_of_the_masked_law() -> None:
    logits = torch.tensor([[3.0, 1.0, 1.0, 0.0]], dtype=torch.float64)
    mask = pack(torch.tensor([[False, True, True, True]]))
    law = process(logits, RowParams.of([SamplingParams(temperature=1.0)], dtype=torch.float64), mask_rows=mask)
    own, ids, values = token_logprobs(law.log_probs(), torch.tensor([3]), 3)
    total = math.log(2 * math.e + 1)
    torch.testing.assert_close(own, torch.tensor([-total], dtype=torch.float64))
    assert ids.tolist() == [[1, 2, 3]]
    torch.testing.assert_close(values, torch.tensor([[1 - total, 1 - total, -total]], dtype=torch.float64))
    _, ids, values = token_logprobs(law.log_probs(), torch.tensor([3]), 9)
    assert ids.shape == (1, 4)
    assert values[0, 3] == -torch.inf
