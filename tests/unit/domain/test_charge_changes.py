"""A charge is changed while it is open, and once it is late only in favour of the debtor."""

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from domain.dunning.calendar import NATIONAL_WIDE, Calendar
from domain.dunning.charge_changes import ChangeBasis, ChargeChange
from domain.dunning.charge_kinds import ChargeKind
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.charges import Charge
from domain.dunning.correction import CorrectionIndex
from domain.dunning.ledger import Credit, Settled
from domain.dunning.money import RoundingMode
from domain.dunning.new_charges import PaymentMethods
from domain.dunning.organization_settings import Settings
from domain.dunning.rates import NO_RATES
from domain.dunning.terms import DiscountType, InterestMode, RequestedDiscount, RequestedTerms
from domain.errors import (
    LegalLimitError,
    StateConflictError,
    ValidationError,
    VersionConflictError,
)
from tests.unit.domain.builders import TODAY, a_charge, on, the_detail_of

DUE = date(2026, 10, 10)
EFFECTIVE = date(2026, 10, 13)
LATE = date(2026, 11, 5)
LATER = date(2026, 12, 10)
BASIS = ChangeBasis(
    is_consumer=True, settings=Settings(), calendar=NATIONAL_WIDE, had_payments=False
)
TIER = RequestedDiscount(days_before=5, type=DiscountType.PERCENT, value=Decimal(5))


def present(charge: Charge) -> ChargeChange:
    names = ChargeChange.__dataclass_fields__.keys() - {"terms", "version"}
    return ChargeChange(**{name: getattr(charge, name) for name in names})


def change(
    charge: Charge, today: date = TODAY, basis: ChangeBasis = BASIS, **wanted: Any
) -> Charge:
    charge.change(replace(present(charge), **wanted), basis, on(today), NO_RATES)
    return charge


def fresh(today: date = TODAY, **fields: Any) -> Charge:
    charge = a_charge(on(today), issue_date=TODAY, **fields)
    charge.events.clear()
    return charge


def changes(charge: Charge) -> dict[str, Any]:
    (event,) = charge.events
    assert event.type == "charge.updated"
    return dict(event.changes)


def test_what_is_so_already_changes_nothing() -> None:
    charge = fresh(custom_data={"peso": Decimal("0.1"), "turma": "3B"})

    change(charge, TODAY + timedelta(days=1), custom_data={"turma": "3B", "peso": 0.1})

    assert (charge.version, charge.updated_at, charge.events) == (1, charge.created_at, [])


def test_free_text_is_changed_and_events_tell_only_that() -> None:
    charge = change(
        fresh(),
        description="  Mensalidade corrigida ",
        tags=("a", " b", "a"),
        custom_data={"x": 1},
        payment_methods=PaymentMethods(payment_url="https://pay.example.com/17"),
        assigned_member_id="mbr_1",
        guarantors=("dbt_2", "dbt_3"),
    )

    assert (charge.description, charge.tags) == ("Mensalidade corrigida", ("a", "b"))
    assert charge.version == 2
    assert changes(charge) == {
        "description": (None, None),
        "tags": (None, None),
        "custom_data": (None, None),
        "payment_methods": (None, None),
        "assigned_member_id": (None, "mbr_1"),
        "guarantors": ([], ["dbt_2", "dbt_3"]),
    }


def test_what_may_be_empty_is_emptied() -> None:
    charge = fresh(custom_data={"x": 1}, assigned_member_id="mbr_1", tags=("a",))

    change(charge, custom_data=None, assigned_member_id=None, tags=())

    assert (charge.custom_data, charge.assigned_member_id, charge.tags) == (None, None, ())


