"""Objects and arrays of a flat schema: keys in declared order, each once; counts in the rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from jsonschema import Draft202012Validator

from deepinfer_structured.errors import RegexSyntaxError, UnsupportedSchemaError
from deepinfer_structured.schema.grammar import EMPTY, NEVER, Literal, Node, Ref, alt, repeat, seq
from deepinfer_structured.schema.jsonschema.choices import inline
from deepinfer_structured.schema.jsonschema.context import Walk
from deepinfer_structured.schema.jsonschema.keywords import join
from deepinfer_structured.schema.jsonschema.strings import any_string, escape, key, linear, quoted, string_except
from deepinfer_structured.schema.jsonschema.text import count
from deepinfer_structured.schema.regex import search

COMMA = Literal(",")


def braces(opening: str, member: Node, closing: str, low: int = 0, high: int | None = None) -> Node:
    """`low` to `high` members between brackets."""
    return seq(Literal(opening), members(member, low, high), Literal(closing))


def members(member: Node, low: int, high: int | None) -> Node:
    """Members with commas between them."""
    if member == NEVER or high == 0:
        return EMPTY if low == 0 else NEVER
    more = None if high is None else high - 1
    some = seq(member, repeat(seq(COMMA, member), max(low - 1, 0), more))
    return some if low else alt(EMPTY, some)


def array(flat: dict[str, Any], pointer: str, walk: Walk) -> Node:
    """The arrays of a flat schema."""
    low, high = count(flat, "minItems", pointer) or 0, count(flat, "maxItems", pointer)
    prefix = flat.get("prefixItems", [])
    if not isinstance(prefix, list):
        raise UnsupportedSchemaError(
            f"prefixItems takes an array, not {prefix!r}", pointer=join(pointer, "prefixItems")
        )
    for word in ("minItems", "maxItems", "prefixItems", "items"):
        if word in flat:
            walk.notes.add(pointer, word, "enforced")
    if flat.get("uniqueItems"):
        single = high is not None and high <= 1
        walk.notes.add(pointer, "uniqueItems", "enforced" if single else "checked")
    if high is not None and low > high:
        return walk.nothing(pointer, f"minItems {low} is above maxItems {high}")
    rest = flat.get("items", True)
    if prefix and "items" not in flat and high is None:
        high = max(low, len(prefix))
        walk.notes.add(pointer, "items", "rewritten", "not given; closed after prefixItems")
    if not prefix:
        item = walk.value(rest, join(pointer, "items")) if high != 0 else NEVER
        return braces("[", item, "]", low, high)
    firsts = [walk.value(schema, join(pointer, "prefixItems", index)) for index, schema in enumerate(prefix)]
    more = None if high is None else max(0, high - len(firsts))
    item = walk.value(rest, join(pointer, "items")) if more != 0 else NEVER
    node = repeat(seq(COMMA, item), max(0, low - len(firsts)), more)
    for index in range(len(firsts) - 1, -1, -1):
        head = firsts[index] if index == 0 else seq(COMMA, firsts[index])
        here = NEVER if high is not None and index >= high else seq(head, node)
        node = here if index < low else alt(EMPTY, here)
        if node == NEVER:
            return walk.nothing(pointer, "an item that must be there cannot be")
    return seq(Literal("["), node, Literal("]"))


@dataclass(frozen=True, slots=True)
class _Member:
    """A declared property: its key and value, and whether it must be there."""

    node: Node
    required: bool


def object_(flat: dict[str, Any], pointer: str, walk: Walk) -> Node:
    """The objects of a flat schema."""
    low, high = count(flat, "minProperties", pointer) or 0, count(flat, "maxProperties", pointer)
    for word in ("properties", "required", "patternProperties", "propertyNames", "minProperties", "maxProperties"):
        if word in flat:
            walk.notes.add(pointer, word, "enforced")
    if high is not None and low > high:
        return walk.nothing(pointer, f"minProperties {low} is above maxProperties {high}")
    declared = _declared(flat, pointer, walk)
    if declared is None:
        return NEVER
    extra = _extra(flat, [*flat.get("properties", {}), *flat.get("required", [])], pointer, walk)
    return seq(Literal("{"), _chain(declared, extra, low, high, walk), Literal("}"))


def _declared(flat: dict[str, Any], pointer: str, walk: Walk) -> list[_Member] | None:
    properties, required = flat.get("properties", {}), flat.get("required", [])
    if not isinstance(properties, dict):
        raise UnsupportedSchemaError(
            f"properties takes an object, not {properties!r}", pointer=join(pointer, "properties")
        )
    if not isinstance(required, list) or not all(isinstance(name, str) for name in required):
        raise UnsupportedSchemaError(f"required takes names, not {required!r}", pointer=join(pointer, "required"))
    other = flat.get("additionalProperties", True)
    found: list[_Member] = []
    for name in dict.fromkeys([*properties, *required]):
        must = name in required
        place = join(pointer, "properties", name)
        schema = _property(flat, name, other, pointer)
        allowed = schema is not False and _name_fits(flat, name, pointer, walk)
        value = walk.value(schema, place) if allowed else NEVER
        if value == NEVER:
            if must:
                walk.nothing(place, f"the property {name!r} is required and can have no value")
                return None
            continue
        found.append(_Member(seq(key(name), value), must))
    return found


def _property(flat: dict[str, Any], name: str, other: Any, pointer: str) -> Any:
    parts = [flat["properties"][name]] if name in flat.get("properties", {}) else []
    for pattern, schema in flat.get("patternProperties", {}).items():
        if _matches(pattern, name, pointer):
            parts.append(schema)
    if not parts:
        return other
    return parts[0] if len(parts) == 1 else {"allOf": parts}


def _matches(pattern: str, name: str, pointer: str) -> bool:
    try:
        return bool(Draft202012Validator({"pattern": pattern}).is_valid(name))
    except Exception as error:
        raise RegexSyntaxError(
            f"bad pattern {pattern!r}: {error}", pointer=join(pointer, "patternProperties")
        ) from error


def _name_fits(flat: dict[str, Any], name: str, pointer: str, walk: Walk) -> bool:
    names = flat.get("propertyNames", True)
    if names is True:
        return True
    return bool(Draft202012Validator(inline(names, walk.document, pointer)).is_valid(name))


def _extra(flat: dict[str, Any], names: list[str], pointer: str, walk: Walk) -> Node:
    """One further property, or NEVER where the object is closed."""
    other = flat.get("additionalProperties")
    patterns = flat.get("patternProperties", {})
    nodes: list[Node] = []
    for pattern, schema in patterns.items():
        where = join(pointer, "patternProperties", pattern)
        value = walk.value(schema, where)
        try:
            name = linear(walk, [search(pattern)]) or quoted(search(pattern, escape))
        except RegexSyntaxError as error:
            raise RegexSyntaxError(error.message, pointer=where, offset=error.offset) from error
        nodes.append(NEVER if schema is False else seq(name, Literal(":"), value))
    if len(patterns) > 1 or (patterns and names):
        walk.notes.add(pointer, "patternProperties", "checked", "keys that fit in two places are checked")
    if other is None and (flat.get("properties") or patterns):
        walk.notes.add(pointer, "additionalProperties", "rewritten", "not given; only declared keys are generated")
    elif other is not False and patterns:
        walk.notes.add(pointer, "additionalProperties", "rewritten", "keys outside the patterns are not generated")
    elif other is not False:
        if other is not None:
            walk.notes.add(pointer, "additionalProperties", "enforced")
        value = Ref("json_any") if other in (None, True) else walk.value(other, join(pointer, "additionalProperties"))
        nodes.append(seq(_extra_name(flat, names, pointer, walk), Literal(":"), value))
    else:
        walk.notes.add(pointer, "additionalProperties", "enforced")
    found = alt(*(node for node in nodes if node != NEVER))
    if found != NEVER:
        walk.notes.add(pointer, "additionalProperties", "checked", "that no further key comes twice")
    return found


def _extra_name(flat: dict[str, Any], names: list[str], pointer: str, walk: Walk) -> Node:
    rule = flat.get("propertyNames", True)
    if rule is not True and rule != {}:
        where = join(pointer, "propertyNames")
        return walk.value({"allOf": [{"type": "string"}, rule]}, where)
    return string_except(names) if names else any_string()


def _chain(declared: list[_Member], extra: Node, low: int, high: int | None, walk: Walk) -> Node:
    """Right-linear rules over (next property, properties so far); the count stops where it no longer matters."""
    must_later = [0] * (len(declared) + 1)
    for index in range(len(declared) - 1, -1, -1):
        must_later[index] = must_later[index + 1] + declared[index].required
    cap = max(1, low, high or 0)
    states: dict[tuple[int, int], Node] = {}
    for index in range(len(declared), -1, -1):
        for so_far in range(min(index, cap) + 1):
            if index == len(declared):
                states[index, so_far] = _tail(extra, so_far, low, high)
                continue
            member = declared[index]
            lead = COMMA if so_far else EMPTY
            full = high is not None and so_far >= high
            taken = NEVER if full else seq(lead, member.node, states[index + 1, min(so_far + 1, cap)])
            skipped = NEVER if member.required else states[index + 1, so_far]
            both = alt(skipped, taken)
            inline_it = both == NEVER or member.required
            states[index, so_far] = both if inline_it else Ref(walk.fresh(both))
    return states[0, 0]


def _tail(extra: Node, so_far: int, low: int, high: int | None) -> Node:
    need = max(0, low - so_far)
    room = None if high is None else max(0, high - so_far)
    if extra == NEVER:
        return EMPTY if need == 0 else NEVER
    return repeat(seq(COMMA, extra), need, room) if so_far else members(extra, need, room)
