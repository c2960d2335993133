"""Holidays that an organisation adds to the national ones, and where each of them holds."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from domain.dunning.calendar import NATIONAL_WIDE, Calendar
from domain.dunning.text_search import fold


class HolidayScope(StrEnum):
    """How far a holiday reaches."""

    NATIONAL = "national"
    UF = "uf"
    CITY = "city"


class HolidaySource(StrEnum):
    """Who says that it is one: the law, or the organisation."""

    SYSTEM = "system"
    ORGANIZATION = "organization"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where somebody lives, as far as it is known."""

    uf: str | None = None
    city: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Holiday:
    """A closed day; `uf` is set unless it is national, `city` when it is a city's."""

    id: str
    date: date
    name: str
    scope: HolidayScope
    uf: str | None = None
    city: str | None = None
    source: HolidaySource = HolidaySource.ORGANIZATION

    def holds_at(self, place: Place) -> bool:
        """Whether it is a holiday at `place`; cities are compared without case and accents."""
        if self.scope is HolidayScope.NATIONAL:
            return True
        if place.uf is None or place.uf != self.uf:
            return False
        return self.scope is HolidayScope.UF or _is_same_city(self.city, place.city)


def wide_calendar(holidays: Iterable[Holiday], debtor: Place) -> Calendar:
    """The wide calendar for a debtor: national days, and those of `holidays` that hold there.

    Where the creditor is does not matter. With none of them it is `NATIONAL_WIDE` itself.
    """
    own = frozenset(holiday.date for holiday in holidays if holiday.holds_at(debtor))
    return replace(NATIONAL_WIDE, own=own) if own else NATIONAL_WIDE


def _is_same_city(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and fold(one) == fold(other)
