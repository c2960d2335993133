"""Every act in every status leads where the table says, does nothing, or is refused."""

from collections.abc import Callable, Mapping
from copy import copy
from datetime import date, timedelta
from itertools import product
from typing import Any

import pytest

from domain.dunning.aging import AgingBucket
from domain.dunning.charge_acts import CancelReason, WriteOffReason
from domain.dunning.charge_states import (
    OWED,
    TRANSITIONS,
    ChargeAct,
    ChargeStatus,
    refuse_unless_allowed,
    status_after,
)
from domain.dunning.charges import Charge
from domain.dunning.ledger import Credit, Settled
from domain.dunning.moment import Moment
from domain.dunning.owed import owed_on
from domain.dunning.rates import NO_RATES
from domain.errors import StateConflictError
from tests.unit.domain.builders import NOW, TODAY, a_charge, on, receive

PENDING, OVERDUE, PAID, RENEGOTIATED, WRITTEN_OFF, CANCELED = (
    ChargeStatus.PENDING,
    ChargeStatus.OVERDUE,
    ChargeStatus.PAID,
    ChargeStatus.RENEGOTIATED,
    ChargeStatus.WRITTEN_OFF,
    ChargeStatus.CANCELED,
)
LATE = on(date(2026, 11, 5))
EVERYTHING = list(product(ChargeStatus, ChargeAct))

LEADS_TO = {
    (PENDING, ChargeAct.MARK_OVERDUE): OVERDUE,
    (OVERDUE, ChargeAct.MARK_PENDING): PENDING,
    (PENDING, ChargeAct.SETTLE): PAID,
    (OVERDUE, ChargeAct.SETTLE): PAID,
    (WRITTEN_OFF, ChargeAct.SETTLE): PAID,
    (PAID, ChargeAct.REOPEN_PENDING): PENDING,
    (PAID, ChargeAct.REOPEN_OVERDUE): OVERDUE,
    (PENDING, ChargeAct.CANCEL): CANCELED,
    (OVERDUE, ChargeAct.CANCEL): CANCELED,
    (OVERDUE, ChargeAct.WRITE_OFF): WRITTEN_OFF,
    (PENDING, ChargeAct.DELETE): None,
    (OVERDUE, ChargeAct.DELETE): None,
}
REACHED = {
    (OVERDUE, ChargeAct.MARK_OVERDUE),
    (PENDING, ChargeAct.MARK_PENDING),
    (CANCELED, ChargeAct.CANCEL),
    (WRITTEN_OFF, ChargeAct.WRITE_OFF),
}
CALLER_MAY: Mapping[ChargeStatus, tuple[str, ...]] = {
    PENDING: ("cancel", "delete"),
    OVERDUE: ("cancel", "write_off", "delete"),
}


def in_status(status: ChargeStatus) -> Charge:
    """A charge on its late day that has come to `status` as charges do."""
    charge = a_charge() if status is PENDING else a_charge(LATE, issue_date=TODAY)
    charge.reprice(LATE.today, NO_RATES)
    match status:
        case ChargeStatus.PAID:
            receive(charge.total_due, [charge], LATE)
        case ChargeStatus.WRITTEN_OFF:
            charge.write_off(WriteOffReason.COMMERCIAL, "Sem resposta", LATE, NO_RATES)
        case ChargeStatus.CANCELED:
            charge.cancel(CancelReason.OTHER, None, LATE)
        case ChargeStatus.RENEGOTIATED:
            charge.status = RENEGOTIATED
    charge.events.clear()
    assert charge.status is status
    return charge


def settle_all(charge: Charge) -> None:
    whole = Settled(interest=9_58, fine=25_00, principal=charge.amount)
    credit = Credit(payment_id="pay_2", paid_at=LATE.today, settled=whole)
    charge.settle(credit, LATE, NO_RATES)


def delete(charge: Charge) -> None:
    charge.refuse_deletion(has_interactions=False)
    charge.tell_deletion()


ACTS: dict[ChargeAct, Callable[[Charge], None]] = {
    ChargeAct.MARK_OVERDUE: lambda charge: charge.mark_overdue(LATE),
    ChargeAct.MARK_PENDING: lambda charge: charge.mark_pending(
        Moment(LATE.instant, charge.effective_due_date)
    ),
    ChargeAct.SETTLE: settle_all,
    ChargeAct.CANCEL: lambda charge: charge.cancel(CancelReason.OTHER, None, LATE),
    ChargeAct.WRITE_OFF: lambda charge: charge.write_off(
        WriteOffReason.PRESCRIBED, "Prescrita", LATE, NO_RATES
    ),
    ChargeAct.DELETE: delete,
}
EVENT = {
    ChargeAct.MARK_OVERDUE: "charge.overdue",
    ChargeAct.MARK_PENDING: "charge.updated",
    ChargeAct.SETTLE: "charge.paid",
    ChargeAct.CANCEL: "charge.canceled",
    ChargeAct.WRITE_OFF: "charge.written_off",
}


