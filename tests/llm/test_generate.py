"""What generate takes and gives: values in the caller's shape, the options of the interface, completions."""

import dataclasses
import enum
import inspect
import math
from typing import Any, Literal

import pytest
from pydantic import BaseModel
from typing_extensions import TypedDict

import deepinfer_structured
from deepinfer_structured import (
    EBNF,
    LLM,
    BatchError,
    Choice,
    Completion,
    FinishReason,
    Grammar,
    JSONSchema,
    Lark,
    Regex,
    SamplingParams,
    TruncatedError,
    Usage,
)
from deepinfer_structured.llm.arguments import read_options


class Mood(enum.Enum):
    GOOD = "good"
    BAD = "bad"


class Reply(BaseModel):
    mood: Mood
    yes: bool


@dataclasses.dataclass
class Point:
    x: Literal[1, 2]


class Row(TypedDict):
    ok: bool


KINDS: list[tuple[Any, Any]] = [
    (Reply, Reply),
    (Point, Point),
    (Row, dict),
    (Mood, Mood),
    (Literal["a", "b"], str),
    (bool | None, (bool, type(None))),
    ({"type": "object", "properties": {"a": {"enum": [1]}}, "required": ["a"]}, dict),
    (JSONSchema({"enum": [1, 2.5]}), (int, float)),
    (Regex("[0-9]{3}"), str),
    (Choice(["left", "right"]), str),
    (EBNF('root ::= "x" [yz]'), str),
    (Lark('start: "x" | "y"'), str),
]


@pytest.mark.parametrize(("schema", "kind"), KINDS, ids=[str(schema)[:30] for schema, _ in KINDS])
def test_each_schema_gives_its_value(llm: LLM, schema: Any, kind: Any) -> None:
    assert isinstance(llm.generate("say", schema), kind)


def test_a_compiled_constraint_is_a_schema(llm: LLM, toy_folder: Any) -> None:
    constraint = deepinfer_structured.compile(Reply, tokenizer=str(toy_folder))
    assert isinstance(llm.generate("say", constraint), Reply)


def test_no_schema_gives_text(llm: LLM) -> None:
    assert isinstance(llm.generate("say", max_tokens=5), str)


def test_a_str_gives_one_value_and_a_list_a_list(llm: LLM) -> None:
    one = llm.generate("say", Reply)
    assert isinstance(one, Reply)
    assert llm.generate(["say"], Reply) == [one]
    assert llm.generate(("say",), Reply) == [one]
    assert llm.generate(list[str](), Reply) == []


def test_order_is_kept_over_many_prompts(llm: LLM) -> None:
    words = [f"w{i}" for i in range(40)]
    assert llm.generate(words, [Choice([word]) for word in words]) == words


def test_messages_are_a_prompt(llm: LLM) -> None:
    chat = [{"role": "system", "content": "be brief"}, {"role": "user", "content": "hello"}]
    assert isinstance(llm.generate(chat, Reply), Reply)
    mixed = llm.generate([chat, "hello"], Reply)
    assert [type(reply) for reply in mixed] == [Reply, Reply]


def test_one_schema_a_prompt(llm: LLM) -> None:
    values = llm.generate(["a", "b", "c"], [Reply, Choice(["z"]), None], max_tokens=30)
    assert isinstance(values[0], Reply)
    assert values[1] == "z"
    assert isinstance(values[2], str)


def test_greedy_is_the_default_and_repeats(llm: LLM) -> None:
    first = llm.generate("say", max_tokens=12)
    assert llm.generate("say", max_tokens=12, temperature=0.0) == first
    assert llm.generate("say", max_tokens=12, temperature=1.0, top_k=1, seed=9) == first


def test_details_give_the_completion(llm: LLM) -> None:
    done = llm.generate("say", Reply, details=True, seed=5)
    assert isinstance(done, Completion)
    assert done.value == Reply.model_validate_json(done.text)
    assert done.finish_reason == "stop"
    assert done.finish_reason is FinishReason.STOP
    assert (done.seed, done.error, done.thinking, done.logprobs) == (5, None, None, None)
    vocabulary = deepinfer_structured.Vocabulary.load("nano")
    assert vocabulary.decode(done.token_ids) == done.text
    usage = done.usage
    assert isinstance(usage, Usage)
    assert usage.prompt_tokens > 10
    assert usage.output_tokens == len(done.token_ids) + 1
    assert 0 <= usage.verifications < usage.output_tokens
    assert 0 <= usage.accepted <= usage.drafted
    assert usage.output_tokens - 1 - usage.verifications <= usage.accepted
    assert usage.masks > 0
    assert usage.seconds > 0


def test_text_that_runs_out_is_a_value_with_its_reason(llm: LLM) -> None:
    done = llm.generate("say", max_tokens=3, details=True)
    assert done.finish_reason == "length"
    assert done.value == done.text
    assert len(done.token_ids) == 3


def test_a_schema_that_runs_out_is_an_error(llm: LLM) -> None:
    with pytest.raises(TruncatedError, match="max_tokens=20") as caught:
        llm.generate("say", Regex("[ab]{400}x|b{6}"), max_tokens=20, temperature=1.0, seed=1, instruction="x")
    assert set(caught.value.text) <= set("ab")
    assert caught.value.usage.output_tokens == 20


