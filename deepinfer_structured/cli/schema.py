"""The schema that a command line asks for: a class, a JSON Schema, a pattern, texts or a grammar."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import typer

from deepinfer_structured.schema.spec import EBNF, Choice, Grammar, JSONSchema, Regex

__all__ = ["Given", "read_schema", "read_text"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """The options as they were written; at most one may be set."""

    schema: str | None = None
    regex: str | None = None
    choice: list[str] | None = None
    ebnf: Path | None = None
    grammar: str | None = None


def read_schema(given: Given) -> Any:
    """What `schema=` takes, or None. Raises typer.BadParameter for what cannot be read."""
    named = {name: getattr(given, name) for name in Given.__dataclass_fields__}
    chosen = [name for name, value in named.items() if value is not None and value != []]
    if len(chosen) > 1:
        raise typer.BadParameter(f"give only one of {' and '.join('--' + name for name in chosen)}")
    if given.regex is not None:
        return Regex(given.regex)
    if given.choice:
        return Choice(given.choice)
    if given.ebnf is not None:
        return EBNF(read_text(given.ebnf))
    if given.grammar is not None:
        return Grammar(given.grammar)
    return _named(given.schema) if given.schema is not None else None


def read_text(path: Path) -> str:
    """The text of a file."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise typer.BadParameter(f"cannot read {path}: {error}") from error


def read_stdin() -> str:
    """The text of standard input."""
    try:
        return sys.stdin.read()
    except UnicodeDecodeError as error:
        raise typer.BadParameter(f"cannot read standard input: {error}") from error


def _named(name: str) -> Any:
    place, colon, attribute = name.rpartition(":")
    if not colon:
        return _json(Path(name))
    module = _file_module(Path(place)) if place.endswith(".py") else _installed_module(place)
    value: Any = module
    for part in attribute.split("."):
        if not hasattr(value, part):
            raise typer.BadParameter(f"{place} has no {attribute!r}")
        value = getattr(value, part)
    return value


def _json(path: Path) -> JSONSchema:
    try:
        return JSONSchema(json.loads(read_text(path)))
    except (ValueError, TypeError, RecursionError) as error:
        raise typer.BadParameter(f"{path} is no JSON Schema: {error}") from error


def _file_module(path: Path) -> ModuleType:
    """A module from a file, known under its stem so that its classes find their own names."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise typer.BadParameter(f"there is no Python file {path}")
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    with _told(path):
        spec.loader.exec_module(module)
    return module


def _installed_module(name: str) -> ModuleType:
    with _told(name):
        return importlib.import_module(name)


@contextlib.contextmanager
def _told(name: str | Path) -> Iterator[None]:
    """Whatever a module raises while it is imported, as one line."""
    try:
        yield
    except Exception as error:
        raise typer.BadParameter(f"cannot import {str(name)!r}: {type(error).__name__}: {error}") from error
