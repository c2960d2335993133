"""When something is done, by both clocks."""

from dataclasses import dataclass
from datetime import date, datetime


@dataclass(frozen=True, slots=True)
class Moment:
    """The instant of the system clock, and what the organisation's business clock calls today."""

    instant: datetime
    today: date
