"""LLM: a loaded checkpoint that turns prompts and types into typed objects."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar, Unpack, overload

from deepinfer_structured.constraint.compiler import compiler_for
from deepinfer_structured.llm.arguments import check_names, read_options, read_prompts, read_schemas
from deepinfer_structured.llm.call import Call
from deepinfer_structured.llm.keywords import (
    AnyOptions,
    Detailed,
    Example,
    Many,
    One,
    OnError,
    Plain,
    Prompts,
    StreamOptions,
)
from deepinfer_structured.llm.rows import Rows
from deepinfer_structured.llm.seeds import SeedStream
from deepinfer_structured.llm.stream import watch
from deepinfer_structured.options import SamplingParams
from deepinfer_structured.results import Completion, Partial
from deepinfer_structured.runner import DTypeName, EngineOptions, Runner
from deepinfer_structured.schema.spec import TextSpec

__all__ = ["LLM"]

T = TypeVar("T")


class LLM:
    """A checkpoint in memory. Loads once, serves any number of threads, frees everything on `close`.

    with LLM() as llm:
        invoices = llm.generate(documents, Invoice)
    """

    def __init__(
        self,
        model: str | Path = "nano",
        *,
        device: str = "auto",
        dtype: DTypeName = "auto",
        max_draft: int = 5,
        deterministic: bool | None = None,
        seed: int = 0,
        max_batch: int = 64,
        cache_bytes: int = 256 << 20,
        prefill_tokens: int = 2048,
    ) -> None:
        """Load a checkpoint.

        model: the name of a bundled checkpoint, or a folder with config.json, tokenizer.json and safetensors.
        device: "auto" takes the first GPU and else the processor. dtype: "auto" is float32 on a processor.
        max_draft: most draft tokens a step; 0 turns drafting off. Greedy output is the same for every value.
        seed: starts the stream that rows without a seed of their own draw from.
        max_batch, cache_bytes, prefill_tokens: requests that share a step, bytes of their cache, prompt tokens a step.

        Raises TypeError and ValueError for arguments, FileNotFoundError where there is no such checkpoint and
        EngineFailedError where it does not load. `deterministic=True`, outputs that are bitwise the same on every
        batch and hardware, is not promised yet: NotImplementedError.
        """
        if deterministic:
            raise NotImplementedError(
                "deterministic=True is not there yet: outputs that are bitwise independent of batch and hardware are"
                " not promised; leave it out (greedy decoding and fixed seeds repeat on one machine)"
            )
        if isinstance(seed, bool) or not isinstance(seed, int):
            raise TypeError(f"seed must be an int, not {type(seed).__name__}: {seed!r}")
        if not isinstance(model, (str, Path)):
            raise TypeError(f"model must be a name or a path, not {type(model).__name__}: {model!r}")
        self.options = EngineOptions(
            model=str(model),
            device=device,
            dtype=dtype,
            max_draft=max_draft,
            max_batch=max_batch,
            cache_bytes=cache_bytes,
            prefill_tokens=prefill_tokens,
        )
        self._seeds = SeedStream(seed)
        self._runner = Runner(self.options)
        self._compiler = compiler_for(self.options.model)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._runner.closed

    def __repr__(self) -> str:
        return f"LLM({self.options.model!r}{', closed' if self.closed else ''})"

    def close(self) -> None:
        """Cancel what is under way, free weights and caches. Idempotent; later calls raise EngineFailedError."""
        self._runner.close()

    @overload
    def generate(self, prompts: One, schema: TextSpec | None = None, **options: Unpack[Plain]) -> str: ...  # type: ignore[overload-overlap]
    @overload
    def generate(self, prompts: Many, schema: TextSpec | None = None, **options: Unpack[Plain]) -> list[str]: ...
    @overload
    def generate(self, prompts: One, schema: type[T], **options: Unpack[Plain]) -> T: ...  # type: ignore[overload-overlap]
    @overload
    def generate(self, prompts: Many, schema: type[T], **options: Unpack[Plain]) -> list[T]: ...
    @overload
    def generate(  # type: ignore[overload-overlap]
        self, prompts: One, schema: TextSpec | None = None, **options: Unpack[Detailed]
    ) -> Completion[str]: ...
    @overload
    def generate(
        self, prompts: Many, schema: TextSpec | None = None, **options: Unpack[Detailed]
    ) -> list[Completion[str]]: ...
    @overload
    def generate(self, prompts: One, schema: type[T], **options: Unpack[Detailed]) -> Completion[T]: ...  # type: ignore[overload-overlap]
    @overload
    def generate(self, prompts: Many, schema: type[T], **options: Unpack[Detailed]) -> list[Completion[T]]: ...
    @overload
    def generate(self, prompts: One, schema: Any, **options: Unpack[Plain]) -> Any: ...
    @overload
    def generate(self, prompts: Many, schema: Any, **options: Unpack[Plain]) -> list[Any]: ...
    @overload
    def generate(self, prompts: One, schema: Any, **options: Unpack[Detailed]) -> Completion[Any]: ...
    @overload
    def generate(self, prompts: Many, schema: Any, **options: Unpack[Detailed]) -> list[Completion[Any]]: ...
    @overload
    def generate(self, prompts: Prompts, schema: Any = None, **options: Unpack[AnyOptions]) -> Any: ...
    def generate(
        self,
        prompts: Prompts,
        schema: Any = None,
        *,
        max_tokens: int = 256,
        temperature: float = 0.0,
        top_p: float = 1.0,
        top_k: int | None = None,
        min_p: float = 0.0,
        repetition_penalty: float = 1.0,
        seed: int | Sequence[int | None] | None = None,
        n: int = 1,
        logprobs: int = 0,
        sampling: SamplingParams | None = None,
        stop: str | Sequence[str] = (),
        timeout: float | None = None,
        instruction: str | None = None,
        examples: Sequence[Example] = (),
        details: bool = False,
        on_error: OnError = "raise",
        progress: bool | None = None,
        thinking: bool | int = False,
    ) -> Any:
        """One value for one prompt, a list of the same length and order for a list.

        prompts: a str, chat messages (a list of dicts with `role` and `content`), or a list of these.
        schema: a type, a JSON Schema, Regex, EBNF, Lark, Choice, Grammar, a compiled Constraint; None is text; a list
        is one a prompt.
        max_tokens: most tokens of the answer. thinking: reason first; True gives it as many tokens again, or a budget.
        temperature, top_p, top_k, min_p, repetition_penalty, seed, n, logprobs: or together as sampling=.
        Greedy by default. seed: an int or one a prompt; None draws one a row, which the completion records.
        n: more than one gives a list of samples for each prompt.
        stop: strings that end the text; they are not part of it. timeout: seconds from this call on; what is not done
        by then fails alone. instruction: what to do, before the schema. examples: (document, object) pairs.
        details: completions instead of values. on_error: "raise" after all rows have run, or "return" failed
        completions among the values. progress: a bar on standard error; None shows it for long batches on a terminal.

        Raises TypeError or ValueError for arguments, SchemaError for a schema shared by all prompts, a single prompt's
        own error (RequestError, GenerationError, EngineFailedError), or for a list one BatchError.
        """
        law = {"temperature": temperature, "top_p": top_p, "top_k": top_k, "min_p": min_p}
        law |= {"repetition_penalty": repetition_penalty}
        drawing = {"seed": seed, "n": n, "logprobs": logprobs, "sampling": sampling}
        ends = {"max_tokens": max_tokens, "stop": stop, "timeout": timeout, "thinking": thinking}
        prompt = {"instruction": instruction, "examples": examples}
        answer = {"details": details, "on_error": on_error, "progress": progress}
        return self._call(prompts, schema, {**law, **drawing, **ends, **prompt, **answer}).run()

    @overload
    async def agenerate(self, prompts: One, schema: TextSpec | None = None, **options: Unpack[Plain]) -> str: ...  # type: ignore[overload-overlap]
    @overload
    async def agenerate(self, prompts: Many, schema: TextSpec | None = None, **options: Unpack[Plain]) -> list[str]: ...
    @overload
    async def agenerate(self, prompts: One, schema: type[T], **options: Unpack[Plain]) -> T: ...  # type: ignore[overload-overlap]
    @overload
    async def agenerate(self, prompts: Many, schema: type[T], **options: Unpack[Plain]) -> list[T]: ...
    @overload
    async def agenerate(  # type: ignore[overload-overlap]
        self, prompts: One, schema: TextSpec | None = None, **options: Unpack[Detailed]
    ) -> Completion[str]: ...
    @overload
    async def agenerate(
        self, prompts: Many, schema: TextSpec | None = None, **options: Unpack[Detailed]
    ) -> list[Completion[str]]: ...
    @overload
    async def agenerate(self, prompts: One, schema: type[T], **options: Unpack[Detailed]) -> Completion[T]: ...  # type: ignore[overload-overlap]
    @overload
    async def agenerate(self, prompts: Many, schema: type[T], **options: Unpack[Detailed]) -> list[Completion[T]]: ...
    @overload
    async def agenerate(self, prompts: One, schema: Any, **options: Unpack[Plain]) -> Any: ...
    @overload
    async def agenerate(self, prompts: Many, schema: Any, **options: Unpack[Plain]) -> list[Any]: ...
    @overload
    async def agenerate(self, prompts: One, schema: Any, **options: Unpack[Detailed]) -> Completion[Any]: ...
    @overload
    async def agenerate(self, prompts: Many, schema: Any, **options: Unpack[Detailed]) -> list[Completion[Any]]: ...
    @overload
    async def agenerate(self, prompts: Prompts, schema: Any = None, **options: Unpack[AnyOptions]) -> Any: ...
    async def agenerate(self, prompts: Prompts, schema: Any = None, **options: Any) -> Any:
        """`generate` for an event loop: the same arguments, values and errors. Cancelling the task aborts its rows."""
        return await self._call(prompts, schema, options).run_async()

    @overload
    def stream(
        self, prompt: One, schema: TextSpec | None = None, **options: Unpack[StreamOptions]
    ) -> Iterator[Partial[str]]: ...
    @overload
    def stream(self, prompt: One, schema: type[T], **options: Unpack[StreamOptions]) -> Iterator[Partial[T]]: ...
    @overload
    def stream(self, prompt: One, schema: Any, **options: Unpack[StreamOptions]) -> Iterator[Partial[Any]]: ...
    def stream(self, prompt: One, schema: Any = None, **options: Any) -> Iterator[Partial[Any]]:
        """The value so far while tokens arrive, and last, with `done`, the whole one. Takes the options of `generate`
        that make sense for one value: not n, details, on_error and progress.

        Arguments are checked at once; the prompt's own error is raised where its text ends. Leaving the loop early
        aborts the request.
        """
        check_names(options, StreamOptions)
        call = self._call(prompt, schema, {**options, "details": True}, streamed=True)
        return watch(call, self._compiler.compile(schema))

    def _call(self, prompts: Any, schema: Any, options: dict[str, Any], *, streamed: bool = False) -> Call:
        """Everything checked, nothing started."""
        check_names(options, AnyOptions)
        texts, single = read_prompts(prompts)
        if streamed and not single:
            raise TypeError("stream takes one prompt: a str or the messages of one conversation")
        schemas = read_schemas(schema, len(texts), single=single)
        read = read_options(len(texts), single, **options)
        if streamed and read.sampling.n > 1:
            raise ValueError(f"stream gives one value, so n must be 1, not {read.sampling.n}")
        rows = Rows(self._compiler, self._runner.limit, read)
        shared = not isinstance(schema, (list, tuple))
        if texts and read.on_error == "raise" and shared:
            rows.form(schema)
        seeds = self._seeds
        return Call(self._runner, rows, read, texts, schemas, seeds, single=single, shared=shared, streamed=streamed)


LLM.agenerate.__signature__ = inspect.signature(LLM.generate)  # type: ignore[attr-defined]
