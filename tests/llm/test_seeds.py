"""Seeds: recorded, reproducible, and a row's own business."""

from pathlib import Path
from typing import Any

import pytest

from deepinfer_structured import LLM
from deepinfer_structured.llm.seeds import SeedStream, derived

HOT: Any = {"max_tokens": 10, "temperature": 1.0}


def test_a_row_is_drawn_as_if_alone(llm: LLM) -> None:
    alone = llm.generate("say", seed=7, **HOT)
    crowd = llm.generate(["other", "say", "more", "say"], seed=7, **HOT)
    assert crowd[1] == crowd[3] == alone


def test_seeds_may_be_one_a_prompt(llm: LLM) -> None:
    rows = llm.generate(["say"] * 3, seed=[1, 2, 1], details=True, **HOT)
    assert [row.seed for row in rows] == [1, 2, 1]
    assert rows[0].text == rows[2].text != rows[1].text
    fresh = llm.generate(["say"] * 2, seed=[None, 3], details=True, **HOT)
    assert fresh[1].seed == 3
    with pytest.raises(ValueError, match="2 seeds for 1 prompts"):
        llm.generate(["say"], seed=[1, 2])
    with pytest.raises(TypeError, match="single prompt a single seed"):
        llm.generate("say", seed=[1])


def test_a_fresh_seed_is_recorded_and_repeats(llm: LLM) -> None:
    rows = llm.generate(["say"] * 3, details=True, **HOT)
    assert len({row.seed for row in rows}) == 3
    for row in rows:
        assert llm.generate("say", seed=row.seed, **HOT) == row.text


def test_the_seed_of_the_llm_starts_the_stream(toy_folder: Path) -> None:
    drawn = []
    for seed in (5, 5, 6):
        with LLM(toy_folder, seed=seed, cache_bytes=32 << 20) as fresh:
            drawn.append([row.seed for row in fresh.generate(["a", "b"], max_tokens=1, details=True)])
    assert drawn[0] == drawn[1] != drawn[2]


def test_samples_have_derived_seeds(llm: LLM) -> None:
    single = llm.generate("say", n=3, seed=5, details=True, **HOT)
    assert [row.seed for row in single] == [derived(5, sample) for sample in range(3)]
    assert len({row.text for row in single}) > 1
    both = llm.generate(["say", "more"], n=2, seed=5, **HOT)
    assert [len(samples) for samples in both] == [2, 2]
    assert both[0] == [row.text for row in single[:2]]
    assert llm.generate("say", seed=5, **HOT) == single[0].text


def test_derived_seeds_differ_and_fit() -> None:
    seeds = [derived(seed, sample) for seed in range(50) for sample in range(1, 5)]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < 2**53 for seed in seeds)
    assert derived(17, 0) == 17


def test_the_stream_repeats() -> None:
    one, other = SeedStream(3), SeedStream(3)
    assert [one.draw() for _ in range(4)] == [other.draw() for _ in range(4)]
