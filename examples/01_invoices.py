"""Text in, typed objects out: three invoices in three layouts become `Invoice` objects."""

import sys
import time
from datetime import date

from pydantic import BaseModel

from deepinfer_structured import LLM


class Item(BaseModel):
    name: str
    quantity: int
    price: float


class Invoice(BaseModel):
    number: str
    customer: str
    date: date
    items: list[Item]
    total: float


DOCUMENTS = [
    """\
INVOICE

Invoice number: INV-20417
Date: 2024-03-12
Bill to: Northwind Traders

Item                 Qty     Price
Desk lamp              2     24.90
Office chair           1    149.00

Total: 198.80
""",
    """\
Invoice RE-883 | 2023-11-05
Customer: Maria Keller

3 x Notebook @ 4.50
1 x Leather case @ 32.00

Amount due: 45.50
""",
    """\
number: 7719-B
customer: Bluefin Robotics
date: 2025-01-20
items:
  - name: Servo motor
    quantity: 4
    price: 18.25
  - name: Cable set
    quantity: 1
    price: 12.00
total: 85.00
""",
]


def main() -> None:
    """Print the objects; say on standard error what they cost."""
    started = time.perf_counter()
    with LLM() as llm:
        loaded = time.perf_counter() - started
        completions = llm.generate(DOCUMENTS, Invoice, details=True)
    seconds = time.perf_counter() - started
    for completion in completions:
        print(repr(completion.value))
    usages = [completion.usage for completion in completions]
    prompt, output = (sum(getattr(usage, f"{part}_tokens") for usage in usages) for part in ("prompt", "output"))
    drafted, accepted = sum(usage.drafted for usage in usages), sum(usage.accepted for usage in usages)
    forced, passes = sum(usage.forced for usage in usages), sum(usage.verifications for usage in usages)
    print(
        f"{len(usages)} invoices, {prompt} prompt tokens, {output} output tokens ({forced} forced by the grammar),"
        f" {accepted} of {drafted} drafts accepted, {output / passes:.1f} tokens a pass,"
        f" {seconds:.1f} s of which {loaded:.1f} s loading",
        file=sys.stderr,
    )


if __name__ == "__main__":
    main()
