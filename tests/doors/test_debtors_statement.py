"""The statement by both doors: worked examples, who may read it, and what it never shows."""

from datetime import date
from typing import Any, Final

import pytest

from domain.dunning.documents import cpf_with_check_digits
from domain.dunning.payments import PaymentMethod
from tests.builders import a_charge, a_debtor
from tests.doors.book import Book, a_book
from tests.doors.firms import Ledger, Pair
from tests.doors.house import Answer, Door, House, both

pytestmark = pytest.mark.anyio

STATEMENT: Final = "dunning_debtors_statement"


@pytest.fixture
async def book(house: House, ledger: Ledger, pair: Pair) -> Book:
    return await a_book(house, ledger, pair)


async def read(book: Book, **asked: Any) -> dict[str, Any]:
    """The statement of the book's debtor, the same through both doors."""
    rest, mcp = await both(book.house, book.owner, STATEMENT, {"id": book.debtor.id, **asked})
    assert rest.status == 200
    assert rest.body == mcp.body
    return dict(rest.data)


def moves(statement: dict[str, Any]) -> list[tuple[str, str, float, float, float]]:
    names = ("date", "type", "debit", "credit", "balance")
    return [tuple(line[name] for name in names) for line in statement["lines"]]


async def test_example_5_line_by_line(book: Book) -> None:
    charge = await book.owes(date(2026, 9, 15), 600_00)
    book.today(date(2026, 10, 15))
    paid = await book.pay(200.00, date(2026, 10, 15))
    book.today(date(2026, 11, 10))
    statement = await read(book)
    assert moves(statement) == [
        ("2026-06-01", "charge", 600.0, 0.0, 600.0),
        ("2026-10-15", "interest", 6.0, 0.0, 606.0),
        ("2026-10-15", "fine", 12.0, 0.0, 618.0),
        ("2026-10-15", "payment", 0.0, 200.0, 418.0),
        ("2026-11-10", "interest", 3.62, 0.0, 421.62),
        ("2026-11-10", "closing", 0.0, 0.0, 421.62),
    ]
    assert statement["lines"][3] == {
        "date": "2026-10-15",
        "type": "payment",
        "charge_id": charge.id,
        "payment_id": paid.data["id"],
        "description": charge.description,
        "debit": 0.0,
        "credit": 200.0,
        "balance": 418.0,
    }
    assert statement["totals"] == {
        "opening": 0.0,
        "charged": 600.0,
        "fees": 21.62,
        "discounts": 0.0,
        "paid": 200.0,
        "forgiven": 0.0,
        "canceled": 0.0,
        "closing": 421.62,
        "written_off": 0.0,
        "credit": 0.0,
    }
    assert (statement["from"], statement["as_of"], statement["truncated"]) == (
        None,
        "2026-11-10",
        False,
    )


async def test_it_closes_at_what_the_charges_show_whatever_is_left_out(book: Book) -> None:
    for due in (date(2026, 10, 5), date(2026, 11, 5), date(2026, 12, 20)):
        await book.owes(due, 300_00)
    book.today(date(2026, 11, 25))
    await book.pay(500.00, date(2026, 11, 25))
    await book.pay(9_999.00, date(2026, 11, 25))
    shown = await book.house.rest(book.owner, "dunning_charges_list", {"debtor_id": book.debtor.id})
    due_now = sum(row["amounts"]["total_due"] for row in shown.data)
    for asked in ({}, {"include_paid": True}, {"from": "2026-11-01", "include_paid": True}):
        statement = await read(book, **asked)
        assert statement["totals"]["closing"] == pytest.approx(due_now, abs=1e-9)
        assert statement["totals"]["credit"] * 100 == pytest.approx(await book.credit())
    paid = await read(book, include_paid=True)
    assert {line["type"] for line in paid["lines"]} >= {"payment", "unallocated", "interest"}