@pytest.mark.parametrize(
    ("wanted", "field", "code"),
    [
        ({"description": "x"}, "description", "out_of_range"),
        ({"tags": ("a,b",)}, "tags[0]", "invalid_characters"),
        ({"custom_data": {"x": "\0"}}, "custom_data", "invalid_characters"),
        ({"guarantors": ("dbt_2", "dbt_2")}, "guarantors[1]", "duplicate"),
        ({"guarantors": ("dbt_2", "dbt_1")}, "guarantors[1]", "conflicts_with"),
        ({"guarantors": ("dbt_2", "dbt_3", "dbt_4", "dbt_5")}, "guarantors", "too_many_items"),
        (
            {"payment_methods": PaymentMethods(payment_url="http://pay.example.com")},
            "payment_methods.payment_url",
            "invalid_url",
        ),
        ({"due_date": TODAY - timedelta(days=1)}, "due_date", "out_of_range"),
        ({"due_date": date(2036, 9, 2)}, "due_date", "out_of_range"),
    ],
)
def test_a_field_outside_its_range_is_refused_and_nothing_changes(
    wanted: dict[str, Any], field: str, code: str
) -> None:
    charge = fresh()

    detail = the_detail_of(lambda: change(charge, **wanted))

    assert (detail.field, detail.code) == (field, code)
    assert (charge.version, charge.events) == (1, [])


def test_a_stale_version_is_refused_before_anything_else() -> None:
    charge = fresh()
    charge.version = 3

    with pytest.raises(VersionConflictError) as refused:
        change(charge, version=2, description="x")

    assert "3" in refused.value.message.en
    assert change(charge, version=3, tags=("a",)).version == 4


def test_a_new_amount_is_owed_at_once() -> None:
    charge = change(fresh(LATE), LATE, amount=2_000_00)

    assert (charge.principal_outstanding, charge.fine, charge.interest) == (200000, 4000, 1533)
    assert changes(charge) == {
        "amount": (125000, 200000),
        "principal_outstanding": (125000, 200000),
        "total_due": (128458, 205533),
    }


def test_an_amount_that_its_discounts_would_eat_up_is_refused() -> None:
    tier = RequestedDiscount(days_before=5, type=DiscountType.AMOUNT, value=Decimal("100.00"))
    charge = fresh(terms=RequestedTerms(discounts=(tier,)))

    detail = the_detail_of(lambda: change(charge, amount=100_00))

    assert (detail.field, detail.code) == ("amount", "conflicts_with")


CREDIT = Credit(payment_id="pay_1", paid_at=TODAY, settled=Settled(principal=1_00))


@pytest.mark.parametrize(
    ("credits_", "had_payments"), [((CREDIT,), True), ((CREDIT,), False), ((), True)]
)
def test_an_amount_that_a_payment_has_touched_stays(
    credits_: tuple[Credit, ...],
    had_payments: bool,  # noqa: FBT001 -- a parameter of the test
) -> None:
    charge = fresh()
    charge.credits = credits_
    basis = replace(BASIS, had_payments=had_payments)

    with pytest.raises(StateConflictError) as refused:
        change(charge, basis=basis, amount=1_00)

    assert "cancel" in refused.value.allowed_actions
    assert change(charge, basis=basis, description="Outra").amount == 1_250_00


@pytest.mark.parametrize("due", [date(2026, 9, 15), LATER])
def test_a_due_date_that_has_not_come_moves_both_ways_with_all_its_dates(due: date) -> None:
    charge = change(fresh(), due_date=due)

    assert (charge.due_date, charge.effective_due_date) == (due, due)
    assert charge.prescription_date == charge.listing_limit_date == due.replace(year=2031)
    assert changes(charge) == {
        "due_date": ("2026-10-10", due.isoformat()),
        "effective_due_date": ("2026-10-13", due.isoformat()),
        "prescription_date": ("2031-10-10", due.replace(year=2031).isoformat()),
        "listing_limit_date": ("2031-10-10", due.replace(year=2031).isoformat()),
    }


def test_a_due_date_moved_before_today_makes_it_overdue() -> None:
    charge = change(fresh(), date(2026, 10, 1), due_date=date(2026, 9, 15))

    assert (charge.status, charge.days_late) == (ChargeStatus.OVERDUE, 16)
    assert changes(charge)["status"] == ("pending", "overdue")
    assert charge.fine == 25_00


