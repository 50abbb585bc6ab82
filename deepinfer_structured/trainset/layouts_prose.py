"""Layouts made of sentences: letters, notes, talk."""

from deepinfer_structured.trainset.draw import Draw
from deepinfer_structured.trainset.languages import CHANGED, FILLERS, FRAMES, GREETINGS
from deepinfer_structured.trainset.layouts import block, shown, table_text, tables
from deepinfer_structured.trainset.nodes import Group, Leaf, Record
from deepinfer_structured.trainset.wordings import LEADS, PAIRED, TAILS

KEEP_CASE = ("de",)


def running(label: str, language: str) -> str:
    """A label as it stands inside a sentence."""
    if language in KEEP_CASE or label.isupper() or (len(label) > 1 and label[1].isupper()):
        return label.rstrip(".")
    return (label[:1].lower() + label[1:]).rstrip(".")


def sentence(draw: Draw, leaf: Leaf) -> str | None:
    """One field as a sentence; None where the document does not mention it."""
    language = draw.language
    if not leaf.present:
        return (
            draw.pick(("There is no {l}.", "The {l} is not known yet.", "No {l} was given.")).format(
                l=running(leaf.label, language)
            )
            if language == "en" and draw.chance(0.25)
            else None
        )
    label = running(leaf.label, language)
    if leaf.old is not None:
        text = draw.pick(CHANGED[language])
        return (
            text.replace("{L}", label[:1].upper() + label[1:])
            .replace("{l}", label)
            .replace("{o}", leaf.old)
            .replace("{v}", leaf.text)
        )
    if leaf.sentences and draw.chance(0.6):
        text = draw.pick(leaf.sentences)
        text = text if text[-1:] in ".!?" else text + "."
        text = text[:1].upper() + text[1:]
    else:
        text = draw.pick(FRAMES[language]).replace("{L}", label[:1].upper() + label[1:]).replace("{l}", label)
    if language == "en" and draw.chance(0.22):
        text = dressed(draw, text)
    return text.replace("{v}", leaf.text)


def dressed(draw: Draw, text: str) -> str:
    """A sentence with a lead-in or a tail."""
    if draw.chance(0.65):
        start = (
            text[:1].lower()
            if text.split(" ", maxsplit=1)[0].rstrip("s").isalpha() and not text.startswith("I ")
            else text[:1]
        )
        return draw.pick(LEADS) + start + text[1:]
    return text.removesuffix(".") + draw.pick(TAILS) + "." if text.endswith(".") else text


def paired(draw: Draw, first: Leaf, second: Leaf) -> str:
    """Two fields in one sentence, side by side."""
    text = draw.pick(PAIRED).replace("{a}", running(first.label, "en")).replace("{b}", running(second.label, "en"))
    text = text[:1].upper() + text[1:]
    return text.replace("{x}", first.text).replace("{y}", second.text)


def leaves(record: Record) -> list[Leaf]:
    """Every leaf of a page, groups flattened."""
    found: list[Leaf] = []
    for node in record.page:
        if isinstance(node, Leaf):
            found.append(node)
        elif isinstance(node, Group):
            found += node.children
    return found


def sentences(draw: Draw, record: Record, fillers: float = 0.15) -> list[str]:
    """The page as sentences, with fillers between them."""
    found = []
    waiting = leaves(record)
    while waiting:
        leaf = waiting.pop(0)
        plain = draw.language == "en" and waiting and all(one.present and one.old is None for one in (leaf, waiting[0]))
        if plain and draw.chance(0.18):
            found.append(paired(draw, leaf, waiting.pop(0)))
            continue
        text = sentence(draw, leaf)
        if text is not None:
            found.append(text)
        if draw.chance(fillers):
            found.append(draw.pick(FILLERS[draw.language]))
    return found


def paragraphs(draw: Draw, parts: list[str]) -> str:
    """Sentences in one to three paragraphs."""
    if len(parts) > 4 and draw.chance(0.5):
        cut = draw.integer(2, len(parts) - 2)
        return " ".join(parts[:cut]) + "\n\n" + " ".join(parts[cut:])
    return " ".join(parts)


def list_text(draw: Draw, record: Record) -> str:
    """The tables of a record after prose."""
    return "".join(f"\n\n{table.label}:\n{table_text(draw, table)}" for table in tables(record))


@block("prose")
def prose(draw: Draw, record: Record) -> str:
    """Running text."""
    return paragraphs(draw, sentences(draw, record)) + list_text(draw, record)


