"""Verification against slow loops that read as the rules do, one request and one slot at a time."""

from dataclasses import dataclass

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from deepinfer_engine.sampling.noise import ACCEPT, RESIDUAL, TARGET, gumbel, uniform
from deepinfer_engine.speculative.verify import (
    NO_TOKEN,
    Verdict,
    accept_probability,
    residual,
    verify_match,
    verify_rejection,
)


@dataclass(frozen=True, kw_only=True)
class Round:
    """Random rows of R requests with K slots over V tokens; unread rows are NaN."""

    p: Tensor
    q: Tensor
    drafts: Tensor
    fed: Tensor
    tested: Tensor
    sampled: Tensor
    seeds: Tensor
    positions: Tensor
    dead: Tensor

    @property
    def requests(self) -> int:
        return len(self.drafts)

    @property
    def slots(self) -> int:
        return self.drafts.shape[1]


@st.composite
def rounds(draw: st.DrawFn) -> Round:
    generator = torch.Generator().manual_seed(draw(st.integers(0, 2**31)))
    requests, slots, vocabulary = draw(st.integers(1, 6)), draw(st.integers(0, 5)), draw(st.integers(1, 6))
    p = (3 * torch.randn(requests, slots + 1, vocabulary, generator=generator, dtype=torch.float64)).softmax(-1)
    noise = draw(st.sampled_from([0.0, 0.3, 3.0]))  # how far the drafter is from the target; 0 is equal
    shift = noise * torch.randn(requests, slots, vocabulary, generator=generator, dtype=torch.float64)
    q = (p[:, :-1].log() + shift).softmax(-1) if noise else p[:, :-1].clone()
    drafts = torch.randint(0, vocabulary, (requests, slots), generator=generator)
    if draw(st.booleans()):
        drafts = p[:, :-1].argmax(-1)
    fed = torch.randint(0, slots + 1, (requests,), generator=generator)
    tested = torch.minimum(fed + torch.randint(0, 2, (requests,), generator=generator), torch.tensor(slots))
    tested = torch.where(torch.rand(requests, generator=generator) < 0.2, tested.clamp(max=0), tested)
    p[torch.arange(slots + 1) > fed[:, None]] = torch.nan
    return Round(
        p=p,
        q=q,
        drafts=drafts,
        fed=fed,
        tested=tested,
        sampled=torch.rand(requests, generator=generator) < 0.6,
        seeds=torch.randint(0, 1 << 50, (requests,), generator=generator),
        positions=torch.randint(1, 1 << 20, (requests,), generator=generator),
        dead=torch.rand(requests, slots + 1, generator=generator) < draw(st.sampled_from([0.0, 0.2])),
    )


def draw_from(scores: Tensor, seed: Tensor, position: int, stream: int) -> int:
    noise = gumbel(seed[None], torch.tensor([position]), len(scores), scores.dtype, stream=stream)
    return int((scores + noise[0]).argmax())


def slow_match(case: Round, request: int) -> list[int]:
    tokens: list[int] = []
    while True:
        row = len(tokens)
        scores = case.p[request, row].log()
        if case.dead[request, row]:
            return [*tokens, NO_TOKEN]
        if case.sampled[request]:
            target = draw_from(scores, case.seeds[request], int(case.positions[request]) + row, TARGET)
        else:
            target = int(scores.argmax())
        tokens.append(target)
        if row == case.fed[request] or case.drafts[request, row] != target:
            return tokens


def slow_rejection(case: Round, request: int) -> list[int]:
    tokens: list[int] = []
    seed = case.seeds[request]
    while True:
        row = len(tokens)
        position = int(case.positions[request]) + row
        if case.dead[request, row]:
            return [*tokens, NO_TOKEN]
        p = case.p[request, row]
        if row >= case.tested[request]:
            return [*tokens, draw_from(p.log(), seed, position, TARGET)]
        q, x = case.q[request, row], int(case.drafts[request, row])
        coin = uniform(seed, torch.tensor(position), ACCEPT)
        if row < case.fed[request] and coin * q[x] < p[x]:
            tokens.append(x)
            continue
        rest = (p - q).clamp(min=0)
        law = rest / rest.sum() if rest.sum() > 0 else p
        return [*tokens, draw_from(law.log(), seed, position, RESIDUAL)]


