"""The statement: worked examples line by line, and that it always adds up."""

from copy import copy
from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.dunning.account import LineType, Period
from domain.dunning.amounts import amounts_of
from domain.dunning.charge_acts import CancelReason, WriteOffReason
from domain.dunning.charge_states import OWED, ChargeStatus
from domain.dunning.charges import Charge
from domain.dunning.payments import PaymentMethod
from domain.dunning.statement import MOST_LINES, Statement
from domain.dunning.terms import DiscountType
from tests.unit.domain.books import LAST_DAY, Book, books, days
from tests.unit.domain.builders import on, the_detail_of
from tests.unit.domain.claims import TERMS, tier

EARLY_TERMS = replace(
    TERMS,
    discounts=(
        tier(date(2026, 12, 10), DiscountType.PERCENT, 10_0000),
        tier(date(2026, 12, 15), DiscountType.PERCENT, 5_0000),
    ),
)


def moves(statement: Statement) -> list[tuple[str, str, int, int]]:
    """Date, type, what is added and the balance after it."""
    return [
        (line.date.isoformat()[5:], line.type.value, line.debit - line.credit, line.balance)
        for line in statement.lines
    ]


def an_early_charge(book: Book) -> Charge:
    charge = book.owes(date(2026, 12, 20), 800_00)
    charge.terms = EARLY_TERMS
    return charge


def test_example_1_late_fees_stand_as_of_the_day() -> None:
    book = Book()
    book.owes(date(2026, 10, 10), 1_250_00)
    statement = book.statement(date(2026, 11, 5))
    assert moves(statement) == [
        ("09-01", "charge", 1_250_00, 1_250_00),
        ("11-05", "interest", 9_58, 1_259_58),
        ("11-05", "fine", 25_00, 1_284_58),
        ("11-05", "closing", 0, 1_284_58),
    ]
    assert book.statement(date(2026, 10, 13)).totals.closing == 1_250_00


def test_example_5_fees_stand_as_of_the_payment_that_settled_them() -> None:
    book = Book()
    charge = book.owes(date(2026, 9, 15), 600_00)
    book.pays(200_00, date(2026, 10, 15), charge)
    statement = book.statement(date(2026, 11, 10))
    assert moves(statement) == [
        ("09-01", "charge", 600_00, 600_00),
        ("10-15", "interest", 6_00, 606_00),
        ("10-15", "fine", 12_00, 618_00),
        ("10-15", "payment", -200_00, 418_00),
        ("11-10", "interest", 3_62, 421_62),
        ("11-10", "closing", 0, 421_62),
    ]
    assert statement.totals.fees == 21_62
    assert statement.totals.paid == 200_00


def test_example_6_a_payment_stands_at_each_charge_that_it_settled() -> None:
    book = Book()
    x, y = book.owes(date(2026, 10, 5), 300_00), book.owes(date(2026, 11, 5), 450_00)
    book.pays(500_00, date(2026, 11, 25), x, y)
    everything = book.statement(date(2026, 11, 25))
    assert [(line.charge_id, line.credit) for line in everything.lines if line.credit] == [
        (x.id, 311_10),
        (y.id, 188_90),
    ]
    assert everything.totals.closing == 273_10
    open_ones = book.statement(date(2026, 11, 25), include_paid=False)
    assert {line.charge_id for line in open_ones.lines} == {y.id, None}
    assert (open_ones.totals.charged, open_ones.totals.paid) == (450_00, 188_90)
    assert open_ones.totals.closing == 273_10


def test_a_discount_is_a_credit_while_it_is_open() -> None:
    book = Book()
    an_early_charge(book)
    assert moves(book.statement(date(2026, 12, 10)))[1:] == [
        ("12-10", "discount", -80_00, 720_00),
        ("12-10", "closing", 0, 720_00),
    ]
    assert book.statement(date(2026, 12, 15)).totals.closing == 760_00
    assert book.statement(date(2026, 12, 16)).totals.discounts == 0


def test_a_discount_that_was_in_the_opening_balance_is_taken_back_when_it_is_lost() -> None:
    book = Book()
    an_early_charge(book)
    statement = book.statement(date(2026, 12, 22), date(2026, 12, 11))
    assert moves(statement) == [
        ("12-11", "opening", 0, 720_00),
        ("12-22", "interest", 27, 720_27),
        ("12-22", "fine", 16_00, 736_27),
        ("12-22", "discount", 80_00, 816_27),
        ("12-22", "closing", 0, 816_27),
    ]
    assert statement.totals.discounts == -80_00


def test_a_discount_that_was_earned_stands_at_its_payment() -> None:
    book = Book()
    book.pays(720_00, date(2026, 12, 10), an_early_charge(book))
    assert moves(book.statement(date(2026, 12, 31))) == [
        ("09-01", "charge", 800_00, 800_00),
        ("12-10", "discount", -80_00, 720_00),
        ("12-10", "payment", -720_00, 0),
        ("12-31", "closing", 0, 0),
    ]
    after_the_opening = book.statement(date(2026, 12, 31), date(2026, 12, 10))
    assert moves(after_the_opening)[:2] == [
        ("12-10", "opening", 0, 720_00),
        ("12-10", "payment", -720_00, 0),
    ]


