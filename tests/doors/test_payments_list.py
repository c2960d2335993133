"""Payments as lists and people see them: filters, sums, portfolios, and whose name is kept."""

from datetime import date
from typing import Any, Final

import pytest

from tests.doors.book import CREATE, Book, a_book
from tests.doors.firms import Ledger, Pair
from tests.doors.house import Door, House, both
from tests.doors.requests import a_new_payment

pytestmark = pytest.mark.anyio

LIST: Final = "dunning_payments_list"
GET: Final = "dunning_payments_get"
PREVIEW: Final = "dunning_payments_preview"


@pytest.fixture
async def book(house: House, ledger: Ledger, pair: Pair) -> Book:
    return await a_book(house, ledger, pair)


async def test_the_list_filters_sorts_and_sums(book: Book) -> None:
    charge = await book.owes(date(2026, 8, 10), 600_00)
    small = await book.pay(10.00, date(2026, 8, 20), method="cash")
    large = await book.pay(700.00, date(2026, 8, 25), external_id="PIX-9")
    await book.reverse(small)

    async def listed(**filters: Any) -> list[str]:
        rest, mcp = await both(book.house, book.owner, LIST, filters)
        assert rest.body == mcp.body
        return [one["id"] for one in rest.data]

    newest = [large.data["id"], small.data["id"]]
    assert await listed() == newest
    assert await listed(sort_by="amount") == newest[::-1]
    assert await listed(charge_id=charge.id) == newest
    assert await listed(status="confirmed") == newest[:1]
    assert await listed(method="cash,check") == newest[1:]
    assert await listed(unallocated=True) == newest[:1]
    assert await listed(paid_to="2026-08-20") == newest[1:]
    assert await listed(min_amount=10.01) == newest[:1]
    assert await listed(external_id="PIX-9") == newest[:1]
    everything = await book.house.rest(book.owner, LIST, {})
    assert everything.body["meta"]["sum_amount"] == 710.0
    assert (await book.house.rest(book.pair.b.owner, LIST, {})).data == []


async def test_a_narrowed_collector_sees_the_payments_of_their_own_debtors_only(
    book: Book,
) -> None:
    await book.owes(date(2026, 8, 10), 600_00)
    paid = await book.pay(10.00, date(2026, 8, 20))
    narrowed = book.pair.a.person(book.pair.a.narrowed)
    for door in Door:
        assert (await book.house.call(door, narrowed, LIST)).data == []
        absent = await book.house.call(door, narrowed, GET, {"id": paid.data["id"]})
        assert absent.code == "NOT_FOUND"
        asked = {"debtor_id": book.debtor.id, "amount": 1.00}
        refused = await book.house.call(door, narrowed, PREVIEW, asked)
        assert refused.details == [("debtor_id", "not_found")]


async def test_nobody_reads_the_payers_document_whole(book: Book) -> None:
    await book.owes(date(2026, 8, 10), 600_00)
    mother = {"payer_name": "Mãe do Paulo", "payer_document": "529.982.247-25"}
    wanted = a_new_payment(book.debtor.id, **mother)
    paid = await book.house.rest(book.owner, CREATE, wanted)
    assert paid.data["payer_document"] == "***.982.247-**"
    assert b"529" not in paid.raw
    events = str(await book.ledger.events(book.pair.a.id))
    assert "529" not in events
    assert "Mãe" not in events
