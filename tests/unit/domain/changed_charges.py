"""Charges that are changed, and what their one event tells."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

from domain.dunning.calendar import NATIONAL_WIDE
from domain.dunning.charge_changes import ChangeBasis, ChargeChange
from domain.dunning.charges import Charge
from domain.dunning.organization_settings import Settings
from domain.dunning.rates import NO_RATES
from domain.dunning.terms import DiscountType, RequestedDiscount
from tests.unit.domain.builders import TODAY, a_charge, on

DUE = date(2026, 10, 10)
EFFECTIVE = date(2026, 10, 13)
LATE = date(2026, 11, 5)
LATER = date(2026, 12, 10)
BASIS = ChangeBasis(
    is_consumer=True, settings=Settings(), calendar=NATIONAL_WIDE, had_payments=False
)
TIER = RequestedDiscount(days_before=5, type=DiscountType.PERCENT, value=Decimal(5))


def present(charge: Charge) -> ChargeChange:
    """A change to what is there already."""
    names = ChargeChange.__dataclass_fields__.keys() - {"terms", "version"}
    return ChargeChange(**{name: getattr(charge, name) for name in names})


def change(
    charge: Charge, today: date = TODAY, basis: ChangeBasis = BASIS, **wanted: Any
) -> Charge:
    """The charge, with what is `wanted` made different on `today`."""
    charge.change(replace(present(charge), **wanted), basis, on(today), NO_RATES)
    return charge


def fresh(today: date = TODAY, **fields: Any) -> Charge:
    """A charge of `today` whose creation has been told."""
    charge = a_charge(on(today), issue_date=TODAY, **fields)
    charge.events.clear()
    return charge


def changes(charge: Charge) -> dict[str, Any]:
    """What the one event tells, which is that of a change."""
    (event,) = charge.events
    assert event.type == "charge.updated"
    return dict(event.changes)
