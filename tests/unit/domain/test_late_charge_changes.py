"""Once a charge has been late it is changed only in favour of the debtor, respite or not."""

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from domain.dunning.charge_kinds import ChargeKind
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.charges import Charge
from domain.dunning.correction import CorrectionIndex
from domain.dunning.holds import HoldCode, holds_of
from domain.dunning.terms import DiscountType, InterestMode, RequestedTerms
from domain.errors import ValidationError
from tests.unit.domain.builders import TODAY, a_charge, a_debtor, on, the_detail_of
from tests.unit.domain.changed_charges import (
    DUE,
    EFFECTIVE,
    LATE,
    LATER,
    TIER,
    change,
    changes,
    fresh,
)

MILD = RequestedTerms(fine_percent=1_0000, interest_percent_month=5000, discounts=(TIER,))
MILDEST = RequestedTerms(fine_percent=0, interest_percent_month=0)


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

    stricter = RequestedTerms(charges_on_corrected=True)
    if today == EFFECTIVE:
        assert change(charge, today, terms=stricter).terms.charges_on_corrected
    else:
        with pytest.raises(ValidationError):
            change(charge, today, terms=stricter)


def in_respite(due: date, today: date = TODAY, *, until: date = TODAY, **fields: Any) -> Charge:
    """A charge that was late on `today` and was given until `until`, which is not over."""
    charge = a_charge(on(today), issue_date=date(2020, 8, 1), due_date=due, **fields)
    change(charge, today, due_date=until)
    assert charge.status is ChargeStatus.PENDING
    charge.events.clear()
    return charge


def test_respite_twice_restarts_no_limit() -> None:
    due = date(2021, 8, 10)
    charge = in_respite(due)

    change(charge, due_date=TODAY + timedelta(days=1))

    assert charge.due_date == TODAY + timedelta(days=1)
    assert charge.prescription_date == charge.listing_limit_date == date(2026, 8, 10)
    codes = [hold.code for hold in holds_of(charge, a_debtor(), TODAY)]
    assert HoldCode.PRESCRIBED in codes


@pytest.mark.parametrize(
    "wanted",
    [
        {},
        {"due_date": TODAY + timedelta(days=1)},
        {"due_date": LATER},
    ],
)
def test_respite_opens_no_way_to_stricter_terms(wanted: dict[str, Any]) -> None:
    charge = in_respite(date(2026, 8, 3), terms=MILDEST)
    stricter = RequestedTerms(fine_percent=2_0000, interest_percent_month=1_0000)

    with pytest.raises(ValidationError) as refused:
        change(charge, terms=stricter, **wanted)

    assert {(one.field, one.code) for one in refused.value.details} == {
        ("terms.fine_percent", "only_in_favour"),
        ("terms.interest_percent_month", "only_in_favour"),
    }
    assert charge.version == 2


@pytest.mark.parametrize("due", [date(2026, 3, 2), date(2026, 8, 3), LATER - timedelta(days=1)])
def test_respite_is_not_taken_back(due: date) -> None:
    charge = in_respite(date(2026, 8, 3), until=LATER)

    detail = the_detail_of(lambda: change(charge, due_date=due))

    assert (detail.field, detail.code) == ("due_date", "only_in_favour")


def test_respite_from_28_to_29_february_is_respite_though_one_limit_is_the_same() -> None:
    leap = date(2024, 2, 29)
    charge = in_respite(date(2024, 2, 28), leap, until=leap)

    change(charge, leap, due_date=date(2024, 3, 15))

    assert charge.prescription_date == charge.listing_limit_date == date(2029, 2, 28)


def test_a_charge_that_was_only_moved_while_it_was_not_due_has_not_been_late() -> None:
    charge = change(fresh(terms=MILDEST), due_date=LATER)

    change(charge, due_date=DUE, terms=RequestedTerms())

    assert (charge.due_date, charge.terms.fine_percent) == (DUE, 2_0000)
    assert charge.listing_limit_date == DUE.replace(year=2031)


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