def all_of(charge: Charge) -> dict[str, Any]:
    """Everything there is to change, its events too."""
    own = {name: value for name, value in vars(charge).items() if not name.startswith("_sa_")}
    return {name: copy(value) for name, value in own.items()}


def refusal(charge: Charge, act: Callable[[Charge], None]) -> StateConflictError:
    before = all_of(charge)
    with pytest.raises(StateConflictError) as refused:
        act(charge)
    assert all_of(charge) == before
    return refused.value


def test_the_table_is_that_of_the_field_and_has_nothing_else() -> None:
    assert TRANSITIONS == LEADS_TO


@pytest.mark.parametrize(("status", "act"), EVERYTHING)
def test_an_act_is_possible_where_the_table_has_it_and_nowhere_else(
    status: ChargeStatus, act: ChargeAct
) -> None:
    if (status, act) not in LEADS_TO:
        for ask in (refuse_unless_allowed, status_after):
            with pytest.raises(StateConflictError) as refused:
                ask(status, act)
            assert refused.value.current_status == status.value
            assert refused.value.allowed_actions == CALLER_MAY.get(status, ())
        return
    refuse_unless_allowed(status, act)
    if act is not ChargeAct.DELETE:
        assert status_after(status, act) is LEADS_TO[status, act]


@pytest.mark.parametrize(("status", "act"), list(product(ChargeStatus, ACTS)))
def test_every_act_on_a_charge_moves_it_does_nothing_or_is_refused(
    status: ChargeStatus, act: ChargeAct
) -> None:
    charge = in_status(status)
    before = all_of(charge)

    if (status, act) in REACHED:
        ACTS[act](charge)
        assert all_of(charge) == before
    elif (status, act) not in LEADS_TO:
        error = refusal(charge, ACTS[act])
        assert error.current_status == status.value
        assert error.allowed_actions == CALLER_MAY.get(status, ())
    elif act is ChargeAct.DELETE:
        ACTS[act](charge)
        assert [event.type for event in charge.events] == ["charge.deleted"]
    else:
        ACTS[act](charge)
        assert charge.status is LEADS_TO[status, act]
        (event,) = charge.events
        assert event.type == EVENT[act]
        assert event.changes["status"] == (status.value, charge.status.value)
        assert (charge.version, charge.updated_at) == (before["version"] + 1, LATE.instant)


@pytest.mark.parametrize("status", [OVERDUE, WRITTEN_OFF])
def test_part_of_the_money_moves_no_status_and_neither_does_its_reversal(
    status: ChargeStatus,
) -> None:
    charge = in_status(status)
    whole = charge.total_due

    receive(100_00, [charge], LATE)
    assert (charge.status, charge.total_due, charge.paid_at) == (status, whole - 100_00, None)
    charge.undo("pay_1", LATE, NO_RATES)

    assert (charge.status, charge.total_due, charge.paid) == (status, whole, 0)
    assert [event.type for event in charge.events] == ["charge.partially_paid", "charge.updated"]
    assert all("status" not in event.changes for event in charge.events)


def test_part_of_the_money_does_not_hide_that_the_date_has_passed() -> None:
    charge = in_status(PENDING)

    receive(100_00, [charge], LATE)

    assert charge.status is OVERDUE
    assert [event.type for event in charge.events] == ["charge.partially_paid", "charge.overdue"]


def test_once_the_date_has_passed_nothing_is_pending_again() -> None:
    charge = in_status(OVERDUE)
    before = all_of(charge)

    charge.mark_pending(Moment(LATE.instant, charge.effective_due_date + timedelta(days=1)))

    assert all_of(charge) == before


def test_part_of_the_money_does_not_hide_that_a_run_was_ahead_of_the_date() -> None:
    charge = in_status(PENDING)
    charge.keep_day(LATE, NO_RATES)
    charge.events.clear()

    receive(100_00, [charge], on(TODAY))

    assert (charge.status, charge.days_late) == (PENDING, 0)
    assert [event.type for event in charge.events] == ["charge.partially_paid", "charge.updated"]


def test_a_payment_of_before_an_agreement_can_be_reversed_under_it() -> None:
    charge = a_charge(LATE, issue_date=TODAY)
    receive(100_00, [charge], LATE)
    charge.status = RENEGOTIATED

    charge.undo("pay_1", LATE, NO_RATES)

    assert (charge.status, charge.total_due) == (RENEGOTIATED, 1_284_58)


