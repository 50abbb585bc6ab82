"""What surrounds a record in a document: titles, mail headers, quoted threads, pages, slight noise."""

from deepinfer_structured.trainset import layouts_heldout, layouts_lines, layouts_markup, layouts_prose, names, values  # noqa: F401 - registers
from deepinfer_structured.trainset.draw import Draw
from deepinfer_structured.trainset.languages import FILLERS
from deepinfer_structured.trainset.layouts import BLOCKS, Registered
from deepinfer_structured.trainset.nodes import Record

TRAIN_BLOCKS = tuple(entry for entry in BLOCKS.values() if not entry.heldout)
HELDOUT_BLOCKS = tuple(entry for entry in BLOCKS.values() if entry.heldout)
STORY = Registered("story", layouts_prose.story, heldout=False)
PROSE = frozenset({"prose", "letter", "joined_prose", "notes", "chat"})
PROSE_BLOCKS = tuple(entry for entry in TRAIN_BLOCKS if entry.name in PROSE)


def plain(draw: Draw, record: Record, body: str) -> str:
    return body


def titled(draw: Draw, record: Record, body: str) -> str:
    """A title above."""
    title = draw.pick(
        (
            record.title,
            record.title.upper(),
            f"# {record.title}",
            f"*** {record.title} ***",
            f"{record.title}\n{'=' * len(record.title)}",
            f"[{record.title}]",
        )
    )
    return f"{title}\n{draw.pick(('', chr(10)))}{body}"


def introduced(draw: Draw, record: Record, body: str) -> str:
    """A sentence above, below or both."""
    fillers = FILLERS[draw.language]
    parts = [body]
    if draw.chance(0.7):
        parts.insert(0, draw.pick(fillers))
    if draw.chance(0.5):
        parts.append(draw.pick(fillers))
    return draw.pick(("\n\n", "\n")).join(parts)


def mailed(draw: Draw, record: Record, body: str) -> str:
    """Mail headers, whose names and addresses nobody asked for."""
    style = values.new_style(draw)
    head = [
        f"From: {names.person_name(draw)} <{names.email(draw, style).text}>",
        f"To: {names.email(draw, style).text}",
    ]
    if draw.chance(0.5):
        head.append(f"Date: {values.date(draw, style).text}")
    head.append(f"Subject: {draw.pick(('Fwd: ', 'Re: ', ''))}{record.title}")
    return "\n".join(head) + "\n\n" + body


def threaded(draw: Draw, record: Record, body: str) -> str:
    """A short reply above the quoted message."""
    quoted = "\n".join(f"> {line}" for line in body.splitlines())
    top = draw.pick(FILLERS[draw.language])
    lead = draw.pick(("On {d}, {n} wrote:", "{n} wrote:", "----- Original message -----", "Forwarded by {n}:"))
    lead = lead.replace("{n}", names.person_name(draw)).replace("{d}", values.date(draw, values.new_style(draw)).text)
    return f"{top}\n\n{lead}\n{quoted}" if draw.chance(0.6) else f"{top}\n\n{lead}\n{body}"


def paged(draw: Draw, record: Record, body: str) -> str:
    """Page furniture: a letterhead, a footer."""
    style = values.new_style(draw)
    head = f"{names.company(draw, style).text} | {names.address(draw, style).text}"
    foot = draw.pick(
        (
            "Page 1 of 1",
            "1/1",
            "- 1 -",
            names.url(draw, style).text,
            "Confidential",
            f"Tel. {names.phone(draw, style).text}",
            "END",
        )
    )
    parts = [head, body] if draw.chance(0.5) else [body]
    return "\n\n".join([*parts, foot] if len(parts) == 1 or draw.chance(0.5) else parts)


def boilerplate(draw: Draw, record: Record, body: str) -> str:
    """Running text of no meaning before or after: something to look past."""
    text = " ".join(passage(draw) for _ in range(draw.integer(2, 8)))
    return f"{text}\n\n{body}" if draw.chance(0.5) else f"{body}\n\n{text}"


def passage(draw: Draw) -> str:
    """One sentence that carries none of the asked values, often with a number or a name in it."""
    style = values.new_style(draw)
    form = draw.random()
    if form < 0.35:
        return names.quoted(draw, style).text
    if form < 0.65 or draw.language != "en":
        return draw.pick(FILLERS[draw.language])
    frame = draw.pick(("Last year {p} and {q} visited {c}.", "Section {n} applies to members of {o} only.", "{o} was founded in {y}.", "{p} once lived in {c}.",
                       "See page {n} of the handbook by {p}.", "About {n} people took part.", "Our branch in {c} is closed.", "{o} is a partner of ours.",
                       "In {y} the rules were different.", "Of {n} replies, most were friendly."))  # fmt: skip
    slots = {"{p}": names.person_name(draw), "{q}": draw.word("first"), "{c}": draw.word("city"), "{o}": names.company(draw, style).text,
             "{n}": str(draw.integer(2, 400)), "{y}": str(draw.integer(1950, 2025))}  # fmt: skip
    for slot, text in slots.items():
        frame = frame.replace(slot, text)
    return frame


def lengthy(draw: Draw, record: Record, body: str) -> str:
    """A long document: passages before, after and between the paragraphs."""
    parts = [part for part in body.split("\n\n") if part]
    for _ in range(draw.integer(3, 13)):
        text = " ".join(passage(draw) for _ in range(draw.integer(2, 6)))
        parts.insert(draw.integer(0, len(parts)), text)
    return "\n\n".join(parts)


def scanned(draw: Draw, record: Record, body: str) -> str:
    """Light noise between the lines, as a scan leaves it; values stay whole."""
    lines = []
    for line in body.splitlines():
        if draw.chance(0.15):
            lines.append(draw.pick(("", "~", "  .", "_ _", "|", "' ,", "--")))
        lines.append(
            draw.pick(("", "", " ", "   ")) + line + draw.pick(("", "", " ", " .", "  |")) if draw.chance(0.5) else line
        )
    return "\n".join(lines)


WRAPPERS = (
    (plain, 0.29),
    (titled, 0.15),
    (introduced, 0.16),
    (mailed, 0.08),
    (threaded, 0.05),
    (paged, 0.06),
    (boilerplate, 0.04),
    (scanned, 0.04),
    (lengthy, 0.13),
)


def page(draw: Draw, record: Record) -> tuple[str, str]:
    """The document of a record and the name of its layout."""
    if draw.heldout_layouts:
        block = draw.pick(HELDOUT_BLOCKS)
    else:
        block = draw.pick(PROSE_BLOCKS) if draw.chance(0.36) else draw.pick(TRAIN_BLOCKS)
    if record.story is not None and not draw.heldout_layouts:
        block = STORY
    return wrapped(draw, record, block.render(draw, record), block.name)


def wrapped(draw: Draw, record: Record, body: str, name: str) -> tuple[str, str]:
    """A body with something around it, and the name of both."""
    roll = draw.random()
    for wrapper, share in WRAPPERS:
        roll -= share
        if roll < 0:
            return wrapper(draw, record, body), f"{name}+{wrapper.__name__}"
    return body, name
