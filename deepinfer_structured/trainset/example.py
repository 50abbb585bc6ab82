"""One training or held-out example, and its token ids."""

import json
from dataclasses import dataclass
from typing import Any

from deepinfer_structured.prompt import EOS, PromptTokenizer, compact_schema, render


@dataclass(frozen=True, slots=True)
class Example:
    """A schema, what the user wrote, and the answer's text without the end of sequence.

    Without a schema the answer is bare text; `notation` then says under which expression or choice, if any. `shots` are
    earlier documents with their answers.
    """

    schema: dict[str, Any] | None
    instruction: str
    document: str
    answer: str
    kind: str
    layout: str = "plain"
    language: str = "en"
    notation: str = ""
    shots: tuple[tuple[str, str], ...] = ()

    @property
    def schema_text(self) -> str:
        """What the prompt shows of the wanted form."""
        return self.notation if self.schema is None else compact_schema(self.schema)

    @property
    def value(self) -> Any:
        """The answer as a value."""
        return self.answer if self.schema is None else json.loads(self.answer)


def compact_json(value: Any) -> str:
    """JSON the way every part of the project writes it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def encode(example: Example, tokenizer: PromptTokenizer) -> tuple[list[int], list[int]]:
    """Prompt ids, and answer ids with the end of sequence."""
    prompt = render(
        tokenizer,
        example.document,
        schema_text=example.schema_text,
        instruction=example.instruction,
        examples=example.shots,
    )
    return prompt, [*tokenizer.encode(example.answer), tokenizer.special[EOS]]
