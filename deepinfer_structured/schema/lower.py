"""Anything that `schema=` accepts as one grammar with a report; the seam below which no Python type is seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from deepinfer_structured import library
from deepinfer_structured.errors import UnsatisfiableSchemaError, UnsupportedSchemaError
from deepinfer_structured.schema.ebnf import parse_ebnf
from deepinfer_structured.schema.grammar import Literal, Rules, alt
from deepinfer_structured.schema.jsonschema import lower_json_schema
from deepinfer_structured.schema.productive import prune
from deepinfer_structured.schema.python_types import type_schema
from deepinfer_structured.schema.regex import fullmatch
from deepinfer_structured.schema.report import Entry, Report
from deepinfer_structured.schema.spec import EBNF, Choice, Grammar, JSONSchema, Lark, Regex


@dataclass(frozen=True, slots=True, kw_only=True)
class Lowered:
    """A grammar without dead ends, what became of the keywords, and what the value is made by."""

    grammar: Rules
    report: Report
    json_schema: Mapping[str, Any] | bool | None = None
    resources: Mapping[str, Any] | None = None
    adapter: TypeAdapter[Any] | None = None


def lower(schema: Any, *, strict: bool = True, resources: Mapping[str, Any] | None = None) -> Lowered:
    """The grammar of a schema. `Lark` text is turned into EBNF before it comes here."""
    if isinstance(schema, (bool, Mapping)):
        schema = JSONSchema(schema)
    match schema:
        case JSONSchema(document, own):
            found = {**(own or {}), **(resources or {})}
            return _json(document, strict=strict, resources=found, adapter=None)
        case Regex(pattern):
            return _text(Rules({"root": fullmatch(pattern)}), "regex", "no text matches the pattern")
        case EBNF(text, root):
            return _text(parse_ebnf(text, root), "grammar", f"rule {root!r} has no finite text")
        case Grammar(name):
            return _text(parse_ebnf(library.text(name)), "grammar", "no finite text")
        case Choice(options):
            for index, option in enumerate(options):
                if not option.isprintable() and any(0xD800 <= ord(char) <= 0xDFFF for char in option):
                    raise UnsupportedSchemaError(f"option {index} of Choice, {option!r}, has half a surrogate pair")
            return _text(Rules({"root": alt(*map(Literal, options))}), "choice", "Choice has no options")
        case Lark():
            raise TypeError("Lark text must be converted first")
        case str() | int() | float() | bytes():
            raise TypeError(f"schema must be a type, a dict, or one of Regex, EBNF, Choice and so on, not {schema!r}")
        case _:
            return _type(schema, strict=strict)


def _text(grammar: Rules, keyword: str, reason: str) -> Lowered:
    pruned = prune(grammar)
    if pruned is None:
        raise UnsatisfiableSchemaError(f"no text conforms: {reason}")
    return Lowered(grammar=pruned, report=Report((Entry(pointer="", keyword=keyword, verdict="enforced"),)))


def _type(kind: Any, *, strict: bool) -> Lowered:
    found = type_schema(kind)
    lowered = _json(found.schema, strict=strict, resources=None, adapter=found.adapter)
    if not found.has_validators:
        return lowered
    entry = Entry(pointer="", keyword="validators", verdict="checked", note="functions of the type run on the value")
    return Lowered(
        grammar=lowered.grammar,
        report=Report((*lowered.report.entries, entry)),
        json_schema=lowered.json_schema,
        adapter=lowered.adapter,
    )


def _json(
    schema: Any, *, strict: bool, resources: Mapping[str, Any] | None, adapter: TypeAdapter[Any] | None
) -> Lowered:
    typed = adapter is not None
    grammar, report, never = lower_json_schema(schema, strict=strict, resources=resources, typed=typed)
    pruned = prune(grammar)
    if pruned is None:
        pointer, reason = never or ("", "it needs an endless value")
        raise UnsatisfiableSchemaError(f"no value satisfies the schema: {reason}", pointer=pointer)
    return Lowered(grammar=pruned, report=report, json_schema=schema, resources=resources, adapter=adapter)
