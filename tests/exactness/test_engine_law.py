"""The law of what the real engine emits, over many seeds, against the masked law enumerated from single passes.

Catalogue of peers' bugs (design notes, section 13): rows 1 (biased at T > 0: streams of noise that are not independent)
and 2 (biased with a grammar: an illegal sampled draft trimmed away). The wrong rules at the end must be caught.
"""

import dataclasses
import math
from collections import Counter
from functools import cache
from typing import Any

import pytest
from torch import Tensor

from deepinfer_engine import step
from deepinfer_engine.config import EngineConfig
from deepinfer_engine.engine import Engine
from deepinfer_engine.model.transformer import Transformer
from deepinfer_engine.request import Request, SamplingParams
from deepinfer_engine.sampling.choose import choose
from deepinfer_engine.sampling.noise import RESIDUAL, draft_stream
from deepinfer_engine.speculative import drafter, verify
from tests.engine.mixes import SMALL, Case, small_model
from tests.engine.test_plain import law_of
from tests.toys import ToyConstraint

PROMPT = (6, 8)
FORCED = 7  # the first output token has no drafts: it is forced, so that the law begins where drafts do
# What may follow which token. Any third token leads to a state that allows the same two again and again.
SECOND = {2: 2, 3: 3, 4: 4, 8: 5, 9: 5}
THIRD = [{2: 6, 3: 6}, {3: 6, 4: 6, 5: 6, 9: 6}, {2: 6, 8: 6, 9: 6}, dict.fromkeys(range(2, 10), 6)]
EDGES = [{FORCED: 1}, SECOND, *THIRD, {5: 6, 6: 6}]
PARAMS = SamplingParams(temperature=0.9, top_p=0.98, repetition_penalty=1.2)
SEEDS, FEW, AT_ONCE = 20_000, 4_000, 500


@cache
def model() -> Transformer:
    sizes = {"hidden_size": 32, "head_dim": 16, "qk_rope_head_dim": 8, "index_head_dim": 16, "index_n_heads": 2}
    fewer = {"num_attention_heads": 2, "q_lora_rank": 16, "n_routed_experts": 4, "moe_intermediate_size": 16}
    other = {"hc_mult": 2, "hc_sinkhorn_iters": 3, "engram_head_dim": 16, "activation_scheme": None, "vocab_size": 10}
    return small_model(1, **{**SMALL, **sizes, **fewer, **other})


@cache
def exact() -> dict[tuple[int, int], float]:
    """Probability of each pair of tokens behind the forced one."""
    case = Case(prompt=PROMPT, max_tokens=4, sampling=PARAMS)
    known = [*PROMPT, FORCED]
    pairs: dict[tuple[int, int], float] = {}
    for one, p in law_of(model(), case, known, sorted(SECOND)).items():
        for two, q in law_of(model(), case, [*known, one], sorted(EDGES[SECOND[one]])).items():
            pairs[one, two] = math.exp(p + q)
    return pairs


def sample(seeds: int, verification: str, **limits: Any) -> Counter[tuple[int, int]]:
    """How often the engine emits each pair, one request a seed."""
    settings = {"max_batch": AT_ONCE, "cache_bytes": 1 << 24, "page_tokens": 16, "draft_threshold": 0.0}
    engine = Engine(model(), EngineConfig(**{**settings, "max_draft": 3, **limits}))
    params = dataclasses.replace(PARAMS, verification=verification)  # type: ignore[arg-type]
    found: Counter[tuple[int, int]] = Counter()
    accepted = drafted = 0
    for first in range(0, seeds, AT_ONCE):
        tokens: dict[object, list[int]] = {seed: [] for seed in range(first, first + AT_ONCE)}
        for seed in range(first, first + AT_ONCE):
            sampling = dataclasses.replace(params, seed=seed)
            constraint = ToyConstraint(EDGES)
            engine.submit(
                Request(request_id=seed, prompt=PROMPT, max_tokens=4, sampling=sampling, constraint=constraint)
            )
        while not engine.idle:
            for output in engine.step():
                tokens[output.request_id] += output.tokens
                if len(tokens[output.request_id]) >= 3:
                    accepted += output.usage.accepted
                    drafted += output.usage.drafted
                    engine.abort(output.request_id)
        found.update((line[1], line[2]) for line in tokens.values())
    assert limits.get("max_draft") == 0 or seeds / 10 < accepted < drafted - seeds / 10
    return found