def test_interest_in_the_opening_balance_is_not_added_again_by_the_payment() -> None:
    book = Book()
    charge = book.owes(date(2026, 9, 15), 600_00)
    book.pays(618_00, date(2026, 10, 15), charge)
    assert moves(book.statement(date(2026, 10, 31), date(2026, 10, 1))) == [
        ("10-01", "opening", 0, 615_00),
        ("10-15", "interest", 3_00, 618_00),
        ("10-15", "payment", -618_00, 0),
        ("10-31", "closing", 0, 0),
    ]


def test_a_reversed_payment_is_there_with_its_reversal_and_settles_nothing() -> None:
    book = Book()
    charge = book.owes(date(2026, 9, 15), 600_00)
    payment = book.pays(200_00, date(2026, 10, 15), charge)
    book.reverses(payment, date(2026, 10, 20))
    statement = book.statement(date(2026, 10, 20))
    assert moves(statement) == [
        ("09-01", "charge", 600_00, 600_00),
        ("10-15", "payment", -200_00, 400_00),
        ("10-20", "interest", 7_00, 407_00),
        ("10-20", "fine", 12_00, 419_00),
        ("10-20", "reversal", 200_00, 619_00),
        ("10-20", "closing", 0, 619_00),
    ]
    assert statement.totals.paid == 0
    assert [line.payment_id for line in statement.lines if line.type is LineType.REVERSAL] == [
        payment.id
    ]


def test_a_payment_that_was_reversed_later_or_came_before_is_in_no_line() -> None:
    book = Book()
    charge = book.owes(date(2026, 9, 15), 600_00)
    book.reverses(book.pays(200_00, date(2026, 10, 15), charge), date(2026, 10, 20))
    for statement in (
        book.statement(date(2026, 10, 19)),
        book.statement(date(2026, 10, 31), date(2026, 10, 16)),
    ):
        assert not {line.payment_id for line in statement.lines} - {None}
        assert (
            statement.totals.closing
            == amounts_of(charge, statement.period.as_of, book.rates).total_due
        )


def test_what_the_tolerance_forgave_is_a_credit_of_its_own() -> None:
    book = Book()
    charge = book.owes(date(2026, 9, 15), 600_00)
    book.pays(617_97, date(2026, 10, 15), charge)
    statement = book.statement(date(2026, 10, 15))
    assert moves(statement)[3:] == [
        ("10-15", "payment", -617_97, 3),
        ("10-15", "tolerance", -3, 0),
        ("10-15", "closing", 0, 0),
    ]
    assert statement.totals.forgiven == 3


def test_money_that_settled_nothing_comes_in_and_is_kept() -> None:
    book = Book()
    charge = book.owes(date(2026, 10, 9), 100_00)
    first = book.pays(130_00, date(2026, 9, 10), charge)
    statement = book.statement(date(2026, 9, 10))
    kept = [line for line in statement.lines if line.payment_id == first.id]
    assert [(line.type.value, line.charge_id, line.debit - line.credit) for line in kept] == [
        ("payment", None, -30_00),
        ("payment", charge.id, -100_00),
        ("unallocated", None, 30_00),
    ]
    assert (statement.totals.paid, statement.totals.credit) == (100_00, 30_00)
    assert statement.totals.closing == 0


def test_credit_that_is_used_is_no_new_payment() -> None:
    book = Book()
    book.pays(130_00, date(2026, 9, 10))
    charge = book.owes(date(2026, 10, 9), 100_00)
    used = book.pays(100_00, date(2026, 9, 20), charge, method=PaymentMethod.COMPENSATION)
    statement = book.statement(date(2026, 9, 20))
    assert [line.type.value for line in statement.lines if line.payment_id == used.id] == [
        "compensation"
    ]
    assert statement.totals.credit == book.debtor.credit == 30_00
    assert book.statement(date(2026, 9, 19)).totals.credit == 130_00


def test_a_canceled_charge_leaves_with_all_that_was_due_on_it() -> None:
    book = Book()
    charge = book.owes(date(2026, 9, 15), 600_00)
    charge.cancel(CancelReason.DUPLICATE, None, on(date(2026, 10, 20)))
    assert moves(book.statement(date(2026, 10, 31))) == [
        ("09-01", "charge", 600_00, 600_00),
        ("10-20", "cancellation", -600_00, 0),
        ("10-31", "closing", 0, 0),
    ]
    since = book.statement(date(2026, 10, 31), date(2026, 10, 16))
    assert moves(since) == [
        ("10-16", "opening", 0, 618_00),
        ("10-20", "cancellation", -618_00, 0),
        ("10-31", "closing", 0, 0),
    ]
    assert since.totals.canceled == 618_00
    assert book.statement(date(2026, 10, 19)).totals.closing == 618_80


