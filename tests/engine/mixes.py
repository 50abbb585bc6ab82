"""Requests of every kind over a toy vocabulary, and how to run them: what the tests of the engine draw from."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import torch

from deepinfer_engine.backbone import Backbone, Chunk
from deepinfer_engine.cache.context import Span
from deepinfer_engine.config import EngineConfig
from deepinfer_engine.engine import Engine
from deepinfer_engine.errors import EngineError
from deepinfer_engine.model.transformer import Transformer
from deepinfer_engine.plain import generate
from deepinfer_engine.request import Finish, Output, Request, RequestId, SamplingParams, TokenLogprobs, Usage
from tests.toys import EOS, ToyConstraint, toy_model

FIRST = 6  # tokens below are special
VOCABULARY = 56

# Every mechanism once in four layers and one stage: a sixth of the time of the whole toy.
SMALL = {
    "num_hidden_layers": 4,
    "compress_ratios": (0, 2, 1, 1, 0),
    "kv_source_layer_ids": (1, 2),
    "index_source_layer_ids": (1, 2),
    "candidate_source_layer_id": 2,
    "engram_layer_ids": (0,),
    "num_nextn_predict_layers": 1,
    "dspark_target_layer_ids": (2, 3),
}


def small_model(seed: int = 0, **overrides: object) -> Transformer:
    return toy_model(seed, torch.float64, **{"vocab_size": VOCABULARY, **SMALL, **overrides})


def chain(tokens: Iterable[int]) -> ToyConstraint:
    """These tokens, each the only legal one, then the end of sequence."""
    return allowing([token] for token in tokens)


def allowing(sets: Iterable[Iterable[int]]) -> ToyConstraint:
    """Position k allows the tokens of set k; then the end of sequence."""
    edges = [dict.fromkeys(legal, k + 1) for k, legal in enumerate(sets)]
    return ToyConstraint([*edges, {}], frozenset({len(edges)}))


def random_grammar(seed: int, vocabulary: int = VOCABULARY) -> ToyConstraint:
    """A random automaton: forced stretches, narrow and wide states, loops, and ends here and there."""
    rng = random.Random(seed)
    states = rng.randrange(1, 9)
    ordinary = range(FIRST, vocabulary)
    edges = []
    for _ in range(states):
        legal = rng.sample(ordinary, min(rng.choice([1, 1, 2, 2, 3, 9, len(ordinary)]), len(ordinary)))
        edges.append({t: rng.randrange(states) for t in legal})
    return ToyConstraint(edges, frozenset(s for s in range(states) if rng.random() < 0.3))


@dataclass(frozen=True, kw_only=True)
class Case:
    """A request without its name: `grammar` makes a fresh constraint each time."""

    prompt: tuple[int, ...]
    max_tokens: int
    sampling: SamplingParams = field(default_factory=SamplingParams)
    grammar: Callable[[], ToyConstraint] | None = None
    stop_tokens: tuple[int, ...] = (EOS,)

    def request(self, request_id: RequestId) -> Request:
        return Request(
            request_id=request_id,
            prompt=self.prompt,
            max_tokens=self.max_tokens,
            sampling=self.sampling,
            constraint=None if self.grammar is None else self.grammar(),
            stop_tokens=self.stop_tokens,
        )


def random_case(seed: int, vocabulary: int = VOCABULARY, *, longest: int = 14) -> Case:
    """Prompt, length, sampling, grammar and stop tokens of all kinds."""
    rng = random.Random(seed)
    sampling = SamplingParams(
        temperature=rng.choice([0.0, 0.0, 1.0, 0.6, 2.0]),
        top_p=rng.choice([1.0, 1.0, 0.8]),
        top_k=rng.choice([None, None, 5]),
        min_p=rng.choice([0.0, 0.0, 0.1]),
        repetition_penalty=rng.choice([1.0, 1.0, 1.3, 0.8]),
        seed=rng.randrange(1 << 40),
        logprobs=rng.choice([0, 0, 3]),
    )
    return Case(
        prompt=tuple(rng.randrange(FIRST, vocabulary) for _ in range(rng.choice([1, 2, 5, 17, 30]))),
        max_tokens=rng.randrange(1, longest + 1),
        sampling=sampling,
        grammar=(lambda: random_grammar(seed, vocabulary)) if rng.random() < 0.7 else None,
        stop_tokens=rng.choice([(EOS,), (EOS,), (), (EOS, 7, 8, 9, 10)]),
    )


@dataclass
class Result:
    """All that a request got."""

    tokens: list[int] = field(default_factory=list)
    steps: list[tuple[int, ...]] = field(default_factory=list)
    logprobs: list[TokenLogprobs] = field(default_factory=list)
    finish: Finish | None = None
    error: EngineError | None = None
    usage: Usage = field(default_factory=Usage)

    def add(self, output: Output) -> None:
        assert self.finish is None, f"{output} came after the end"
        self.tokens += output.tokens
        self.steps.append(output.tokens)
        self.logprobs += output.logprobs or ()
        self.finish, self.error, self.usage = output.finish, output.error, output.usage
        assert self.usage.output_tokens == len(self.tokens)


def engine_of(model: Transformer, **limits: object) -> Engine:
    """An engine with room for a few requests, drafting at every slot unless asked otherwise."""
    settings: dict[str, object] = {"max_batch": 8, "cache_bytes": 1 << 21, "page_tokens": 16, "draft_threshold": 0.0}
    return Engine(model, EngineConfig(**{**settings, **limits}))  # type: ignore[arg-type]


def run(
    engine: Engine, requests: Iterable[Request], between: Callable[[int], None] = lambda step: None
) -> dict[RequestId, Result]:
    """Submit all, step until idle; `between` is called after each step with its number."""
    results: dict[RequestId, Result] = {}
    for request in requests:
        engine.submit(request)
        results[request.request_id] = Result()
    number = 0
    while not engine.idle:
        for output in engine.step():
            results[output.request_id].add(output)
        number += 1
        assert number < 5000, "no progress"
        between(number)
    assert_empty(engine)
    return results


def assert_empty(engine: Engine) -> None:
    """No slot and no page is held."""
    pages = engine._backbone.pages
    assert sorted(pages.free_slots) == list(range(engine.config.max_batch))
    assert sorted(pages.free_pages) == list(range(engine._backbone.memory.pages))
    assert not pages.owned
    assert engine.idle


class Plain:
    """What the plain loop makes of a case, computed once."""

    def __init__(self, model: Transformer) -> None:
        self.model = model
        self._known: dict[int, tuple[Case, list[int]]] = {}

    def __call__(self, case: Case) -> list[int]:
        if id(case) not in self._known:
            self._known[id(case)] = (case, generate(self.model, case.request(0)))
        return self._known[id(case)][1]


def assert_as_plain(plain: Plain, cases: Sequence[Case], results: dict[RequestId, Result]) -> None:
    """Each request `n` got what the plain loop gives case `n`, and finished for the right reason."""
    for number, case in enumerate(cases):
        result, expected = results[number], plain(case)
        assert result.tokens == expected, (number, case)
        assert result.error is None
        stopped = expected[-1] in case.stop_tokens or (case.grammar is not None and expected[-1] == EOS)
        assert result.finish == ("stop" if stopped else "length"), (number, case)
        assert len(result.logprobs) == (len(expected) if case.sampling.logprobs else 0)


@torch.inference_mode()
def one_pass(model: Transformer, tokens: Sequence[int], keep_from: int = 0) -> torch.Tensor:
    """Logits `[V]` behind `tokens`, all computed at once in a fresh cache; decoder rows from `keep_from` on."""
    backbone = Backbone(model, EngineConfig(max_batch=1, max_draft=0, cache_bytes=1 << 21))
    backbone.pages.grow(backbone.pages.take_slot(), len(tokens))
    return model.logits(backbone.run([Chunk(Span(0, 0, len(tokens), keep_from), tuple(tokens), (), 1)]))[0]
