"""Making the database is repeatable, and opens it to its two roles only."""

import pytest
from sqlalchemy import make_url, text
from sqlalchemy.ext.asyncio import create_async_engine

from adapters.persistence.database import driver_url
from adapters.persistence.roles import NewDatabase, init_database
from tests.database import Database

pytestmark = pytest.mark.anyio


async def test_initialising_again_changes_passwords_and_nothing_else(database: Database) -> None:
    url = make_url(database.admin)
    assert url.database is not None
    known = make_url(database.app).password
    wanted = NewDatabase(name=url.database, app_password=known, owner_password=known)

    urls = await init_database(database.admin, wanted)

    assert (urls.app, urls.owner) == (database.app, database.owner)


async def test_both_roles_are_powerless_and_nobody_else_may_connect(database: Database) -> None:
    roles = text(
        "SELECT rolname FROM pg_roles WHERE rolname IN ('dunning_app', 'dunning_owner')"
        " AND rolcanlogin AND NOT (rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb)"
    )
    public = text(
        "SELECT count(*) FROM pg_database d, aclexplode(d.datacl) a"
        " WHERE d.datname = current_database() AND a.grantee = 0"
    )
    may_create = text("SELECT has_schema_privilege('dunning_app', 'public', 'CREATE')")
    engine = create_async_engine(driver_url(database.admin))
    async with engine.connect() as connection:
        assert set((await connection.scalars(roles)).all()) == {"dunning_app", "dunning_owner"}
        assert await connection.scalar(public) == 0
        assert not await connection.scalar(may_create)
    await engine.dispose()
