"""One prompt template, shared by training and inference.

    <BOS><System>{instruction}\\n{compact schema}<User>{document}<Assistant></think>

The system turn is left out when there is nothing to say in it. Few-shot examples are earlier turns of both sides.
Messages follow the chat rendering of DeepSeek-V4.1: no separators between turns, assistant turns closed by the end of
sequence, an effort line at the head of the system turn in thinking mode only, earlier reasoning dropped. Whatever a
user wrote is encoded with special tokens off: the spelling of a special token inside a document stays plain text.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol, TypeAlias, TypeGuard

__all__ = [
    "ASSISTANT",
    "BOS",
    "DEFAULT_INSTRUCTION",
    "EOS",
    "Message",
    "PromptTokenizer",
    "choice_text",
    "compact_schema",
    "regex_text",
    "render",
]

BOS: Final = "<｜begin▁of▁sentence｜>"
EOS: Final = "<｜end▁of▁sentence｜>"
SYSTEM: Final = "<｜System｜>"
USER: Final = "<｜User｜>"
ASSISTANT: Final = "<｜Assistant｜>"
REMINDER: Final = "<｜latest_reminder｜>"
THINK: Final = "<think>"
END_THINK: Final = "</think>"

DEFAULT_INSTRUCTION: Final = "Extract."
EFFORT: Final = {None: 75, "low": 50, "high": 75, "max": 100}

Message: TypeAlias = Mapping[str, str]

FORMATS: Final = {"date-time": "datetime", "uri": "url"}
SCALARS: Final = {"string": "str", "integer": "int", "number": "num", "boolean": "bool", "null": "null"}
DESCRIPTION_LIMIT: Final = 80
LENGTH_LIMIT: Final = 6000
DEPTH_LIMIT: Final = 12


def compact_schema(schema: Any) -> str:
    """A JSON Schema as the model reads it: `Invoice{total:num(amount due),due?:date|null,items:[{name:str}]}`.

    `?` marks a key that may be left out, `|` separates alternatives, literals are JSON, a description stands in
    parentheses after its type. Total on every JSON value and bounded in length: what the notation has no word for is
    left out, and a long schema loses first its descriptions, then its tail. The grammar enforces what is not shown.
    """
    text = _Compactor(schema, descriptions=True).text()
    if len(text) > LENGTH_LIMIT:
        text = _Compactor(schema, descriptions=False).text()
    return text if len(text) <= LENGTH_LIMIT else text[: LENGTH_LIMIT - 1] + "…"


def regex_text(pattern: str) -> str:
    """The notation of a regular expression as the wanted form."""
    return f"regex /{pattern[:LENGTH_LIMIT]}/"


def choice_text(choices: Sequence[Any]) -> str:
    """The notation of a choice among texts."""
    return "one of " + "|".join(_literal(choice) for choice in choices)[:LENGTH_LIMIT]


def _literal(value: Any) -> str:
    """A constant as compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def _is_list(value: Any) -> TypeGuard[Sequence[Any]]:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


