"""Schemas compiled for one vocabulary, under limits and behind a cache keyed by content; runs no model."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from deepinfer_structured.constraint.checks import Check, SchemaCheck, TextCheck, TypeCheck
from deepinfer_structured.constraint.constraint import Constraint, TextConstraint
from deepinfer_structured.constraint.vocabulary import Vocabulary
from deepinfer_structured.constraint.xgrammar_engine import Compiled, Engine
from deepinfer_structured.errors import CompileLimitError, GrammarSyntaxError
from deepinfer_structured.schema.ebnf import parse_ebnf
from deepinfer_structured.schema.grammar import weigh
from deepinfer_structured.schema.lower import Lowered, lower
from deepinfer_structured.schema.render import render
from deepinfer_structured.schema.spec import EBNF, JSONSchema, Lark


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one schema may cost."""

    states: int = 400_000
    seconds: float = 20.0
    cache_bytes: int = 64 << 20


class Compiler:
    """Compiles for one vocabulary. Safe to share between threads; equal schemas are compiled once."""

    def __init__(self, vocabulary: Vocabulary, *, limits: Limits | None = None) -> None:
        self.vocabulary = vocabulary
        self.limits = limits or Limits()
        self._engine = Engine(vocabulary)
        self._lock = threading.Lock()
        self._pending: dict[Any, Future[Constraint]] = {}
        self._cache: OrderedDict[Any, Constraint] = OrderedDict()
        self._text = TextConstraint(vocabulary)

    def compile(
        self, schema: Any, *, strict: bool = True, resources: Mapping[str, Any] | None = None
    ) -> Constraint | TextConstraint:
        """The constraint of a schema; None is free text, a constraint is itself."""
        if schema is None:
            return self._text
        if isinstance(schema, (Constraint, TextConstraint)):
            if schema.vocabulary.hash != self.vocabulary.hash:
                message = "the constraint was compiled for the tokenizer"
                raise ValueError(f"{message} {schema.vocabulary.name!r}, this is {self.vocabulary.name!r}")
            return schema
        try:
            key = _key(schema, strict, resources)
            if key is None:
                return self._build(schema, strict, resources)
            return self._once(key, lambda: self._build(schema, strict, resources))
        except RecursionError as error:
            raise CompileLimitError("the schema is nested too deep") from error

    @property
    def cached_bytes(self) -> int:
        """What the cache holds now."""
        return sum(entry.size_bytes for entry in list(self._cache.values()))

    def _once(self, key: Any, build: Callable[[], Constraint]) -> Constraint:
        """Built by the first thread that asks; the others wait for it."""
        with self._lock:
            if key in self._cache:
                self._cache.move_to_end(key)
                return self._cache[key]
            future = self._pending.get(key)
            mine = future is None
            if future is None:
                future = self._pending[key] = Future()
        if not mine:
            return future.result()
        try:
            built = build()
        except BaseException as error:
            future.set_exception(error)
            raise
        else:
            with self._lock:
                self._cache[key] = built
                while len(self._cache) > 1 and self.cached_bytes > self.limits.cache_bytes:
                    self._cache.popitem(last=False)
            future.set_result(built)
            return built
        finally:
            with self._lock:
                self._pending.pop(key, None)

    def _build(self, schema: Any, strict: bool, resources: Mapping[str, Any] | None) -> Constraint:
        if isinstance(schema, Lark):
            schema = EBNF(_plain(self._engine.from_lark(schema.text, schema.start)))
        lowered = lower(schema, strict=strict, resources=resources)
        check = _check(lowered, schema)
        weight = weigh(lowered.grammar, self.limits.states)
        text = render(lowered.grammar)
        compiled = self._engine.compile(text) if weight < _QUICK else self._in_time(text)
        return Constraint(lowered, compiled, check, self.vocabulary)

    def _in_time(self, ebnf: str) -> Compiled:
        """Compile in a thread of its own; what overruns is left to end by itself."""
        result: Future[Compiled] = Future()

        def work() -> None:
            try:
                result.set_result(self._engine.compile(ebnf))
            except Exception as error:  # noqa: BLE001 - handed to the waiting thread
                result.set_exception(error)

        threading.Thread(target=work, daemon=True, name="deepinfer-compile").start()
        try:
            return result.result(timeout=self.limits.seconds)
        except FutureTimeoutError as error:
            raise CompileLimitError(f"compiling took longer than {self.limits.seconds:g} s") from error


_QUICK = 5_000


@lru_cache(maxsize=4)
def compiler_for(tokenizer: str) -> Compiler:
    """One compiler a tokenizer."""
    return Compiler(Vocabulary.load(tokenizer))


def compile_schema(
    schema: Any, *, strict: bool = True, tokenizer: str | Path = "nano", resources: Mapping[str, Any] | None = None
) -> Constraint | TextConstraint:
    """A compiled constraint; no weights are loaded."""
    if not isinstance(strict, bool):
        raise TypeError(f"strict must be a bool, not {type(strict).__name__}: {strict!r}")
    if not isinstance(tokenizer, (str, Path)):
        raise TypeError(f"tokenizer must be a name or a path, not {type(tokenizer).__name__}: {tokenizer!r}")
    if resources is not None and not (
        isinstance(resources, Mapping) and all(isinstance(uri, str) for uri in resources)
    ):
        raise TypeError(f"resources must be a dict of schemas by URI, not {type(resources).__name__}: {resources!r}")
    return compiler_for(str(tokenizer)).compile(schema, strict=strict, resources=resources)


def _plain(ebnf: str) -> str:
    """The grammar that Lark text became. Raises GrammarSyntaxError for what EBNF has no word for."""
    try:
        parse_ebnf(ebnf, "root")
    except GrammarSyntaxError as error:
        line = ebnf.split("\n")[(error.line or 1) - 1]
        message = f"Lark grammar: it becomes {line!r}, which is not supported (a pattern with flags, for instance)"
        raise GrammarSyntaxError(message) from error
    return ebnf


def _check(lowered: Lowered, schema: Any) -> Check:
    if lowered.adapter is not None:
        return TypeCheck(lowered.adapter, schema)
    if lowered.json_schema is not None:
        return SchemaCheck(lowered.json_schema, lowered.resources)
    return TextCheck()


def _key(schema: Any, strict: bool, resources: Mapping[str, Any] | None) -> Any:
    """Equal keys mean equal constraints; None where that cannot be told."""
    try:
        if isinstance(schema, JSONSchema):
            resources = {**(schema.resources or {}), **(resources or {})}
            schema = schema.schema
        if isinstance(schema, (bool, Mapping)):
            return "json", json.dumps([schema, resources or {}]), strict
        hash(schema)
    except (TypeError, ValueError):
        return None
    return type(schema), schema, strict
