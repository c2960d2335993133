"""An organisation's own holidays favour the debtors for whose place they hold."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.dunning.calendar import NATIONAL_WIDE, DueDateRule
from domain.dunning.holidays import Holiday, HolidayScope, Place, wide_calendar

ROLL = DueDateRule.NEXT_BUSINESS_DAY
MONDAY = date(2027, 1, 25)

CAPITAL = Place(uf="SP", city="São Paulo")
CAMPINAS = Place(uf="SP", city="Campinas")
PORTO_ALEGRE = Place(uf="RS", city="Porto Alegre")
NOWHERE = Place()


def a_holiday(
    scope: HolidayScope, uf: str | None = None, city: str | None = None, day: date = MONDAY
) -> Holiday:
    return Holiday(
        id=f"hol_{day:%Y%m%d}", date=day, name="Dia da casa", scope=scope, uf=uf, city=city
    )


NATIONAL = a_holiday(HolidayScope.NATIONAL)
OF_STATE = a_holiday(HolidayScope.UF, "SP")
OF_CITY = a_holiday(HolidayScope.CITY, "SP", "São Paulo")


@pytest.mark.parametrize(
    ("holiday", "closed", "open_"),
    [
        (NATIONAL, [CAPITAL, CAMPINAS, PORTO_ALEGRE, NOWHERE], []),
        (OF_STATE, [CAPITAL, CAMPINAS, Place(uf="SP")], [PORTO_ALEGRE, NOWHERE]),
        (OF_CITY, [CAPITAL], [CAMPINAS, PORTO_ALEGRE, Place(uf="SP"), NOWHERE]),
    ],
)
def test_a_holiday_closes_its_own_place_only(
    holiday: Holiday, closed: list[Place], open_: list[Place]
) -> None:
    assert all(not wide_calendar([holiday], place).is_business_day(MONDAY) for place in closed)
    assert all(wide_calendar([holiday], place).is_business_day(MONDAY) for place in open_)


def test_a_holiday_of_the_debtors_city_rolls_their_due_date_and_no_other_debtors() -> None:
    assert wide_calendar([OF_CITY], CAPITAL).effective_due_date(MONDAY, ROLL) == date(2027, 1, 26)
    assert wide_calendar([OF_CITY], PORTO_ALEGRE).effective_due_date(MONDAY, ROLL) == MONDAY


@pytest.mark.parametrize("written", ["São Paulo", "SAO PAULO", "são  paulo", "Sa\u0303o Paulo"])
def test_a_city_is_the_same_however_it_is_written(written: str) -> None:
    calendar = wide_calendar([OF_CITY], Place(uf="SP", city=written))

    assert not calendar.is_business_day(MONDAY)


def test_a_city_of_the_same_name_in_another_state_is_another() -> None:
    elsewhere = Place(uf="PR", city="São Paulo")

    assert wide_calendar([OF_CITY], elsewhere).is_business_day(MONDAY)


def test_where_no_own_holiday_holds_the_calendar_is_the_shared_one() -> None:
    assert wide_calendar([], CAPITAL) is NATIONAL_WIDE
    assert wide_calendar([OF_CITY], PORTO_ALEGRE) is NATIONAL_WIDE


def test_own_holidays_come_on_top_of_weekends_and_national_ones() -> None:
    friday_before_carnival = a_holiday(HolidayScope.NATIONAL, day=date(2027, 2, 5))
    ash_wednesday = a_holiday(HolidayScope.NATIONAL, day=date(2027, 2, 10))

    calendar = wide_calendar([friday_before_carnival, ash_wednesday], PORTO_ALEGRE)

    assert calendar.effective_due_date(date(2027, 2, 5), ROLL) == date(2027, 2, 11)


@given(
    st.dates(date(2000, 1, 1), date(2100, 1, 1)),
    st.lists(st.integers(0, 12), max_size=3),
    st.sampled_from([CAPITAL, PORTO_ALEGRE, NOWHERE]),
    st.sampled_from([(HolidayScope.NATIONAL, None), (HolidayScope.UF, "SP")]),
)
def test_an_effective_due_date_is_a_business_day_soon_after_the_due_date(
    due: date, own: list[int], place: Place, reach: tuple[HolidayScope, str | None]
) -> None:
    holidays = [a_holiday(*reach, day=due + timedelta(days=after)) for after in own]
    calendar = wide_calendar(holidays, place)

    effective = calendar.effective_due_date(due, ROLL)

    assert due <= effective <= due + timedelta(days=12)
    assert calendar.is_business_day(effective)
    assert effective >= NATIONAL_WIDE.effective_due_date(due, ROLL)
