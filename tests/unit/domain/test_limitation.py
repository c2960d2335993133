"""Limitation and listing limits, 29 February included."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.dunning.charge_kinds import ChargeKind
from domain.dunning.limitation import listing_limit_date, prescription_date

LEAP_DAY = date(2028, 2, 29)


def test_edge_case_18_limits_of_a_debt_due_on_29_february() -> None:
    assert prescription_date(ChargeKind.SERVICE, LEAP_DAY) == date(2033, 3, 1)
    assert listing_limit_date(LEAP_DAY) == date(2033, 2, 28)


def test_rent_prescribes_in_three_years() -> None:
    assert prescription_date(ChargeKind.RENT, date(2026, 10, 10)) == date(2029, 10, 10)
    assert prescription_date(ChargeKind.RENT, LEAP_DAY) == date(2031, 3, 1)


@pytest.mark.parametrize("kind", [kind for kind in ChargeKind if kind is not ChargeKind.RENT])
def test_every_other_kind_prescribes_in_five_years(kind: ChargeKind) -> None:
    assert prescription_date(kind, date(2021, 12, 10)) == date(2026, 12, 10)


@given(st.dates(date(1950, 1, 1), date(2199, 12, 31)))
def test_a_listing_never_outlives_the_five_years_of_a_debt(due: date) -> None:
    assert listing_limit_date(due) <= prescription_date(ChargeKind.OTHER, due)
