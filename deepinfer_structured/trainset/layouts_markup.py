"""Layouts made of markup and tables: HTML, XML, Markdown, CSV, JSON-like."""

import json
from collections.abc import Callable
from typing import Any

from deepinfer_structured.trainset.draw import Draw
from deepinfer_structured.trainset.layouts import block, casing, grid, pairs, tables, with_tables
from deepinfer_structured.trainset.nodes import Record


@block("pipe_table")
def pipe_table(draw: Draw, record: Record) -> str:
    """A Markdown table of two columns."""
    case = casing(draw)
    head = draw.pick((("Field", "Value"), ("Key", "Value"), ("", ""), ("Item", "Entry"), ("Property", "Content")))
    rows = [head, ("---", "---"), *pairs(draw, record, case)]
    return with_tables(draw, record, "\n".join(f"| {a} | {b} |" for a, b in rows), case)


@block("wide_table")
def wide_table(draw: Draw, record: Record) -> str:
    """A head row and one row of values."""
    case = casing(draw)
    rows = pairs(draw, record, case)
    mark = draw.pick((" | ", ";", "\t", " ; ", "|"))
    lines = [mark.join(label for label, _ in rows), mark.join(text for _, text in rows)]
    if mark == " | " and draw.chance(0.5):
        lines = [f"| {lines[0]} |", "|" + "---|" * len(rows), f"| {lines[1]} |"]
    return with_tables(draw, record, "\n".join(lines), case)


@block("csv_row")
def csv_row(draw: Draw, record: Record) -> str:
    """Comma-separated head and row."""
    rows = pairs(draw, record, lambda label: label.lower().replace(" ", "_"))
    always = draw.chance(0.4)
    line = [f'"{text}"' if always or "," in text else text for _, text in rows]
    return with_tables(draw, record, ",".join(label for label, _ in rows) + "\n" + ",".join(line), str)


@block("html_table")
def html_table(draw: Draw, record: Record) -> str:
    """An HTML table, one field a row."""
    case, head = casing(draw), draw.pick(("th", "td", 'td class="k"'))
    gap = draw.pick(("", "\n", "\n  "))
    rows = [f"<tr><{head}>{a}</{head.split()[0]}><td>{b}</td></tr>" for a, b in pairs(draw, record, case)]
    extra = ""
    for table in tables(record):
        names, cells = grid(draw, table)
        lines = [
            "".join(f"<th>{name}</th>" for name in names),
            *["".join(f"<td>{text}</td>" for text in row) for row in cells],
        ]
        extra += gap + "<table>" + gap.join(f"<tr>{line}</tr>" for line in lines) + "</table>"
    return "<table>" + gap.join(rows) + "</table>" + extra


@block("html_divs")
def html_divs(draw: Draw, record: Record) -> str:
    """Paragraphs, list items or divisions."""
    case = casing(draw)
    shape = draw.pick(("<p>{}: {}</p>", "<li><b>{}</b> {}</li>", "<div><span>{}</span><span>{}</span></div>", "<p><strong>{}:</strong> {}</p>",
                       "<b>{}</b>: {}<br>", "<div class=\"row\"><label>{}</label> {}</div>", "<h4>{}</h4><p>{}</p>"))  # fmt: skip
    body = draw.pick(("", "\n")).join(shape.format(a, b) for a, b in pairs(draw, record, case))
    body = f"<ul>{body}</ul>" if "<li>" in shape else body
    return with_tables(draw, record, f"<h1>{record.title}</h1>{body}" if draw.chance(0.3) else body, case)


@block("xml")
def xml(draw: Draw, record: Record) -> str:
    """Elements named after the labels, or attributes."""
    rows = pairs(draw, record, lambda label: "".join(c if c.isalnum() else "_" for c in label.lower()).strip("_"))
    name = record.class_name.lower()
    if draw.chance(0.3):
        return with_tables(draw, record, f"<{name} " + " ".join(f'{a}="{b}"' for a, b in rows) + "/>", str)
    gap = draw.pick(("\n  ", "\n", ""))
    body = gap.join(f"<{a}>{b}</{a}>" for a, b in rows)
    return with_tables(draw, record, f"<{name}>{gap}{body}{gap.rstrip(' ')}</{name}>", str)


@block("json_like")
def json_like(draw: Draw, record: Record) -> str:
    """JSON whose keys are the labels and whose values are all text."""
    spellings: tuple[Callable[[str], str], ...] = (
        str,
        str.lower,
        lambda label: label.lower().replace(" ", "_"),
        lambda label: label.title().replace(" ", ""),
    )
    key = draw.pick(spellings)
    body: dict[str, Any] = dict(pairs(draw, record, key))
    for table in tables(record):
        head, rows = grid(draw, table)
        body[key(table.label)] = [dict(zip(map(key, head), row, strict=True)) for row in rows]
    return json.dumps(body, ensure_ascii=False, indent=draw.pick((None, 1, 2, 4)))


@block("tag_lines")
def tag_lines(draw: Draw, record: Record) -> str:
    """Tags before or around values."""
    shape = draw.pick(
        ("[{}] {}", "<{}> {}", "({}) {}", "{{{}}} {}", "@{} {}", "#{} {}", ":{}: {}", "{} »{}«", '{} "{}"', "{} <{}>")
    )
    case = casing(draw)
    body = draw.pick(("\n", "\n", " ")).join(shape.format(a, b) for a, b in pairs(draw, record, case))
    return with_tables(draw, record, body, case)
