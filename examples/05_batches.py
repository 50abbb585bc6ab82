"""A batch in which some prompts fail: errors come back beside values; and the same from an event loop."""

import asyncio

from pydantic import BaseModel, field_validator

from deepinfer_structured import LLM, BatchError, Completion


class Order(BaseModel):
    number: str
    quantity: int

    @field_validator("quantity")
    @classmethod
    def in_stock(cls, value: int) -> int:
        """Orders are small."""
        if value > 100:
            message = "we have only 100"
            raise ValueError(message)
        return value


DOCUMENTS = [
    "Order number: A-1001\nQuantity: 3\n",
    "",
    "Order number: A-1002\nQuantity: 500\n",
    "Order number: A-1003\nQuantity: 12\n",
]


def show(rows: list[Order | Completion[Order]]) -> None:
    """A value, or what went wrong and how far it came."""
    for row in rows:
        if isinstance(row, Completion):
            print(f"{type(row.error).__name__}, text so far: {row.text!r}")
        else:
            print(repr(row))


async def concurrently(llm: LLM) -> None:
    """Two calls at the same time share the engine's steps."""
    first, second = await asyncio.gather(llm.agenerate(DOCUMENTS[0], Order), llm.agenerate(DOCUMENTS[3], Order))
    print("async:", first.number, second.number)


def main() -> None:
    """Return errors, raise them, and wait for several calls at once."""
    with LLM() as llm:
        show(llm.generate(DOCUMENTS, Order, on_error="return"))
        try:
            llm.generate(DOCUMENTS, Order)
        except BatchError as error:
            print("raised:", [index for index, _ in error.errors], "failed,", len(error.completions), "rows kept")
        asyncio.run(concurrently(llm))


if __name__ == "__main__":
    main()