def test_a_budget_that_just_holds_the_text_is_enough(llm: LLM) -> None:
    done = llm.generate("say", Choice(["abc"]), details=True)
    exact = llm.generate("say", Choice(["abc"]), details=True, max_tokens=len(done.token_ids))
    assert exact.value == "abc"


def test_stop_strings_end_text(llm: LLM) -> None:
    whole = llm.generate("say", max_tokens=20)
    stop = whole[10:14]
    cut = llm.generate("say", max_tokens=20, stop=stop, details=True)
    assert cut.text == cut.value == whole[: whole.index(stop)]
    assert cut.finish_reason == "stop"
    assert llm.generate("say", max_tokens=20, stop=["nowhere to be found", stop]) == cut.value


def test_a_stop_string_inside_an_object_is_an_error_unless_the_text_is_whole(llm: LLM) -> None:
    with pytest.raises(TruncatedError, match="stop string"):
        llm.generate("say", Reply, stop=",")
    assert llm.generate("say", Regex("a(?:b)?"), stop="b") == "a"


def test_logprobs_stand_beside_tokens(llm: LLM) -> None:
    done = llm.generate("say", Choice(["left", "right"]), logprobs=2, details=True)
    assert done.logprobs is not None
    assert [entry.token_id for entry in done.logprobs] == done.token_ids
    assert "".join(entry.text for entry in done.logprobs) == done.text
    assert all(entry.logprob <= 1e-6 for entry in done.logprobs)
    assert all(1 <= len(entry.top) <= 2 for entry in done.logprobs)
    assert all(math.isfinite(value) for entry in done.logprobs for _, _, value in entry.top)
    single = llm.generate("say", Choice(["left"]), logprobs=5, details=True)
    assert single.logprobs is not None
    assert single.logprobs[-1].top[0][0] == single.logprobs[-1].token_id
    token, text, value = done.logprobs[0].top[0]
    assert isinstance(token, int)
    assert isinstance(text, str)
    assert value >= done.logprobs[0].logprob - 1e-6


def test_thinking_comes_apart_and_within_its_budget(llm: LLM) -> None:
    done = llm.generate("say", Reply, thinking=6, details=True)
    assert isinstance(done.value, Reply)
    assert done.thinking
    vocabulary = deepinfer_structured.Vocabulary.load("nano")
    assert vocabulary.decode(done.token_ids) == done.text
    assert done.usage.output_tokens <= 6 + 1 + len(done.token_ids) + 1
    assert llm.generate("say", Choice(["a"]), thinking=True, max_tokens=4) == "a"


def test_examples_and_instruction_lengthen_the_prompt(llm: LLM) -> None:
    def size(**options: Any) -> int:
        done: Completion[Reply] = llm.generate("say", Reply, details=True, **options)
        return done.usage.prompt_tokens

    shot = ("hello", Reply(mood=Mood.GOOD, yes=True))
    assert size(examples=[shot]) > size()
    assert size(examples=[shot, ("bye", {"mood": "bad", "yes": False})]) > size(examples=[shot])
    assert size(instruction="Extract the mood of the writer.") > size(instruction="")


def test_sampling_may_come_as_one_value(llm: LLM) -> None:
    group = SamplingParams(temperature=0.8, top_p=0.9, seed=3)
    assert llm.generate("say", max_tokens=8, sampling=group) == llm.generate(
        "say", max_tokens=8, temperature=0.8, top_p=0.9, seed=3
    )
    with pytest.raises(TypeError, match="not both"):
        llm.generate("say", sampling=group, temperature=0.5)


@pytest.mark.parametrize("options", [{"min_p": 0.99}, {"top_k": 3}, {"top_p": 0.1}, {"repetition_penalty": 0.01}])
def test_sampling_options_reach_the_engine(llm: LLM, options: dict[str, Any]) -> None:
    plain = llm.generate("say", max_tokens=12, temperature=5.0, seed=1)
    other = llm.generate("say", max_tokens=12, temperature=5.0, seed=1, **options)
    assert other != plain


def test_drafting_changes_nothing(llm: LLM, toy_folder: Any) -> None:
    with LLM(toy_folder, max_draft=0, cache_bytes=32 << 20) as plain:
        for options in ({}, {"temperature": 0.9, "seed": 4}):
            kept: Any = {"details": True, "max_tokens": 40, **options}
            mine, other = llm.generate("say", Reply, **kept), plain.generate("say", Reply, **kept)
            assert mine.token_ids == other.token_ids
            assert other.usage.drafted == 0


def test_the_signature_is_the_documented_one() -> None:
    names = set(inspect.signature(LLM.generate).parameters) - {"self", "prompts", "schema"}
    table = inspect.signature(read_options).parameters
    assert names == {name for name, p in table.items() if p.kind is p.KEYWORD_ONLY}
    for name, parameter in inspect.signature(LLM.generate).parameters.items():
        if name in names:
            assert parameter.default == table[name].default, name
            assert parameter.kind is parameter.KEYWORD_ONLY
    assert inspect.signature(LLM.agenerate) == inspect.signature(LLM.generate)


def test_a_bundled_grammar_by_name(llm: LLM) -> None:
    assert llm.generate("say", Grammar("semver")).count(".") >= 2


def test_a_batch_that_fails_runs_to_its_end_first(llm: LLM) -> None:
    with pytest.raises(BatchError) as caught:
        llm.generate(["a", "", "b"], Choice(["x"]))
    assert [done.value for done in caught.value.completions] == ["x", None, "x"]
    assert [index for index, _ in caught.value.errors] == [1]
