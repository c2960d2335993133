"""One transaction in which only one organisation's rows exist."""

import asyncio
import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import lru_cache
from typing import Any, Final, Protocol, cast

from sqlalchemy import Connection, PoolProxiedConnection
from sqlalchemy.exc import MissingGreenlet
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, AsyncSession

from adapters.persistence.failures import FAILURES, without_values
from domain.errors import UnavailableError

PATIENCE: Final = 2.0
"""Seconds within which the server has to undo what was not committed."""

_ORGANIZATION_ID: Final = re.compile(r"org_[0-9a-z]+")


class Driver(Protocol):
    """What is used of the driver's connection beneath SQLAlchemy."""

    async def execute(self, statements: str, /) -> str:
        """Run statements that take no parameters; gives the tag of the last one."""
        ...

    async def fetch(self, statement: str, /, *values: object) -> Sequence[Sequence[Any]]:
        """The rows of one statement."""
        ...

    def is_closed(self) -> bool:
        """Whether the connection is gone."""
        ...

    def terminate(self) -> None:
        """Hang up; a server that has not been told of it undoes what is open."""
        ...


class PinnedTransaction:
    """A transaction that has begun, on a connection of its own; it is rolled back unless committed.

    It belongs to us and not to SQLAlchemy, whose connection is in autocommit: so a hot read can use
    `driver` and the aggregates can use `session`, in one transaction.
    """

    def __init__(
        self, engine: AsyncEngine, pooled: PoolProxiedConnection, organization_id: str
    ) -> None:
        self.organization_id = organization_id
        self.driver = cast("Driver", pooled.driver_connection)
        self._engine = engine
        self._pooled = pooled
        self._connection: AsyncConnection | None = None
        self._session: AsyncSession | None = None
        self._read_only = False
        self._is_open = False

    @property
    def connection(self) -> AsyncConnection:
        """The connection as SQLAlchemy has it, made when it is asked for: hot reads never do."""
        if self._connection is None:
            beneath = Connection(self._engine.sync_engine, self._pooled)
            self._connection = AsyncConnection(self._engine, beneath)
        return self._connection

    @property
    def is_the_drivers(self) -> bool:
        """Whether nobody but the driver was asked anything."""
        return self._connection is None

    @property
    def session(self) -> AsyncSession:
        """The aggregates of this transaction; flushed only when it is asked to."""
        if self._session is None:
            self._session = AsyncSession(self.connection, expire_on_commit=False, autoflush=False)
        return self._session

    async def begin(self, *, read_only: bool) -> None:
        """Begin, and let row-level security show the organisation's rows only."""
        self._read_only, self._is_open = read_only, True
        await self.driver.execute(_opening(self.organization_id, read_only=read_only))

    async def plan_for_values(self) -> None:
        """Plan what follows for its values: the average organisation's plan suits none of them."""
        await self.driver.execute("SET LOCAL plan_cache_mode = force_custom_plan")

    @asynccontextmanager
    async def savepoint(self) -> AsyncGenerator[None]:
        """Write aggregates at the end; where that or the inside raises, they leave the session."""
        # SQLAlchemy's own: it knows which aggregates came since. BEGIN and COMMIT remain ours.
        async with self.session.begin_nested():
            yield

    async def flush(self) -> None:
        """Write what was changed in aggregates, if there are any."""
        if self._session is not None:
            await self._session.flush()

    async def commit(self) -> None:
        """Keep what was done.

        Raises:
            RuntimeError: the transaction is read-only, or one of its statements had failed.
        """
        if self._read_only:
            raise RuntimeError("A read-only transaction cannot be committed")
        outcome = await self.driver.execute("COMMIT")
        self._is_open = False
        if outcome != "COMMIT":
            raise RuntimeError("A statement of the transaction had failed; nothing was kept")

    async def rollback(self) -> None:
        """Undo everything; another `begin` may follow."""
        await self.driver.execute("ROLLBACK")
        self._is_open = False

    async def leave_to_the_driver(self) -> None:
        """The same for a transaction that is the driver's alone, in no task of its own.

        Whatever goes wrong, cancelling included, ends the connection, which undoes what was open;
        the pool gives nobody a connection that has ended.
        """
        timer = asyncio.get_running_loop().call_later(PATIENCE, self.driver.terminate)
        try:
            if self._is_open:
                await self.rollback()
        except BaseException as failure:
            self.driver.terminate()
            if not isinstance(failure, FAILURES):
                raise
        finally:
            timer.cancel()
            self._pooled.close()

    async def leave(self) -> None:
        """Undo what was not committed, and give the connection back, or throw it away."""
        try:
            async with asyncio.timeout(PATIENCE):
                if self._session is not None:
                    await self._session.close()
                if self._is_open:
                    await self.rollback()
        except FAILURES:
            self.driver.terminate()
            await self.connection.invalidate()
        finally:
            await self.connection.close()


@asynccontextmanager
async def open_pinned(
    engine: AsyncEngine, organization_id: str, *, read_only: bool = False
) -> AsyncGenerator[PinnedTransaction]:
    """A transaction in one organisation.

    Raises:
        UnavailableError: no connection can be had, it was lost, or another try may succeed.
        StatementFailedError: the database refused a statement.
    """
    try:
        pooled = await _pooled(engine)
    except FAILURES as error:
        raise UnavailableError from error
    transaction = PinnedTransaction(engine, pooled, organization_id)
    try:
        await transaction.begin(read_only=read_only)
        yield transaction
    except FAILURES as error:
        # The driver's texts quote rows, and rows hold personal data.
        refusal = without_values(error, lost=transaction.driver.is_closed())
        raise refusal.with_traceback(error.__traceback__) from None
    finally:
        if transaction.is_the_drivers:
            await transaction.leave_to_the_driver()
        else:
            # In a task of its own: cancelling the caller must not leave a transaction open.
            await asyncio.shield(asyncio.create_task(transaction.leave()))


async def _pooled(engine: AsyncEngine) -> PoolProxiedConnection:
    # The greenlet in which SQLAlchemy would wait costs more than all the rest of taking an idle
    # connection; without one it says when there is none, or none that is alive.
    with suppress(MissingGreenlet):
        return engine.sync_engine.raw_connection()
    return await engine.raw_connection()


@lru_cache(maxsize=4096)
def _opening(organization_id: str, *, read_only: bool) -> str:
    # One round trip instead of two. Such a statement takes no parameters, so the id is checked to
    # hold nothing that would need quoting.
    if not _ORGANIZATION_ID.fullmatch(organization_id):
        raise ValueError("Not an organisation id")
    # A reader sees one moment, however many statements it needs.
    begin = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY" if read_only else "BEGIN"
    return f"{begin}; SELECT set_config('app.org_id', '{organization_id}', true)"
