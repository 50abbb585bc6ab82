"""A JSON Schema in, plain Python values out; and what became of each keyword, before anything runs."""

import deepinfer_structured
from deepinfer_structured import LLM, UnsupportedSchemaError

CONTACT = {
    "title": "Contact",
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "email": {"type": "string", "format": "email"},
        "phone": {"type": "string", "pattern": r"^[0-9+ -]{6,20}$"},
        "channel": {"enum": ["email", "phone", "post"]},
    },
    "required": ["name", "email", "phone", "channel"],
    "additionalProperties": False,
}

LETTER = """\
Name: Priya Raman
E-mail: priya.raman@bluefin.example
Phone: 415-555-0188
Preferred channel: email
"""


def main() -> None:
    """Compile, look at the report, try texts, generate."""
    constraint = deepinfer_structured.compile(CONTACT)
    for entry in constraint.report:
        if entry.verdict != "annotation":
            print(f"{entry.pointer or '/'}: {entry.keyword} is {entry.verdict}")
    print("shortest:", constraint.shortest())
    print("accepts {}:", constraint.accepts("{}"))

    try:
        deepinfer_structured.compile({"type": "string", "contentMediaType": "text/plain", "if": {"minLength": 3}})
    except UnsupportedSchemaError as error:
        print("refused:", error)

    with LLM() as llm:
        contact = llm.generate(LETTER, constraint)
    print(contact)


if __name__ == "__main__":
    main()