def test_what_is_written_off_is_still_owed() -> None:
    book = Book()
    charge = book.owes(date(2026, 9, 15), 600_00)
    charge.mark_overdue(on(date(2026, 9, 16)))
    charge.write_off(WriteOffReason.COMMERCIAL, "Sem acordo.", on(date(2026, 10, 15)), book.rates)
    totals = book.statement(date(2026, 10, 15)).totals
    assert totals.closing == totals.written_off == 618_00


def test_a_debt_begins_on_its_issue_date_or_with_the_first_money_for_it() -> None:
    book = Book()
    charge = book.owes(date(2026, 10, 9), 100_00, issue_date=date(2026, 9, 20))
    assert book.statement(date(2026, 9, 19)).totals.charged == 0
    assert book.statement(date(2026, 9, 20)).totals.closing == 100_00
    book.pays(40_00, date(2026, 9, 10), charge)
    assert moves(book.statement(date(2026, 9, 10))) == [
        ("09-10", "charge", 100_00, 100_00),
        ("09-10", "payment", -40_00, 60_00),
        ("09-10", "closing", 0, 60_00),
    ]


def test_more_than_a_thousand_movements_are_in_the_totals_only() -> None:
    book = Book()
    charge = book.owes(date(2026, 10, 9), 1_00)
    book.charges = [copy(charge) for _ in range(MOST_LINES + 1)]
    statement = book.statement(date(2026, 9, 1))
    assert statement.is_truncated
    assert len(statement.lines) == MOST_LINES + 1
    assert [line.balance for line in statement.lines[-2:]] == [MOST_LINES * 1_00, 1_001_00]
    assert statement.totals.charged == 1_001_00
    book.charges.pop()
    assert not book.statement(date(2026, 9, 1)).is_truncated


@pytest.mark.parametrize(
    ("as_of", "since", "field"),
    [
        (date(2026, 9, 2), None, "as_of"),
        (date(2021, 8, 31), None, "as_of"),
        (date(2026, 8, 31), date(2026, 9, 1), "from"),
        (None, date(1949, 12, 31), "from"),
    ],
)
def test_a_period_ends_today_or_within_five_years_before(
    as_of: date | None, since: date | None, field: str
) -> None:
    today = date(2026, 9, 1)
    detail = the_detail_of(lambda: Period.checked(as_of, since, today, include_paid=False))
    assert (detail.field, detail.code) == (field, "out_of_range")
    assert Period.checked(date(2021, 9, 1), None, today, include_paid=False).eve == date.min


def due_on(book: Book, day: date) -> int:
    """What the book's charges amount to, by the rules of amounts alone."""
    return sum(
        amounts_of(charge, day, book.rates).total_due
        for charge in book.charges
        if min([charge.issue_date, *(one.paid_at for one in charge.credits)]) <= day
        and (charge.status is not ChargeStatus.CANCELED or day < charge.amounts_as_of)
    )


@settings(max_examples=60)
@given(book=books(), ends=st.tuples(days, days), include_paid=st.booleans())
def test_every_statement_adds_up_to_what_is_due(
    *, book: Book, ends: tuple[date, date], include_paid: bool
) -> None:
    since, as_of = sorted(ends)
    statement = book.statement(as_of, since, include_paid=include_paid)
    totals = statement.totals
    assert totals.closing == due_on(book, as_of)
    assert totals.closing == sum(owed.amounts.total_due for owed in statement.owed)
    assert all(
        owed.amounts == amounts_of(owed.charge, as_of, book.rates) for owed in statement.owed
    )
    debits = sum(line.debit for line in statement.lines)
    credits_ = sum(line.credit for line in statement.lines)
    assert totals.opening + debits - credits_ == totals.closing
    added = totals.charged + totals.fees
    taken = totals.discounts + totals.paid + totals.forgiven + totals.canceled
    assert totals.opening + added - taken == totals.closing
    balance = totals.opening
    for line in statement.lines:
        balance += line.debit - line.credit
        assert line.balance == balance
    assert all(not (line.debit and line.credit) for line in statement.lines)


@settings(max_examples=40)
@given(book=books(), ends=st.tuples(days, days))
def test_a_statement_begins_where_the_one_before_it_ends(
    book: Book, ends: tuple[date, date]
) -> None:
    since, as_of = sorted(ends)
    before = book.statement(since - timedelta(days=1))
    after = book.statement(as_of, since)
    assert before.totals.closing == after.totals.opening
    assert after.totals.closing == book.statement(as_of).totals.closing


@settings(max_examples=40)
@given(book=books())
def test_the_last_day_closes_at_what_the_charges_hold(book: Book) -> None:
    totals = book.statement(LAST_DAY).totals
    owed = [charge for charge in book.charges if charge.status in OWED]
    assert totals.closing == sum(charge.total_due for charge in owed)
    assert totals.credit == book.debtor.credit
