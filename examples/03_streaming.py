"""An object that fills up while its tokens arrive."""

from pydantic import BaseModel

from deepinfer_structured import LLM


class Item(BaseModel):
    name: str
    price: float


class Receipt(BaseModel):
    store: str
    items: list[Item]
    total: float


RECEIPT = """\
Store: Green Market

Item | Price
Apples | 3.20
Oat milk | 1.95
Rye bread | 4.10

Total: 9.25
"""


def main() -> None:
    """Print a field as soon as it is there, and last the whole receipt."""
    seen = 0
    with LLM() as llm:
        for part in llm.stream(RECEIPT, Receipt):
            items = (part.value.items if part.value else None) or []
            complete = items if part.done else items[:-1]  # the last one is still growing
            for item in complete[seen:]:
                print(f"item: {item.name} {item.price}")
            seen = len(complete)
            if part.done:
                print(repr(part.value))


if __name__ == "__main__":
    main()
