"""The days of a year that are closed all over Brazil, from the rule that closed each one on.

Some are holidays by law, the others days on which banks do not serve the public.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedHoliday:
    """A day of every year; `is_by_law` is false where only the banks are closed."""

    name: str
    month: int
    day: int
    valid_from: date
    source: str
    is_by_law: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class MovableHoliday:
    """A day that moves with Easter Sunday; `is_by_law` is false where only the banks are closed."""

    name: str
    days_from_easter: int
    source: str
    is_by_law: bool


def _fixed(name: str, month: int, day: int, valid_from: date, source: str) -> FixedHoliday:
    return FixedHoliday(name=name, month=month, day=day, valid_from=valid_from, source=source)


def _of_banks(name: str, days_from_easter: int) -> MovableHoliday:
    return MovableHoliday(
        name=name,
        days_from_easter=days_from_easter,
        source="Res. CMN 4.880/2020",
        is_by_law=False,
    )


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
    FixedHoliday(
        name="Bancos sem atendimento",
        month=12,
        day=31,
        valid_from=date(1999, 3, 29),
        source="Res. CMN 2.596/1999",
        is_by_law=False,
    ),
)

MOVABLE_HOLIDAYS: Final = (
    _of_banks("Segunda-feira de Carnaval", -48),
    _of_banks("Terça-feira de Carnaval", -47),
    MovableHoliday(
        name="Sexta-feira da Paixão",
        days_from_easter=-2,
        source="Lei 9.093/1995, art. 2",
        is_by_law=True,
    ),
    _of_banks("Corpus Christi", 60),
)


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
    """Every day of `year` that is closed nationwide, weekends aside."""
    return frozenset(day for day, _ in _closed_days(year))


@lru_cache(maxsize=512)
def narrow_holidays(year: int) -> frozenset[date]:
    """The holidays by law alone: without Carnival, Corpus Christi and 31 December."""
    return frozenset(day for day, is_by_law in _closed_days(year) if is_by_law)


def _closed_days(year: int) -> list[tuple[date, bool]]:
    fixed = [
        (date(year, holiday.month, holiday.day), holiday.is_by_law)
        for holiday in FIXED_HOLIDAYS
        if date(year, holiday.month, holiday.day) >= holiday.valid_from
    ]
    sunday = easter(year)
    movable = [
        (sunday + timedelta(days=holiday.days_from_easter), holiday.is_by_law)
        for holiday in MOVABLE_HOLIDAYS
    ]
    return fixed + movable
