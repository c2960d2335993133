"""Payments: what they settle, by both doors, and what undoing one gives back."""

import asyncio
from datetime import date
from typing import Any, Final

import pytest

from tests.builders import a_charge, a_debtor
from tests.doors.book import CREATE, Book, a_book
from tests.doors.firms import Ledger, Pair
from tests.doors.house import Door, House, both
from tests.doors.requests import a_key, a_new_payment

pytestmark = pytest.mark.anyio

PREVIEW: Final = "dunning_payments_preview"


@pytest.fixture
async def book(house: House, ledger: Ledger, pair: Pair) -> Book:
    return await a_book(house, ledger, pair)


def parts(allocation: dict[str, Any]) -> tuple[float, float, float, float]:
    return (
        allocation["interest"],
        allocation["fine"],
        allocation["principal"],
        allocation["money"],
    )


@pytest.mark.parametrize("door", Door)
async def test_example_5_a_partial_payment_by_both_doors(book: Book, door: Door) -> None:
    charge = await book.owes(date(2026, 9, 15), 600_00)
    book.today(date(2026, 10, 15))
    paid = await book.pay(200.00, date(2026, 10, 15), door)
    (allocation,) = paid.data["allocations"]
    assert parts(allocation) == (6.0, 12.0, 182.0, 200.0)
    assert paid.data["unallocated_amount"] == 0
    assert paid.data["effects"] == [
        {"type": "charge.partially_paid", "charge_id": charge.id, "total_due": 418.0}
    ]
    book.today(date(2026, 11, 10))
    later = await book.charge(charge)
    assert later["amounts"]["principal_outstanding"] == 418.0
    assert (later["amounts"]["fine"], later["amounts"]["interest"]) == (0, 3.62)
    assert later["amounts"]["total_due"] == 421.62
    assert later["amounts"]["paid"] == 200.0


async def test_example_6_one_payment_without_an_indication_settles_the_oldest_first(
    book: Book,
) -> None:
    younger = await book.owes(date(2026, 11, 5), 450_00)
    older = await book.owes(date(2026, 10, 5), 300_00)
    not_due = await book.owes(date(2026, 12, 20), 80_00)
    book.today(date(2026, 11, 25))
    paid = await book.pay(500.00, date(2026, 11, 25))
    assert [one["charge_id"] for one in paid.data["allocations"]] == [older.id, younger.id]
    assert [parts(one) for one in paid.data["allocations"]] == [
        (5.1, 6.0, 300.0, 311.1),
        (3.0, 9.0, 176.9, 188.9),
    ]
    settled, left = await book.charge(older), await book.charge(younger)
    assert (settled["status"], settled["paid_at"]) == ("paid", "2026-11-25")
    assert (left["status"], left["amounts"]["total_due"]) == ("overdue", 273.1)
    assert (await book.charge(not_due))["amounts"]["paid"] == 0


async def test_edge_case_21_less_than_the_interest_settles_interest_only(book: Book) -> None:
    charge = await book.owes(date(2026, 9, 15), 600_00)
    book.today(date(2026, 10, 15))
    paid = await book.pay(4.00, date(2026, 10, 15))
    (allocation,) = paid.data["allocations"]
    assert parts(allocation) == (4.0, 0, 0, 4.0)
    book.today(date(2026, 11, 14))
    later = await book.charge(charge)
    assert later["amounts"]["principal_outstanding"] == 600.0
    assert (later["amounts"]["fine"], later["amounts"]["interest"]) == (12.0, 8.0)


async def test_edge_case_22_three_cents_too_much_are_credit(book: Book) -> None:
    charge = await book.owes(date(2026, 9, 15), 600_00)
    book.today(date(2026, 10, 15))
    paid = await book.pay(618.03, date(2026, 10, 15))
    assert paid.data["unallocated_amount"] == 0.03
    assert paid.data["effects"][-1]["type"] == "debtor.credit"
    assert (await book.charge(charge))["status"] == "paid"
    assert await book.credit() == 3


async def test_edge_case_22_three_cents_too_little_are_forgiven(book: Book) -> None:
    charge = await book.owes(date(2026, 9, 15), 600_00)
    book.today(date(2026, 10, 15))
    paid = await book.pay(617.97, date(2026, 10, 15))
    (allocation,) = paid.data["allocations"]
    assert (allocation["tolerance"], allocation["principal"]) == (0.03, 600.0)
    assert allocation["money"] == 617.97
    settled = await book.charge(charge)
    assert (settled["status"], settled["amounts"]["paid"]) == ("paid", 617.97)
    assert await book.credit() == 0


