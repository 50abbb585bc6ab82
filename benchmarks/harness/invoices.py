"""Plain invoices of 60 to 150 words, drawn here and for measuring only: no training data, no layouts of it."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date, timedelta

from pydantic import BaseModel

__all__ = ["Invoice", "Item", "invoices"]


class Item(BaseModel):
    """As in the first example."""

    name: str
    quantity: int
    price: float


class Invoice(BaseModel):
    """As in the first example."""

    number: str
    customer: str
    date: date
    items: list[Item]
    total: float


_SELLERS = ("Harbour Supplies", "Oak and Iron", "Lindqvist Office", "Cedar Hill Trading", "Blue Kite Stores")
_FIRST = ("Amara", "Bruno", "Chiara", "Dmitri", "Elif", "Farid", "Greta", "Hana", "Ivo", "Jonas", "Katya", "Luis")
_LAST = ("Okafor", "Silva", "Rossi", "Petrov", "Demir", "Haddad", "Nilsson", "Sato", "Novak", "Weber", "Ortega")
_FIRMS = ("Atlas Garage", "Brightwater School", "Copper Kettle Cafe", "Delta Clinic", "Eastgate Library", "Fern Studio")
_THINGS = (
    "Paper towels", "Extension cord", "Whiteboard", "Ink cartridge", "Stapler", "Wall clock", "Door mat", "Bookshelf",
    "Water filter", "Tool box", "Paint roller", "Garden hose", "Coffee mug", "First aid kit", "Filing cabinet",
    "Label maker", "Power drill", "Step ladder", "Storage crate", "Hand soap", "Light bulb", "Desk fan", "Tape measure",
)  # fmt: skip
_REMARKS = (
    "Please pay within thirty days of the date above, by bank transfer to the account that we have agreed with you.",
    "Goods stay our property until they are paid for in full; claims must reach us within two weeks of delivery.",
    "Thank you for your order. We look forward to working with you again, and our team is glad to help at any time.",
    "Delivered free of charge to your front door; please keep this paper, as it is also your proof of warranty.",
    "Questions about this bill? Call our office on any working day between nine and five, or simply write to us.",
    "All prices include packing. Late payments are charged with a fee of two percent for every month that begins.",
)


def invoices(count: int, *, seed: int = 20) -> list[str]:
    """Distinct texts, the same ones for the same seed."""
    draw = random.Random(seed)
    texts: dict[str, None] = {}
    while len(texts) < count:
        text = _text(draw)
        if 60 <= len(text.split()) <= 150:
            texts[text] = None
    return list(texts)


def _text(draw: random.Random) -> str:
    customer = draw.choice(_FIRMS) if draw.random() < 0.4 else f"{draw.choice(_FIRST)} {draw.choice(_LAST)}"
    number = draw.choice(("INV-{}", "R{}", "{}-A", "2024/{}", "No. {}")).format(draw.randint(1000, 99999)).split()[-1]
    names = draw.sample(_THINGS, draw.randint(2, 6))
    items = [Item(name=name, quantity=draw.randint(1, 9), price=draw.randint(150, 19900) / 100) for name in names]
    invoice = Invoice(
        number=number,
        customer=customer,
        date=date(2022, 1, 3) + timedelta(days=draw.randrange(1200)),
        items=items,
        total=round(sum(item.quantity * item.price for item in items), 2),
    )
    return draw.choice(_LAYOUTS)(invoice, draw.choice(_SELLERS), draw.sample(_REMARKS, draw.randint(2, 4)))


def _form(invoice: Invoice, seller: str, remarks: list[str]) -> str:
    head = f"{seller}\nINVOICE\n\nInvoice number: {invoice.number}\nDate: {invoice.date}\nBill to: {invoice.customer}\n"
    rows = [f"{item.name:<20}{item.quantity:>5}{item.price:>10.2f}" for item in invoice.items]
    lines = [head, f"{'Item':<20}{'Qty':>5}{'Price':>10}", *rows, "", f"Total: {invoice.total:.2f}", "", *remarks]
    return "\n".join(lines)


def _pairs(invoice: Invoice, seller: str, remarks: list[str]) -> str:
    rows = [f"  - {item.name}, quantity {item.quantity}, price {item.price:.2f}" for item in invoice.items]
    head = [f"from: {seller}", f"number: {invoice.number}", f"customer: {invoice.customer}", f"date: {invoice.date}"]
    return "\n".join([*head, "items:", *rows, f"total: {invoice.total:.2f}", f"note: {' '.join(remarks)}"])


def _counted(invoice: Invoice, seller: str, remarks: list[str]) -> str:
    rows = [f"{item.quantity} x {item.name} @ {item.price:.2f}" for item in invoice.items]
    head = f"{seller} | Invoice {invoice.number} | {invoice.date}\nCustomer: {invoice.customer}\n"
    return "\n".join([head, *rows, "", f"Amount due: {invoice.total:.2f}", *remarks])


def _letter(invoice: Invoice, seller: str, remarks: list[str]) -> str:
    bought = "; ".join(f"{item.quantity} x {item.name} at {item.price:.2f} each" for item in invoice.items)
    return (
        f"Dear {invoice.customer},\n\nthis is invoice {invoice.number} of {invoice.date}. You bought: {bought}. The"
        f" total is {invoice.total:.2f}.\n\n{' '.join(remarks)}\n\nKind regards\n{seller}"
    )


_LAYOUTS: tuple[Callable[[Invoice, str, list[str]], str], ...] = (_form, _pairs, _counted, _letter)
