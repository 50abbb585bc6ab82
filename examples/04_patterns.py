"""Answers that are no JSON: a pattern, one of a few texts, a grammar of one's own."""

import re

from deepinfer_structured import EBNF, LLM, Choice, Regex

TICKET = """\
From: anna@shop.example
Subject: Late parcel
Parcel number: 4471-XC

The order from 2024-05-02 was due last week. Tracking has not moved since. Please send a replacement today!
"""

LIST = EBNF("""
root ::= line line line
line ::= "- " word (" " word)? "\\n"
word ::= [a-z]{2,12}
""")


def main() -> None:
    """One call, one schema a prompt."""
    schemas = [Regex(r"[0-9]{4}-[A-Z]{2}"), Choice(["low", "normal", "urgent"]), LIST]
    instructions = ["What is the parcel number?", "How urgent is it?", "List three words of the text."]
    with LLM() as llm:
        answers = [
            llm.generate(TICKET, schema, instruction=instruction)
            for schema, instruction in zip(schemas, instructions, strict=True)
        ]
    parcel, urgency, words = answers
    print("parcel:", parcel, "- fits the pattern:", bool(re.fullmatch(r"[0-9]{4}-[A-Z]{2}", parcel)))
    print("urgency:", urgency, "- is a choice:", urgency in {"low", "normal", "urgent"})
    print("lines:", len(words.splitlines()))


if __name__ == "__main__":
    main()
