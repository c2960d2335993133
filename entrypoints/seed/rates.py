"""Sample values of the published rates: plausible, made up, and the same in every seeding."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final

from domain.dunning.calendar import NATIONAL_NARROW, months_after
from domain.dunning.rates import IndexRate, RateCode, Rates
from entrypoints.seed.fixed import draws

FIRST_MONTH: Final = date(2024, 12, 1)
MONTHS: Final = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class _Habit:
    """How a rate behaves: `percents` in units of the last of its `decimals`.

    It is published on `day` of the month itself or, where it `is_told_later`, of the next one.
    """

    percents: range
    decimals: int = 2
    day: int
    is_told_later: bool = False


_HABITS: Final = {
    RateCode.IPCA: _Habit(percents=range(8, 72), day=10, is_told_later=True),
    RateCode.INPC: _Habit(percents=range(4, 76), day=10, is_told_later=True),
    RateCode.IGPM: _Habit(percents=range(-35, 98), day=28),
    RateCode.IPCA15: _Habit(percents=range(10, 70), day=25),
    RateCode.TAXA_LEGAL: _Habit(percents=range(520_000, 780_000), decimals=6, day=1),
}


def _samples() -> Iterator[IndexRate]:
    for code, habit in _HABITS.items():
        for number in range(MONTHS):
            month = months_after(FIRST_MONTH, number)
            drawn = draws(f"rate/{code}/{month:%Y-%m}").choice(habit.percents)
            yield IndexRate(
                code=code,
                month=month,
                percent=Decimal(drawn).scaleb(-habit.decimals),
                published_on=_published_on(month, habit),
            )


def _published_on(month: date, habit: _Habit) -> date:
    told_in = months_after(month, 1) if habit.is_told_later else month
    return NATIONAL_NARROW.next_business_day_on_or_after(told_in.replace(day=habit.day))


SAMPLE_RATES: Final = Rates(_samples())
