"""The caller's own buckets: one per kind of operation, shared by both doors."""

from domain.access.grant import Grant
from domain.ports.limits import Allowance, Buckets
from domain.ports.operations import RateClass


class CallerLimits:
    """Counts by person and organisation, never by address."""

    def __init__(self, buckets: Buckets) -> None:
        self._buckets = buckets

    async def take(self, grant: Grant, rate_class: RateClass) -> Allowance:
        """Take one unit of the caller's bucket for this kind of operation."""
        actor = grant.actor
        key = f"{actor.issuer}\x1f{actor.subject}\x1f{grant.organization_id}"
        return await self._buckets.take(rate_class, key)