def check(verdict: Verdict, expected: list[list[int]], slots: int) -> None:
    assert verdict.tokens.tolist() == [tokens + [NO_TOKEN] * (slots + 1 - len(tokens)) for tokens in expected]
    assert verdict.accepted.tolist() == [len(tokens) - 1 for tokens in expected]
    assert verdict.next_token.tolist() == [tokens[-1] for tokens in expected]
    assert verdict.dead.tolist() == [tokens[-1] == NO_TOKEN for tokens in expected]


@given(rounds())
def test_match_is_the_slow_loop(case: Round) -> None:
    verdict = verify_match(
        case.p.log(),
        case.drafts,
        case.fed,
        sampled=case.sampled,
        seeds=case.seeds,
        positions=case.positions,
        dead=case.dead,
    )
    check(verdict, [slow_match(case, request) for request in range(case.requests)], case.slots)


@given(rounds())
def test_rejection_is_the_slow_loop(case: Round) -> None:
    verdict = verify_rejection(
        case.p,
        case.q,
        case.drafts,
        fed=case.fed,
        tested=case.tested,
        seeds=case.seeds,
        positions=case.positions,
        dead=case.dead,
    )
    check(verdict, [slow_rejection(case, request) for request in range(case.requests)], case.slots)


@given(rounds(), st.integers(0, 2**31))
def test_requests_are_judged_as_if_alone(case: Round, seed: int) -> None:
    order = torch.randperm(case.requests, generator=torch.Generator().manual_seed(seed))
    for rows in (order, order[:1]):
        keyed = {"seeds": case.seeds[rows], "positions": case.positions[rows]}
        match = verify_match(case.p[rows].log(), case.drafts[rows], case.fed[rows], sampled=case.sampled[rows], **keyed)
        whole = verify_match(
            case.p.log(),
            case.drafts,
            case.fed,
            sampled=case.sampled,
            seeds=case.seeds,
            positions=case.positions,
        )
        assert torch.equal(match.tokens, whole.tokens[rows])
        limits = {"fed": case.fed[rows], "tested": case.tested[rows]}
        part = verify_rejection(case.p[rows], case.q[rows], case.drafts[rows], **limits, **keyed)
        everyone = verify_rejection(
            case.p,
            case.q,
            case.drafts,
            fed=case.fed,
            tested=case.tested,
            seeds=case.seeds,
            positions=case.positions,
        )
        assert torch.equal(part.tokens, everyone.tokens[rows])


def test_without_drafts_both_rules_draw_the_same_token() -> None:
    p = torch.rand(20, 1, 9, dtype=torch.float64, generator=torch.Generator().manual_seed(0)).softmax(-1)
    drafts, none = torch.zeros(20, 0, dtype=torch.int64), torch.zeros(20, dtype=torch.int64)
    seeds, positions = torch.arange(20), torch.arange(20) + 5
    match = verify_match(p.log(), drafts, none, sampled=none == 0, seeds=seeds, positions=positions)
    drawn = verify_rejection(p, p[:, :0], drafts, fed=none, tested=none, seeds=seeds, positions=positions)
    assert torch.equal(match.tokens, drawn.tokens)


@pytest.mark.parametrize(
    ("p", "q", "expected"), [(0.2, 0.4, 0.5), (0.4, 0.2, 1.0), (0.0, 0.3, 0.0), (0.3, 0.0, 1.0), (0.0, 0.0, 0.0)]
)
def test_accept_probability(p: float, q: float, expected: float) -> None:
    assert accept_probability(torch.tensor(p, dtype=torch.float64), torch.tensor(q, dtype=torch.float64)) == expected


def test_a_residual_without_mass_is_the_target() -> None:
    p = torch.tensor([0.25, 0.75], dtype=torch.float64)
    assert torch.equal(residual(p, p), p)
    assert residual(p, torch.tensor([0.5, 0.5])).tolist() == [0.0, 1.0]
    tiny = torch.tensor([0.25 + 2.0**-52, 0.75 - 2.0**-52], dtype=torch.float64)
    assert residual(tiny, p).tolist() == [1.0, 0.0]