async def test_what_was_due_before_the_first_day_is_the_opening_balance(book: Book) -> None:
    await book.owes(date(2026, 9, 15), 600_00)
    book.today(date(2026, 11, 10))
    before = await read(book, as_of="2026-10-15")
    after = await read(book, **{"from": "2026-10-16"})
    assert moves(after) == [
        ("2026-10-16", "opening", 0.0, 0.0, 618.0),
        ("2026-11-10", "interest", 5.2, 0.0, 623.2),
        ("2026-11-10", "closing", 0.0, 0.0, 623.2),
    ]
    assert before["totals"]["closing"] == after["totals"]["opening"]


async def test_a_reversal_stands_beside_its_payment(book: Book) -> None:
    await book.owes(date(2026, 9, 15), 600_00)
    book.today(date(2026, 10, 15))
    await book.reverse(await book.pay(200.00, date(2026, 10, 15)))
    statement = await read(book)
    assert [line["type"] for line in statement["lines"]] == [
        "charge",
        "interest",
        "fine",
        "payment",
        "reversal",
        "closing",
    ]
    assert (statement["totals"]["paid"], statement["totals"]["closing"]) == (0.0, 618.0)


async def test_credit_that_settles_a_charge_is_a_compensation(book: Book) -> None:
    book.today(date(2026, 10, 15))
    await book.pay(100.00, date(2026, 10, 15))
    await book.owes(date(2026, 9, 15), 60_00)
    await book.pay(61.80, date(2026, 10, 15), method=PaymentMethod.COMPENSATION.value)
    statement = await read(book, include_paid=True)
    credits_ = {line["type"]: line["credit"] for line in statement["lines"] if line["credit"]}
    assert credits_ == {"payment": 100.0, "compensation": 61.8}
    assert (statement["totals"]["closing"], statement["totals"]["credit"]) == (0.0, 38.2)


async def test_it_names_creditor_and_debtor_and_no_whole_cpf(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    document = cpf_with_check_digits("421753986")
    debtor = a_debtor(pair.a.creditor, document=document.number)
    await ledger.keep(pair.a, debtor, a_charge(debtor))
    for door in Door:
        answer = await house.call(door, pair.a.owner, STATEMENT, {"id": debtor.id})
        assert answer.data["debtor"] == {
            "id": debtor.id,
            "name": debtor.name,
            "document": document.masked,
        }
        assert answer.data["creditor"] == {
            "name": "Colégio Aurora",
            "document": pair.a.creditor.organization.document.masked,
        }
        assert document.number.encode() not in answer.raw


async def test_another_organisation_and_another_portfolio_find_nobody(book: Book) -> None:
    await book.owes(date(2026, 8, 10), 600_00)
    narrowed = book.pair.a.person(book.pair.a.narrowed)
    for door in Door:
        for caller in (narrowed, book.pair.b.owner):
            refused = await book.house.call(door, caller, STATEMENT, {"id": book.debtor.id})
            assert refused.code == "NOT_FOUND"
    mine = a_debtor(book.pair.a.creditor, assigned_member_id=book.pair.a.narrowed.id)
    await book.ledger.keep(book.pair.a, mine, a_charge(mine))
    own = await book.house.rest(narrowed, STATEMENT, {"id": mine.id})
    assert own.data["totals"]["closing"] == 1250.0


@pytest.mark.parametrize(
    ("asked", "detail"),
    [
        ({"as_of": "2026-09-02"}, ("as_of", "out_of_range")),
        ({"as_of": "2021-08-31"}, ("as_of", "out_of_range")),
        ({"from": "2026-09-02"}, ("from", "out_of_range")),
        ({"from": "1949-12-31"}, ("from", "out_of_range")),
        ({"from_": "2026-08-01"}, ("from_", "unknown_field")),
        ({"include_paid": "perhaps"}, ("include_paid", "wrong_type")),
    ],
)
async def test_a_period_that_cannot_be_is_refused_in_the_same_words(
    book: Book, asked: dict[str, str], detail: tuple[str, str]
) -> None:
    answers: tuple[Answer, ...] = await both(
        book.house, book.owner, STATEMENT, {"id": book.debtor.id, **asked}
    )
    assert [answer.details for answer in answers] == [[detail]] * 2
    assert answers[0].refusal == answers[1].refusal
