"""What a use case is given for one run: who asks, one transaction, and the time it is."""

from datetime import date, datetime

import msgspec

from domain.access.audit import Origin
from domain.access.grant import Grant
from domain.dunning.moment import Moment
from domain.ports.clocks import BusinessClock
from domain.ports.ids import Ids
from domain.ports.storage import Work


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """One run of an operation.

    `system_now` is real time in UTC.
    `locks`: rows that will change are to be held until the transaction ends.
    `is_approved`: the second person who may be needed is the one who runs it.
    """

    grant: Grant
    work: Work
    system_now: datetime
    ids: Ids
    origin: Origin
    locks: bool = False
    is_approved: bool = False

    @property
    def business_now(self) -> datetime:
        """The organisation's business time, in its own zone."""
        return BusinessClock.at(self.system_now, self.grant.tenant)

    @property
    def today(self) -> date:
        """The organisation's business date."""
        return self.business_now.date()

    @property
    def moment(self) -> Moment:
        """Now, by both clocks."""
        return Moment(self.system_now, self.today)
