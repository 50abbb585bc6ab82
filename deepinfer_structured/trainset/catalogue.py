"""Reads the catalogue of domains: which fields a kind of document has, what they are called, how prose states them."""

import functools
import re
from dataclasses import dataclass, field

from deepinfer_structured.trainset.catalogue_business import BUSINESS
from deepinfer_structured.trainset.catalogue_heldout import HELDOUT
from deepinfer_structured.trainset.catalogue_life import LIFE
from deepinfer_structured.trainset.catalogue_more import MORE
from deepinfer_structured.trainset.stories import STORIES
from deepinfer_structured.trainset.translations import TRANSLATIONS


@dataclass(frozen=True, slots=True)
class Concept:
    """One field of a domain; `columns` where it is a list of records."""

    kind: str
    names: tuple[str, ...]
    labels: dict[str, tuple[str, ...]]
    sentences: tuple[str, ...] = ()
    columns: tuple["Concept", ...] = ()


@dataclass(frozen=True, slots=True)
class Domain:
    """A kind of document."""

    name: str
    classes: tuple[str, ...]
    titles: tuple[str, ...]
    concepts: tuple[Concept, ...]
    heldout: bool = field(default=False)


def split(text: str, mark: str) -> tuple[str, ...]:
    """Non-empty stripped parts."""
    return tuple(part.strip() for part in text.split(mark) if part.strip())


def read_concept(line: str) -> Concept:
    """One line of the notation."""
    head, labels, *rest = (part.strip() for part in line.split(" | "))
    kind, names = head.split(" ", 1)
    english = split(labels, ",")
    sentences = split(rest[0], ";") if rest else ()
    return Concept(kind, split(names, ","), {"en": english, **TRANSLATIONS.get(english[0], {})}, sentences)


def read_domains(text: str, *, heldout: bool) -> tuple[Domain, ...]:
    """Every domain of one text."""
    found = []
    for block in re.split(r"^= ", text, flags=re.MULTILINE)[1:]:
        head, *lines = block.rstrip().splitlines()
        classes, titles = head.split(" | ")
        concepts: list[Concept] = []
        for line in lines:
            if line.startswith("* "):
                concepts.append(read_concept("list" + line[1:]))
            elif line.startswith(" "):
                owner = concepts[-1]
                columns = (*owner.columns, read_concept(line.strip()))
                concepts[-1] = Concept(owner.kind, owner.names, owner.labels, owner.sentences, columns)
            elif line.strip():
                concepts.append(read_concept(line))
        names = split(classes, ",")
        found.append(Domain(names[0], names, split(titles, ","), tuple(concepts), heldout))
    return tuple(found)


@functools.cache
def domains(heldout: bool) -> tuple[Domain, ...]:
    """The domains of one side."""
    return read_domains(HELDOUT, heldout=True) if heldout else read_domains(BUSINESS + LIFE + MORE, heldout=False)


def concept_names(domain: Domain) -> set[str]:
    """Every field name a domain can use, in snake case."""
    every = [concept for top in domain.concepts for concept in (top, *top.columns)]
    return {name for concept in every for name in concept.names}


@functools.cache
def heldout_names() -> frozenset[str]:
    """Field names that no training schema may use, whatever their case, without separators."""
    names = set().union(*(concept_names(domain) for domain in domains(True)))
    return frozenset(bare(name) for name in names)


def bare(name: str) -> str:
    """A field name without case and separators."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


@functools.cache
def stories() -> dict[str, tuple[str, ...]]:
    """Domain name -> running texts with slots."""
    found: dict[str, tuple[str, ...]] = {}
    for block in re.split(r"^= ", STORIES, flags=re.MULTILINE)[1:]:
        name, *lines = block.strip().splitlines()
        found[name] = tuple(line.replace("\\n", "\n") for line in lines)
    return found
