"""Calls whose types the checkers must see; read by mypy and pyright, run by nobody."""

import dataclasses
from typing import Any, assert_type

from pydantic import BaseModel

from deepinfer_structured import LLM, Choice, Completion, JSONSchema, Partial, Regex, generate


class Invoice(BaseModel):
    total: float


@dataclasses.dataclass
class Point:
    x: int


llm = LLM()
chat = [{"role": "user", "content": "x"}]

assert_type(llm.generate("a"), str)
assert_type(llm.generate(["a"]), list[str])
assert_type(llm.generate("a", Invoice), Invoice)
assert_type(llm.generate(["a"], Invoice), list[Invoice])
assert_type(llm.generate(("a", "b"), Invoice), list[Invoice])
assert_type(llm.generate(chat, Invoice), Invoice)
assert_type(llm.generate([chat, chat], Invoice), list[Invoice])
assert_type(llm.generate("a", Point, max_tokens=5, temperature=0.5, seed=1), Point)
assert_type(llm.generate("a", list[Invoice]), list[Invoice])
assert_type(llm.generate("a", Regex("x")), str)
assert_type(llm.generate(["a"], Choice(["x"])), list[str])
assert_type(llm.generate("a", Invoice, details=True), Completion[Invoice])
assert_type(llm.generate(["a"], Invoice, details=True, on_error="return"), list[Completion[Invoice]])
assert_type(llm.generate("a", details=True), Completion[str])
assert_type(llm.generate("a", Invoice, details=True).value, Invoice | None)
assert_type(llm.generate("a", {"type": "object"}), Any)
assert_type(llm.generate(["a"], JSONSchema({"type": "object"})), list[Any])
assert_type(llm.generate(["a"], [Invoice, Regex("x")]), list[Any])
assert_type(llm.generate("a", Invoice, n=2), Any)

assert_type(generate("a", Invoice), Invoice)
assert_type(generate(["a"], Invoice, model="nano", device="cpu"), list[Invoice])
assert_type(generate(["a"], details=True), list[Completion[str]])

for part in llm.stream("a", Invoice, max_tokens=9):
    assert_type(part, Partial[Invoice])
    assert_type(part.value, Invoice | None)


async def later() -> None:
    """The same for a coroutine."""
    assert_type(await llm.agenerate("a", Invoice), Invoice)
    assert_type(await llm.agenerate(["a"], Invoice, temperature=1.0), list[Invoice])
    assert_type(await llm.agenerate(["a"], Invoice, details=True), list[Completion[Invoice]])