def test_the_debtors_holidays_roll_a_new_due_date() -> None:
    calendar = Calendar(NATIONAL_WIDE.holidays_in, frozenset({LATER}))

    charge = change(fresh(), basis=replace(BASIS, calendar=calendar), due_date=LATER)

    assert charge.effective_due_date == date(2026, 12, 11)


def test_discounts_move_with_the_due_date() -> None:
    charge = fresh(terms=RequestedTerms(discounts=(TIER,)))

    change(charge, due_date=LATER)

    (tier,) = charge.terms.discounts
    # Five days before 10 December is a Saturday.
    assert (tier.days_before, tier.until) == (5, date(2026, 12, 7))


def test_a_late_debt_is_given_more_time_and_is_pending_again() -> None:
    charge = change(fresh(LATE), LATE, due_date=LATER)

    assert (charge.status, charge.days_late, charge.total_due) == (ChargeStatus.PENDING, 0, 125000)
    told = changes(charge)
    assert (told["status"], told["total_due"]) == (("overdue", "pending"), (128458, 125000))


def test_more_time_for_a_late_debt_gives_the_creditor_none() -> None:
    charge = change(fresh(LATE, kind=ChargeKind.RENT), LATE, due_date=LATER)

    assert charge.prescription_date == date(2029, 10, 10)
    assert charge.listing_limit_date == date(2031, 10, 10)


def test_a_later_date_that_has_passed_too_leaves_it_overdue_for_less() -> None:
    charge = change(fresh(LATE), LATE, due_date=date(2026, 10, 26))

    assert (charge.status, charge.days_late) == (ChargeStatus.OVERDUE, 10)


def test_a_late_debt_gets_no_earlier_due_date() -> None:
    charge = fresh(LATE)

    detail = the_detail_of(lambda: change(charge, LATE, due_date=DUE - timedelta(days=1)))

    assert (detail.field, detail.code) == ("due_date", "only_in_favour")


@pytest.mark.parametrize("today", [EFFECTIVE, EFFECTIVE + timedelta(days=1)])
def test_a_debt_is_late_from_the_day_after_its_effective_due_date(today: date) -> None:
    charge = fresh()

    if today == EFFECTIVE:
        assert change(charge, today, due_date=date(2026, 10, 9)).status is ChargeStatus.OVERDUE
    else:
        with pytest.raises(ValidationError):
            change(charge, today, due_date=date(2026, 10, 9))


def test_a_charge_whose_day_has_passed_unnoticed_becomes_overdue_with_the_change() -> None:
    charge = change(fresh(), LATE, tags=("a",))

    assert (charge.status, charge.total_due) == (ChargeStatus.OVERDUE, 128458)
    assert changes(charge)["status"] == ("pending", "overdue")


def test_terms_of_a_debt_that_is_not_due_are_replaced_whole_within_the_law() -> None:
    charge = fresh(terms=RequestedTerms(fine_percent=1_0000, discounts=(TIER,)))

    change(charge, terms=RequestedTerms(interest_percent_month=5000))

    assert (charge.terms.fine_percent, charge.terms.interest_percent_month) == (2_0000, 5000)
    assert charge.terms.discounts == ()
    old, new = changes(charge)["terms"]
    assert (old["fine_percent"], new["fine_percent"]) == (1_0000, 2_0000)
    assert old["discounts"] == [
        {"days_before": 5, "type": "percent", "value": 50000, "until": "2026-10-05"}
    ]


def test_rounding_and_tolerance_stay_those_of_the_creation() -> None:
    later = Settings(rounding_mode=RoundingMode.HALF_UP, settlement_tolerance=5_00)

    charge = change(fresh(), basis=replace(BASIS, settings=later), terms=RequestedTerms())

    assert charge.terms.rounding_mode is RoundingMode.HALF_EVEN
    assert charge.terms.settlement_tolerance == 5
    assert charge.version == 1


