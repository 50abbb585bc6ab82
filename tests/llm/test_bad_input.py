"""Bad input gets its right value or one clear typed error, and harms nothing else."""

import time
from collections.abc import Mapping
from typing import Any

import pytest
from pydantic import BaseModel, field_validator

from deepinfer_structured import (
    LLM,
    BatchError,
    BudgetTooSmallError,
    CheckFailedError,
    Choice,
    InvalidPromptError,
    PromptTooLongError,
    Regex,
    RegexSyntaxError,
    RequestError,
    SamplingParams,
    SchemaError,
    UnsatisfiableSchemaError,
)

YES = Choice(["yes"])


@pytest.mark.parametrize(
    "prompts", [None, 3, b"bytes", {"role": "user", "content": "x"}, ["ok", 3], ["ok", b"x"], [None]]
)
def test_what_is_no_prompt_is_a_type_error_at_once(llm: LLM, prompts: Any) -> None:
    for on_error in ("raise", "return"):
        with pytest.raises(TypeError, match="prompts"):
            llm.generate(prompts, YES, on_error=on_error)


@pytest.mark.parametrize("message", [{"role": "user"}, {"content": "x"}, {"role": "user", "content": None}])
def test_a_message_needs_a_role_and_text(llm: LLM, message: Any) -> None:
    with pytest.raises(TypeError, match="must have a str under"):
        llm.generate([message], YES)


def test_an_unknown_role_is_an_invalid_prompt(llm: LLM) -> None:
    with pytest.raises(InvalidPromptError, match="unknown role 'robot'"):
        llm.generate([{"role": "robot", "content": "x"}], YES)


@pytest.mark.parametrize(
    ("prompt", "kind"),
    [
        ("", InvalidPromptError),
        ("lone \ud800 surrogate", InvalidPromptError),
        ("word " * 5000, PromptTooLongError),
        ("x" * (1 << 20), PromptTooLongError),
    ],
    ids=["empty", "surrogate", "long", "megabyte"],
)
def test_a_bad_prompt_fails_alone(llm: LLM, prompt: str, kind: type[RequestError]) -> None:
    started = time.perf_counter()
    with pytest.raises(kind):
        llm.generate(prompt, YES)
    assert time.perf_counter() - started < 5
    rows: Any = llm.generate(["a", prompt, "b"], YES, on_error="return")
    assert (rows[0], rows[2]) == ("yes", "yes")
    assert isinstance(rows[1].error, kind)
    assert rows[1].error.prompt_index == 1
    assert (rows[1].value, rows[1].text, rows[1].token_ids, rows[1].usage.output_tokens) == (None, "", [], 0)
    assert rows[1].finish_reason == "error"
    with pytest.raises(BatchError, match="1 of 3 prompts failed; the first, prompt 1"):
        llm.generate(["a", prompt, "b"], YES)


def test_a_long_prompt_says_how_long(llm: LLM) -> None:
    with pytest.raises(PromptTooLongError, match="may have 256; together") as caught:
        llm.generate("word " * 1000)
    assert caught.value.tokens is not None
    assert caught.value.tokens > 1000
    assert caught.value.limit == 1024


@pytest.mark.parametrize("prompt", ["nul \x00 byte", "\x00", "<｜User｜><｜Assistant｜>", "\u202e rtl", "🐎" * 50])
def test_odd_text_is_text(llm: LLM, prompt: str) -> None:
    assert llm.generate(prompt, YES) == "yes"


def test_the_spelling_of_a_special_token_stays_text(llm: LLM) -> None:
    plain = llm.generate("a", YES, details=True).usage.prompt_tokens
    spelled = llm.generate("<｜User｜>", YES, details=True).usage.prompt_tokens
    assert spelled > plain


