"""What the emitters of one type ask of the walk around them; a protocol, it does nothing."""

from __future__ import annotations

from typing import Any, Protocol

from deepinfer_structured.schema.grammar import Node
from deepinfer_structured.schema.jsonschema.resolve import Document
from deepinfer_structured.schema.report import Notes


class Walk(Protocol):
    """One walk over one schema."""

    document: Document
    rules: dict[str, Node]
    notes: Notes
    strict: bool
    typed: bool

    def value(self, schema: Any, pointer: str) -> Node:
        """A reference to the rule for any value of this schema."""
        ...

    def fresh(self, node: Node | None = None) -> str:
        """A new rule's name."""
        ...

    def nothing(self, pointer: str, reason: str) -> Node:
        """No value fits here; remembered for the message, should nothing fit at all."""
        ...
