"""What was owed on a charge on any day, whatever has become of the charge since."""

from datetime import date
from typing import Protocol

from domain.dunning.amounts import Amounts, Debt, amounts_of
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
    if _has_ended(debt, on):
        return Amounts(
            as_of=on,
            effective_due_date=debt.effective_due_date,
            days_late=0,
            principal_outstanding=0,
            costs=0,
            memory=(),
        )
    return amounts_of(debt, on, rates)


def _has_ended(debt: EndingDebt, on: date) -> bool:
    if debt.status is ChargeStatus.CANCELED:
        return True
    return debt.status is ChargeStatus.PAID and debt.paid_at is not None and debt.paid_at <= on