async def test_edge_case_4_fees_stop_on_the_day_of_the_pix_whenever_it_is_recorded(
    book: Book,
) -> None:
    charge = await book.owes(date(2026, 10, 9), 1_250_00)
    book.today(date(2026, 10, 19))
    paid = await book.pay(1_278.75, date(2026, 10, 18))
    (allocation,) = paid.data["allocations"]
    assert parts(allocation) == (3.75, 25.0, 1_250.0, 1_278.75)
    assert paid.data["available_at"] == "2026-10-18"
    assert (await book.charge(charge))["paid_at"] == "2026-10-18"


async def test_edge_case_4_a_boleto_is_at_our_disposal_on_the_next_business_day(
    book: Book,
) -> None:
    await book.owes(date(2026, 10, 9), 1_250_00)
    book.today(date(2026, 10, 19))
    paid = await book.pay(100.00, date(2026, 10, 18), method="boleto")
    assert paid.data["available_at"] == "2026-10-19"


async def test_the_debtors_indication_wins_and_leaves_the_rest_as_credit(book: Book) -> None:
    older = await book.owes(date(2026, 10, 5), 300_00)
    chosen = await book.owes(date(2026, 11, 30), 450_00)
    book.today(date(2026, 11, 25))
    paid = await book.pay(500.00, date(2026, 11, 25), charge_ids=[chosen.id])
    (allocation,) = paid.data["allocations"]
    assert (allocation["charge_id"], allocation["money"]) == (chosen.id, 450.0)
    assert paid.data["unallocated_amount"] == 50.0
    assert (await book.charge(older))["amounts"]["paid"] == 0


async def test_a_preview_says_what_a_payment_does_and_keeps_nothing(book: Book) -> None:
    await book.owes(date(2026, 10, 5), 300_00)
    await book.owes(date(2026, 11, 5), 450_00)
    book.today(date(2026, 11, 25))
    before = await book.ledger.everything(book.pair.a.id)
    asked = {"debtor_id": book.debtor.id, "amount": 500.00}
    rest, mcp = await both(book.house, book.owner, PREVIEW, asked)
    assert rest.body == mcp.body
    assert await book.ledger.everything(book.pair.a.id) == before
    paid = await book.pay(500.00, date(2026, 11, 25))
    assert rest.data["allocations"] == paid.data["allocations"]
    after = [(one["status"], one["total_due"]) for one in rest.data["charges_after"]]
    assert after == [("paid", 0), ("overdue", 273.1)]


async def test_reversing_gives_back_each_component(book: Book) -> None:
    charge = await book.owes(date(2026, 9, 15), 600_00)
    book.today(date(2026, 10, 15))
    before = await book.charge(charge)
    paid = await book.pay(200.00, date(2026, 10, 15))
    undone = await book.reverse(paid, reason="chargeback", note="Contestado no cartão.")
    assert undone.status == 200
    assert (undone.data["status"], undone.data["version"]) == ("reversed", 2)
    assert undone.data["reversal"] == {
        "reason": "chargeback",
        "note": "Contestado no cartão.",
        "reversed_at": "2026-10-15",
    }
    after = await book.charge(charge)
    assert after["amounts"] == before["amounts"] | {"as_of": "2026-10-15"}
    assert after["status"] == "overdue"


async def test_reversing_what_settled_a_charge_opens_it_again(book: Book) -> None:
    charge = await book.owes(date(2026, 9, 15), 600_00)
    book.today(date(2026, 10, 15))
    paid = await book.pay(618.00, date(2026, 10, 15))
    assert (await book.charge(charge))["status"] == "paid"
    book.today(date(2026, 11, 14))
    undone = await book.reverse(paid)
    assert [one["type"] for one in undone.data["effects"]] == ["charge.reopened"]
    again = await book.charge(charge)
    assert (again["status"], again["paid_at"]) == ("overdue", None)
    assert again["amounts"]["total_due"] == 624.0
    kinds = {event["type"] for event in await book.ledger.events(book.pair.a.id)}
    assert kinds == {"charge.paid", "payment.confirmed", "payment.reversed", "charge.reopened"}


async def test_a_reversed_payment_stays_reversed(book: Book) -> None:
    await book.owes(date(2026, 9, 15), 600_00)
    book.today(date(2026, 10, 15))
    paid = await book.pay(200.00, date(2026, 10, 15))
    await book.reverse(paid)
    before = await book.ledger.events(book.pair.a.id)
    again = await book.reverse(paid)
    assert (again.status, again.data["status"], again.data["effects"]) == (200, "reversed", [])
    assert await book.ledger.events(book.pair.a.id) == before


