"""When the demo happens: everything in it lies before the instant at which its clocks start."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from domain.dunning.moment import Moment

ZONE: Final = ZoneInfo("America/Sao_Paulo")
STARTS_AT: Final = datetime(2026, 12, 1, 10, tzinfo=ZONE)
TODAY: Final = STARTS_AT.date()

OFFICE_OPENS: Final = time(9)
MONEY_COMES: Final = time(14)
BANK_TELLS: Final = time(17)
DAILY_RUN: Final = time(0, 5)


@dataclass(frozen=True, slots=True)
class Timeline:
    """The demo's past by both clocks; business time was `ahead` of the system's all along."""

    ahead: timedelta

    def at(self, day: date, clock: time = OFFICE_OPENS) -> Moment:
        """When the organisation's clocks showed `clock` on `day`."""
        return Moment(datetime.combine(day, clock, ZONE) - self.ahead, day)
