"""A charge is created within the law, gets late, is re-priced and canceled, and nothing else."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.dunning.aging import FIRST_DAY, AgingBucket, aging_bucket
from domain.dunning.amounts import amounts_of
from domain.dunning.calendar import NATIONAL_WIDE, DueDateRule
from domain.dunning.charge_acts import CancelReason
from domain.dunning.charge_kinds import ChargeKind
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.charges import Charge, CreditorRules
from domain.dunning.debtors import DebtorStatus
from domain.dunning.organization_settings import Settings
from domain.dunning.rates import NO_RATES
from domain.dunning.terms import InterestMode, RequestedTerms
from domain.errors import LegalLimitError, StateConflictError
from tests.unit.domain.builders import (
    NEW_CHARGE,
    NOW,
    RULES,
    TODAY,
    a_charge,
    a_debtor,
    on,
    the_detail_of,
)

LATE = date(2026, 11, 5)


def test_a_charge_that_is_not_due_is_pending_and_owes_its_amount() -> None:
    charge = a_charge()

    assert charge.status is ChargeStatus.PENDING
    assert charge.issue_date == TODAY
    assert charge.effective_due_date == date(2026, 10, 13)
    assert charge.prescription_date == charge.listing_limit_date == date(2031, 10, 10)
    assert (charge.principal_outstanding, charge.total_due, charge.paid) == (125000, 125000, 0)
    assert (charge.days_late, charge.amounts_as_of) == (0, TODAY)
    assert charge.aging_bucket is AgingBucket.NOT_DUE


@pytest.mark.parametrize(
    ("today", "status"),
    [(date(2026, 10, 13), ChargeStatus.PENDING), (date(2026, 10, 14), ChargeStatus.OVERDUE)],
)
def test_a_charge_is_overdue_from_the_day_after_its_effective_due_date(
    today: date, status: ChargeStatus
) -> None:
    charge = a_charge(on(today), issue_date=TODAY)

    assert charge.status is status


def test_a_charge_created_late_has_its_amounts_at_once() -> None:
    charge = a_charge(on(LATE), issue_date=TODAY)

    assert (charge.fine, charge.interest, charge.total_due) == (2500, 958, 128458)
    assert charge.days_late == 23
    assert charge.aging_bucket is AgingBucket.DAYS_16_30
    assert [line.rounded for line in charge.amounts_memory] == [2500, 958]


def test_a_charge_takes_organisation_and_debtor_from_the_debtor() -> None:
    charge = a_charge()

    assert (charge.organization_id, charge.debtor_id) == ("org_1", "dbt_1")


def test_later_settings_do_not_move_a_charge() -> None:
    rules = CreditorRules(Settings(due_date_rule=DueDateRule.NONE), NATIONAL_WIDE, NO_RATES)
    charge = Charge.create("chg_1", NEW_CHARGE, a_debtor(), rules, NOW)

    charge.reprice(date(2026, 10, 13), NO_RATES)

    assert charge.due_date_rule is DueDateRule.NONE
    assert charge.days_late == 3


@pytest.mark.parametrize("status", [DebtorStatus.ARCHIVED, DebtorStatus.ANONYMIZED])
def test_a_debtor_that_is_not_active_gets_no_charge(status: DebtorStatus) -> None:
    debtor = a_debtor()
    debtor.status = status

    with pytest.raises(StateConflictError) as refused:
        Charge.create("chg_1", NEW_CHARGE, debtor, RULES, NOW)

    assert refused.value.current_status == status.value
    assert refused.value.allowed_actions == ()


def test_edge_case_20_the_cap_of_the_debtor_binds_the_charge() -> None:
    with pytest.raises(LegalLimitError) as refused:
        a_charge(terms=RequestedTerms(fine_percent=5_0000))

    assert refused.value.details[0].field == "terms.fine_percent"


def test_a_charge_without_contract_and_terms_has_no_fine_and_the_legal_rate() -> None:
    charge = a_charge(contract_reference=None)

    assert charge.terms.fine_percent == 0
    assert charge.terms.interest_mode is InterestMode.LEGAL_RATE


def test_rent_prescribes_earlier_than_it_leaves_the_bureau() -> None:
    charge = a_charge(kind=ChargeKind.RENT)

    assert charge.prescription_date == date(2029, 10, 10)
    assert charge.listing_limit_date == date(2031, 10, 10)


def test_repricing_stores_the_amounts_of_the_day_and_is_no_new_version() -> None:
    charge = a_charge()

    charge.reprice(LATE, NO_RATES)

    assert (charge.total_due, charge.days_late, charge.amounts_as_of) == (128458, 23, LATE)
    assert charge.status is ChargeStatus.PENDING
    assert (charge.version, charge.updated_at) == (1, NOW.instant)


def test_repricing_twice_gives_what_repricing_once_gives() -> None:
    charge, other = a_charge(), a_charge()

    charge.reprice(date(2027, 1, 1), NO_RATES)
    charge.reprice(LATE, NO_RATES)
    other.reprice(LATE, NO_RATES)

    assert vars(charge)["amounts_memory"] == vars(other)["amounts_memory"]
    assert charge.total_due == other.total_due


def test_asking_for_another_date_stores_nothing() -> None:
    charge = a_charge()

    assert amounts_of(charge, LATE, NO_RATES).total_due == 128458
    assert charge.total_due == 125000


def test_a_charge_is_not_late_on_its_effective_due_date() -> None:
    charge = a_charge()

    charge.mark_overdue(on(date(2026, 10, 13)))

    assert charge.status is ChargeStatus.PENDING
    assert charge.version == 1


def test_becoming_overdue_is_a_new_version() -> None:
    charge = a_charge()

    charge.mark_overdue(on(date(2026, 10, 14)))

    assert charge.status is ChargeStatus.OVERDUE
    assert (charge.version, charge.updated_at) == (2, on(date(2026, 10, 14)).instant)


def test_a_canceled_charge_is_not_owed_any_more() -> None:
    charge = a_charge(on(LATE), issue_date=TODAY)

    charge.cancel(CancelReason.DUPLICATE, " Lançada em dobro ", on(LATE))

    assert charge.status is ChargeStatus.CANCELED
    assert (charge.cancel_reason, charge.cancel_note) == (
        CancelReason.DUPLICATE,
        "Lançada em dobro",
    )
    assert charge.canceled_at == on(LATE).instant
    assert (charge.principal_outstanding, charge.fine, charge.total_due) == (0, 0, 0)
    assert (charge.days_late, charge.amounts_memory) == (0, ())
    assert charge.amount == 125000


def test_a_canceled_charge_stays_at_nothing_when_it_is_repriced() -> None:
    charge = a_charge()
    charge.cancel(CancelReason.OTHER, None, NOW)

    charge.reprice(LATE, NO_RATES)

    assert (charge.total_due, charge.amounts_as_of) == (0, TODAY)


def test_a_cancellation_tells_all_that_it_changed() -> None:
    charge = a_charge(on(LATE), issue_date=TODAY)

    charge.cancel(CancelReason.DUPLICATE, None, on(LATE))

    assert charge.events[-1].changes == {
        "status": ("overdue", "canceled"),
        "cancel_reason": (None, "duplicate"),
        "canceled_at": (None, on(LATE).instant.isoformat()),
        "principal_outstanding": (125000, 0),
        "total_due": (128458, 0),
    }


def test_a_charge_with_a_payment_left_is_not_canceled() -> None:
    charge = a_charge()
    charge.paid = 1

    with pytest.raises(StateConflictError) as refused:
        charge.cancel(CancelReason.OTHER, None, NOW)

    assert charge.status is ChargeStatus.PENDING
    assert refused.value.current_status == "pending"
    assert refused.value.allowed_actions == ()


@pytest.mark.parametrize("note", ["", "n" * 501])
def test_a_refused_note_leaves_the_charge_as_it_was(note: str) -> None:
    charge = a_charge()
    charge.events.clear()

    assert the_detail_of(lambda: charge.cancel(CancelReason.OTHER, note, NOW)).field == "note"

    assert charge.status is ChargeStatus.PENDING
    assert charge.cancel_reason is None
    assert charge.events == []


def test_each_act_is_told_once_in_order() -> None:
    charge = a_charge()
    charge.mark_overdue(on(LATE))
    charge.cancel(CancelReason.RETURNED, None, on(LATE))

    events = charge.events

    assert [event.type for event in events] == [
        "charge.created",
        "charge.overdue",
        "charge.canceled",
    ]
    assert {(event.resource_type, event.resource_id) for event in events} == {("charge", "chg_1")}


def test_a_loaded_charge_tells_events_though_it_was_never_constructed() -> None:
    loaded = Charge.__new__(Charge)
    vars(loaded).update(vars(a_charge()))
    del vars(loaded)["_events"]

    loaded.cancel(CancelReason.OTHER, None, NOW)

    assert [event.type for event in loaded.events] == ["charge.canceled"]


def test_the_events_of_two_charges_do_not_mix() -> None:
    one, other = a_charge(), a_charge()

    one.cancel(CancelReason.OTHER, None, NOW)

    assert [event.type for event in other.events] == ["charge.created"]


def test_an_event_has_amounts_in_cents_and_no_free_text_document_or_foreign_id() -> None:
    charge = a_charge(
        description="Mensalidade de Paulo, CPF 529.982.247-25, paulo@example.com",
        external_id="PAULO-52998224725",
    )
    charge.cancel(CancelReason.OTHER, "CPF 52998224725", NOW)

    for event in charge.events:
        written = f"{event}"
        assert "982" not in written
        assert "@" not in written
        assert event.data["amount"] == 125000
        assert "PAULO" not in written


@pytest.mark.parametrize(
    ("days", "bucket"),
    [
        (0, "not_due"),
        (1, "1_15"),
        (15, "1_15"),
        (16, "16_30"),
        (30, "16_30"),
        (31, "31_60"),
        (61, "61_90"),
        (91, "91_180"),
        (180, "91_180"),
        (181, "181_360"),
        (360, "181_360"),
        (361, "361_plus"),
        (9999, "361_plus"),
    ],
)
def test_an_aging_bucket_starts_on_the_day_of_its_name(days: int, bucket: str) -> None:
    assert aging_bucket(days) == bucket


def test_every_aging_bucket_has_a_first_day() -> None:
    assert set(FIRST_DAY) == set(AgingBucket)


@given(st.integers(1, 9_999_999_999), st.integers(0, 3000))
def test_what_is_stored_adds_up(amount: int, days: int) -> None:
    charge = a_charge(amount=amount)
    charge.reprice(TODAY + timedelta(days=days), NO_RATES)

    late = charge.fine + charge.interest + charge.correction
    assert charge.total_due == amount + charge.costs + late - charge.discount
    assert late == sum(line.rounded for line in charge.amounts_memory)
