"""What a request's usage says, exact on scripted drafts, and how often grammars are asked.

Catalogue of peers' bugs (design notes, section 13): row 17, a mask filled twice (`Counted`); rows 5 and 16, what a
round costs a grammar when nothing is admitted (`test_no_draft_costs_one_row_a_round`).
"""

from __future__ import annotations

import random

import pytest
from torch import Tensor

from deepinfer_engine.engine import Engine
from deepinfer_engine.model.transformer import Transformer
from deepinfer_engine.request import Request, SamplingParams
from deepinfer_engine.sequence import Sequence
from deepinfer_engine.speculative.drafter import Proposal
from tests.engine.mixes import Case, Plain, allowing, chain, engine_of, run
from tests.engine.scripted import Guess
from tests.toys import ToyConstraint, toy_constraint


class Counted(ToyConstraint):
    """Counts the rows it fills, by the number of tokens behind which it fills them."""

    def __init__(self, inner: ToyConstraint) -> None:
        super().__init__(inner.edges, inner.accepting)
        self.asked: list[int] = []

    def fill(self, row: Tensor) -> None:
        self.asked.append(len(self.trail) - 1)
        super().fill(row)


class Script(Guess):
    """Right drafts of given lengths, one a round; a negative length ends with one wrong but legal token."""

    def __init__(self, engine: Engine, answer: list[int], lengths: list[int], wrong: int) -> None:
        super().__init__(engine, {0: answer})
        self.lengths, self.wrong = iter(lengths), wrong

    def propose(self, sequences: list[Sequence], threshold: float) -> Proposal:  # type: ignore[override]
        proposal = super().propose(sequences, threshold)
        for r in range(len(sequences)):
            length = next(self.lengths)
            proposal.lengths[r] = abs(length)
            if length < 0:
                proposal.tokens[r, -length - 1] = self.wrong
        return proposal


def test_a_scripted_run_counts_exactly(small: Transformer, plain: Plain) -> None:
    """16 tokens, each third forced; drafts: 2 right, 1 wrong, none, 3 right and 1 wrong, 5 right."""
    wide = range(10, 30)
    case = Case(
        prompt=(9, 8, 7), max_tokens=16, grammar=lambda: allowing([[40] if k % 3 == 2 else wide for k in range(20)])
    )
    answer = plain(case)
    wrong = next(token for token in wide if token not in answer)
    engine = engine_of(small)
    engine._drafter = Script(engine, answer, [2, -1, 0, -4, 5], wrong)
    result = run(engine, [case.request(0)])[0]
    assert result.tokens == answer
    # By round: the prompt's; 2 stand; 0 of 1; none drafted; 3 of 4 (the wrong one may be illegal: then it is cut); 5.
    assert [len(step) for step in result.steps] == [1, 3, 1, 1, 4, 6]
    usage = result.usage
    assert (usage.prompt_tokens, usage.output_tokens, usage.verifications) == (3, 16, 5)
    assert usage.accepted == 2 + 0 + 0 + 3 + 5
    cut = sum(slot % 3 == 2 for slot in (4, 9))  # where the wrong drafts stand: only a forced slot refuses them
    assert usage.drafted == 2 + 1 + 0 + 4 + 5 - cut
    assert usage.forced == 5
    assert usage.masks == 1 + usage.verifications + usage.drafted
    assert usage.seconds > 0


@pytest.mark.parametrize("length", range(1, 14))
def test_a_forced_chain_counts_exactly(small: Transformer, length: int) -> None:
    """Every slot forced, the end included: all drafts stand, one row a token."""
    case = Case(prompt=(9,), max_tokens=30, grammar=lambda: chain(range(20, 20 + length)))
    usage = run(engine_of(small), [case.request(0)])[0].usage
    rounds = -(-length // 6)
    assert (usage.output_tokens, usage.forced, usage.verifications) == (length + 1, length + 1, rounds)
    assert usage.masks == length + 1
    # Rounds of five drafts and one token behind them, until the end of sequence has been drafted or drawn.
    assert usage.accepted == usage.drafted == length - (length // 6)


def test_an_unconstrained_request_fills_and_forces_nothing(small: Transformer) -> None:
    usage = run(engine_of(small), [Case(prompt=(9,), max_tokens=9, stop_tokens=()).request(0)])[0].usage
    assert (usage.masks, usage.forced, usage.output_tokens) == (0, 0, 9)
    assert usage.drafted > 0


def test_no_draft_costs_one_row_a_round(small: Transformer) -> None:
    case = Case(prompt=(9,), max_tokens=30, grammar=lambda: toy_constraint(6))
    usage = run(engine_of(small, draft_threshold=2.0), [case.request(0)])[0].usage
    assert usage.drafted == usage.accepted == 0
    assert usage.masks == usage.verifications + 1 == usage.output_tokens


@pytest.mark.parametrize("verification", ["match", "rejection"])
@pytest.mark.parametrize("masked", [True, False])
@pytest.mark.parametrize("threshold", [0.0, 0.4])
def test_no_row_is_filled_twice_and_none_beyond_need(
    small: Transformer, masked: bool, threshold: float, verification: str
) -> None:
    """Each round fills at most one row a fed slot and the one behind, for constrained requests only, each once."""
    rng = random.Random(1)
    counted = [Counted(toy_constraint(rng.randrange(1, 6))) for _ in range(6)]
    params = [
        SamplingParams(temperature=1.0, seed=n, verification=verification)  # type: ignore[arg-type]
        for n in range(6)
    ]
    engine = engine_of(small, mask_drafts=masked, draft_threshold=threshold)
    for n, (constraint, sampling) in enumerate(zip(counted, params, strict=True)):
        engine.submit(
            Request(request_id=n, prompt=(9, 10 + n), max_tokens=25, sampling=sampling, constraint=constraint)
        )
        engine.submit(Case(prompt=(9,), max_tokens=9, sampling=sampling).request(f"free {n}"))
    fed: dict[object, tuple[int, int]] = {}
    while not engine.idle:
        asked = {n: len(c.asked) for n, c in enumerate(counted)}
        for output in engine.step():
            usage, name = output.usage, output.request_id
            if isinstance(name, str):
                assert usage.masks == 0
                continue
            now = counted[name].asked[asked[name] :]
            drafted, masks = fed.get(name, (0, 0))
            assert len(now) == usage.masks - masks
            assert len(now) == len(set(now)), "a row was filled twice in one round"
            assert 1 <= len(now) <= usage.drafted - drafted + 1
            assert now == list(range(now[0], now[0] + len(now)))
            fed[name] = (usage.drafted, usage.masks)
    assert sum(drafted for drafted, _ in fed.values()) > 5
