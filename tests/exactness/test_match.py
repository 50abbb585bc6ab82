"""Match verification: whatever is drafted and admitted, the output is that of a run without drafts, token for token."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from deepinfer_engine.request import SamplingParams
from deepinfer_engine.sampling.choose import choose
from deepinfer_engine.sampling.process import RowParams, process
from deepinfer_engine.speculative.verify import verify_match
from tests.engine.sampling.test_process import pack
from tests.exactness.enumeration import Tokens, sequences

VOCABULARY = 5

Drafter = Callable[[Tokens, int], tuple[list[int], int]]
"""From the committed tokens and a round number to (drafts, how many are fed): any rule at all."""


@dataclass(frozen=True, kw_only=True)
class Model:
    """Logits and legal tokens that depend on the last two tokens, and how a token is chosen."""

    logits: torch.Tensor  # [V + 1, V + 1, V], indexed by the last two tokens, V = none
    legal: torch.Tensor
    params: SamplingParams
    seed: int

    def scores(self, committed: Tokens) -> torch.Tensor:
        before = (VOCABULARY, VOCABULARY, *committed)[-2:]
        mask = pack(self.legal[before][None])
        return process(self.logits[before][None], RowParams.of([self.params]), mask_rows=mask).scores[0]


def random_model(seed: int, params: SamplingParams) -> Model:
    generator = torch.Generator().manual_seed(seed)
    shape = (VOCABULARY + 1, VOCABULARY + 1, VOCABULARY)
    legal = torch.rand(shape, generator=generator) < 0.7
    legal[..., 1] |= ~legal.any(dim=-1)
    return Model(logits=torch.randn(shape, generator=generator), legal=legal, params=params, seed=seed)


def run_plain(model: Model, length: int) -> Tokens:
    tokens: Tokens = ()
    sampled = torch.tensor([not model.params.greedy])
    while len(tokens) < length:
        scores = model.scores(tokens)[None]
        tokens += (int(choose(scores, sampled, torch.tensor([model.seed]), torch.tensor([len(tokens)]))),)
    return tokens


def run_drafted(model: Model, length: int, drafter: Drafter) -> Tokens:
    tokens: Tokens = ()
    number = 0
    while len(tokens) < length:
        drafts, fed = drafter(tokens, number)
        rows = [model.scores((*tokens, *drafts[:k])) for k in range(fed + 1)]
        rows += [torch.full((VOCABULARY,), torch.nan)] * (len(drafts) - fed)
        verdict = verify_match(
            torch.stack(rows)[None],
            torch.tensor(drafts, dtype=torch.int64)[None],
            torch.tensor([fed]),
            sampled=torch.tensor([not model.params.greedy]),
            seeds=torch.tensor([model.seed]),
            positions=torch.tensor([len(tokens)]),
        )
        tokens += tuple(verdict.tokens[0, : int(verdict.accepted) + 1].tolist())
        number += 1
    return tokens[:length]


parameters = st.sampled_from(
    [
        SamplingParams(),
        SamplingParams(temperature=1.0),
        SamplingParams(temperature=0.6, top_p=0.8),
        SamplingParams(temperature=1.5, top_k=2, min_p=0.05),
    ]
)


@given(st.integers(0, 2**31), parameters, st.data())
def test_any_draft_and_any_admission_give_the_same_tokens(
    seed: int, params: SamplingParams, data: st.DataObject
) -> None:
    model = random_model(seed, params)
    plain = run_plain(model, 12)
    errors = data.draw(st.sampled_from([0.0, 0.3, 1.0]))
    generator = torch.Generator().manual_seed(seed)

    def omniscient(committed: Tokens, number: int) -> tuple[list[int], int]:
        """Drafts made from the answer with some errors; fed by a rule that reads the drafts and the answer."""
        width = int(torch.randint(0, 6, (1,), generator=generator))
        ahead = (*plain, *(0,) * 6)[len(committed) : len(committed) + width]
        wrong = torch.rand(width, generator=generator) < errors
        drafts = [(t + 1) % VOCABULARY if w else t for t, w in zip(ahead, wrong.tolist(), strict=True)]
        return drafts, (sum(drafts) + number) % (width + 1)

    assert run_drafted(model, 12, omniscient) == plain


def test_the_coupled_drafter_of_the_same_law_is_always_right() -> None:
    """Same law and same noise: every draft stands."""
    scores = torch.randn(200, 4, 30, generator=torch.Generator().manual_seed(0))
    seeds, positions = torch.arange(200), torch.arange(200) * 3
    at = (positions[:, None] + torch.arange(4)).flatten()
    everyone = torch.ones(800, dtype=torch.bool)
    drafts = choose(scores.flatten(0, 1), everyone, seeds.repeat_interleave(4), at).view(200, 4)[:, :3]
    full, sampled = torch.full((200,), 3), torch.ones(200, dtype=torch.bool)
    verdict = verify_match(scores, drafts, full, sampled=sampled, seeds=seeds, positions=positions)
    assert (verdict.accepted == 3).all()


@pytest.mark.parametrize("coupled", [True, False])
def test_the_marginal_law_over_seeds_is_the_target(coupled: bool) -> None:
    """Joint law of two tokens over many seeds, drafts made from a wrong law with and without the shared noise."""
    count, vocabulary, slots = 120_000, 4, 2
    generator = torch.Generator().manual_seed(5)
    first, second = (torch.randn(shape, generator=generator).log_softmax(-1) for shape in ((4,), (4, 4)))
    wrong = torch.randn(4, generator=generator).expand(count, -1)
    seeds, start = torch.arange(count), torch.full((count,), 9)
    everyone = torch.ones(count, dtype=torch.bool)
    offset = 0 if coupled else 1 << 40
    drafts = torch.stack([choose(wrong, everyone, seeds + offset, start + k) for k in range(slots)], dim=1)
    scores = torch.stack([first.expand(count, -1), second[drafts[:, 0]], second[drafts[:, 1]]], dim=1)
    fed = drafts[:, 0] % 3  # anticipates on purpose
    verdict = verify_match(scores, drafts, fed.clamp(max=slots), sampled=everyone, seeds=seeds, positions=start)
    one = verdict.tokens[:, 0]
    two = torch.where(verdict.accepted >= 1, verdict.tokens[:, 1], choose(second[one], everyone, seeds, start + 1))
    law = torch.stack([(first[a] + second[a, b]).exp() for a, b in sequences(vocabulary, 2)]).double()
    expected = count * law / law.sum()
    observed = torch.bincount(one * vocabulary + two, minlength=vocabulary**2)
    assert ((observed - expected) ** 2 / expected).sum() < 15 + 5 * math.sqrt(30)
