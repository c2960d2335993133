"""What was owed on a charge on any day, whatever has become of the charge since."""

from datetime import date
from typing import Protocol

from domain.dunning.amounts import Amounts, Claim, Debt, amounts_of
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.rates import Rates


class EndingDebt(Debt, Protocol):
    """A debt, and how it ended if it did."""

    @property
    def status(self) -> ChargeStatus:
        """What is owed."""
        ...

    @property
    def paid_at(self) -> date | None:
        """The day of the payment that settled it."""
        ...


def owed_on(debt: EndingDebt, on: date, rates: Rates) -> Amounts:
    """What was due on `on`: nothing from the day of the last payment, nor ever where canceled."""
    return nothing_owed(debt, on) if _has_ended(debt, on) else amounts_of(debt, on, rates)


def owed_without(debt: Debt, payment_id: str, on: date, rates: Rates) -> Amounts:
    """What would be due on `on` had the payment never come; nothing is changed."""
    undone = sum(one.settled.costs for one in debt.credits if one.payment_id == payment_id)
    claim = Claim(
        amount=debt.amount,
        effective_due_date=debt.effective_due_date,
        terms=debt.terms,
        costs=debt.costs + undone,
        credits=tuple(one for one in debt.credits if one.payment_id != payment_id),
    )
    return amounts_of(claim, on, rates)


def nothing_owed(debt: EndingDebt, on: date) -> Amounts:
    """A debt that has ended, on `on`; a paid one keeps the days late of its last day."""
    due = debt.effective_due_date
    days_late = 0 if debt.paid_at is None else max(0, (debt.paid_at - due).days)
    return Amounts(
        as_of=on,
        effective_due_date=due,
        days_late=days_late,
        principal_outstanding=0,
        costs=0,
        memory=(),
    )


def _has_ended(debt: EndingDebt, on: date) -> bool:
    if debt.status is ChargeStatus.CANCELED:
        return True
    return debt.status is ChargeStatus.PAID and debt.paid_at is not None and debt.paid_at <= on
