"""References followed and conjunctions merged until one flat schema is left; emits nothing."""

from __future__ import annotations

from typing import Any

from deepinfer_structured.errors import CompileLimitError, UnsupportedSchemaError
from deepinfer_structured.schema.jsonschema.keywords import QUIET, join
from deepinfer_structured.schema.jsonschema.merge import merge
from deepinfer_structured.schema.jsonschema.resolve import ROOT, Document
from deepinfer_structured.schema.report import Notes

MAX_HOPS = 500


class Flattener:
    """Makes schemas flat: no `$ref`, no `allOf`, draft-7 spellings in today's form."""

    def __init__(self, document: Document, notes: Notes) -> None:
        self._document = document
        self._notes = notes

    def flat(self, schema: Any, pointer: str, seen: tuple[str, ...] = ()) -> tuple[Any, str]:
        """The flat schema and the pointer of what it came from."""
        if not isinstance(schema, dict):
            return schema, pointer
        if len(seen) > MAX_HOPS:
            raise CompileLimitError(f"more than {MAX_HOPS} references in a row", pointer=pointer)
        own = {key: value for key, value in schema.items() if key not in ("$ref", "allOf", *QUIET)}
        result: Any = self._modern(own, pointer)
        where = pointer
        if "$ref" in schema:
            target, place = self._follow(schema, pointer, seen)
            where = pointer if result else place
            result = merge(result, target)
        if "allOf" in schema:
            if not isinstance(schema["allOf"], list):
                raise UnsupportedSchemaError("allOf takes an array", pointer=join(pointer, "allOf"))
            self._notes.add(pointer, "allOf", "enforced", "merged into one schema")
            for index, part in enumerate(schema["allOf"]):
                inner, _ = self.flat(part, join(pointer, "allOf", index), (*seen, ""))
                result = merge(result, inner)
        return result, where

    def _follow(self, schema: dict[str, Any], pointer: str, seen: tuple[str, ...]) -> tuple[Any, str]:
        reference = schema["$ref"]
        if not isinstance(reference, str):
            raise UnsupportedSchemaError(f"$ref takes a string, not {reference!r}", pointer=join(pointer, "$ref"))
        if reference in seen:
            message = f"$ref {reference.removeprefix(ROOT) or '#'!r} refers to itself and never reaches a value"
            raise UnsupportedSchemaError(message, pointer=join(pointer, "$ref"))
        self._notes.add(pointer, "$ref", "enforced")
        target, place = self._document.lookup(reference, pointer)
        return self.flat(target, place, (*seen, reference))

    def _modern(self, schema: dict[str, Any], pointer: str) -> dict[str, Any]:
        """Draft-4 to draft-7 spellings: `items` as an array, exclusive bounds as flags, `nullable`."""
        if isinstance(schema.get("items"), list):
            self._notes.add(pointer, "items", "rewritten", "an array of schemas is prefixItems today")
            today = {"prefixItems": schema["items"]}
            if "additionalItems" in schema:
                today["items"] = schema["additionalItems"]
            kept = {key: value for key, value in schema.items() if key not in ("items", "additionalItems")}
            schema = {**kept, **today}
        for flag, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
            if isinstance(schema.get(flag), bool):
                on = schema[flag] and bound in schema
                value = schema.get(bound)
                drop = (flag, bound) if on else (flag,)
                schema = {key: word for key, word in schema.items() if key not in drop}
                if on:
                    schema[flag] = value
        return schema