async def test_credit_pays_by_compensation_and_cannot_be_taken_back_meanwhile(book: Book) -> None:
    book.today(date(2026, 10, 15))
    paid = await book.pay(100.00, date(2026, 10, 15))
    assert (paid.data["allocations"], paid.data["unallocated_amount"]) == ([], 100.0)
    charge = await book.owes(date(2026, 9, 15), 60_00)
    too_much = await book.pay(100.00, date(2026, 10, 15), method="compensation")
    assert (too_much.code, too_much.details) == ("VALIDATION_ERROR", [("amount", "out_of_range")])
    assert "more than BRL 61.80, what is due" in too_much.error["details"][0]["message"]
    beyond = await book.pay(100.01, date(2026, 10, 15), method="compensation")
    assert "credit on that day: BRL 100" in beyond.error["details"][0]["message"]
    used = await book.pay(61.80, date(2026, 10, 15), method="compensation")
    assert used.status == 201
    assert (await book.charge(charge))["status"] == "paid"
    assert await book.credit() == 38_20
    refused = await book.reverse(paid)
    assert (refused.code, refused.error["current_status"]) == ("STATE_CONFLICT", "confirmed")
    assert (await book.reverse(used)).status == 200
    assert (await book.reverse(paid)).status == 200
    assert await book.credit() == 0


@pytest.mark.parametrize(
    ("fields", "detail"),
    [
        ({"amount": 0}, ("amount", "out_of_range")),
        ({"amount": -5}, ("amount", "out_of_range")),
        ({"amount": 10.005}, ("amount", "too_many_decimals")),
        ({"paid_at": "2026-09-02"}, ("paid_at", "out_of_range")),
        ({"paid_at": "1980-01-01"}, ("paid_at", "out_of_range")),
        ({"available_at": "2026-08-31"}, ("available_at", "out_of_range")),
        ({"available_at": "2030-01-01"}, ("available_at", "out_of_range")),
        ({"payer_document": "529.982.247-26"}, ("payer_document", "invalid_document")),
        ({"method": "gold"}, ("method", "not_allowed")),
        ({"charge_ids": ["dbt_" + "0" * 26]}, ("charge_ids[0]", "wrong_id_type")),
    ],
)
@pytest.mark.parametrize("door", Door)
async def test_bad_input_names_the_field_and_leaves_nothing(
    book: Book, door: Door, fields: dict[str, Any], detail: tuple[str, str]
) -> None:
    charge = await book.owes(date(2026, 8, 10), 600_00)
    before = await book.ledger.rows(book.pair.a.id, "payments")
    wanted = a_new_payment(book.debtor.id, **fields)
    refused = await book.house.call(door, book.owner, CREATE, wanted)
    assert refused.code == "VALIDATION_ERROR"
    assert refused.details == [detail]
    assert await book.ledger.rows(book.pair.a.id, "payments") == before
    assert (await book.charge(charge))["amounts"]["paid"] == 0


async def test_charges_that_take_no_payment_are_named_one_by_one(book: Book) -> None:
    paid = await book.owes(date(2026, 8, 10), 100_00)
    await book.pay(100.00, date(2026, 8, 10), charge_ids=[paid.id])
    foreign = a_debtor(book.pair.a.creditor)
    others = a_charge(foreign)
    await book.ledger.keep(book.pair.a, foreign, others)
    absent = "chg_" + "7" * 26
    refused = await book.pay(
        10.00, date(2026, 9, 1), charge_ids=[paid.id, others.id, absent, paid.id]
    )
    assert refused.details == [
        ("charge_ids[0]", "not_owed"),
        ("charge_ids[1]", "not_found"),
        ("charge_ids[2]", "not_found"),
        ("charge_ids[3]", "duplicate"),
    ]


async def test_an_external_id_is_there_once(book: Book) -> None:
    await book.owes(date(2026, 8, 10), 100_00)
    first = await book.pay(10.00, date(2026, 9, 1), external_id="PIX-1")
    second = await book.pay(10.00, date(2026, 9, 1), external_id="PIX-1")
    assert (second.status, second.code) == (409, "DUPLICATE")
    assert second.error["existing_id"] == first.data["id"]
    assert len(await book.ledger.rows(book.pair.a.id, "payments")) == 1


