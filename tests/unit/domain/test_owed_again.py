"""What would be owed if a payment had never come, told before anything is changed."""

from collections.abc import Callable
from copy import copy
from datetime import date

import pytest

from domain.dunning.charge_acts import WriteOffReason
from domain.dunning.charges import Charge
from domain.dunning.ledger import Credit, Settled
from domain.dunning.moment import Moment
from domain.dunning.owed import owed_on
from domain.dunning.rates import NO_RATES
from tests.unit.domain.builders import TODAY, a_charge, on, receive

LATE = on(date(2026, 11, 5))
LATER = on(date(2026, 11, 12))


def overdue() -> Charge:
    return a_charge(LATE, issue_date=TODAY)


def paid_in_part() -> Charge:
    charge = overdue()
    receive(100_00, [charge], LATE)
    return charge


def paid() -> Charge:
    charge = overdue()
    receive(charge.total_due, [charge], LATE)
    return charge


def paid_before_it_was_due() -> Charge:
    charge = a_charge()
    receive(charge.total_due, [charge], on(TODAY))
    return charge


def given_up_and_paid_in_part() -> Charge:
    charge = overdue()
    charge.write_off(WriteOffReason.COMMERCIAL, "Sem resposta", LATE, NO_RATES)
    receive(100_00, [charge], LATE)
    return charge


def with_costs_paid() -> Charge:
    charge = overdue()
    charge.costs = 30_00
    credit = Credit(payment_id="pay_1", paid_at=LATE.today, settled=Settled(costs=30_00))
    charge.settle(credit, LATE, NO_RATES)
    return charge


def paid_twice_over() -> Charge:
    """What pay_1 settled, pay_2 had to settle again, so that pay_3 settled the rest without it."""
    charge = overdue()
    receive(1_00, [charge], LATE, paid_at=date(2026, 10, 18))
    receive(500_00, [charge], LATER, payment_id="pay_2")
    receive(charge.total_due, [charge], LATER, payment_id="pay_3", paid_at=date(2026, 10, 23))
    return charge


@pytest.mark.parametrize(
    ("charge_of", "is_owed_again"),
    [
        (paid_in_part, True),
        (paid, True),
        (paid_before_it_was_due, True),
        (given_up_and_paid_in_part, True),
        (with_costs_paid, True),
        (paid_twice_over, False),
    ],
)
@pytest.mark.parametrize("day", [LATER, on(date(2027, 1, 4))])
def test_a_charge_is_said_to_be_owed_again_exactly_where_the_reversal_makes_it_so(
    charge_of: Callable[[], Charge], day: Moment, *, is_owed_again: bool
) -> None:
    charge = charge_of()
    before, due = copy(vars(charge)), owed_on(charge, day.today, NO_RATES).total_due

    told = charge.is_owed_again_without("pay_1", day.today, NO_RATES)

    assert told is is_owed_again
    assert vars(charge) == before
    charge.undo("pay_1", day, NO_RATES)
    assert (charge.total_due > due) is told