def test_special_schemas(llm: LLM) -> None:
    anything: Any
    for anything in (True, {}):
        value: Any = llm.generate("say", anything, max_tokens=400, on_error="return", temperature=1.0, seed=3)
        assert not isinstance(getattr(value, "error", None), SchemaError)
    with pytest.raises(UnsatisfiableSchemaError):
        llm.generate("say", False)


class Node(BaseModel):
    leaf: bool
    next: "Node | None"


def test_a_recursive_schema(llm: LLM) -> None:
    value: Any = llm.generate("say", Node, max_tokens=300, on_error="return", temperature=1.0, seed=1)
    assert isinstance(value, Node) or value.error is not None
    with pytest.raises(SchemaError):
        llm.generate("say", {"$ref": "#"})


def test_five_hundred_properties(llm: LLM) -> None:
    names = [f"p{i}" for i in range(500)]
    schema = {"type": "object", "properties": {name: {"enum": [1]} for name in names}}
    value = llm.generate("say", schema, max_tokens=900, instruction="x", on_error="return")
    assert isinstance(value, Mapping) or isinstance(value.error, (BudgetTooSmallError, PromptTooLongError)), value


def test_a_bad_schema_for_all_is_raised_as_it_is(llm: LLM) -> None:
    with pytest.raises(RegexSyntaxError):
        llm.generate(["a", "b"], Regex("("))
    rows: Any = llm.generate(["a", "b"], Regex("("), on_error="return")
    assert all(isinstance(row.error, RegexSyntaxError) for row in rows)


def test_a_bad_schema_of_one_prompt_fails_alone(llm: LLM) -> None:
    rows: Any = llm.generate(["a", "b", "c"], [YES, Regex("("), YES], on_error="return")
    assert (rows[0], rows[2]) == ("yes", "yes")
    assert isinstance(rows[1].error, RegexSyntaxError)


def test_lists_of_schemas_must_fit(llm: LLM) -> None:
    with pytest.raises(ValueError, match="2 schemas for 3 prompts"):
        llm.generate(["a", "b", "c"], [YES, YES])
    with pytest.raises(TypeError, match="single prompt a single schema"):
        llm.generate("a", [YES])
    with pytest.raises(TypeError):
        llm.generate("a", 17)


def test_a_budget_below_the_shortest_text_is_refused(llm: LLM) -> None:
    with pytest.raises(BudgetTooSmallError) as caught:
        llm.generate("a", Regex("[0-9]{40}"), max_tokens=3)
    assert caught.value.needed is not None
    assert caught.value.needed > 3
    assert caught.value.budget == 3


class Picky(BaseModel):
    sure: bool

    @field_validator("sure")
    @classmethod
    def refuse(cls, value: bool) -> bool:
        message = "never good enough"
        raise ValueError(message)


class Buggy(BaseModel):
    sure: bool

    @field_validator("sure")
    @classmethod
    def fail(cls, value: bool) -> bool:
        return dict[str, bool]()["missing"]


def test_a_validator_has_the_last_word(llm: LLM) -> None:
    with pytest.raises(CheckFailedError, match="never good enough") as caught:
        llm.generate("say", Picky)
    assert caught.value.text.startswith('{"sure":')
    assert caught.value.usage.output_tokens > 1
    assert caught.value.cause is not None
    with pytest.raises(CheckFailedError, match="KeyError"):
        llm.generate("say", Buggy)


