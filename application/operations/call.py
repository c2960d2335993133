"""What a use case is given for one run: who asks, one transaction, and the time it is."""

from datetime import date, datetime

import msgspec

from domain.access.audit import Origin
from domain.access.grant import Grant
from domain.ports.clocks import BusinessClock
from domain.ports.ids import Ids
from domain.ports.storage import Work


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """One run of an operation.

    `system_now` is real time in UTC.
    `locks`: rows that will change are to be held until the transaction ends.
    """

    grant: Grant
    work: Work
    system_now: datetime
    ids: Ids
    origin: Origin
    locks: bool = False

    @property
    def today(self) -> date:
        """The organisation's business date."""
        return BusinessClock.at(self.system_now, self.grant.tenant).date()
