"""The form between a schema and a document: a record of leaves, groups and tables, asked for or not."""

from dataclasses import dataclass, field
from typing import Any, TypeAlias


@dataclass(slots=True)
class Leaf:
    """One value. `asked` puts it into the schema, `present` into the document."""

    name: str
    label: str
    answer: Any
    text: str
    schema: dict[str, Any]
    kind: str = ""
    asked: bool = True
    present: bool = True
    required: bool = True
    nullable: bool = False
    description: str | None = None
    sentences: tuple[str, ...] = ()
    old: str | None = None
    key: str = ""


@dataclass(slots=True)
class Group:
    """A nested object; `flat` when the document does not show the nesting."""

    name: str
    label: str
    class_name: str
    children: list[Leaf]
    asked: bool = True
    description: str | None = None


@dataclass(slots=True)
class Table:
    """A list of records with the same columns."""

    name: str
    label: str
    class_name: str
    rows: list[list[Leaf]]
    columns: list[Leaf]
    asked: bool = True
    description: str | None = None


Node: TypeAlias = Leaf | Group | Table


@dataclass(slots=True)
class Record:
    """What one document says: `nodes` in schema order, `page` in document order.

    `story` is running text with slots for leaf keys; `labelled` says that only labels tell which value is which.
    """

    class_name: str
    title: str
    nodes: list[Node]
    page: list[Node] = field(default_factory=list)
    description: str | None = None
    story: str | None = None
    labelled: bool = True


def leaf_answer(leaf: Leaf) -> Any:
    return leaf.answer if leaf.present else None


def object_answer(nodes: list[Node] | list[Leaf]) -> dict[str, Any]:
    """The JSON object of asked nodes; an absent field is null where the schema allows it and left out otherwise."""
    answer: dict[str, Any] = {}
    for node in nodes:
        if not node.asked:
            continue
        if isinstance(node, Leaf):
            if node.present or node.nullable:
                answer[node.name] = leaf_answer(node)
        elif isinstance(node, Group):
            answer[node.name] = object_answer(node.children)
        else:
            answer[node.name] = [object_answer(row) for row in node.rows]
    return answer


class SchemaWriter:
    """Writes JSON Schema as Pydantic 2 does (titles, `$defs`), or plainly, as people write it by hand."""

    def __init__(self, *, pydantic: bool, closed: bool = False) -> None:
        self.pydantic = pydantic
        self.closed = closed
        self.defs: dict[str, dict[str, Any]] = {}

    def document(self, record: Record) -> dict[str, Any]:
        """The root schema of a record."""
        return self.root(self.object(record.class_name, record.nodes, record.description))

    def root(self, body: dict[str, Any]) -> dict[str, Any]:
        """A root with its definitions."""
        return {"$defs": self.defs, **body} if self.defs else body

    def object(self, title: str, nodes: list[Node] | list[Leaf], description: str | None = None) -> dict[str, Any]:
        """An object schema of asked nodes."""
        asked = [node for node in nodes if node.asked]
        properties = {node.name: self.node(node) for node in asked}
        required = [node.name for node in asked if not isinstance(node, Leaf) or node.required]
        schema: dict[str, Any] = {"description": description} if description else {}
        if self.closed:
            schema["additionalProperties"] = False
        schema |= {"properties": properties}
        schema |= {"required": required} if required else {}
        return schema | ({"title": title} if self.pydantic or title else {}) | {"type": "object"}

    def node(self, node: Node) -> dict[str, Any]:
        """The schema of one property."""
        note = {"description": node.description} if node.description else {}
        title = {"title": node.name.replace("_", " ").title()} if self.pydantic else {}
        if isinstance(node, Leaf):
            if not node.nullable:
                return {**note, **node.schema, **title}
            default = {} if node.required else {"default": None}
            return {"anyOf": [node.schema, {"type": "null"}], **default, **note, **title}
        if isinstance(node, Group):
            return {**self.named(node.class_name, node.children), **note}
        return {**note, "items": self.named(node.class_name, node.columns), **title, "type": "array"}

    def named(self, class_name: str, nodes: list[Leaf]) -> dict[str, Any]:
        """A nested object: a reference in Pydantic's style, inline in the plain one."""
        if not self.pydantic:
            return self.object("", nodes)
        while class_name in self.defs:
            class_name += "2"
        self.defs[class_name] = self.object(class_name, nodes)
        return {"$ref": f"#/$defs/{class_name}"}
