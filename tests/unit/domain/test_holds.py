"""What may not be done now: every reason, from when to when, and what it blocks."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest

from domain.dunning.charge_states import OWED, ChargeStatus
from domain.dunning.charges import Charge
from domain.dunning.debtors import Debtor
from domain.dunning.holds import (
    FLAG_CODES,
    Blocks,
    Hold,
    HoldCode,
    ManualHold,
    blocking,
    debtor_holds,
    holds_of,
)
from domain.dunning.restrictions import DebtorFlag, DoNotContact, DoNotContactReason
from domain.errors import StateConflictError
from tests.unit.domain.builders import NOW, TODAY, a_charge, a_debtor, on, the_detail_of

TOMORROW = TODAY + timedelta(days=1)
COLLECTION = (Blocks.OUTBOUND, Blocks.LEGAL)
HOLD = ManualHold(reason="Aguardando resposta", since=TODAY, until=None, blocks=COLLECTION)


def banned(**fields: Any) -> DoNotContact:
    return DoNotContact(active=True, reason=DoNotContactReason.REQUEST, since=TODAY, **fields)


def a_restricted_debtor(ban: DoNotContact | None = None, *flags: DebtorFlag) -> Debtor:
    debtor = a_debtor()
    debtor.do_not_contact = ban or DoNotContact()
    debtor.flags = flags
    return debtor


def a_held_charge(**state: Any) -> Charge:
    charge = a_charge()
    for name, value in state.items():
        setattr(charge, name, value)
    return charge


def codes(charge: Charge, debtor: Debtor, today: date = TODAY) -> list[HoldCode]:
    return [hold.code for hold in holds_of(charge, debtor, today)]


def test_nothing_holds_up_an_ordinary_charge() -> None:
    assert holds_of(a_charge(), a_debtor(), TODAY) == ()


@pytest.mark.parametrize("flag", DebtorFlag)
def test_each_flag_of_a_debtor_is_a_hold_of_its_name(flag: DebtorFlag) -> None:
    debtor = a_restricted_debtor(None, flag)

    (hold,) = holds_of(a_charge(), debtor, TODAY)

    assert hold == Hold(
        code=HoldCode(flag.value), since=None, until=None, source="dbt_1", blocks=COLLECTION
    )
    assert hold.code in FLAG_CODES


def test_a_ban_on_contact_blocks_what_goes_out_and_no_legal_step() -> None:
    (hold,) = debtor_holds(a_restricted_debtor(banned(until=TOMORROW)), TODAY)

    assert hold == Hold(
        code=HoldCode.DO_NOT_CONTACT,
        since=TODAY,
        until=TOMORROW,
        source="dbt_1",
        blocks=(Blocks.OUTBOUND,),
    )


def test_a_manual_hold_blocks_what_was_chosen_and_points_to_its_charge() -> None:
    held = ManualHold(reason="Em análise", since=TODAY, until=TOMORROW, blocks=(Blocks.LEGAL,))

    (hold,) = holds_of(a_held_charge(manual_hold=held), a_debtor(), TODAY)

    assert hold == Hold(
        code=HoldCode.MANUAL, since=TODAY, until=TOMORROW, source="chg_1", blocks=(Blocks.LEGAL,)
    )


@pytest.mark.parametrize(("days", "holds"), [(0, True), (1, True), (2, False)])
def test_a_hold_with_an_end_holds_up_to_and_including_it(days: int, holds: bool) -> None:  # noqa: FBT001 -- a parameter of the test
    today = TODAY + timedelta(days=days)
    held = ManualHold(reason="Em análise", since=TODAY, until=TOMORROW, blocks=COLLECTION)

    assert (codes(a_held_charge(manual_hold=held), a_debtor(), today) == ["manual"]) is holds
    banned_debtor = a_restricted_debtor(banned(until=TOMORROW))
    assert (codes(a_charge(), banned_debtor, today) == ["do_not_contact"]) is holds


def test_edge_case_26_a_debt_is_prescribed_from_the_day_after_the_last() -> None:
    charge = a_charge()

    assert codes(charge, a_debtor(), charge.prescription_date) == []
    (hold,) = holds_of(charge, a_debtor(), charge.prescription_date + timedelta(days=1))
    assert (hold.code, hold.since) == (HoldCode.PRESCRIBED, charge.prescription_date)
    assert hold.blocks == (Blocks.OUTBOUND, Blocks.LEGAL, Blocks.AGREEMENT)


@pytest.mark.parametrize(("due", "holds"), [(5, ["tolerance"]), (6, [])])
def test_a_residual_within_the_tolerance_of_the_charge_holds_everything(
    due: int, holds: list[str]
) -> None:
    charge = a_held_charge(total_due=due)

    found = holds_of(charge, a_debtor(), TODAY)

    assert [hold.code for hold in found] == holds
    assert all(blocking(found, act) == found for act in Blocks)


@pytest.mark.parametrize("status", ChargeStatus)
def test_only_what_is_owed_is_held_up(status: ChargeStatus) -> None:
    charge = a_held_charge(status=status, manual_hold=HOLD, total_due=0)
    debtor = a_restricted_debtor(banned(), DebtorFlag.MINOR)

    found = codes(charge, debtor)

    expected = ["do_not_contact", "minor", "manual", "tolerance"]
    assert found == (expected if status in OWED else [])


def test_what_blocks_an_act_is_told_from_what_blocks_another() -> None:
    holds = holds_of(a_held_charge(manual_hold=HOLD), a_restricted_debtor(banned()), TODAY)

    assert [hold.code for hold in blocking(holds, Blocks.OUTBOUND)] == ["do_not_contact", "manual"]
    assert [hold.code for hold in blocking(holds, Blocks.LEGAL)] == ["manual"]
    assert blocking(holds, Blocks.AGREEMENT) == ()


def begin(**fields: Any) -> ManualHold:
    given = {"reason": "Aguardando resposta", "blocks": COLLECTION, "until": None} | fields
    return ManualHold.begin(**given, today=TODAY)


def test_a_hold_begins_today_with_its_reason_trimmed_and_its_blocks_in_order() -> None:
    hold = begin(reason="  Aguardando resposta ", blocks=[Blocks.LEGAL, Blocks.OUTBOUND])

    assert hold == HOLD


@pytest.mark.parametrize("days", [0, 180])
def test_a_hold_may_end_from_today_to_180_days_ahead(days: int) -> None:
    until = TODAY + timedelta(days=days)

    assert begin(until=until).until == until


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        ({"until": TODAY - timedelta(days=1)}, "until", "out_of_range"),
        ({"until": TODAY + timedelta(days=181)}, "until", "out_of_range"),
        ({"reason": "Sim "}, "reason", "out_of_range"),
        ({"reason": "a" * 201}, "reason", "out_of_range"),
        ({"reason": "duas\nlinhas"}, "reason", "invalid_characters"),
        ({"blocks": ()}, "blocks", "too_few_items"),
        ({"blocks": (Blocks.AGREEMENT, Blocks.ALL)}, "blocks", "too_few_items"),
    ],
)
def test_a_hold_that_cannot_be_is_refused_by_field(
    fields: dict[str, Any], field: str, code: str
) -> None:
    detail = the_detail_of(lambda: begin(**fields))

    assert (detail.field, detail.code) == (field, code)


def told(charge: Charge) -> list[tuple[str, Any]]:
    return [(event.type, event.changes.get("manual_hold")) for event in charge.events]


@pytest.fixture
def charge() -> Charge:
    charge = a_charge()
    charge.events.clear()
    return charge


def test_suspending_is_a_new_version_told_without_the_reason(charge: Charge) -> None:
    charge.hold(HOLD, NOW)

    assert (charge.manual_hold, charge.version) == (HOLD, 2)
    seen = {
        "since": "2026-09-01",
        "until": None,
        "blocks": ["outbound", "legal"],
        "released_on": None,
    }
    assert told(charge) == [("charge.hold_added", (None, seen))]


def test_the_same_suspension_again_does_nothing(charge: Charge) -> None:
    charge.hold(HOLD, NOW)
    charge.events.clear()

    charge.hold(begin(), on(TOMORROW))

    assert (charge.manual_hold, charge.version, charge.events) == (HOLD, 2, [])


@pytest.mark.parametrize(
    "other",
    [
        begin(reason="Outro motivo"),
        begin(until=TOMORROW),
        begin(blocks=[Blocks.LEGAL]),
    ],
)
def test_another_suspension_takes_the_place_of_the_first(charge: Charge, other: ManualHold) -> None:
    charge.hold(HOLD, NOW)
    charge.hold(other, NOW)

    assert (charge.manual_hold, charge.version) == (other, 3)
    assert charge.events[-1].type == "charge.hold_added"
    assert "motivo" not in str(charge.events)


def test_a_suspension_that_has_ended_can_be_made_again(charge: Charge) -> None:
    charge.hold(begin(until=TODAY), NOW)
    charge.hold(begin(until=TODAY), on(TOMORROW))

    assert [event.type for event in charge.events] == ["charge.hold_added"] * 2


@pytest.mark.parametrize("status", ChargeStatus)
def test_only_what_is_owed_can_be_suspended(charge: Charge, status: ChargeStatus) -> None:
    charge.status = status

    def suspend() -> None:
        charge.hold(HOLD, NOW)

    if status in OWED:
        suspend()
        assert charge.status is status
        return
    with pytest.raises(StateConflictError) as refused:
        suspend()
    assert refused.value.current_status == status
    assert charge.events == []


def test_a_release_ends_the_suspension_and_keeps_how(charge: Charge) -> None:
    charge.hold(HOLD, NOW)
    charge.release(" A secretaria respondeu. ", on(TOMORROW))

    held = charge.manual_hold
    assert held is not None
    assert (held.released_on, held.release_note) == (TOMORROW, "A secretaria respondeu.")
    assert codes(charge, a_debtor(), TOMORROW) == []
    (_, (event_type, (before, after))) = told(charge)
    assert event_type == "charge.hold_removed"
    assert (before["released_on"], after["released_on"]) == (None, "2026-09-02")
    assert "secretaria" not in str(charge.events)


def ended(charge: Charge) -> None:
    charge.hold(HOLD, NOW)
    charge.release(None, NOW)


def run_out(charge: Charge) -> None:
    charge.hold(begin(until=TODAY), NOW)


@pytest.mark.parametrize("before", [lambda _: None, ended, run_out])
def test_without_a_suspension_a_release_does_nothing(
    charge: Charge, before: Callable[[Charge], None]
) -> None:
    before(charge)
    version, held = charge.version, charge.manual_hold
    charge.events.clear()

    charge.release("Outra vez", on(TOMORROW))

    assert (charge.version, charge.manual_hold, charge.events) == (version, held, [])
