"""A charge is changed while it is open; what was late is changed elsewhere."""

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from domain.dunning.calendar import NATIONAL_WIDE, Calendar
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.ledger import Credit, Settled
from domain.dunning.money import RoundingMode
from domain.dunning.new_charges import PaymentMethods
from domain.dunning.organization_settings import Settings
from domain.dunning.terms import DiscountType, RequestedDiscount, RequestedTerms
from domain.errors import (
    LegalLimitError,
    StateConflictError,
    VersionConflictError,
)
from tests.unit.domain.builders import TODAY, the_detail_of
from tests.unit.domain.changed_charges import (
    BASIS,
    LATE,
    LATER,
    TIER,
    change,
    changes,
    fresh,
)


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


@pytest.mark.parametrize("days", [-1, 0, 1])
def test_nobody_comes_into_default_by_a_date_that_has_passed(days: int) -> None:
    charge, today = fresh(), date(2026, 10, 1)
    due = today + timedelta(days=days)

    if days >= 0:
        assert change(charge, today, due_date=due).status is ChargeStatus.PENDING
        return
    detail = the_detail_of(lambda: change(charge, today, due_date=due))
    assert (detail.field, detail.code) == ("due_date", "out_of_range")
    assert "today on" in detail.message.en
    assert (charge.version, charge.events) == (1, [])


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
