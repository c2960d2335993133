"""Where the money of a payment goes: inside one charge, and from one charge to the next."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from domain.dunning.amounts import Amounts, still_due
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.charges import Charge
from domain.dunning.ledger import Settled
from domain.dunning.money import Cents
from domain.dunning.rates import Rates

PAYABLE: Final = frozenset({ChargeStatus.PENDING, ChargeStatus.OVERDUE, ChargeStatus.WRITTEN_OFF})
"""Charges that money may go to; a renegotiated one is paid through its agreement."""


@dataclass(frozen=True, slots=True)
class Share:
    """What a payment settles of one charge."""

    charge: Charge
    settled: Settled


@dataclass(frozen=True, slots=True)
class Distribution:
    """The whole of a payment: what it settles, and the cents that are left."""

    shares: tuple[Share, ...]
    left: Cents


def distribute(
    money: Cents, paid_at: date, charges: Sequence[Charge], rates: Rates
) -> Distribution:
    """Give `money` to `charges` in their order, as it was due on the day of the payment."""
    shares, left = [], money
    for charge in charges:
        settled = settle(left, still_due(charge, paid_at, rates), charge.terms.settlement_tolerance)
        if settled is not None:
            shares.append(Share(charge, settled))
            left -= settled.money
    return Distribution(tuple(shares), left)


def settle(money: Cents, due: Amounts, tolerance: Cents) -> Settled | None:
    """What `money` settles of one charge; None where there is none, or nothing due.

    Costs, interest, fine, correction, principal (CC art. 354). An early discount is for whoever
    pays all that is left; a residual within the tolerance is forgiven.
    """
    if money <= 0 or due.total_due <= 0:
        return None
    if money >= due.total_due - tolerance:
        return Settled(
            costs=due.costs,
            interest=due.interest,
            fine=due.fine,
            correction=due.correction,
            principal=due.principal_outstanding,
            discount=due.discount,
            tolerance=max(0, due.total_due - money),
        )
    parts, left = [], money
    for owed in (due.costs, due.interest, due.fine, due.correction, due.principal_outstanding):
        parts.append(min(owed, left))
        left -= parts[-1]
    costs, interest, fine, correction, principal = parts
    return Settled(
        costs=costs, interest=interest, fine=fine, correction=correction, principal=principal
    )


def oldest_first(charges: Iterable[Charge], paid_at: date) -> list[Charge]:
    """What was due when money without an indication came, in the order in which it goes there.

    By effective due date (CC art. 355), then the higher monthly rate, the higher fine, the id. A
    debt whose limitation has ended is paid by who names it only (CC art. 882).
    """
    due = [
        charge
        for charge in charges
        if charge.status in PAYABLE
        and charge.effective_due_date <= paid_at <= charge.prescription_date
    ]
    return sorted(due, key=_turn)


def _turn(charge: Charge) -> tuple[date, int, int, str]:
    terms = charge.terms
    return (
        charge.effective_due_date,
        -terms.interest_percent_month,
        -terms.fine_percent,
        charge.id,
    )
