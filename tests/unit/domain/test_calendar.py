"""The wide calendar favours the debtor; the narrow one is for what we owe."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.dunning.calendar import (
    NATIONAL_NARROW,
    NATIONAL_WIDE,
    Calendar,
    DueDateRule,
    years_after,
)

ROLL, KEEP = DueDateRule.NEXT_BUSINESS_DAY, DueDateRule.NONE

CALENDARS = st.sampled_from([NATIONAL_WIDE, NATIONAL_NARROW])
DAYS = st.dates(date(1990, 1, 1), date(2150, 1, 1))


@pytest.mark.parametrize("closed", [date(2027, 3, 26), date(2026, 10, 10), date(2026, 10, 11)])
def test_weekends_and_good_friday_are_closed_for_everybody(closed: date) -> None:
    assert not NATIONAL_WIDE.is_business_day(closed)
    assert not NATIONAL_NARROW.is_business_day(closed)


@pytest.mark.parametrize(
    "day", [date(2027, 2, 8), date(2027, 2, 9), date(2027, 5, 27), date(2026, 12, 31)]
)
def test_days_on_which_only_the_banks_are_closed_count_against_us(day: date) -> None:
    assert not NATIONAL_WIDE.is_business_day(day)
    assert NATIONAL_NARROW.is_business_day(day)


def test_20_november_is_closed_from_2024_only() -> None:
    assert NATIONAL_WIDE.is_business_day(date(2023, 11, 20))
    assert not NATIONAL_WIDE.is_business_day(date(2024, 11, 20))


def test_ash_wednesday_is_a_business_day() -> None:
    assert NATIONAL_WIDE.is_business_day(date(2027, 2, 10))


@pytest.mark.parametrize(
    ("due", "rolled"),
    [
        (date(2026, 10, 9), date(2026, 10, 9)),
        # Worked example 1: a Saturday before a Monday on which everything is closed.
        (date(2026, 10, 10), date(2026, 10, 13)),
        # Worked example 4: a Sunday.
        (date(2026, 12, 20), date(2026, 12, 21)),
        (date(2026, 12, 31), date(2027, 1, 4)),
        (date(2027, 2, 6), date(2027, 2, 10)),
    ],
)
def test_a_due_date_that_is_no_business_day_rolls_to_the_next_one(due: date, rolled: date) -> None:
    assert NATIONAL_WIDE.effective_due_date(due, ROLL) == rolled


def test_a_due_date_stays_when_the_organisation_rolls_none() -> None:
    assert NATIONAL_WIDE.effective_due_date(date(2026, 10, 10), KEEP) == date(2026, 10, 10)


@given(CALENDARS, DAYS)
def test_a_roll_ends_on_a_business_day_and_passes_over_none(calendar: Calendar, due: date) -> None:
    rolled = calendar.next_business_day_on_or_after(due)

    assert calendar.is_business_day(rolled)
    between = (due + timedelta(days=n) for n in range((rolled - due).days))
    assert not any(calendar.is_business_day(day) for day in between)
    assert (rolled - due).days <= 6


@pytest.mark.parametrize(
    ("paid", "available"),
    [
        (date(2026, 12, 20), date(2026, 12, 21)),
        (date(2026, 12, 21), date(2026, 12, 22)),
        (date(2026, 12, 24), date(2026, 12, 28)),
    ],
)
def test_the_next_business_day_is_never_the_day_itself(paid: date, available: date) -> None:
    assert NATIONAL_WIDE.next_business_day_after(paid) == available


def business_days_after(calendar: Calendar, day: date, count: int) -> date:
    for _ in range(count):
        day = calendar.next_business_day_after(day)
    return day


def test_five_business_days_after_22_december_we_owe_the_removal_on_the_30th() -> None:
    assert business_days_after(NATIONAL_NARROW, date(2026, 12, 22), 5) == date(2026, 12, 30)


@pytest.mark.parametrize(
    ("start", "narrow", "wide"),
    [
        (date(2026, 12, 28), date(2027, 1, 5), date(2027, 1, 6)),
        (date(2027, 2, 5), date(2027, 2, 12), date(2027, 2, 16)),
        (date(2027, 3, 25), date(2027, 4, 2), date(2027, 4, 2)),
    ],
)
def test_a_deadline_that_we_owe_ends_no_later_than_one_that_we_are_owed(
    start: date, narrow: date, wide: date
) -> None:
    assert business_days_after(NATIONAL_NARROW, start, 5) == narrow
    assert business_days_after(NATIONAL_WIDE, start, 5) == wide


def test_years_end_on_the_same_day_or_on_the_next_where_there_is_none() -> None:
    assert years_after(date(2026, 10, 10), 5) == date(2031, 10, 10)
    assert years_after(date(2028, 2, 29), 5) == date(2033, 3, 1)
    assert years_after(date(2028, 2, 29), 4) == date(2032, 2, 29)
