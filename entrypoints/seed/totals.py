"""What the demo adds up to on the day it starts."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from adapters.persistence.demo import DemoOrganization
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.money import Cents
from domain.dunning.payments import Payment, PaymentStatus

_OPEN: Final = frozenset({ChargeStatus.PENDING, ChargeStatus.OVERDUE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """Counts of one organisation, and money in cents.

    `open_principal` is what is left of pending and overdue charges. `received` is the money of
    confirmed payments, and `credit` the part of it that settled nothing yet.
    """

    organization: str
    members: int
    api_clients: int
    debtors: int
    contact_points: int
    interactions: int
    approvals: int
    charges: Mapping[ChargeStatus, int]
    payments: int
    reversed_payments: int
    open_principal: Cents
    received: Cents
    credit: Cents


def totals_of(demo: DemoOrganization) -> Totals:
    """Count what is about to be kept."""
    return Totals(
        organization=demo.organization.name,
        members=len(demo.members),
        api_clients=len(demo.api_clients),
        debtors=len(demo.debtors),
        contact_points=len(demo.contact_points),
        interactions=len(demo.interactions),
        approvals=len(demo.approvals),
        charges=Counter(charge.status for charge in demo.charges),
        payments=len(demo.payments),
        reversed_payments=sum(one.status is PaymentStatus.REVERSED for one in demo.payments),
        open_principal=sum(
            charge.principal_outstanding for charge in demo.charges if charge.status in _OPEN
        ),
        received=_received(demo.payments),
        credit=sum(debtor.credit for debtor in demo.debtors),
    )


def _received(payments: Iterable[Payment]) -> Cents:
    # A compensation brings no money: it uses what came before.
    return sum(
        payment.amount
        for payment in payments
        if payment.status is PaymentStatus.CONFIRMED and not payment.is_compensation
    )


EXPECTED_TOTALS: Final = (
    Totals(
        organization="Colégio Aurora",
        members=7,
        api_clients=4,
        debtors=40,
        contact_points=159,
        interactions=35,
        approvals=6,
        charges={
            ChargeStatus.PENDING: 48,
            ChargeStatus.OVERDUE: 52,
            ChargeStatus.PAID: 57,
            ChargeStatus.WRITTEN_OFF: 6,
            ChargeStatus.CANCELED: 5,
        },
        payments=96,
        reversed_payments=5,
        open_principal=107_141_07,
        received=72_501_10,
        credit=587_40,
    ),
    Totals(
        organization="Pampa Distribuidora",
        members=3,
        api_clients=1,
        debtors=14,
        contact_points=63,
        interactions=8,
        approvals=0,
        charges={
            ChargeStatus.PENDING: 14,
            ChargeStatus.OVERDUE: 14,
            ChargeStatus.PAID: 13,
            ChargeStatus.WRITTEN_OFF: 2,
            ChargeStatus.CANCELED: 2,
        },
        payments=17,
        reversed_payments=1,
        open_principal=293_073_54,
        received=192_912_89,
        credit=0,
    ),
)
