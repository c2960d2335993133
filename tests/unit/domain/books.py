"""One debtor's charges and payments, as they come to be day by day."""

from dataclasses import dataclass, field
from datetime import date
from itertools import count
from typing import Any

from hypothesis import strategies as st

from domain.dunning.account import Period
from domain.dunning.allocation import PAYABLE, distribute
from domain.dunning.charge_acts import CancelReason, WriteOffReason
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.charges import Charge
from domain.dunning.debtors import Debtor
from domain.dunning.ledger import Credit
from domain.dunning.payments import (
    NewPayment,
    Payment,
    PaymentMethod,
    PaymentStatus,
    Reversal,
    ReversalReason,
)
from domain.dunning.rates import NO_RATES, Rates
from domain.dunning.statement import Statement, statement_of
from domain.errors import StateConflictError, ValidationError
from tests.unit.domain.builders import a_charge, a_debtor, on
from tests.unit.domain.claims import any_rates, some_terms


@dataclass(kw_only=True)
class Book:
    """What a debtor owes and has paid."""

    debtor: Debtor = field(default_factory=a_debtor)
    rates: Rates = NO_RATES
    charges: list[Charge] = field(default_factory=list)
    payments: list[Payment] = field(default_factory=list)
    numbers: Any = field(default_factory=lambda: count(1))

    def owes(self, due: date, amount: int, today: date = date(2026, 9, 1), **fields: Any) -> Charge:
        charge = a_charge(on(today), due_date=due, amount=amount, **fields)
        charge.id = f"chg_{next(self.numbers):02}"
        self.charges.append(charge)
        return charge

    def pays(
        self,
        amount: int,
        paid_at: date,
        *charges: Charge,
        today: date | None = None,
        method: PaymentMethod = PaymentMethod.PIX,
    ) -> Payment:
        """Money for `charges`, in their order, recorded on `today` or the day it was paid."""
        moment = on(today or paid_at)
        new = NewPayment(debtor_id=self.debtor.id, amount=amount, method=method, paid_at=paid_at)
        given = distribute(amount, paid_at, charges, self.rates)
        payment_id = f"pay_{next(self.numbers):02}"
        payment = Payment.receive(payment_id, new, given, self.debtor, moment)
        for share in given.shares:
            credit = Credit(payment_id=payment_id, paid_at=paid_at, settled=share.settled)
            share.charge.settle(credit, moment, self.rates)
        self.payments.append(payment)
        return payment

    def reverses(self, payment: Payment, today: date) -> None:
        reversal = Reversal(reason=ReversalReason.CHARGEBACK, note="Contestado.")
        payment.reverse(reversal, self.debtor, on(today))
        for one in payment.allocations:
            (charge,) = (each for each in self.charges if each.id == one.charge_id)
            charge.undo(payment.id, on(today), self.rates)

    def statement(
        self, as_of: date, since: date | None = None, *, include_paid: bool = True
    ) -> Statement:
        period = Period(since=since, as_of=as_of, include_paid=include_paid)
        return statement_of(self.charges, self.payments, self.rates, period)


days = st.dates(date(2026, 7, 1), date(2027, 7, 1))
LAST_DAY = date(2027, 7, 1)


@st.composite
def books(draw: st.DrawFn) -> Book:
    """Whatever can happen in a year to up to four charges."""
    book = Book(rates=draw(any_rates))
    for today in sorted(draw(st.lists(days, min_size=1, max_size=4))):
        due, amount = draw(days), draw(st.integers(10, 500_000))
        charge = book.owes(due, amount, today, issue_date=min(today, due))
        charge.terms = draw(some_terms(charge.effective_due_date, amount))
        charge.costs = draw(st.sampled_from([0, 0, 45_90]))
    for today in sorted(draw(st.lists(days, max_size=8))):
        for charge in book.charges:
            charge.reprice(today, book.rates)
            if charge.status is ChargeStatus.PENDING:
                charge.mark_overdue(on(today))
        _something_happens(draw, book, today)
    for charge in book.charges:
        charge.reprice(LAST_DAY, book.rates)
    return book


def _something_happens(draw: st.DrawFn, book: Book, today: date) -> None:
    act = draw(st.sampled_from(["pays", "pays", "pays", "reverses", "cancels", "writes off"]))
    try:
        if act == "pays":
            _pays(draw, book, today)
        elif act == "reverses":
            confirmed = [one for one in book.payments if one.status is PaymentStatus.CONFIRMED]
            book.reverses(draw(st.sampled_from(confirmed)), today) if confirmed else None
        elif act == "cancels":
            draw(st.sampled_from(book.charges)).cancel(CancelReason.OTHER, None, on(today))
        else:
            charge = draw(st.sampled_from(book.charges))
            charge.write_off(WriteOffReason.COMMERCIAL, "Sem acordo.", on(today), book.rates)
    except (StateConflictError, ValidationError):
        return


def _pays(draw: st.DrawFn, book: Book, today: date) -> None:
    charges = [charge for charge in book.charges if charge.status in PAYABLE]
    due = sum(charge.total_due for charge in charges)
    around = st.sampled_from([due, due - 3, due + 100, due // 2]) | st.integers(1, 600_000)
    amount = max(1, draw(around))
    if book.debtor.credit and draw(st.booleans()):
        amount = max(1, min(due, book.debtor.credit))
        book.pays(amount, today, *charges, method=PaymentMethod.COMPENSATION)
        return
    paid_at = min(today, draw(st.just(today) | days))
    book.pays(amount, paid_at, *draw(st.permutations(charges)), today=today)
