"""Layouts made of labelled lines: forms, lists, columns, configuration files."""

from deepinfer_structured.trainset.draw import Draw
from deepinfer_structured.trainset.layouts import block, casing, pairs, with_tables
from deepinfer_structured.trainset.nodes import Record

SEPARATORS = (
    ": ",
    ": ",
    ": ",
    ":",
    " : ",
    " - ",
    " = ",
    "\t",
    " -> ",
    "  ",
    " | ",
    " – ",
    ":\t",
    " / ",
    "... ",
    " => ",
    "; ",
    ", ",
)


@block("lines")
def lines(draw: Draw, record: Record) -> str:
    """Label, separator, value."""
    case, mark = casing(draw), draw.pick(SEPARATORS)
    gap = draw.pick(("\n", "\n", "\n", "\n\n"))
    body = gap.join(f"{label}{mark}{text}" for label, text in pairs(draw, record, case))
    return with_tables(draw, record, body, case)


@block("mixed_lines")
def mixed_lines(draw: Draw, record: Record) -> str:
    """A form filled by hand: each line with its own separator."""
    case = casing(draw)
    marks = [draw.pick(SEPARATORS[:8]) for _ in range(2)]
    body = "\n".join(f"{label}{draw.pick(marks)}{text}" for label, text in pairs(draw, record, case))
    return with_tables(draw, record, body, case)


@block("bullets")
def bullets(draw: Draw, record: Record) -> str:
    """A bulleted or numbered list."""
    case, mark, bullet = (
        casing(draw),
        draw.pick(SEPARATORS[:8]),
        draw.pick(("- ", "* ", "• ", "> ", "+ ", "· ", "#", "☐ ")),
    )
    rows = pairs(draw, record, case)
    if bullet == "#":
        shape = draw.pick(("{}. ", "{}) ", "({}) "))
        body = "\n".join(f"{shape.format(i)}{label}{mark}{text}" for i, (label, text) in enumerate(rows, 1))
    else:
        body = "\n".join(f"{bullet}{label}{mark}{text}" for label, text in rows)
    return with_tables(draw, record, body, case)


@block("bold")
def bold(draw: Draw, record: Record) -> str:
    """Markdown with emphasised labels."""
    shape = draw.pick(
        ("**{}:** {}", "**{}**: {}", "*{}:* {}", "__{}__ {}", "- **{}**: {}", "### {}\n{}", "#### {}\n\n{}", "`{}` {}")
    )
    case = casing(draw)
    body = "\n".join(shape.format(label, text) for label, text in pairs(draw, record, case))
    return with_tables(draw, record, body, case)


@block("form")
def form(draw: Draw, record: Record) -> str:
    """The label on one line, the value on the next."""
    case, mark, gap = casing(draw), draw.pick(("", ":", " *", "")), draw.pick(("\n", "\n\n"))
    indent = draw.pick(("", "", "  ", "> ", "\t"))
    body = gap.join(f"{label}{mark}\n{indent}{text}" for label, text in pairs(draw, record, case))
    return with_tables(draw, record, body, case)


@block("blanks")
def blanks(draw: Draw, record: Record) -> str:
    """A paper form with underscores around what was written."""
    case, line = casing(draw), draw.pick(("__", "____", "_"))
    body = "\n".join(
        f"{label}: {line}{text}{line}" if line != "_" else f"{label} [{text}]"
        for label, text in pairs(draw, record, case)
    )
    return with_tables(draw, record, body, case)


@block("inline")
def inline(draw: Draw, record: Record) -> str:
    """Everything in one paragraph."""
    case, mark = casing(draw), draw.pick((": ", " ", "=", " = ", ":"))
    glue = draw.pick(("; ", ", ", " | ", " / ", " - ", " • ", ". ", " || "))
    body = glue.join(f"{label}{mark}{text}" for label, text in pairs(draw, record, case))
    return with_tables(draw, record, body, case)


@block("columns")
def columns(draw: Draw, record: Record) -> str:
    """Two fields a line, padded."""
    case, width = casing(draw), draw.pick((28, 36, 44))
    rows = [f"{label}: {text}" for label, text in pairs(draw, record, case)]
    body = "\n".join(
        "".join(part.ljust(width) + "  " for part in rows[i : i + 2]).rstrip() for i in range(0, len(rows), 2)
    )
    return with_tables(draw, record, body, case)


@block("aligned")
def aligned(draw: Draw, record: Record) -> str:
    """Labels padded to one width, values in a column, left or right."""
    case = casing(draw)
    rows = pairs(draw, record, case)
    width = max((len(label) for label, _ in rows), default=4) + draw.integer(1, 4)
    mark, right = draw.pick(("", ": ", "| ", ":")), draw.chance(0.2)
    body = "\n".join(f"{label.rjust(width) if right else label.ljust(width)}{mark}{text}" for label, text in rows)
    return with_tables(draw, record, body, case)


@block("config")
def config(draw: Draw, record: Record) -> str:
    """Configuration text: ini, env or shell style."""
    form, key = draw.integer(0, 3), draw.pick(("-", "_", "."))
    rows = [(label.lower().replace(" ", key), text) for label, text in pairs(draw, record, str)]
    if form == 0:
        body = f"[{record.class_name.lower()}]\n" + "\n".join(f"{label} = {text}" for label, text in rows)
    elif form == 1:
        body = "\n".join(f"{label.upper().replace('-', '_')}={text}" for label, text in rows)
    elif form == 2:
        body = f"{record.class_name.lower()}:\n" + "\n".join(f"  {label}: {text}" for label, text in rows)
    else:
        body = "\n".join(f"--{label} '{text}'" for label, text in rows)
    return with_tables(draw, record, body, str)


@block("logfmt")
def logfmt(draw: Draw, record: Record) -> str:
    """One line of key=value."""
    quote = draw.chance(0.5)
    parts = []
    for label, text in pairs(draw, record, lambda label: label.lower().replace(" ", "_").replace(".", "")):
        parts.append(f'{label}="{text}"' if quote or " " in text else f"{label}={text}")
    lead = draw.pick(("", "INFO ", "2026-02-11 08:14:07 ", "[app] ", "<14>1 ", "event "))
    return with_tables(draw, record, lead + draw.pick((" ", " ", ", ", "|")).join(parts), str)


@block("sections")
def sections(draw: Draw, record: Record) -> str:
    """Headed sections of a few lines each."""
    case, mark = casing(draw), draw.pick((": ", " - ", ":\t"))
    rows = pairs(draw, record, case)
    heads = draw.shuffled(
        ("Overview", "Details", "General", "More", "Data", "Other", "Summary", "Part 1", "Part 2", "Section A")
    )
    shape = draw.pick(("== {} ==", "# {}", "## {}", "{}\n-----", "[{}]", "--- {} ---", "{}"))
    step = draw.integer(2, 4)
    parts = [
        f"{shape.format(heads[i // step % 10])}\n" + "\n".join(f"{a}{mark}{b}" for a, b in rows[i : i + step])
        for i in range(0, len(rows), step)
    ]
    return with_tables(draw, record, draw.pick(("\n\n", "\n")).join(parts), case)


@block("value_lines")
def value_lines(draw: Draw, record: Record) -> str:
    """The value first, the label after it in brackets."""
    shape = draw.pick(("{1} ({0})", "{1} [{0}]", "{1} - {0}", "{1}, {0}", "{1} <- {0}"))
    case = casing(draw)
    body = draw.pick(("\n", "; ")).join(shape.format(label, text) for label, text in pairs(draw, record, case))
    return with_tables(draw, record, body, case)