def test_edge_case_20_new_terms_are_capped_as_at_the_creation() -> None:
    for today in (TODAY, LATE):
        with pytest.raises(LegalLimitError):
            change(fresh(today), today, terms=RequestedTerms(fine_percent=5_0000))


MILD = RequestedTerms(fine_percent=1_0000, interest_percent_month=5000, discounts=(TIER,))


@pytest.mark.parametrize(
    ("wanted", "field"),
    [
        ({"fine_percent": 1_0001}, "terms.fine_percent"),
        ({"interest_percent_month": 5001}, "terms.interest_percent_month"),
        (
            {"interest_mode": InterestMode.LEGAL_RATE, "interest_percent_month": None},
            "terms.interest_mode",
        ),
        ({"correction_index": CorrectionIndex.IPCA}, "terms.correction_index"),
        ({"charges_on_corrected": True}, "terms.charges_on_corrected"),
        ({"discounts": ()}, "terms.discounts"),
        ({"discounts": (replace(TIER, value=Decimal("4.9")),)}, "terms.discounts"),
        ({"discounts": (replace(TIER, days_before=6),)}, "terms.discounts"),
        ({"discounts": (replace(TIER, type=DiscountType.AMOUNT),)}, "terms.discounts"),
    ],
)
def test_terms_of_a_late_debt_are_not_made_stricter(wanted: dict[str, Any], field: str) -> None:
    charge = fresh(LATE, terms=MILD)

    with pytest.raises(ValidationError) as refused:
        change(charge, LATE, terms=replace(MILD, **wanted))

    found = {(detail.field, detail.code) for detail in refused.value.details}
    assert (field, "only_in_favour") in found
    assert charge.version == 1
    # More time does not make up for it.
    with pytest.raises(ValidationError):
        change(charge, LATE, terms=replace(MILD, **wanted), due_date=LATER)


@pytest.mark.parametrize(
    "wanted",
    [
        {"fine_percent": 0},
        {"interest_percent_month": 0},
        {"interest_mode": InterestMode.NONE, "interest_percent_month": None},
        {"discounts": (replace(TIER, days_before=0, value=Decimal(6)),)},
        {"discounts": (TIER, replace(TIER, days_before=1))},
    ],
)
def test_terms_of_a_late_debt_are_made_milder(wanted: dict[str, Any]) -> None:
    charge = fresh(LATE, terms=MILD)
    before = charge.total_due

    change(charge, LATE, terms=replace(MILD, **wanted))

    assert charge.version == 2
    assert charge.total_due <= before


HARMLESS: dict[str, Any] = {
    "description": "Outra",
    "tags": ("a",),
    "custom_data": {"x": 1},
    "payment_methods": PaymentMethods(pix_copy_paste="00020126"),
    "assigned_member_id": "mbr_1",
}
OF_THE_DEBT: dict[str, Any] = {
    "amount": 1_00,
    "due_date": LATER,
    "terms": RequestedTerms(fine_percent=0),
    "guarantors": ("dbt_2",),
}
OPEN = (ChargeStatus.PENDING, ChargeStatus.OVERDUE)


@pytest.mark.parametrize("status", ChargeStatus)
@pytest.mark.parametrize("field", [*HARMLESS, *OF_THE_DEBT])
def test_what_is_owed_changes_while_open_and_nothing_changes_once_canceled(
    status: ChargeStatus, field: str
) -> None:
    charge = fresh()
    charge.status = status
    wanted = {field: (HARMLESS | OF_THE_DEBT)[field]}

    if status in OPEN or (field in HARMLESS and status is not ChargeStatus.CANCELED):
        assert change(charge, **wanted).version == 2
        return
    with pytest.raises(StateConflictError) as refused:
        change(charge, **wanted)
    assert refused.value.current_status == status
    assert (charge.version, charge.events) == (1, [])


def test_a_canceled_charge_that_is_as_wanted_is_no_conflict() -> None:
    charge = fresh()
    charge.status = ChargeStatus.CANCELED

    assert change(charge).events == []
