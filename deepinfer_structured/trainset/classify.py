"""Classification: a label from a text, yes or no, several labels."""

from collections.abc import Callable
from typing import Any

from deepinfer_structured.trainset.classify_table import HELDOUT_TASKS, TASKS
from deepinfer_structured.trainset.draw import Draw
from deepinfer_structured.trainset.example import Example, compact_json
from deepinfer_structured.trainset.kinds import sample
from deepinfer_structured.trainset.languages import FILLERS
from deepinfer_structured.trainset.values import new_style

Task = tuple[str, dict[str, tuple[str, ...]]]
SHOW = {"company": "company", "thing": "thing", "city": "city", "person": "person", "food": "food", "id": "identifier"}
LABEL_STYLES: tuple[Callable[[str], str], ...] = (
    str,
    str,
    str,
    str.upper,
    str.capitalize,
    lambda label: label.replace("_", " "),
    lambda label: label.replace("_", "-"),
)


def read_tasks(text: str) -> tuple[Task, ...]:
    """`= field` opens a task; `label: text; text` gives its labels."""
    tasks: list[Task] = []
    for line in text.strip().splitlines():
        if line.startswith("= "):
            tasks.append((line[2:].strip(), {}))
        else:
            label, texts = line.split(": ", 1)
            tasks[-1][1][label] = tuple(part.strip() for part in texts.split(";"))
    return tuple(tasks)


TRAIN = read_tasks(TASKS)
HELDOUT = read_tasks(HELDOUT_TASKS)


def filled(draw: Draw, text: str) -> str:
    """A text with its slots filled."""
    style = new_style(draw)
    for slot, kind in SHOW.items():
        if f"{{{slot}}}" in text:
            text = text.replace(f"{{{slot}}}", sample(draw, style, kind).text)
    return text


def evidence(draw: Draw, texts: tuple[str, ...]) -> str:
    """One to three sentences that speak for a label, with fillers."""
    parts = [filled(draw, text) for text in draw.some(texts, draw.pick((1, 1, 2, 3)))]
    if draw.chance(0.3):
        parts.insert(draw.integer(0, len(parts)), draw.pick(FILLERS["en"]))
    return " ".join(part if part[-1:] in ".!?" else part + "." for part in parts)


def named_labels(draw: Draw) -> Example:
    """Labels of random words, one of which the text names."""
    labels = list(dict.fromkeys(draw.word("noun", "en").lower() for _ in range(draw.integer(2, 8))))
    label = draw.pick(labels)
    frame = draw.pick(
        (
            "This is about {}.",
            "It belongs with {}.",
            "We talked about {} all day.",
            "The subject is {}.",
            "I would call it {}.",
            "Everything here concerns {}.",
        )
    )
    document = " ".join(draw.shuffled([frame.format(label), *draw.some(FILLERS["en"], draw.integer(0, 2))]))
    return Example(
        {"enum": labels, "type": "string"},
        draw.pick(("Classify.", "Pick the topic.", "Extract.")),
        document,
        compact_json(label),
        "classify",
        "named",
    )


def yes_no_example(draw: Draw, field: str, labels: list[str], picked: str, document: str) -> Example:
    """Whether one label holds."""
    asked = draw.pick(labels)
    note = f"{field}: is it {asked.replace('_', ' ')}?"
    truth = asked == picked
    if draw.chance(0.4):
        return Example({"type": "boolean"}, note, document, compact_json(truth), "classify", "yes_no")
    answer = {"type": "boolean", "description": note}
    schema = {"properties": {"answer": answer}, "required": ["answer"], "type": "object"}
    return Example(schema, note, document, compact_json({"answer": truth}), "classify", "yes_no")


def classify_example(draw: Draw) -> Example:
    """One classification task."""
    if draw.chance(0.25):
        return named_labels(draw)
    field, labels = draw.pick(HELDOUT if draw.heldout_schemas else TRAIN)
    chosen = draw.some(list(labels), draw.integer(2, len(labels)))
    picked = draw.pick(chosen)
    show = draw.pick(LABEL_STYLES)
    document = evidence(draw, labels[picked])
    form = draw.random()
    instruction = draw.pick(
        ("Classify.", f"Classify the {field}.", f"What is the {field}?", "Extract.", f"Choose the {field}.")
    )
    if form < 0.2:
        return yes_no_example(draw, field, chosen, picked, document)
    options = [show(label) for label in chosen]
    values = {"enum": options, "type": "string"}
    if form < 0.5:
        return Example(values, instruction, document, compact_json(show(picked)), "classify", "label")
    name = field.replace(" ", "_")
    answer: dict[str, Any] = {name: show(picked)}
    properties: dict[str, Any] = {name: {**values, "title": name.replace("_", " ").title()}}
    if form < 0.65:
        style = new_style(draw)
        kind = draw.pick(("identifier", "person", "email", "date"))
        value = sample(draw, style, kind)
        key = {"identifier": "id", "person": "name", "email": "email", "date": "date"}[kind]
        document = draw.pick(
            (
                f"{key.upper()}: {value.text}\n{document}",
                f"{document}\n({key}: {value.text})",
                f"[{value.text}] {document}",
            )
        )
        answer = {key: value.answer, **answer}
        properties = {key: {**value.schema, "title": key.title()}, **properties}
    schema: dict[str, Any] = {
        "properties": properties,
        "required": list(properties),
        "title": draw.pick(("Label", "Result", "Classification", "Answer")),
        "type": "object",
    }
    return Example(schema, instruction, document, compact_json(answer), "classify", "object")
