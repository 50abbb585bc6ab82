"""A resolved JSON Schema as grammar rules, with a verdict for each keyword; knows no tokens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from deepinfer_structured.errors import CompileLimitError, UnsupportedSchemaError
from deepinfer_structured.schema.grammar import NEVER, Literal, Node, Ref, Rules, alt, seq
from deepinfer_structured.schema.jsonschema import containers, numeric, text
from deepinfer_structured.schema.jsonschema.choices import disjoint, one_of_values
from deepinfer_structured.schema.jsonschema.flatten import Flattener
from deepinfer_structured.schema.jsonschema.keywords import (
    ANNOTATIONS,
    BY_TYPE,
    COMPANIONS,
    KNOWN,
    QUIET,
    REFUSED,
    TYPES,
    join,
    key_of,
)
from deepinfer_structured.schema.jsonschema.merge import UNMERGED, merge, types_of
from deepinfer_structured.schema.jsonschema.resolve import Document
from deepinfer_structured.schema.jsonschema.strings import CHAR, any_string, char_rule
from deepinfer_structured.schema.report import Notes, Report

ANY = "json_any"
MAX_RULES = 20_000
_LITERALS: dict[str, Node] = {"null": Literal("null"), "boolean": alt(Literal("true"), Literal("false"))}


def lower_json_schema(
    schema: Any, *, strict: bool = True, resources: Mapping[str, Any] | None = None, typed: bool = False
) -> tuple[Rules, Report, tuple[str, str] | None]:
    """The rules of a schema, what became of its keywords, and where a value first turned out impossible."""
    emitter = Emitter(Document(schema, resources), strict, typed)
    emitter.rules["root"] = emitter.value(emitter.document.root, "")
    emitter.add_shared()
    return Rules(emitter.rules, "root"), emitter.notes.report(), emitter.never


class Emitter:
    """One walk over one schema."""

    def __init__(self, document: Document, strict: bool, typed: bool) -> None:
        self.document = document
        self.strict = strict
        self.typed = typed
        self.rules: dict[str, Node] = {}
        self.notes = Notes()
        self.never: tuple[str, str] | None = None
        self._named: dict[str, str] = {}
        self._open: set[str] = set()
        """The rules of the very value that is being lowered."""
        self._flattener = Flattener(document, self.notes)

    def value(self, schema: Any, pointer: str) -> Node:
        """A reference to the rule for any value of this schema."""
        if schema is True or schema == {}:
            return Ref(ANY)
        if schema is False:
            return self.nothing(pointer, "the schema is false")
        schema, pointer = self._target(schema, pointer)
        if not isinstance(schema, dict) or schema == {}:
            return self.value(schema, pointer)
        key = key_of({name: word for name, word in schema.items() if name not in QUIET})
        if key in self._named:
            if self._named[key] in self._open:
                raise UnsupportedSchemaError("the schema refers to itself before it reaches a value", pointer=pointer)
            return Ref(self._named[key])
        name = self._named[key] = self.fresh()
        self.rules[name] = NEVER
        flat, pointer = self._flattener.flat(schema, pointer)
        self._open.add(name)
        self.rules[name] = self._flat(flat, pointer)
        self._open.discard(name)
        return Ref(name)

    def _target(self, schema: Any, pointer: str) -> tuple[Any, str]:
        """What a chain of bare references ends in."""
        seen: set[str] = set()
        while isinstance(schema, dict) and "$ref" in schema and not set(schema) - {"$ref", *QUIET, *ANNOTATIONS}:
            if schema["$ref"] in seen or not isinstance(schema["$ref"], str):
                return schema, pointer
            seen.add(schema["$ref"])
            self.notes.add(pointer, "$ref", "enforced")
            schema, pointer = self.document.lookup(schema["$ref"], pointer)
        return schema, pointer

    def fresh(self, node: Node | None = None) -> str:
        """A new rule's name."""
        if len(self.rules) > MAX_RULES:
            raise CompileLimitError(f"the schema needs more than {MAX_RULES} rules")
        name = f"v{len(self.rules)}"
        self.rules[name] = NEVER if node is None else node
        return name

    def nothing(self, pointer: str, reason: str) -> Node:
        """No value fits here; remembered for the message, should nothing fit at all."""
        self.never = self.never or (pointer, reason)
        return NEVER

    def add_shared(self) -> None:
        """The rules that stand for any character and any value."""
        self.rules[CHAR] = char_rule()
        value, string = Ref(ANY), Ref("json_string")
        self.rules["json_string"] = any_string()
        self.rules["json_number"] = numeric.number_node({})
        member = seq(string, Literal(":"), value)
        self.rules["json_object"] = containers.braces("{", member, "}")
        self.rules["json_array"] = containers.braces("[", value, "]")
        names = ("json_object", "json_array", "json_string", "json_number")
        self.rules[ANY] = alt(*map(Ref, names), *_LITERALS.values())

    def _flat(self, flat: Any, pointer: str) -> Node:
        if flat is True or flat == {}:
            return Ref(ANY)
        if flat is False:
            return self.nothing(pointer, "no value satisfies both sides of the combination")
        self._note_unenforced(flat, pointer)
        if "const" in flat or "enum" in flat:
            return self._values(flat, pointer)
        for keyword in ("anyOf", "oneOf"):
            if keyword in flat:
                return self._branches(keyword, flat, pointer)
        return self._typed(flat, pointer)

    def _note_unenforced(self, flat: dict[str, Any], pointer: str) -> None:
        for keyword in flat:
            if keyword in REFUSED or keyword in COMPANIONS:
                if keyword in COMPANIONS and COMPANIONS[keyword] not in flat:
                    self.notes.add(pointer, keyword, "annotation", f"means nothing without {COMPANIONS[keyword]}")
                elif self.strict:
                    self.notes.add(pointer, keyword, "refused")
                    message = f"keyword {keyword!r} cannot be enforced; leave it out, or pass strict=False to check it"
                    raise UnsupportedSchemaError(message + " after generation", pointer=join(pointer, keyword))
                else:
                    self.notes.add(pointer, keyword, "checked", "not in the mask")
            elif keyword == UNMERGED:
                for name in flat[UNMERGED]:
                    self.notes.add(pointer, name, "checked", "two of them in one combination; the first is in the mask")
            elif keyword not in KNOWN:
                self.notes.add(pointer, keyword, "annotation")

    def _values(self, flat: dict[str, Any], pointer: str) -> Node:
        keyword = "const" if "const" in flat else "enum"
        values = [flat["const"]] if keyword == "const" else flat["enum"]
        if not isinstance(values, list):
            raise UnsupportedSchemaError(f"enum takes an array, not {values!r}", pointer=join(pointer, "enum"))
        self.notes.add(pointer, keyword, "enforced")
        node = one_of_values(values, flat, pointer, self.document)
        return self.nothing(pointer, f"no value of {keyword} is allowed") if node == NEVER else node

    def _branches(self, keyword: str, flat: dict[str, Any], pointer: str) -> Node:
        branches = flat[keyword]
        if not isinstance(branches, list) or not branches:
            raise UnsupportedSchemaError(f"{keyword} takes a filled array, not {branches!r}", pointer=pointer)
        rest = {name: word for name, word in flat.items() if name != keyword}
        flats = [
            self._flattener.flat(branch, join(pointer, keyword, index))[0] if keyword == "oneOf" else None
            for index, branch in enumerate(branches)
        ]
        if keyword == "oneOf" and not disjoint(flats):
            self.notes.add(pointer, "oneOf", "checked", "any branch is generated; that only one holds is checked")
        else:
            self.notes.add(pointer, keyword, "enforced")
        siblings = {name: word for name, word in rest.items() if name in KNOWN and name not in QUIET}
        return alt(
            *(
                self.value(_sibling_merge(siblings, branch), join(pointer, keyword, index))
                for index, branch in enumerate(branches)
            )
        )

    def _typed(self, flat: dict[str, Any], pointer: str) -> Node:
        types = self._types(flat, pointer)
        nodes: list[Node] = []
        outside, self._open = self._open, set()
        for name in types:
            if name in _LITERALS:
                nodes.append(_LITERALS[name])
            elif name == "integer" or name == "number":
                nodes.append(numeric.number(flat, name, pointer, self))
            elif name == "string":
                nodes.append(text.string(flat, pointer, self))
            elif name == "array":
                nodes.append(containers.array(flat, pointer, self))
            else:
                nodes.append(containers.object_(flat, pointer, self))
        self._open = outside
        return alt(*nodes) if types else self.nothing(pointer, "no type is allowed")

    def _types(self, flat: dict[str, Any], pointer: str) -> list[str]:
        if "type" in flat:
            where = join(pointer, "type")
            if not isinstance(flat["type"], (str, list)):
                raise UnsupportedSchemaError(f"type takes names, not {flat['type']!r}", pointer=where)
            types = types_of(flat["type"])
            unknown = [name for name in types if name not in TYPES]
            if unknown:
                message = f"unknown type {unknown[0]!r}; the types are {', '.join(TYPES)}"
                raise UnsupportedSchemaError(message, pointer=where)
            self.notes.add(pointer, "type", "enforced")
            self._note_idle(flat, types, pointer)
            return [name for name in types if not (name == "integer" and "number" in types)]
        implied = [name for name, words in BY_TYPE.items() if any(word in flat for word in words)]
        if implied:
            self.notes.add(pointer, "type", "rewritten", f"not given; the keywords imply {' or '.join(implied)}")
            return implied
        return ["null", "boolean", "number", "string", "array", "object"]

    def _note_idle(self, flat: dict[str, Any], types: list[str], pointer: str) -> None:
        for name, words in BY_TYPE.items():
            if name not in types and not (name == "number" and "integer" in types):
                for word in words:
                    if word in flat:
                        self.notes.add(pointer, word, "annotation", f"says nothing about {' or '.join(types)}")


def _sibling_merge(siblings: dict[str, Any], branch: Any) -> Any:
    """The siblings hold for the branch as well; references inside are merged when they are followed."""
    if not siblings:
        return branch
    if isinstance(branch, dict) and ("$ref" in branch or "allOf" in branch):
        return {"allOf": [siblings, branch]}
    return merge(siblings, branch)
