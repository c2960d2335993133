"""The two clocks: the system's, and each organisation's business time."""

from datetime import UTC, datetime, timedelta
from typing import Protocol
from zoneinfo import ZoneInfo

from domain.access.grant import Tenant


class SystemClock(Protocol):
    """Real time: tokens, keys, idempotency, limits, deadlines, `created_at`."""

    def now(self) -> datetime:
        """The present instant, in UTC."""
        ...


class BusinessClock:
    """What an organisation calls now and today; ahead of the system's where a sandbox moved it."""

    def __init__(self, system: SystemClock) -> None:
        self._system = system

    def now(self, tenant: Tenant) -> datetime:
        """The organisation's present instant, in its own time zone."""
        return self.at(self._system.now(), tenant)

    @staticmethod
    def at(system_now: datetime, tenant: Tenant) -> datetime:
        """What the organisation's clock shows at an instant of the system's."""
        return (system_now + tenant.clock_offset).astimezone(ZoneInfo(tenant.timezone))

    @staticmethod
    def offset_to(system_now: datetime, target: datetime) -> timedelta:
        """The offset that makes business time read `target` now."""
        return target.astimezone(UTC) - system_now