@block("letter")
def letter(draw: Draw, record: Record) -> str:
    """A letter: greeting, sentences, close."""
    hello, bye = draw.pick(GREETINGS[draw.language])
    hello = hello.replace("{n}", draw.word("first"))
    body = paragraphs(draw, sentences(draw, record, 0.25)) + list_text(draw, record)
    return f"{hello}\n\n{body}\n\n{bye}\n{draw.word('first')} {draw.word('last')}"


@block("joined_prose")
def joined_prose(draw: Draw, record: Record) -> str:
    """Two or three facts a sentence, joined by conjunctions."""
    parts = sentences(draw, record, 0.1)
    glue = {"en": (", and ", "; ", ", while ", " and ", " – "), "de": (", und ", "; "), "fr": (", et ", " ; "), "es": (", y ", "; "),
            "it": (", e ", "; "), "nl": (", en ", "; "), "pl": (", a ", "; "), "pt": (", e ", "; ")}[draw.language]  # fmt: skip
    out = []
    index = 0
    while index < len(parts):
        step = draw.integer(1, 3)
        chunk = parts[index : index + step]
        out.append(draw.pick(glue).join(part.removesuffix(".") for part in chunk) + ".")
        index += step
    return " ".join(out) + list_text(draw, record)


@block("notes")
def notes(draw: Draw, record: Record) -> str:
    """Telegraphic notes: half labelled lines, half sentences."""
    parts = []
    for leaf in leaves(record):
        said = sentence(draw, leaf) if draw.chance(0.4) else None
        text = said.removesuffix(".") if said else f"{leaf.label}: {leaf.text}" if leaf.present else None
        if text is not None:
            parts.append(draw.pick(("- ", "")) + text)
    return draw.pick(("\n", " / ", "; ", ". ")).join(parts) + list_text(draw, record)


@block("chat")
def chat(draw: Draw, record: Record) -> str:
    """A talk between two people."""
    who = (draw.word("first"), draw.word("first"))
    shape = draw.pick(("{}: {}", "[{}] {}", "<{}> {}", "{} > {}", "{}\n{}"))
    asks = (
        "What's the {l}?",
        "And the {l}?",
        "{L}?",
        "Can you give me the {l}?",
        "Do you know the {l}?",
        "I still need the {l}.",
    )
    lines = []
    for leaf in leaves(record):
        text = sentence(draw, leaf)
        if text is None:
            continue
        if draw.language == "en" and draw.chance(0.5):
            label = running(leaf.label, "en")
            lines.append((who[0], draw.pick(asks).replace("{l}", label).replace("{L}", label[:1].upper() + label[1:])))
            lines.append(
                (
                    who[1],
                    text
                    if draw.chance(0.4) or leaf.old
                    else draw.pick(("{}", "{}.", "It's {}.", "Sure: {}", "That would be {}.", "{}, I think.")).format(
                        leaf.text
                    ),
                )
            )
        else:
            lines.append((draw.pick(who), text))
    return "\n".join(shape.format(name, text) for name, text in lines) + list_text(draw, record)


def story(draw: Draw, record: Record) -> str:
    """A running text of the domain with the record's values, then what it leaves out."""
    text = record.story or ""
    rest = []
    for leaf in leaves(record):
        slot = f"{{{leaf.key}}}"
        if slot in (record.story or ""):
            text = text.replace(slot, leaf.text)
        elif leaf.asked or draw.chance(0.25):
            said = sentence(draw, leaf)
            rest += [said] if said else []
    if not rest:
        return text + list_text(draw, record)
    after = draw.pick((" ", " ", "\n\n", "\n")) + " ".join(rest)
    return (text + after if draw.chance(0.8) else " ".join(rest) + "\n" + text) + list_text(draw, record)


TELLING = frozenset(
    {
        "person",
        "company",
        "email",
        "phone",
        "address",
        "street",
        "url",
        "iban",
        "job",
        "date",
        "money",
        "datetime",
        "plate",
        "food",
        "title",
    }
)


@block("bare")
def bare(draw: Draw, record: Record) -> str:
    """Values without labels wherever their kind tells what they are."""
    found = leaves(record)
    kinds = [leaf.kind for leaf in found]
    lines = []
    for leaf in found:
        text = shown(draw, leaf)
        if text is None:
            continue
        alone = not record.labelled and leaf.present and leaf.kind in TELLING and kinds.count(leaf.kind) == 1
        lines.append(text if alone else f"{leaf.label}: {text}")
    return draw.pick(("\n", "\n", ", ", " | ", " - ")).join(lines) + list_text(draw, record)
