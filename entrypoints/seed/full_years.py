"""Two families and their twelve invoices of 2025: all paid (`A-20`), and all but one (`A-21`)."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from domain.dunning.money import Cents
from domain.dunning.payments import PaymentMethod
from entrypoints.seed.charges import ChargePlan, charge_plan
from entrypoints.seed.creditors import AURORA
from entrypoints.seed.payments import PaymentPlan, last_day_on_time

_DUE: Final = tuple(date(2025, month, 10) for month in range(1, 13))
_UNPAID: Final = "A-21-12"
_LATE: Final = "A-21-07"
_DAYS_LATE: Final = timedelta(days=20)


def _year_of(debtor: str, amount: Cents) -> tuple[ChargePlan, ...]:
    return tuple(charge_plan(AURORA, f"{debtor}-{due:%m}", debtor, due, amount) for due in _DUE)


def _payments() -> Iterator[PaymentPlan]:
    *until_october, november, december = _PAID_YEAR
    yield from map(_in_time, until_october)
    # The whole rest of the year at once, the last month with its early discount.
    yield replace(_in_time(november), charges=(november.external_id, december.external_id))
    for charge in _UNPAID_YEAR:
        paid = _in_time(charge)
        if charge.external_id == _LATE:
            yield replace(paid, on=paid.on + _DAYS_LATE)
        elif charge.external_id != _UNPAID:
            yield paid


def _in_time(charge: ChargePlan) -> PaymentPlan:
    return PaymentPlan(
        name=f"{charge.external_id}/1",
        debtor=charge.debtor,
        on=last_day_on_time(charge),
        charges=(charge.external_id,),
        method=PaymentMethod.BOLETO,
        external_id=f"BOL-{charge.external_id}",
    )


_PAID_YEAR: Final = _year_of("A-20", 880_00)
_UNPAID_YEAR: Final = _year_of("A-21", 845_00)
CHARGES: Final = (*_PAID_YEAR, *_UNPAID_YEAR)
PAYMENTS: Final = tuple(_payments())
