"""Tool calls: one of several tools, several calls, or none, from a request in plain words.

    tool_name: description | argument kind label, ... | utterance; utterance

`{argument}` in an utterance is its value; an argument in square brackets is optional, with the piece of text it adds.
"""

import re
from dataclasses import dataclass
from typing import Any

from deepinfer_structured.trainset import kinds
from deepinfer_structured.trainset.catalogue import bare, heldout_names
from deepinfer_structured.trainset.compose import styled
from deepinfer_structured.trainset.draw import Draw
from deepinfer_structured.trainset.example import Example, compact_json
from deepinfer_structured.trainset.tool_table import HELDOUT_TOOLS, TOOLS
from deepinfer_structured.trainset.values import Style, Value, new_style

INSTRUCTIONS = (
    "Call a tool.",
    "Choose the right tool.",
    "Call the right function.",
    "Pick the tool and fill its arguments.",
    "Use a tool.",
    "Extract.",
)


@dataclass(frozen=True, slots=True)
class Argument:
    """One parameter; `extra` is the text that brings an optional one in."""

    name: str
    kind: str
    extra: str = ""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool with the ways people ask for it."""

    name: str
    description: str
    arguments: tuple[Argument, ...]
    utterances: tuple[str, ...]


def read_tools(text: str) -> tuple[ToolSpec, ...]:
    """Every tool of a table."""
    found = []
    for line in text.strip().splitlines():
        head, arguments, utterances = (part.strip() for part in line.split(" | "))
        name, description = head.split(": ", 1)
        parts = re.findall(r"(\w+)=([^;\[]+)(?:\[([^\]]*)\])?", arguments)
        parsed = tuple(Argument(argument, kind.strip(), extra) for argument, kind, extra in parts)
        found.append(ToolSpec(name, description, parsed, tuple(u.strip() for u in utterances.split(";"))))
    return tuple(found)


TRAIN = read_tools(TOOLS)
HELDOUT = read_tools(HELDOUT_TOOLS)
VERBS = (
    "create",
    "update",
    "delete",
    "get",
    "find",
    "list",
    "start",
    "stop",
    "open",
    "close",
    "check",
    "move",
    "assign",
    "order",
    "cancel",
    "print",
)


def random_tool(draw: Draw) -> ToolSpec:
    """A tool made of random words, asked for by its arguments' names."""
    verb, noun = draw.pick(VERBS), draw.word("noun", "en").lower().replace("-", " ").replace("'", "")
    names = {
        draw.word("noun", "en").lower().replace("-", " ").replace("'", ""): draw.pick(kinds.RANDOM_KINDS)
        for _ in range(draw.integer(1, 3))
    }
    names = {
        name: kind
        for name, kind in names.items()
        if name.isascii() and name.replace(" ", "").isalpha() and bare(name) not in heldout_names()
    }
    arguments = tuple(Argument("_".join(name.split()), kind) for name, kind in names.items())
    pieces = [f"{draw.pick(('with', 'and', 'the', 'for'))} {name} {{{'_'.join(name.split())}}}" for name in names]
    lead = draw.pick(
        (f"{verb} the {noun}", f"Please {verb} a {noun}", f"I want to {verb} {noun}", f"{verb.capitalize()} {noun}")
    )
    return ToolSpec(
        f"{verb}_{'_'.join(noun.split())}", f"{verb.capitalize()} {noun}", arguments, (" ".join([lead, *pieces]),)
    )


def filled(draw: Draw, style: Style, tool: ToolSpec) -> tuple[str, dict[str, Value]]:
    """An utterance with values in it."""
    text = draw.pick(tool.utterances)
    given: dict[str, Value] = {}
    for argument in tool.arguments:
        value = kinds.sample(draw, style, argument.kind)
        if f"{{{argument.name}}}" in text:
            text = text.replace(f"{{{argument.name}}}", value.text)
            given[argument.name] = value
        elif argument.extra and draw.chance(0.5):
            mark = text[-1:] if text[-1:] in ".?!" else ""
            text = f"{text.removesuffix(mark)} {argument.extra.replace('{}', value.text)}{mark}"
            given[argument.name] = value
    return text, given


def tool_schema(
    draw: Draw, style: Style, tool: ToolSpec, given: dict[str, Value], naming: str, notes: bool
) -> dict[str, Any]:
    """The schema of one call: the name is a constant, the arguments an object."""
    properties = {}
    for argument in tool.arguments:
        value = given.get(argument.name) or kinds.sample(draw, style, argument.kind)
        note = {"description": argument.name.replace("_", " ").capitalize()} if notes and draw.chance(0.5) else {}
        properties[styled(argument.name, naming)] = {**value.schema, **note}
    required = [styled(argument.name, naming) for argument in tool.arguments if not argument.extra]
    arguments = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {"name": {"const": styled(tool.name, naming)}, "arguments": arguments},
    }
    schema |= {"required": ["name", "arguments"], "additionalProperties": False}
    return schema | ({"description": tool.description} if notes else {})


def call(tool: ToolSpec, given: dict[str, Value], naming: str) -> dict[str, Any]:
    """The answer: arguments in declared order."""
    return {
        "name": styled(tool.name, naming),
        "arguments": {styled(a.name, naming): given[a.name].answer for a in tool.arguments if a.name in given},
    }


def tool_example(draw: Draw) -> Example:
    """A request with the tools it may be answered by."""
    style, naming = new_style(draw), draw.pick(("snake", "snake", "snake", "camel"))
    pool = HELDOUT if draw.heldout_schemas else TRAIN
    tools = draw.some(pool, draw.pick((1, 2, 3, 3, 4, 5, 6)))
    tools = [random_tool(draw) if draw.chance(0.3) else tool for tool in tools]
    tools = list({tool.name: tool for tool in tools}.values())
    notes = draw.chance(0.6)
    shape = draw.random()
    several = shape < 0.22
    count = 0 if shape < 0.03 else draw.integer(1, 3) if several else 1
    used: list[tuple[ToolSpec, str, dict[str, Value]]] = [
        (tool, *filled(draw, style, tool)) for tool in draw.some(tools, count)
    ]
    given = {tool.name: values for tool, _, values in used}
    variants = [tool_schema(draw, style, tool, given.get(tool.name, {}), naming, notes) for tool in tools]
    one: dict[str, Any] = variants[0] if len(variants) == 1 else {"anyOf": variants}
    text = draw.pick((" ", ". ", " and then ", "\n", ". Also: ", ". Then ")).join(
        part.rstrip(".") if several else part for _, part, _ in used
    )
    if count == 0:
        text = draw.pick(
            (
                "Thanks, that's all.",
                "How are you today?",
                "Never mind.",
                "Good morning!",
                "Tell me a joke.",
                "That was great, bye.",
            )
        )
    calls = [call(tool, values, naming) for tool, _, values in used]
    document = draw.pick(("", "", "", "Please ", "Hi, ", "Could you ", "User: ", "Hey! ")) + text
    schema = {"type": "array", "items": one} if several else one
    answer = compact_json(calls if several else calls[0])
    return Example(schema, draw.pick(INSTRUCTIONS), document, answer, "tools", "calls" if several else "call")