def deviation(found: Counter[tuple[int, int]]) -> float:
    """Chi-square in standard deviations above its mean; rare pairs count as one."""
    count, law = found.total(), exact()
    assert set(found) <= {pair for pair, p in law.items() if p > 0}, "an illegal or truncated token"
    likely = {pair: p for pair, p in law.items() if count * p >= 10}
    rest = max(1e-12, 1 - math.fsum(likely.values()))
    cells = [(found[pair], count * p) for pair, p in likely.items()]
    cells.append((count - sum(seen for seen, _ in cells), count * rest))
    statistic = sum((seen - expected) ** 2 / expected for seen, expected in cells if expected >= 5)
    degrees = sum(expected >= 5 for _, expected in cells) - 1
    return (statistic - degrees) / math.sqrt(2 * degrees)


LIMIT = 4.5


@pytest.mark.parametrize("masked", [True, False], ids=["masked", "unmasked"])
def test_rejection_sampling_emits_the_masked_law(masked: bool) -> None:
    assert deviation(sample(SEEDS, "rejection", mask_drafts=masked)) < LIMIT


@pytest.mark.parametrize(("threshold", "masked"), [(0.3, False), (0.55, True)])
def test_adaptive_drafts_emit_the_same_law(threshold: float, masked: bool) -> None:
    """Lengths that follow the confidence, which looks only at the tokens before each slot."""
    assert deviation(sample(FEW, "rejection", mask_drafts=masked, draft_threshold=threshold)) < LIMIT


@pytest.mark.parametrize("limits", [{"mask_drafts": True}, {"mask_drafts": False}])
def test_match_verification_emits_the_masked_law(limits: dict[str, Any]) -> None:
    assert deviation(sample(FEW, "match", **limits)) < LIMIT


def test_a_trimmed_illegal_draft_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wrong: the slot of an illegal sampled draft is drawn from the target instead of the residual."""
    right = step.mask_rows

    def trimmed(plan: step.Plan) -> step.Plan:
        walked = right(plan)
        return dataclasses.replace(walked, tested=walked.fed)

    monkeypatch.setattr(step, "mask_rows", trimmed)
    assert deviation(sample(FEW, "rejection", mask_drafts=False)) > 3 * LIMIT


def test_a_missing_residual_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wrong: a rejected draft is replaced by a draw from the target."""
    monkeypatch.setattr(verify, "residual", lambda p, q: p.double())
    assert deviation(sample(FEW, "rejection")) > 3 * LIMIT


def test_shared_noise_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wrong: the draw that replaces a rejected draft has the noise that the draft was drawn with."""

    def shared(scores: Tensor, sampled: Tensor, seeds: Tensor, positions: Tensor, *, stream: int) -> Tensor:
        slot = stream - draft_stream(0)
        if slot >= 0:
            positions, stream = positions + 1 + slot, RESIDUAL
        return choose(scores, sampled, seeds, positions, stream=stream)

    monkeypatch.setattr(drafter, "choose", shared)
    assert deviation(sample(2 * FEW, "rejection")) > LIMIT


@pytest.mark.slow
@pytest.mark.parametrize("masked", [True, False], ids=["masked", "unmasked"])
@pytest.mark.parametrize("verification", ["match", "rejection"])
def test_the_law_over_a_hundred_thousand_seeds(masked: bool, verification: str) -> None:
    assert deviation(sample(100_000, verification, mask_drafts=masked)) < LIMIT
