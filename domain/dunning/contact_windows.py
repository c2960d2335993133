"""The hours in which a debtor may be called or messaged, by state, as data with the source."""

from dataclasses import dataclass
from datetime import date, time
from typing import Final


@dataclass(frozen=True, slots=True)
class Window:
    """From `start` up to `end`, in the debtor's local time."""

    start: time
    end: time


@dataclass(frozen=True, slots=True, kw_only=True)
class LegalWindow:
    """What one state allows from `valid_from` on; `uf` is absent for the states without a law.

    None is allowed on Sundays and holidays. Where only a law's year is known, `valid_from` is its
    first day: the window binds us rather too early than too late.
    """

    uf: str | None
    weekdays: Window
    saturday: Window | None
    valid_from: date
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactWindows:
    """An organisation's own hours; an absent day keeps the legal window, which they only narrow."""

    monday: Window | None = None
    tuesday: Window | None = None
    wednesday: Window | None = None
    thursday: Window | None = None
    friday: Window | None = None
    saturday: Window | None = None


_MORNING_SATURDAY: Final = Window(time(8), time(14))

LEGAL_WINDOWS: Final = (
    LegalWindow(
        uf="SP",
        weekdays=Window(time(8), time(20)),
        saturday=_MORNING_SATURDAY,
        valid_from=date(2014, 5, 23),
        source="Lei 15.426/2014",
    ),
    LegalWindow(
        uf="RJ",
        weekdays=Window(time(9), time(19)),
        saturday=None,
        valid_from=date(2018, 1, 1),
        source="Lei 7.868/2018",
    ),
    LegalWindow(
        uf="ES",
        weekdays=Window(time(8), time(19)),
        saturday=None,
        valid_from=date(2017, 1, 1),
        source="Lei 10.626/2017",
    ),
    LegalWindow(
        uf="AM",
        weekdays=Window(time(8), time(19)),
        saturday=None,
        valid_from=date(2016, 1, 1),
        source="Lei 306/2016",
    ),
    LegalWindow(
        uf="AL",
        weekdays=Window(time(8), time(20)),
        saturday=_MORNING_SATURDAY,
        valid_from=date(2016, 1, 1),
        source="Lei 7.782/2016",
    ),
    LegalWindow(
        uf=None,
        weekdays=Window(time(8), time(20)),
        saturday=_MORNING_SATURDAY,
        valid_from=date(1991, 3, 11),
        source="CDC 42, 71 (no hour set: the rule of SP)",
    ),
)
