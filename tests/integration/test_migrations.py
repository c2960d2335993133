"""The schema goes up, down and up again, and is the one that the code describes."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from adapters.persistence.database import driver_url, open_engine
from adapters.persistence.migrations import migrate, migrate_down, migrations_pending
from adapters.persistence.tables import metadata
from tests.database import Database, migrated_database

pytestmark = pytest.mark.anyio

TABLES = text("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")


@pytest.fixture(scope="module")
def spare_database(worker_id: str) -> Iterator[Database]:
    with migrated_database(f"{worker_id}_spare") as database:
        yield database


def differences(connection: Connection) -> list[object]:
    context = MigrationContext.configure(
        connection, opts={"compare_type": True, "compare_server_default": True}
    )
    return list(compare_metadata(context, metadata))


@asynccontextmanager
async def reflecting(url: str) -> AsyncIterator[AsyncConnection]:
    """A connection as SQLAlchemy makes it by default, which its reflection relies on."""
    engine = create_async_engine(driver_url(url))
    async with engine.connect() as connection:
        yield connection
    await engine.dispose()


async def test_the_migrated_schema_is_the_one_in_the_tables(database: Database) -> None:
    async with reflecting(database.owner) as connection:
        assert await connection.run_sync(differences) == []


async def test_the_schema_goes_down_and_up_again(spare_database: Database) -> None:
    app = open_engine(spare_database.app)

    assert not await migrations_pending(app)
    await migrate_down(spare_database.owner, "base")
    async with reflecting(spare_database.owner) as connection:
        assert (await connection.scalars(TABLES)).all() == ["alembic_version"]
    assert await migrations_pending(app)

    await migrate(spare_database.owner)
    assert not await migrations_pending(app)
    async with reflecting(spare_database.owner) as connection:
        assert await connection.run_sync(differences) == []
    await app.dispose()


async def test_migrating_again_changes_nothing(database: Database) -> None:
    await migrate(database.owner)
    await migrate(database.owner)