class _Compactor:
    """Walks one schema; names a definition that it has already shown or is inside of."""

    def __init__(self, schema: Any, *, descriptions: bool) -> None:
        self.root = schema
        self.descriptions = descriptions
        self.shown: set[str] = set()
        self.written = 0

    def text(self) -> str:
        return self.node(self.root, 0)

    def node(self, schema: Any, depth: int) -> str:
        """One schema with its description."""
        if schema is False:
            return "never"
        if not isinstance(schema, Mapping) or depth > DEPTH_LIMIT or self.written > 4 * LENGTH_LIMIT:
            return "any"
        body = self.body(schema, depth)
        note = schema.get("description")
        if self.descriptions and isinstance(note, str) and note.strip():
            short = " ".join(note.split())
            short = short if len(short) <= DESCRIPTION_LIMIT else short[: DESCRIPTION_LIMIT - 1].rstrip() + "…"
            body += f"({short.removesuffix('.')})"
        self.written += len(body)
        return body

    def body(self, schema: Mapping[str, Any], depth: int) -> str:
        """One schema without its description."""
        reference = schema.get("$ref", schema.get("$dynamicRef"))
        if isinstance(reference, str):
            return self.reference(reference, depth)
        if "const" in schema:
            return _literal(schema["const"])
        if _is_list(schema.get("enum")):
            return "|".join(_literal(value) for value in schema["enum"]) or "never"
        for keyword in ("anyOf", "oneOf"):
            if _is_list(schema.get(keyword)) and schema[keyword]:
                return "|".join(dict.fromkeys(self.node(part, depth + 1) for part in schema[keyword]))
        if _is_list(schema.get("allOf")) and schema["allOf"]:
            parts = [self.node(part, depth + 1) for part in schema["allOf"]]
            own = self.typed(schema, depth) if "properties" in schema else None
            return "&".join(dict.fromkeys([*([own] if own else []), *parts]))
        return self.typed(schema, depth)

    def reference(self, reference: str, depth: int) -> str:
        """A local reference: its target the first time, its name from then on."""
        name = reference.rsplit("/", 1)[-1].replace("~1", "/").replace("~0", "~") or "#"
        if reference in self.shown or not reference.startswith("#"):
            return name
        self.shown.add(reference)
        target: Any = self.root
        for step in reference[1:].split("/")[1:]:
            step = step.replace("~1", "/").replace("~0", "~")
            if isinstance(target, Mapping):
                target = target.get(step)
            elif _is_list(target) and step.isdecimal() and int(step) < len(target):
                target = target[int(step)]
            else:
                target = None
        return name if target is None else self.node(target, depth + 1)

    def typed(self, schema: Mapping[str, Any], depth: int) -> str:
        """A schema by its type keyword, or by what its other keywords imply."""
        kind = schema.get("type")
        if _is_list(kind):
            return "|".join(dict.fromkeys(self.typed({**schema, "type": one}, depth) for one in kind)) or "any"
        if kind == "object" or (kind is None and isinstance(schema.get("properties"), Mapping)):
            return self.object(schema, depth)
        if kind == "array" or (kind is None and ("items" in schema or "prefixItems" in schema)):
            return self.array(schema, depth)
        if kind == "string":
            named = schema.get("format")
            pattern = schema.get("pattern")
            if isinstance(named, str):
                return str(FORMATS.get(named, named))
            return f"str/{pattern}/" if isinstance(pattern, str) and len(pattern) <= DESCRIPTION_LIMIT else "str"
        return SCALARS.get(kind, "any") if isinstance(kind, str) else "any"

    def object(self, schema: Mapping[str, Any], depth: int) -> str:
        """An object: its title, its keys in declared order, `?` after those that may be missing."""
        title = schema.get("title")
        head = title if depth == 0 and isinstance(title, str) else ""
        properties = schema.get("properties")
        required = schema.get("required")
        names = set(required) if _is_list(required) and all(isinstance(name, str) for name in required) else set()
        fields = []
        for name, part in (properties if isinstance(properties, Mapping) else {}).items():
            fields.append(f"{name}{'' if name in names else '?'}:{self.node(part, depth + 1)}")
        extra = schema.get("additionalProperties")
        if isinstance(extra, Mapping):
            fields.append(f"*:{self.node(extra, depth + 1)}")
        return f"{head}{{{','.join(fields)}}}"

    def array(self, schema: Mapping[str, Any], depth: int) -> str:
        """A list of one type, or a tuple."""
        fixed = schema.get("prefixItems")
        parts = [self.node(part, depth + 1) for part in fixed] if _is_list(fixed) else []
        items = schema.get("items")
        if items is None and not parts:
            return "[any]"
        if items is not None and items is not False:
            parts.append(("*" if parts else "") + self.node(items, depth + 1))
        return f"[{','.join(parts)}]"


class PromptTokenizer(Protocol):
    """What the template needs of a tokenizer."""

    @property
    def special(self) -> Mapping[str, int]:
        """Ids of the special tokens by their spelling."""

    def encode(self, text: str) -> list[int]:
        """Token ids of plain text; special spellings are text like any other."""


def system_text(instruction: str, schema_text: str) -> str:
    """The system turn of a request for a schema: an instruction line, then the compact schema."""
    return "\n".join(part for part in (instruction, schema_text) if part)


def effort_line(effort: str | None) -> str:
    """The line that opens the system turn in thinking mode."""
    if effort not in EFFORT:
        raise ValueError(f"effort must be one of low, high, max or None, not {effort!r}")
    level = EFFORT[effort]
    return f"Reasoning Effort: {level} (range 1-100, the higher the value, the more thorough the reasoning)\n\n"


def render(
    tokenizer: PromptTokenizer,
    prompt: str | Sequence[Message],
    *,
    schema_text: str = "",
    instruction: str | None = None,
    examples: Sequence[tuple[str, str]] = (),
    thinking: bool = False,
    effort: str | None = None,
) -> list[int]:
    """Token ids of a prompt, up to and with the token after which the answer begins.

    `prompt` is a document or a list of messages with `role` (system, user, assistant, latest_reminder) and `content`.
    `instruction=None` means the default one where there is a schema and none where there is not.
    """
    if instruction is None:
        instruction = DEFAULT_INSTRUCTION if schema_text else ""
    messages: Sequence[Message] = [{"role": "user", "content": prompt}] if isinstance(prompt, str) else prompt
    given = [message["content"] for message in messages if message["role"] == "system"]
    system = "\n".join([*given, *filter(None, [system_text(instruction, schema_text)])])
    special, encode = tokenizer.special, tokenizer.encode
    ids = [special[BOS]]
    if thinking:
        ids += [special[SYSTEM], *encode(effort_line(effort) + system)]
    elif system:
        ids += [special[SYSTEM], *encode(system)]
    for document, answer in examples:
        ids += [special[USER], *encode(document)]
        ids += [special[ASSISTANT], special[END_THINK], *encode(answer), special[EOS]]
    for message in messages:
        role, content = message["role"], message["content"]
        if role in ("user", "latest_reminder"):
            ids += [special[USER if role == "user" else REMINDER], *encode(content)]
        elif role == "assistant":
            ids += [special[ASSISTANT], special[END_THINK], *encode(content), special[EOS]]
        elif role != "system":
            raise ValueError(f"unknown role {role!r}: use system, user, assistant or latest_reminder")
    return [*ids, special[ASSISTANT], special[THINK if thinking else END_THINK]]
