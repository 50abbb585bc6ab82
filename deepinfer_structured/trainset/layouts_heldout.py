"""Layouts that training never sees."""

from deepinfer_structured.trainset.draw import Draw
from deepinfer_structured.trainset.layouts import block, casing, pairs, with_tables
from deepinfer_structured.trainset.layouts_prose import leaves, list_text, running
from deepinfer_structured.trainset.nodes import Record


@block("dotted", heldout=True)
def dotted(draw: Draw, record: Record) -> str:
    """Dot leaders between label and value."""
    case, width = casing(draw), draw.pick((24, 30, 36))
    body = "\n".join(f"{label} {'.' * max(3, width - len(label))} {text}" for label, text in pairs(draw, record, case))
    return with_tables(draw, record, body, case)


@block("html_definitions", heldout=True)
def html_definitions(draw: Draw, record: Record) -> str:
    """An HTML definition list."""
    body = "".join(f"<dt>{label}</dt><dd>{text}</dd>\n" for label, text in pairs(draw, record))
    return with_tables(draw, record, f"<dl>\n{body}</dl>", str)


@block("interview", heldout=True)
def interview(draw: Draw, record: Record) -> str:
    """Question and answer."""
    marks = draw.pick((("Q: ", "A: "), ("Q. ", "A. "), ("Question: ", "Answer: "), ("", "→ ")))
    rows = [f"{marks[0]}{label}?\n{marks[1]}{text}" for label, text in pairs(draw, record)]
    return with_tables(draw, record, "\n".join(rows), str)


@block("toml", heldout=True)
def toml(draw: Draw, record: Record) -> str:
    """A TOML table."""
    rows = pairs(draw, record, lambda label: label.lower().replace(" ", "-"))
    return with_tables(
        draw, record, f"[{record.class_name.lower()}]\n" + "\n".join(f'{a} = "{b}"' for a, b in rows), str
    )


@block("boxed", heldout=True)
def boxed(draw: Draw, record: Record) -> str:
    """A box drawn with signs."""
    rows = [f"{label}: {text}" for label, text in pairs(draw, record)]
    width = max((len(row) for row in rows), default=8)
    body = "\n".join(
        ["+" + "-" * (width + 2) + "+", *[f"| {row.ljust(width)} |" for row in rows], "+" + "-" * (width + 2) + "+"]
    )
    return with_tables(draw, record, body, str)


@block("report", heldout=True)
def report(draw: Draw, record: Record) -> str:
    """Indirect speech and appositions."""
    shapes = ("Asked about the {l}, the speaker named {v}.", "Under the heading “{l}” one reads {v}.", "{v} – that is what the {l} says.",
              "As far as the {l} goes, everything points to {v}.", "The entry for {l} was filled in as {v}.",
              "When it came to the {l}, {v} was the answer.", "({l}: {v})")  # fmt: skip
    parts = [
        draw.pick(shapes).replace("{l}", running(leaf.label, draw.language)).replace("{v}", leaf.text)
        for leaf in leaves(record)
        if leaf.present
    ]
    return " ".join(parts) + list_text(draw, record)


@block("telegram", heldout=True)
def telegram(draw: Draw, record: Record) -> str:
    """Capital labels and stops."""
    return with_tables(
        draw, record, " STOP ".join(f"{a} {b}" for a, b in pairs(draw, record, str.upper)) + " STOP", str
    )


@block("latex", heldout=True)
def latex(draw: Draw, record: Record) -> str:
    """A LaTeX table or description list."""
    rows = pairs(draw, record)
    if draw.chance(0.5):
        return with_tables(draw, record, "\n".join(f"\\item[{a}] {b}" for a, b in rows), str)
    return with_tables(draw, record, "\n".join(f"{a} & {b} \\\\" for a, b in rows), str)
