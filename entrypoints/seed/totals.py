"""What the demo adds up to on the day it starts."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from adapters.persistence.demo import DemoOrganization
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.money import Cents

_OPEN: Final = frozenset({ChargeStatus.PENDING, ChargeStatus.OVERDUE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """Counts of one organisation; `open_principal` is what pending and overdue charges are for."""

    organization: str
    members: int
    api_clients: int
    debtors: int
    charges: Mapping[ChargeStatus, int]
    open_principal: Cents


def totals_of(demo: DemoOrganization) -> Totals:
    """Count what is about to be kept."""
    return Totals(
        organization=demo.organization.name,
        members=len(demo.members),
        api_clients=len(demo.api_clients),
        debtors=len(demo.debtors),
        charges=Counter(charge.status for charge in demo.charges),
        open_principal=sum(
            charge.principal_outstanding for charge in demo.charges if charge.status in _OPEN
        ),
    )


EXPECTED_TOTALS: Final = (
    Totals(
        organization="Colégio Aurora",
        members=7,
        api_clients=4,
        debtors=40,
        charges={ChargeStatus.PENDING: 48, ChargeStatus.OVERDUE: 52, ChargeStatus.CANCELED: 5},
        open_principal=112_437_50,
    ),
    Totals(
        organization="Pampa Distribuidora",
        members=3,
        api_clients=1,
        debtors=14,
        charges={ChargeStatus.PENDING: 14, ChargeStatus.OVERDUE: 14, ChargeStatus.CANCELED: 2},
        open_principal=297_961_80,
    ),
)
