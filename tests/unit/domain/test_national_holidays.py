from datetime import date

import holidays
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.dunning.national_holidays import easter, narrow_holidays, wide_holidays

# Optional holidays of civil servants on which banks serve the public.
OPEN_FOR_BANKS = {"Quarta-feira de Cinzas", "Dia do Servidor Público", "Véspera de Natal"}


@pytest.mark.parametrize("year", range(2015, 2041))
def test_closed_days_are_those_that_an_independent_library_knows(year: int) -> None:
    known = holidays.country_holidays(
        "BR", years=year, categories=("public", "optional"), language="pt_BR"
    )

    assert wide_holidays(year) == {
        day for day in known if set(known.get_list(day)) - OPEN_FOR_BANKS
    }


@pytest.mark.parametrize("year", range(2015, 2041))
def test_holidays_by_law_are_those_that_an_independent_library_knows(year: int) -> None:
    assert narrow_holidays(year) == set(holidays.country_holidays("BR", years=year))


@pytest.mark.parametrize(
    ("year", "carnival", "good_friday", "corpus_christi"),
    [
        (2025, (date(2025, 3, 3), date(2025, 3, 4)), date(2025, 4, 18), date(2025, 6, 19)),
        (2026, (date(2026, 2, 16), date(2026, 2, 17)), date(2026, 4, 3), date(2026, 6, 4)),
        (2027, (date(2027, 2, 8), date(2027, 2, 9)), date(2027, 3, 26), date(2027, 5, 27)),
        (2028, (date(2028, 2, 28), date(2028, 2, 29)), date(2028, 4, 14), date(2028, 6, 15)),
    ],
)
def test_of_the_movable_feasts_only_good_friday_is_one_by_law(
    year: int, carnival: tuple[date, date], good_friday: date, corpus_christi: date
) -> None:
    last_day = date(year, 12, 31)

    assert wide_holidays(year) - narrow_holidays(year) == {*carnival, corpus_christi, last_day}
    assert good_friday in narrow_holidays(year)


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