async def test_an_external_id_is_no_cpf(book: Book) -> None:
    await book.owes(date(2026, 8, 10), 100_00)
    refused = await book.pay(10.00, date(2026, 9, 1), external_id="529.982.247-25")
    assert (refused.status, refused.details) == (422, [("external_id", "personal_document")])
    assert b"529.982" not in refused.raw
    assert await book.ledger.rows(book.pair.a.id, "payments") == []


async def test_edge_case_24_one_effect_of_twenty_parallel_calls_with_one_key(book: Book) -> None:
    charge = await book.owes(date(2026, 8, 10), 600_00)
    wanted = a_new_payment(book.debtor.id, idempotency_key=a_key())
    calls = [book.house.rest(book.owner, CREATE, wanted) for _ in range(20)]
    answers = await asyncio.gather(*calls)
    assert {answer.status for answer in answers} <= {201, 409}
    stored = await book.house.rest(book.owner, CREATE, wanted)
    assert (stored.status, stored.headers["idempotency-replayed"]) == (201, "true")
    assert len(await book.ledger.rows(book.pair.a.id, "payments")) == 1
    assert (await book.charge(charge))["amounts"]["paid"] == 200.0
    other = await book.house.rest(book.owner, CREATE, {**wanted, "amount": 201.00})
    assert (other.status, other.code) == (422, "IDEMPOTENCY_KEY_REUSED")


async def test_two_payments_at_once_never_settle_the_same_cent(book: Book) -> None:
    charge = await book.owes(date(2026, 8, 10), 600_00)
    await asyncio.gather(*(book.pay(100.00, date(2026, 9, 1)) for _ in range(8)))
    rows = await book.ledger.rows(book.pair.a.id, "payments")
    assert len(rows) == 8
    assert sum(row["amount"] for row in rows) == 800_00
    assert (await book.charge(charge))["amounts"]["paid"] == 616.4
    assert await book.credit() == 183_60


async def test_a_payment_of_an_earlier_day_than_one_that_settled_fees_is_refused(
    book: Book,
) -> None:
    charge = await book.owes(date(2026, 9, 15), 600_00)
    book.today(date(2026, 10, 15))
    later = await book.pay(200.00, date(2026, 10, 15))
    refused = await book.pay(418.00, date(2026, 9, 25))
    assert refused.details == [("paid_at", "later_payment")]
    assert "2026-10-15" in refused.error["details"][0]["message"]
    await book.reverse(later)
    assert (await book.pay(418.00, date(2026, 9, 25))).status == 201
    surplus = await book.pay(200.00, date(2026, 10, 15))
    assert surplus.data["unallocated_amount"] == 2.69
    assert (await book.charge(charge))["status"] == "paid"


async def test_an_archived_debtor_whose_payment_fails_is_back_among_the_active(
    book: Book,
) -> None:
    await book.owes(date(2026, 8, 10), 100_00)
    paid = await book.pay(100.00, date(2026, 8, 10))
    owner, debtor = book.owner, {"id": book.debtor.id}
    archived = await book.house.rest(owner, "dunning_debtors_archive", debtor)
    assert archived.data["status"] == "archived"
    await book.reverse(paid, reason="bounced_check")
    found = await book.house.rest(owner, "dunning_debtors_get", debtor)
    assert found.data["status"] == "active"
    kinds = {event["type"] for event in await book.ledger.events(book.pair.a.id)}
    assert {"debtor.archived", "charge.reopened", "debtor.updated"} <= kinds


async def test_credit_is_set_off_from_the_day_on_which_it_was_there(book: Book) -> None:
    charge = await book.owes(date(2026, 9, 15), 60_00)
    book.today(date(2026, 10, 15))
    other = await book.owes(date(2026, 9, 20), 10_00)
    await book.pay(100.00, date(2026, 10, 14), charge_ids=[other.id])
    early = await book.pay(60.00, date(2026, 9, 15), method="compensation", charge_ids=[charge.id])
    assert early.details == [("amount", "out_of_range")]
    later = await book.pay(61.80, date(2026, 10, 15), method="compensation", charge_ids=[charge.id])
    assert later.status == 201


async def test_money_that_came_before_a_debt_was_due_is_not_taken_for_it_unasked(
    book: Book,
) -> None:
    await book.owes(date(2026, 10, 5), 300_00)
    await book.owes(date(2026, 11, 5), 450_00)
    book.today(date(2026, 11, 10))
    paid = await book.pay(1_000.00, date(2026, 11, 3))
    assert [one["money"] for one in paid.data["allocations"]] == [308.9]
    assert paid.data["unallocated_amount"] == 691.1