@pytest.mark.parametrize(
    ("paid_by", "status"),
    [(NOW, PENDING), (on(date(2026, 10, 13)), PENDING), (LATE, OVERDUE)],
)
def test_a_charge_whose_payment_is_reversed_is_pending_or_overdue_by_the_day(
    paid_by: Moment, status: ChargeStatus
) -> None:
    charge = a_charge()
    charge.reprice(paid_by.today, NO_RATES)
    receive(charge.total_due, [charge], paid_by)
    assert (charge.status, charge.paid_at) == (PAID, paid_by.today)

    charge.undo("pay_1", paid_by, NO_RATES)

    assert (charge.status, charge.paid_at, charge.paid, charge.credits) == (status, None, 0, ())
    assert charge.events[-1].type == "charge.reopened"
    assert charge.events[-1].changes["status"] == ("paid", status.value)


@pytest.mark.parametrize(
    ("paid_at", "days", "bucket"),
    [
        (date(2026, 10, 10), 0, AgingBucket.NOT_DUE),
        (date(2026, 10, 13), 0, AgingBucket.NOT_DUE),
        (date(2026, 10, 14), 1, AgingBucket.DAYS_1_15),
        (LATE.today, 23, AgingBucket.DAYS_16_30),
    ],
)
def test_a_paid_charge_keeps_the_days_late_of_the_payment_that_ended_it(
    paid_at: date, days: int, bucket: AgingBucket
) -> None:
    charge = in_status(OVERDUE)

    receive(2_000_00, [charge], on(date(2026, 12, 1)), paid_at=paid_at)

    assert (charge.status, charge.days_late, charge.aging_bucket) == (PAID, days, bucket)
    (event,) = charge.events
    assert (event.type, event.data["days_late"]) == ("charge.paid", days)
    assert owed_on(charge, date(2027, 1, 4), NO_RATES).days_late == days


def test_a_charge_whose_day_has_come_is_repriced_before_its_event_tells_it() -> None:
    charge = a_charge()
    charge.events.clear()

    charge.keep_day(LATE, NO_RATES)
    charge.keep_day(LATE, NO_RATES)

    (event,) = charge.events
    assert (event.type, event.data["total_due"]) == ("charge.overdue", 1_284_58)


def test_a_charge_that_was_given_up_is_overdue_when_its_payment_is_reversed() -> None:
    charge = in_status(WRITTEN_OFF)
    receive(charge.total_due, [charge], LATE)

    charge.undo("pay_1", LATE, NO_RATES)

    assert (charge.status, charge.total_due) == (OVERDUE, 1_284_58)


def test_what_was_paid_twice_over_time_stays_paid_when_one_of_it_is_reversed() -> None:
    charge = a_charge(LATE, issue_date=TODAY)
    early, late = date(2026, 10, 18), on(date(2026, 11, 12))
    receive(1_00, [charge], LATE, payment_id="pay_1", paid_at=early)
    receive(500_00, [charge], late, payment_id="pay_2")
    receive(charge.total_due, [charge], late, payment_id="pay_3", paid_at=date(2026, 10, 23))
    assert (charge.status, charge.paid_at) == (PAID, late.today)
    charge.events.clear()

    # Its 1.00 of interest had been settled again by pay_2, before interest that never arose.
    charge.undo("pay_1", late, NO_RATES)

    assert (charge.status, charge.total_due, charge.paid_at) == (PAID, 0, late.today)
    assert [event.type for event in charge.events] == ["charge.updated"]


def test_a_charge_is_paid_on_the_day_of_the_last_money_whenever_it_was_recorded() -> None:
    charge = a_charge(LATE, issue_date=TODAY)
    receive(500_00, [charge], LATE)

    receive(2_000_00, [charge], LATE, payment_id="pay_2", paid_at=date(2026, 10, 20))

    assert (charge.status, charge.paid_at) == (PAID, LATE.today)


@pytest.mark.parametrize("act", [ChargeAct.CANCEL, ChargeAct.DELETE])
def test_money_that_has_come_is_reversed_before_a_charge_is_canceled_or_deleted(
    act: ChargeAct,
) -> None:
    charge = in_status(OVERDUE)
    receive(1, [charge], LATE)

    error = refusal(charge, ACTS[act])

    assert error.current_status == "overdue"
    assert act.value not in error.allowed_actions


def test_a_charge_that_something_happened_to_is_not_deleted() -> None:
    charge = a_charge()
    charge.mark_overdue(LATE)

    assert refusal(charge, delete).allowed_actions == ("cancel", "write_off")


def test_a_charge_that_somebody_was_spoken_to_about_is_not_deleted() -> None:
    charge = a_charge()

    def ask(charge: Charge) -> None:
        charge.refuse_deletion(has_interactions=True)

    assert refusal(charge, ask).allowed_actions == ("cancel",)


@pytest.mark.parametrize("status", ChargeStatus)
def test_only_what_is_owed_is_repriced(status: ChargeStatus) -> None:
    charge = in_status(status)
    before = all_of(charge)

    charge.reprice(date(2027, 1, 4), NO_RATES)

    if status in OWED:
        assert (charge.days_late, charge.total_due) == (83, 1_309_58)
    else:
        assert all_of(charge) == before
    assert (charge.status, charge.version) == (status, before["version"])
