"""References of a schema made absolute and looked up, in the document and in given resources; fetches nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

from deepinfer_structured.errors import CompileLimitError, UnsupportedSchemaError
from deepinfer_structured.schema.jsonschema.keywords import SUBSCHEMA, SUBSCHEMA_LIST, SUBSCHEMA_MAP, join

ROOT = "root:/"
MAX_DEPTH = 200


class Document:
    """A schema and its resources, every `$ref` absolute."""

    def __init__(self, schema: Any, resources: Mapping[str, Any] | None = None) -> None:
        self._places: dict[str, tuple[Any, str]] = {}
        self._raw: dict[str, tuple[Any, str]] = {}
        for uri, resource in (resources or {}).items():
            self._register(urldefrag(uri)[0], self._absolute(resource, urldefrag(uri)[0], uri + "#", 0), uri + "#")
        self.root = self._absolute(schema, ROOT, "", 0)
        self._register(ROOT, self.root, "")

    def lookup(self, reference: str, pointer: str) -> tuple[Any, str]:
        """The schema that an absolute reference names, and its pointer."""
        if reference in self._places:
            return self._places[reference]
        base, fragment = urldefrag(reference)
        if base not in self._places or (fragment and not fragment.startswith("/")):
            raise self._missing(reference, pointer)
        current, where = self._places[base]
        for part in unquote(fragment).split("/")[1:]:
            key = part.replace("~1", "/").replace("~0", "~")
            if isinstance(current, Mapping) and key in current:
                current = current[key]
            elif isinstance(current, list) and key.isdigit() and int(key) < len(current):
                current = current[int(key)]
            else:
                raise self._missing(reference, pointer)
            where = join(where, key)
        self._places[reference] = current, where
        return current, where

    def _register(self, uri: str, schema: Any, pointer: str) -> None:
        self._places[uri] = schema, pointer

    def _missing(self, reference: str, pointer: str) -> UnsupportedSchemaError:
        shown = reference.removeprefix(ROOT)
        hint = "" if shown.startswith("#") else "; nothing is fetched, pass it in resources={uri: schema}"
        return UnsupportedSchemaError(f"$ref {shown!r} names nothing{hint}", pointer=join(pointer, "$ref"))

    def _absolute(self, schema: Any, base: str, pointer: str, depth: int) -> Any:
        if isinstance(schema, bool):
            return schema
        if not isinstance(schema, Mapping):
            message = f"a schema is an object or a boolean, not {schema!r}"
            raise UnsupportedSchemaError(message, pointer=pointer)
        if depth > MAX_DEPTH:
            raise CompileLimitError(f"the schema is nested more than {MAX_DEPTH} deep", pointer=pointer)
        own = schema.get("$id", schema.get("id"))
        is_resource = isinstance(own, str) and not own.startswith("#") and depth > 0
        if isinstance(own, str) and not own.startswith("#"):
            base = urldefrag(urljoin(base, own))[0] if base != ROOT or "://" in own or own.startswith("urn:") else base
        copy = {key: self._child(key, value, base, join(pointer, key), depth + 1) for key, value in schema.items()}
        if isinstance(copy.get("$ref"), str):
            copy["$ref"] = _resolve(base, copy["$ref"])
        if is_resource or (depth == 0 and base != ROOT):
            self._register(base, copy, pointer)
        for anchor in (copy.get("$anchor"), own[1:] if isinstance(own, str) and own.startswith("#") else None):
            if isinstance(anchor, str):
                self._register(f"{base}#{anchor}", copy, pointer)
        return copy

    def _child(self, key: str, value: Any, base: str, pointer: str, depth: int) -> Any:
        if key in SUBSCHEMA_LIST and isinstance(value, list):
            return [self._absolute(item, base, join(pointer, at), depth) for at, item in enumerate(value)]
        if key in SUBSCHEMA_MAP and isinstance(value, Mapping):
            return {
                name: item if isinstance(item, list) else self._absolute(item, base, join(pointer, name), depth)
                for name, item in value.items()
            }
        return self._absolute(value, base, pointer, depth) if key in SUBSCHEMA else value


def _resolve(base: str, reference: str) -> str:
    if reference.startswith("#"):
        return base + reference if reference != "#" else base
    target = reference if base == ROOT and "://" not in reference else urljoin(base, reference)
    return target.removesuffix("#")
