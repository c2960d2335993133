"""Which days are business days, and the day on which a debt is really due.

Whoever is obliged gets the stricter reading. The wide calendar favours the debtor: their due dates
roll over every closed day. The narrow one is for deadlines that we owe.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import Final

from domain.dunning.national_holidays import narrow_holidays, wide_holidays

_ONE_DAY: Final = timedelta(days=1)
_SATURDAY: Final = 5


class DueDateRule(StrEnum):
    """Whether a due date that is no business day rolls; `none` is for tax-like charges only."""

    NEXT_BUSINESS_DAY = "next_business_day"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Calendar:
    """Closed are weekends, what `holidays_in` says of a year, and the days of `own`."""

    holidays_in: Callable[[int], frozenset[date]]
    own: frozenset[date] = frozenset()

    def is_holiday(self, day: date) -> bool:
        """Whether `day` is closed for another reason than being of a weekend."""
        return day in self.own or day in self.holidays_in(day.year)

    def is_business_day(self, day: date) -> bool:
        """Whether `day` is none of the closed ones."""
        return day.weekday() < _SATURDAY and not self.is_holiday(day)

    def next_business_day_on_or_after(self, day: date) -> date:
        """`day` itself when it is a business day, else the first one after it."""
        while not self.is_business_day(day):
            day += _ONE_DAY
        return day

    def next_business_day_after(self, day: date) -> date:
        """The first business day after `day`, whatever `day` is."""
        return self.next_business_day_on_or_after(day + _ONE_DAY)

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


def months_after(day: date, months: int) -> date:
    """The same day of a later month, or the next day where there is none (CC art. 132 §3)."""
    years, month = divmod(day.month - 1 + months, 12)
    try:
        return day.replace(year=day.year + years, month=month + 1)
    except ValueError:
        return date(day.year + years, month + 2, 1)


NATIONAL_WIDE: Final = Calendar(wide_holidays)
"""For what favours the debtor, where no holiday of an organisation counts."""

NATIONAL_NARROW: Final = Calendar(narrow_holidays)
"""For deadlines that we owe: Carnival, Corpus Christi and 31 December are business days."""
