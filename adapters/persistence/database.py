"""Connections to PostgreSQL, and whether a database is fit to serve from."""

from typing import Final

from sqlalchemy import (
    URL,
    AdaptedConnection,
    event,
    make_url,
    text,
)
from sqlalchemy.exc import DisconnectionError, MissingGreenlet
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.util.concurrency import in_greenlet

from adapters.persistence.mappings import map_aggregates

DRIVER: Final = "postgresql+asyncpg"

_SESSION: Final = {
    "application_name": "dunning",
    "timezone": "UTC",
    "jit": "off",
    # A transaction that nobody ends does not keep its locks.
    "idle_in_transaction_session_timeout": "60000",
}
_GRACE: Final = 1.0

_ROLE_FACTS: Final = text(
    """
    SELECT bool_or(r.rolsuper) AS superuser,
           bool_or(r.rolbypassrls) AS bypasses,
           EXISTS (
               SELECT FROM pg_class c
               JOIN pg_namespace n ON n.oid = c.relnamespace
               WHERE c.relkind IN ('r', 'p')
                 AND n.nspname NOT IN ('pg_catalog', 'information_schema')
                 AND pg_has_role(current_user, c.relowner, 'MEMBER')
           ) AS owns
    FROM pg_roles r
    WHERE pg_has_role(current_user, r.oid, 'MEMBER')
    """
)


def driver_url(url: str) -> URL:
    """`url` for asyncpg, whatever driver it names."""
    return make_url(url).set(drivername=DRIVER)


def open_engine(
    url: str, *, pool_size: int = 10, pool_timeout: float = 5.0, statement_timeout: float = 30.0
) -> AsyncEngine:
    """An engine whose transactions are begun and ended by the unit of work.

    `pool_timeout`, in seconds, is how long a request waits for one of `pool_size` connections;
    `statement_timeout`, in seconds too, is how long the server works on one statement. A server
    that says nothing at all is waited for a second longer.
    """
    map_aggregates()
    engine = create_async_engine(
        driver_url(url),
        # The unit of work speaks to the driver beneath, so it owns the transaction.
        isolation_level="AUTOCOMMIT",
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=pool_timeout,
        # Whoever began a transaction has ended it, or hung up, before the pool gets it back.
        pool_reset_on_return=None,
        hide_parameters=True,
        # JSON reaches the column types and the hot reads as text.
        json_deserializer=str,
        connect_args={
            "server_settings": _SESSION
            | {"statement_timeout": str(round(statement_timeout * 1000))},
            "timeout": pool_timeout,
            "command_timeout": statement_timeout + _GRACE,
        },
    )
    event.listen(engine.sync_engine, "checkout", _refuse_closed)
    event.listen(engine.sync_engine, "do_connect", _refuse_to_wait)
    return engine


async def unsafe_role(engine: AsyncEngine) -> str | None:
    """Why row-level security would not bind the engine's role; None when it does."""
    async with engine.connect() as connection:
        facts = (await connection.execute(_ROLE_FACTS)).one()
    if facts.superuser:
        return "the database role is a superuser, or may become one"
    if facts.bypasses:
        return "the database role bypasses row-level security, or may become one that does"
    if facts.owns:
        return "the database role owns a table, or may become its owner"
    return None


def _refuse_closed(connection: AdaptedConnection, _record: object, _proxy: object) -> None:
    """Let the pool replace a connection that the server has closed, without asking it."""
    if connection.driver_connection.is_closed():
        raise DisconnectionError


def _refuse_to_wait(*_: object) -> None:
    """Let whoever takes a connection outside SQLAlchemy's greenlet know that it has to be made."""
    if not in_greenlet():
        raise MissingGreenlet
