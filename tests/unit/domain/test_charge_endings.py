"""A charge is given up with what was due, or erased while nothing has happened to it."""

from datetime import date

import pytest

from domain.dunning.charge_acts import CancelReason, WriteOffReason
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.charges import Charge
from domain.dunning.ledger import Credit, Settled
from domain.dunning.rates import NO_RATES
from domain.errors import StateConflictError
from tests.unit.domain.builders import NOW, TODAY, a_charge, on, the_detail_of

LATE = date(2026, 11, 5)
NOTE = "Sem resposta há um ano."


def overdue() -> Charge:
    charge = a_charge(on(date(2026, 10, 14)), issue_date=TODAY)
    charge.events.clear()
    return charge


def write_off(charge: Charge, note: str = NOTE, today: date = LATE) -> None:
    charge.write_off(WriteOffReason.UNCOLLECTIBLE, note, on(today), NO_RATES)


def test_what_is_written_off_is_all_that_was_due_that_day_and_stays_owed() -> None:
    charge = overdue()

    write_off(charge, f" {NOTE}\n")

    assert charge.status is ChargeStatus.WRITTEN_OFF
    assert (charge.written_off_amount, charge.total_due) == (128458, 128458)
    assert (charge.write_off_reason, charge.write_off_note) == ("uncollectible", NOTE)
    assert charge.written_off_at == on(LATE).instant
    assert charge.version == 2


def test_amounts_of_a_written_off_charge_go_on() -> None:
    charge = overdue()
    write_off(charge)

    charge.reprice(date(2026, 12, 5), NO_RATES)

    assert charge.total_due > 128458
    assert charge.written_off_amount == 128458


def test_a_write_off_is_told_without_its_note() -> None:
    charge = overdue()

    write_off(charge)

    (event,) = charge.events
    assert event.type == "charge.written_off"
    assert NOTE not in str(event)
    assert event.changes["status"] == ("overdue", "written_off")
    assert event.changes["write_off_reason"] == (None, "uncollectible")
    assert event.changes["written_off_amount"] == (None, 128458)


def test_a_second_write_off_does_nothing() -> None:
    charge = overdue()
    write_off(charge)
    charge.events.clear()

    write_off(charge, "Outra nota", date(2026, 12, 5))

    assert (charge.version, charge.write_off_note, charge.events) == (2, NOTE, [])


@pytest.mark.parametrize("note", ["Sim", "a" * 501, "     "])
def test_a_refused_note_leaves_the_charge_as_it_was(note: str) -> None:
    charge = overdue()

    assert the_detail_of(lambda: write_off(charge, note)).field == "note"

    assert (charge.status, charge.write_off_note, charge.events) == ("overdue", None, [])


@pytest.mark.parametrize("status", [ChargeStatus.PENDING, ChargeStatus.OVERDUE])
def test_what_nothing_has_touched_may_be_deleted(status: ChargeStatus) -> None:
    charge = a_charge()
    charge.status = status
    charge.events.clear()

    charge.refuse_deletion(has_interactions=False)
    charge.tell_deletion()

    assert [(event.type, event.data["id"]) for event in charge.events] == [
        ("charge.deleted", "chg_1")
    ]


def changed(charge: Charge) -> bool:
    charge.version = 2
    return False


def paid_in_part(charge: Charge) -> bool:
    charge.credits = (Credit(payment_id="pay_1", paid_at=TODAY, settled=Settled(principal=1)),)
    return False


def spoken_of(_charge: Charge) -> bool:
    return True


@pytest.mark.parametrize("touch", [changed, paid_in_part, spoken_of])
def test_what_something_has_touched_can_only_be_canceled(touch: object) -> None:
    charge = a_charge()
    assert callable(touch)

    with pytest.raises(StateConflictError) as refused:
        charge.refuse_deletion(has_interactions=touch(charge))

    assert "use cancel" in refused.value.message.en
    assert refused.value.current_status == "pending"
    assert refused.value.allowed_actions == ("cancel",)


def test_what_is_not_open_is_not_deleted() -> None:
    charge = a_charge()
    charge.cancel(CancelReason.OTHER, None, NOW)

    with pytest.raises(StateConflictError) as refused:
        charge.refuse_deletion(has_interactions=False)

    assert refused.value.current_status == "canceled"
    assert refused.value.allowed_actions == ()
