"""Which days are business days, and the day on which a debt is really due.

Only the wide calendar, which favours the debtor. A date is closed from the rule that closed it on.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Final

_ONE_DAY: Final = timedelta(days=1)
_SATURDAY: Final = 5


class DueDateRule(StrEnum):
    """Whether a due date that is no business day rolls; `none` is for tax-like charges only."""

    NEXT_BUSINESS_DAY = "next_business_day"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedHoliday:
    """A day of every year on which the banks are closed."""

    name: str
    month: int
    day: int
    valid_from: date
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MovableHoliday:
    """A day that moves with Easter Sunday."""

    name: str
    days_from_easter: int
    source: str


def _fixed(name: str, month: int, day: int, valid_from: date, source: str) -> FixedHoliday:
    return FixedHoliday(name=name, month=month, day=day, valid_from=valid_from, source=source)


def _movable(name: str, days_from_easter: int, source: str) -> MovableHoliday:
    return MovableHoliday(name=name, days_from_easter=days_from_easter, source=source)


FIXED_HOLIDAYS: Final = (
    _fixed("Confraternização Universal", 1, 1, date(1949, 4, 13), "Lei 662/1949"),
    _fixed("Tiradentes", 4, 21, date(1950, 12, 8), "Lei 1.266/1950; Lei 10.607/2002"),
    _fixed("Dia do Trabalho", 5, 1, date(1949, 4, 13), "Lei 662/1949"),
    _fixed("Independência", 9, 7, date(1949, 4, 13), "Lei 662/1949"),
    _fixed("Nossa Senhora Aparecida", 10, 12, date(1980, 6, 30), "Lei 6.802/1980"),
    _fixed("Finados", 11, 2, date(1998, 6, 30), "Res. CMN 2.516/1998; Lei 10.607/2002"),
    _fixed("Proclamação da República", 11, 15, date(1949, 4, 13), "Lei 662/1949"),
    _fixed("Zumbi e Consciência Negra", 11, 20, date(2023, 12, 22), "Lei 14.759/2023"),
    _fixed("Natal", 12, 25, date(1949, 4, 13), "Lei 662/1949"),
    _fixed("Bancos sem atendimento", 12, 31, date(1999, 3, 29), "Res. CMN 2.596/1999"),
)

MOVABLE_HOLIDAYS: Final = (
    _movable("Segunda-feira de Carnaval", -48, "Res. CMN 4.880/2020"),
    _movable("Terça-feira de Carnaval", -47, "Res. CMN 4.880/2020"),
    _movable("Sexta-feira da Paixão", -2, "Lei 9.093/1995, art. 2"),
    _movable("Corpus Christi", 60, "Res. CMN 4.880/2020"),
)


@dataclass(frozen=True, slots=True)
class Calendar:
    """The days on which nobody has to pay: weekends, and what `holidays_in` says of a year."""

    holidays_in: Callable[[int], frozenset[date]]

    def is_business_day(self, day: date) -> bool:
        """Whether a debt can fall due on `day`."""
        return day.weekday() < _SATURDAY and day not in self.holidays_in(day.year)

    def next_business_day_on_or_after(self, day: date) -> date:
        """`day` itself when it is a business day, else the first one after it."""
        while not self.is_business_day(day):
            day += _ONE_DAY
        return day

    def effective_due_date(self, due: date, rule: DueDateRule) -> date:
        """The last day on which payment is on time (CC art. 132 §1)."""
        if rule is DueDateRule.NONE:
            return due
        return self.next_business_day_on_or_after(due)


def years_after(day: date, years: int) -> date:
    """The same day and month, or the next day where there is none (CC art. 132 §3)."""
    try:
        return day.replace(year=day.year + years)
    except ValueError:
        return date(day.year + years, 3, 1)


def easter(year: int) -> date:
    """Easter Sunday of a Gregorian year (Meeus, *Astronomical Algorithms*, chapter 8)."""
    golden = year % 19
    century, in_century = divmod(year, 100)
    leap_centuries, century_rest = divmod(century, 4)
    moon_shift = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - leap_centuries - moon_shift + 15) % 30
    leaps, year_rest = divmod(in_century, 4)
    to_sunday = (32 + 2 * century_rest + 2 * leaps - epact - year_rest) % 7
    late_moon = (golden + 11 * epact + 22 * to_sunday) // 451
    month, day = divmod(epact + to_sunday - 7 * late_moon + 114, 31)
    return date(year, month, day + 1)


@lru_cache(maxsize=512)
def wide_holidays(year: int) -> frozenset[date]:
    """Every day of `year` that the wide calendar closes nationwide, weekends aside."""
    fixed = {
        date(year, holiday.month, holiday.day)
        for holiday in FIXED_HOLIDAYS
        if date(year, holiday.month, holiday.day) >= holiday.valid_from
    }
    sunday = easter(year)
    movable = {sunday + timedelta(days=holiday.days_from_easter) for holiday in MOVABLE_HOLIDAYS}
    return frozenset(fixed | movable)


NATIONAL_WIDE: Final = Calendar(wide_holidays)