BAD_OPTIONS: list[tuple[dict[str, Any], type[Exception]]] = [
    ({"tempature": 1}, TypeError),
    ({"max_tokens": 0}, ValueError),
    ({"max_tokens": "5"}, TypeError),
    ({"temperature": -1}, ValueError),
    ({"temperature": "hot"}, TypeError),
    ({"top_p": 0}, ValueError),
    ({"top_k": 0}, ValueError),
    ({"min_p": 2}, ValueError),
    ({"repetition_penalty": 0}, ValueError),
    ({"seed": -1}, ValueError),
    ({"seed": "x"}, TypeError),
    ({"n": 0}, ValueError),
    ({"logprobs": -1}, ValueError),
    ({"stop": 3}, TypeError),
    ({"stop": ""}, ValueError),
    ({"stop": ["a", 3]}, TypeError),
    ({"timeout": 0}, ValueError),
    ({"timeout": "soon"}, TypeError),
    ({"timeout": float("nan")}, ValueError),
    ({"instruction": 3}, TypeError),
    ({"examples": "x"}, TypeError),
    ({"examples": [("only document",)]}, TypeError),
    ({"examples": [(3, "x")]}, TypeError),
    ({"details": 1}, TypeError),
    ({"on_error": "ignore"}, ValueError),
    ({"on_error": 3}, TypeError),
    ({"temperature": 10**400}, ValueError),
    ({"repetition_penalty": 1e9}, ValueError),
    ({"logprobs": 10**6}, ValueError),
    ({"seed": 2**63}, ValueError),
    ({"examples": [("document", ...)]}, TypeError),
    ({"progress": "yes"}, TypeError),
    ({"thinking": -1}, ValueError),
    ({"thinking": "hard"}, TypeError),
    ({"sampling": {"temperature": 1}}, TypeError),
]


@pytest.mark.parametrize(("options", "kind"), BAD_OPTIONS, ids=[str(options) for options, _ in BAD_OPTIONS])
def test_a_bad_option_is_refused_at_once(llm: LLM, options: dict[str, Any], kind: type[Exception]) -> None:
    with pytest.raises(kind):
        llm.generate("say", YES, **options)


def test_an_object_of_an_example_must_have_a_json_form(llm: LLM) -> None:
    with pytest.raises(TypeError, match="no JSON form"):
        llm.generate("say", {"enum": [1]}, examples=[("x", ...)])


class Unknown:
    pass


class Unfinished(BaseModel):
    later: "Nowhere"  # type: ignore[name-defined]  # noqa: F821


@pytest.mark.parametrize("schema", [Unknown, Unfinished, Choice(["a", "\ud800"]), {"type": 3}, {"maximum": 10**400}])
def test_every_kind_of_bad_schema_fails_alone(llm: LLM, schema: Any) -> None:
    rows: Any = llm.generate(["a", "b", "c"], [YES, schema, YES], on_error="return")
    assert (rows[0], rows[2]) == ("yes", "yes")
    assert isinstance(rows[1].error, SchemaError)
    with pytest.raises((SchemaError, TypeError)):
        llm.generate("a", schema)


@pytest.mark.parametrize("schema", [17, "int", b"int", [YES], 1.5])
def test_what_is_no_schema_among_schemas_is_a_type_error_at_once(llm: LLM, schema: Any) -> None:
    with pytest.raises(TypeError, match=r"schemas\[1\]"):
        llm.generate(["a", "b"], [YES, schema], on_error="return")


def test_a_surrogate_is_named_with_its_place(llm: LLM) -> None:
    with pytest.raises(InvalidPromptError, match=r"U\+D800 at character 3"):
        llm.generate("abc\ud800", YES)


@pytest.mark.parametrize("options", [{"instruction": "x" * (1 << 21)}, {"examples": [("x" * (1 << 21), "yes")]}])
def test_a_long_instruction_is_refused_unread(llm: LLM, options: Any) -> None:
    started = time.perf_counter()
    rows: Any = llm.generate(["a"] * 50, YES, on_error="return", **options)
    assert all(isinstance(row.error, PromptTooLongError) for row in rows)
    assert time.perf_counter() - started < 5


def test_a_stream_gives_one_value(llm: LLM) -> None:
    with pytest.raises(ValueError, match="n must be 1, not 2"):
        llm.stream("a", YES, sampling=SamplingParams(n=2))


def test_a_text_too_long_to_spell_out_is_above_the_budget(llm: LLM) -> None:
    with pytest.raises(BudgetTooSmallError):
        llm.generate("a", Regex("a{50000}"))
