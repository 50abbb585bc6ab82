"""The network with its caches: bounded replay, and one pass against any cut of it."""

import dataclasses

import pytest
import torch

from deepinfer_engine.backbone import Backbone, Chunk
from deepinfer_engine.cache.context import Span
from deepinfer_engine.config import EngineConfig
from deepinfer_engine.errors import ConfigError
from deepinfer_engine.model.transformer import Transformer
from deepinfer_engine.request import SamplingParams
from deepinfer_engine.sampling.choose import choose
from deepinfer_engine.sampling.process import RowParams, process
from tests.engine.mixes import Case, Plain, assert_as_plain, engine_of, one_pass, random_case, run

KEEP = 14  # the window of eight, five drafts and their anchor
CASES = [random_case(seed) for seed in range(400, 406)]
LONG = [
    Case(prompt=tuple(range(6, 6 + length)), max_tokens=10, sampling=sampling, stop_tokens=())
    for length, sampling in (
        (15, SamplingParams()),
        (33, SamplingParams(temperature=1.0, seed=2)),
        (40, SamplingParams()),
    )
]


def replayed(model: Transformer, case: Case, keep: int) -> list[int]:
    """The plain loop with only the last `keep` prompt tokens in the decoder, each token from one fresh pass."""
    tokens = list(case.prompt)
    rows = RowParams.of([case.sampling], dtype=torch.float64)
    while len(tokens) < len(case.prompt) + case.max_tokens:
        law = process(one_pass(model, tokens, max(0, len(case.prompt) - keep))[None], rows)
        seeds, at = torch.tensor([case.sampling.seed]), torch.tensor([len(tokens)])
        tokens.append(int(choose(law.scores, rows.sampled, seeds, at)[0]))
    return tokens[len(case.prompt) :]


@pytest.fixture(scope="module")
def compact(small: Transformer) -> dict[int, list[int]]:
    return {number: replayed(small, case, KEEP) for number, case in enumerate(LONG)}


@pytest.mark.parametrize("limits", [{}, {"max_draft": 0, "page_tokens": 4}])
@pytest.mark.parametrize("prefill_tokens", [1, 7, 30, 2048])
def test_replay_does_not_depend_on_the_cut(
    small: Transformer, compact: dict[int, list[int]], prefill_tokens: int, limits: dict[str, int]
) -> None:
    engine = engine_of(small, replay=KEEP, prefill_tokens=prefill_tokens, **limits)
    results = run(engine, (case.request(n) for n, case in enumerate(LONG)))
    assert {n: result.tokens for n, result in results.items()} == compact


def test_replay_changes_long_prompts(small: Transformer, plain: Plain, compact: dict[int, list[int]]) -> None:
    """Guards the tests above: leaving decoder rows out is not the exact computation."""
    logits = one_pass(small, LONG[2].prompt), one_pass(small, LONG[2].prompt, 40 - KEEP)
    assert float((logits[0] - logits[1]).abs().max()) > 1e-6


@pytest.mark.parametrize("step", [4, 6])
def test_a_preempted_request_replays_what_it_saw(small: Transformer, step: int) -> None:
    """To the log-probability: output behind the prompt does not move the first row that the decoder sees."""
    cases = [dataclasses.replace(case, sampling=dataclasses.replace(case.sampling, logprobs=1)) for case in LONG]

    def outputs(preempted: bool) -> tuple[list[list[int]], torch.Tensor]:
        engine = engine_of(small, replay=KEEP, prefill_tokens=60)

        def between(number: int) -> None:
            if preempted and number == step:
                assert [engine.preempt(n) for n in range(len(LONG))] == [True] * len(LONG)

        results = run(engine, (case.request(n) for n, case in enumerate(cases)), between)
        rows = [row.logprob for n in results for row in results[n].logprobs]
        return [results[n].tokens for n in results], torch.tensor(rows, dtype=torch.float64)

    kept, moved = outputs(preempted=False), outputs(preempted=True)
    assert kept[0] == moved[0]
    torch.testing.assert_close(kept[1], moved[1], atol=1e-9, rtol=0)


def test_replay_is_exact_for_prompts_that_are_kept_whole(small: Transformer, plain: Plain) -> None:
    cases = [dataclasses.replace(case, prompt=case.prompt[:KEEP]) for case in (*CASES, *LONG)]
    assert_as_plain(plain, cases, run(engine_of(small, replay=KEEP), (case.request(n) for n, case in enumerate(cases))))


def test_keep_must_hold_the_window_and_a_rollback(small: Transformer) -> None:
    for max_draft in range(6):
        least = small.config.sliding_window + max_draft + 1
        Backbone(small, EngineConfig(replay=least, max_draft=max_draft, cache_bytes=1 << 20, max_batch=1))
        with pytest.raises(ConfigError, match=f"replay is {least - 1}.* = {least}"):
            Backbone(small, EngineConfig(replay=least - 1, max_draft=max_draft))


@pytest.mark.parametrize(
    "device",
    ["cpu", pytest.param("cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device"))],
)
@torch.inference_mode()
def test_any_cut_gives_the_logits_of_one_pass(small: Transformer, device: str) -> None:
    """Verification of several rows at once, rows that are taken back and run again, and single steps."""
    model = small if device == "cpu" else type(small)(small.config).to(device, torch.float64)
    if device != "cpu":
        model.load_state_dict(small.state_dict())
    backbone = Backbone(model, EngineConfig(max_batch=3, cache_bytes=1 << 20, page_tokens=8))
    text = tuple(random_case(3).prompt * 40)[:40]
    slot = backbone.pages.take_slot()
    backbone.pages.grow(slot, 64)

    def feed(start: int, tokens: tuple[int, ...]) -> torch.Tensor:
        chunk = Chunk(Span(slot, start, len(tokens)), tokens, text[:start], len(tokens))
        return model.logits(backbone.run([chunk])).cpu()

    rows = [feed(0, text[:17])]
    for start in range(17, 40, 3):
        wrong = (50, 51, 52, 53, 54)
        feed(start, (text[start], *wrong))  # five drafts that fall
        rows.append(feed(start, text[start : start + 3]))
    logits = torch.cat(rows)
    for length in (1, 2, 9, 17, 18, 20, 39, 40):
        torch.testing.assert_close(logits[length - 1], one_pass(small, text[:length]), atol=1e-9, rtol=0)
