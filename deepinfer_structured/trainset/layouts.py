"""The registry of layouts, and what every layout needs: flat fields, tables as text, labels in one casing.

A layout turns a page into text. `heldout` layouts are kept out of training entirely.
"""

from collections.abc import Callable
from dataclasses import dataclass

from deepinfer_structured.trainset.draw import Draw
from deepinfer_structured.trainset.languages import ABSENT
from deepinfer_structured.trainset.nodes import Group, Leaf, Record, Table
from deepinfer_structured.trainset.wordings import ROW_FIRST, ROW_REST

Layout = Callable[[Draw, Record], str]
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Registered:
    """A layout with its name and side."""

    name: str
    render: Layout
    heldout: bool


BLOCKS: dict[str, Registered] = {}
WRAPPERS: dict[str, Registered] = {}


def block(name: str, *, heldout: bool = False) -> Callable[[Layout], Layout]:
    """Register a layout of a whole record."""

    def register(function: Layout) -> Layout:
        BLOCKS[name] = Registered(name, function, heldout)
        return function

    return register


def casing(draw: Draw) -> Callable[[str], str]:
    """One way to write every label of a document."""
    form = draw.random()
    if form < 0.55:
        return lambda label: label
    if form < 0.68:
        return str.upper
    if form < 0.8:
        return str.lower
    if form < 0.9:
        return str.title
    return lambda label: label.lower().replace(" ", "_").replace(".", "")


def shown(draw: Draw, leaf: Leaf) -> str | None:
    """The text of a field, or None when the document does not mention it."""
    if leaf.present:
        if leaf.old is None:
            return leaf.text
        return draw.pick(
            (
                f"{leaf.text} (was {leaf.old})",
                f"{leaf.text} (not {leaf.old})",
                f"~~{leaf.old}~~ {leaf.text}",
                f"{leaf.old} -> {leaf.text}",
            )
        )
    return draw.pick(ABSENT[draw.language]) if draw.chance(0.35) else None


def pairs(draw: Draw, record: Record, case: Callable[[str], str] | None = None) -> list[Pair]:
    """Every label with its text, groups flattened, tables left out."""
    case = case or casing(draw)
    found: list[Pair] = []
    for node in record.page:
        if isinstance(node, Table):
            continue
        for leaf in node.children if isinstance(node, Group) else [node]:
            text = shown(draw, leaf)
            if text is not None:
                found.append((case(leaf.label), text))
    return found


def tables(record: Record) -> list[Table]:
    """The lists of records of a page."""
    return [node for node in record.page if isinstance(node, Table) and node.rows]


def cell(text: str) -> str:
    """A text safe inside a delimited table."""
    return text.replace("\n", " ")


def grid(draw: Draw, table: Table) -> tuple[list[str], list[list[str]]]:
    """Head and rows of a table, sometimes with a column that nobody asked for."""
    head = [leaf.label for leaf in table.columns]
    rows = [[leaf.text for leaf in row] for row in table.rows]
    if draw.chance(0.25):
        head = ["#", *head]
        rows = [[str(index), *row] for index, row in enumerate(rows, 1)]
    return head, rows


def table_text(draw: Draw, table: Table) -> str:
    """A table as a block of text, in one of many styles."""
    head, rows = grid(draw, table)
    form = draw.integer(0, 8)
    if form == 0:
        rule = ["---"] * len(head)
        return "\n".join("| " + " | ".join(row) + " |" for row in (head, rule, *rows))
    if form == 1:
        mark = draw.pick((";", "\t", "|", ","))
        quote = [[f'"{text}"' if mark in text else text for text in row] for row in (head, *rows)]
        return "\n".join(mark.join(row) for row in quote)
    if form == 2:
        widths = [max(len(row[i]) for row in (head, *rows)) + 2 for i in range(len(head))]
        lines = [
            "".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
            for row in (head, *rows)
        ]
        return "\n".join([lines[0], "-" * draw.pick((10, 20, 32)), *lines[1:]] if draw.chance(0.4) else lines)
    if form == 3:
        return "\n".join(" | ".join(row) for row in (head, *rows))
    if form == 4:
        bullet = draw.pick(("- ", "* ", "• ", "", "1) "))
        mark = draw.pick((": ", " ", "="))
        return "\n".join(
            bullet + ", ".join(f"{label}{mark}{text}" for label, text in zip(head, row, strict=True)) for row in rows
        )
    if form == 5:
        lead = draw.pick(("", "  ", "- "))
        return "\n".join(
            f"{lead}{row[0]} ({', '.join(f'{name.lower()} {text}' for name, text in zip(head[1:], row[1:], strict=True))})"
            for row in rows
        )
    if form == 6:
        return "\n\n".join("\n".join(f"{label}: {text}" for label, text in zip(head, row, strict=True)) for row in rows)
    if form == 7 and draw.language == "en":
        return row_sentences(draw, head, rows)
    return item_lines(draw, table)


def row_sentences(draw: Draw, head: list[str], rows: list[list[str]]) -> str:
    """Every row as a sentence that names all columns but the first."""
    first, rest, glue = draw.pick(ROW_FIRST), draw.pick(ROW_REST), draw.pick((", ", " and ", ", "))
    lines = []
    for row in rows:
        pieces = [
            rest.replace("{l}", label.lower()).replace("{v}", text)
            for label, text in zip(head[1:], row[1:], strict=True)
        ]
        lines.append(first.replace("{v}", row[0]) + glue.join(pieces) + ".")
    return draw.pick((" ", "\n")).join(lines)


def item_lines(draw: Draw, table: Table) -> str:
    """Lines as a receipt prints them, where the kinds of the columns tell them apart."""
    lines = []
    quantity = draw.pick(("{} x ", "{}x ", "{} ", "({}) "))
    for row in table.rows:
        counts = [leaf for leaf in row if leaf.kind in ("small", "count")]
        others = [leaf for leaf in row if leaf.kind not in ("small", "count", "money")]
        amounts = [leaf for leaf in row if leaf.kind == "money"]
        if len(counts) > 1 or len(amounts) > 1:
            return "\n".join("  ".join(f"{leaf.label} {leaf.text}" for leaf in line) for line in table.rows)
        text = "".join(quantity.format(leaf.text) for leaf in counts) + ", ".join(leaf.text for leaf in others)
        lines.append(text + "".join(draw.pick((" @ ", "  ", " .... ", " - ", "\t")) + leaf.text for leaf in amounts))
    return "\n".join(lines)


def with_tables(draw: Draw, record: Record, body: str, case: Callable[[str], str]) -> str:
    """A body followed, or now and then led, by the record's tables."""
    parts = [body] if body else []
    for table in tables(record):
        title = case(table.label) + draw.pick((":", "", " -", ":")) + "\n" if draw.chance(0.7) else ""
        text = title + table_text(draw, table)
        parts.insert(0 if draw.chance(0.2) else len(parts), text)
    return draw.pick(("\n\n", "\n")).join(parts)
