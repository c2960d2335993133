"""Holding up what the service does in the database, to look at it in the middle of its work."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

from sqlalchemy import TextClause, text
from sqlalchemy.ext.asyncio import AsyncEngine

LONGEST = 10

_WAITING = text(
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND wait_event_type = 'Lock'"
)
_IN_WORK = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    " AND usename = 'dunning_app' AND state <> 'idle'"
)


class Watch:
    """What the service's transactions are doing, as the server's administrator sees it."""

    def __init__(self, admin: AsyncEngine) -> None:
        self._admin = admin

    async def waiting(self, count: int) -> None:
        """Wait until so many transactions are held up."""
        await self._until(_WAITING, count)

    async def rest(self) -> None:
        """Wait until no transaction of the service is open."""
        await self._until(_IN_WORK, 0)

    async def _until(self, question: TextClause, count: int) -> None:
        async with asyncio.timeout(LONGEST), self._admin.connect() as connection:
            while await connection.scalar(question) != count:
                pass


@asynccontextmanager
async def blocked_charges(owner: AsyncEngine) -> AsyncGenerator[Callable[[], Awaitable[object]]]:
    """Whoever touches the charges waits until what this gives is called, or the block ends."""
    async with owner.connect() as connection:
        await connection.execute(text("BEGIN"))
        await connection.execute(text("LOCK TABLE charges IN ACCESS EXCLUSIVE MODE"))

        async def lift() -> None:
            await connection.execute(text("ROLLBACK"))

        try:
            yield lift
        finally:
            await lift()
