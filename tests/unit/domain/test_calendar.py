"""The wide calendar closes every day that favours the debtor, and no other."""

from datetime import date, timedelta

import holidays
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.dunning.calendar import (
    NATIONAL_WIDE,
    Calendar,
    DueDateRule,
    easter,
    wide_holidays,
)

ROLL, KEEP = DueDateRule.NEXT_BUSINESS_DAY, DueDateRule.NONE

# Optional holidays of civil servants on which banks serve the public.
OPEN_FOR_BANKS = {"Quarta-feira de Cinzas", "Dia do Servidor Público", "Véspera de Natal"}


@pytest.mark.parametrize("year", range(2015, 2041))
def test_the_holidays_are_those_that_an_independent_library_knows(year: int) -> None:
    known = holidays.country_holidays(
        "BR", years=year, categories=("public", "optional"), language="pt_BR"
    )

    assert wide_holidays(year) == {
        day for day in known if set(known.get_list(day)) - OPEN_FOR_BANKS
    }


@pytest.mark.parametrize(
    ("year", "sunday"),
    [
        (1961, date(1961, 4, 2)),
        (2000, date(2000, 4, 23)),
        (2027, date(2027, 3, 28)),
        (2038, date(2038, 4, 25)),
        (2285, date(2285, 3, 22)),
    ],
)
def test_easter_falls_where_the_church_says(year: int, sunday: date) -> None:
    assert easter(year) == sunday


@given(st.integers(1583, 9999))
def test_easter_is_a_sunday_between_22_march_and_25_april(year: int) -> None:
    assert easter(year).weekday() == 6
    assert date(year, 3, 22) <= easter(year) <= date(year, 4, 25)


@pytest.mark.parametrize(
    "closed",
    [
        date(2027, 2, 8),
        date(2027, 2, 9),
        date(2027, 3, 26),
        date(2027, 5, 27),
        date(2026, 12, 31),
        date(2026, 10, 10),
        date(2026, 10, 11),
    ],
)
def test_weekends_movable_feasts_and_the_last_day_of_the_year_are_closed(closed: date) -> None:
    assert not NATIONAL_WIDE.is_business_day(closed)


def test_20_november_is_closed_from_2024_only() -> None:
    assert NATIONAL_WIDE.is_business_day(date(2023, 11, 20))
    assert not NATIONAL_WIDE.is_business_day(date(2024, 11, 20))


def test_ash_wednesday_is_a_business_day() -> None:
    assert NATIONAL_WIDE.is_business_day(date(2027, 2, 10))


@pytest.mark.parametrize(
    ("due", "rolled"),
    [
        (date(2026, 10, 9), date(2026, 10, 9)),
        (date(2026, 10, 10), date(2026, 10, 13)),
        (date(2026, 12, 31), date(2027, 1, 4)),
        (date(2027, 2, 6), date(2027, 2, 10)),
    ],
)
def test_a_due_date_that_is_no_business_day_rolls_to_the_next_one(due: date, rolled: date) -> None:
    assert NATIONAL_WIDE.effective_due_date(due, ROLL) == rolled


def test_a_due_date_stays_when_the_organisation_rolls_none() -> None:
    assert NATIONAL_WIDE.effective_due_date(date(2026, 10, 10), KEEP) == date(2026, 10, 10)


def test_a_calendar_closes_the_days_that_it_is_given() -> None:
    city_day = date(2027, 1, 25)
    calendar = Calendar(lambda year: wide_holidays(year) | {city_day})

    assert calendar.effective_due_date(city_day, ROLL) == city_day + timedelta(days=1)
    assert NATIONAL_WIDE.effective_due_date(city_day, ROLL) == city_day


@given(st.dates(date(1990, 1, 1), date(2150, 1, 1)))
def test_a_roll_ends_on_a_business_day_and_passes_over_none(due: date) -> None:
    rolled = NATIONAL_WIDE.next_business_day_on_or_after(due)

    assert NATIONAL_WIDE.is_business_day(rolled)
    between = (due + timedelta(days=n) for n in range((rolled - due).days))
    assert not any(NATIONAL_WIDE.is_business_day(day) for day in between)
    assert (rolled - due).days <= 6
