"""When the demo happens: everything in it lies before the instant at which its clocks start."""

from datetime import date, datetime, time
from typing import Final
from zoneinfo import ZoneInfo

from domain.dunning.moment import Moment

ZONE: Final = ZoneInfo("America/Sao_Paulo")
STARTS_AT: Final = datetime(2026, 12, 1, 10, tzinfo=ZONE)
TODAY: Final = STARTS_AT.date()

OFFICE_OPENS: Final = time(9)
DAILY_RUN: Final = time(0, 5)


def at(day: date, clock: time = OFFICE_OPENS) -> Moment:
    """A moment of the demo's past; both clocks agreed then."""
    return Moment(datetime.combine(day, clock, ZONE), day)
