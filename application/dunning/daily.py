"""The daily clock: charges become overdue, their amounts are today's, requests run out."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from application.access.system import system_grant
from domain.access.audit import Origin
from domain.access.grant import Environment, Grant, Tenant
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.charges import Charge
from domain.dunning.moment import Moment
from domain.dunning.rates import Rates
from domain.errors import StateConflictError
from domain.ports.clocks import BusinessClock, SystemClock
from domain.ports.ids import Ids
from domain.ports.storage import OpenWork
from domain.texts import Text

JOB: Final = "daily"
BATCH: Final = 500

_BEHIND: Final = Text(
    "A organização já passou desta data.", "The organisation is past this date already."
)
_AHEAD: Final = Text(
    "Uma organização real não pode ser levada além da sua data.",
    "A live organisation cannot be taken beyond its own date.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DayKept:
    """What the clock did in one organisation for the business date `on`.

    `expired` are requests for a second person whose time was over.
    """

    on: date
    marked: int = 0
    repriced: int = 0
    expired: int = 0

    def and_batch(self, marked: int, repriced: int) -> "DayKept":
        """The same with another batch."""
        return replace(self, marked=self.marked + marked, repriced=self.repriced + repriced)


class KeepDay:
    """Brings the stored charges of an organisation up to its date, and ends what has run out.

    Each batch is a transaction of its own: what is done stays done, and a second run finds only
    what the first has left.
    """

    def __init__(self, open_work: OpenWork, system_clock: SystemClock, ids: Ids) -> None:
        self._open_work = open_work
        self._clock = system_clock
        self._business = BusinessClock(system_clock)
        self._ids = ids

    async def __call__(self, tenant: Tenant, on: date | None = None) -> DayKept:
        """Keep the organisation's business date, or `on`.

        Raises:
            StateConflictError: `on` lies before the organisation's own date, or ahead of a live
                organisation's.
        """
        today = self._business.now(tenant).date()
        kept = DayKept(on=on or today)
        _refuse_another(tenant, kept.on, today)
        grant = system_grant(tenant, JOB)
        while done := await self._batch(grant, kept.on):
            kept = kept.and_batch(sum(done), len(done))
        return replace(kept, expired=await self._expire_all(grant))

    async def _batch(self, grant: Grant, on: date) -> Sequence[bool]:
        """For each charge of a batch, whether it became overdue."""
        origin = Origin(request_id=self._ids.new("req"), via="job")
        async with self._open_work(grant, origin) as work:
            charges = await work.charges.stale(on, limit=BATCH)
            moment, rates = Moment(self._clock.now(), on), await work.rates.all()
            done = [_keep(charge, moment, rates) for charge in charges]
            await work.commit()
        return done

    async def _expire_all(self, grant: Grant) -> int:
        """By the clock itself: a date ahead of it brings no request to its end."""
        expired = 0
        while batch := await self._expire(grant):
            expired += batch
        return expired

    async def _expire(self, grant: Grant) -> int:
        origin = Origin(request_id=self._ids.new("req"), via="job")
        now = self._business.now(grant.tenant)
        async with self._open_work(grant, origin) as work:
            approvals = await work.approvals.overdue(now, limit=BATCH)
            for approval in approvals:
                approval.expire(now, Moment(self._clock.now(), now.date()))
            await work.commit()
        return len(approvals)


def _refuse_another(tenant: Tenant, on: date, today: date) -> None:
    if on < today:
        # What is owed would be stored as less than it is.
        raise StateConflictError(_BEHIND, current_status=tenant.environment)
    if on > today and tenant.environment is Environment.LIVE:
        raise StateConflictError(_AHEAD, current_status=tenant.environment)


def _keep(charge: Charge, moment: Moment, rates: Rates) -> bool:
    before = charge.status
    charge.keep_day(moment, rates)
    return charge.status is ChargeStatus.OVERDUE and charge.status is not before
