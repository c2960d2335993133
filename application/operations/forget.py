"""Answers of finished writes, and decisions, are kept for their time and no longer."""

from typing import Final

from application.access.system import system_grant
from domain.access.audit import Origin
from domain.access.grant import Tenant
from domain.ports.ids import Ids
from domain.ports.storage import OpenWork

JOB: Final = "forget_answers"
BATCH: Final = 1_000


class ForgetAnswers:
    """Deletes what has expired in an organisation: answers, and decisions of the page.

    Each batch is a transaction of its own.
    """

    def __init__(self, open_work: OpenWork, ids: Ids) -> None:
        self._open_work = open_work
        self._ids = ids

    async def __call__(self, tenant: Tenant) -> int:
        """Delete what has expired; gives how many rows that were."""
        grant = system_grant(tenant, JOB)
        forgotten = 0
        while True:
            origin = Origin(request_id=self._ids.new("req"), via="job")
            async with self._open_work(grant, origin) as work:
                answers = await work.idempotency.forget_expired(limit=BATCH)
                decisions = await work.decisions.forget_expired(limit=BATCH)
                await work.commit()
            forgotten += answers + decisions
            if max(answers, decisions) < BATCH:
                return forgotten
