"""The two database roles: one owns the schema and migrates, the other serves and is bound by it."""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import make_url, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from adapters.persistence.database import driver_url

OWNER: Final = "dunning_owner"
APP: Final = "dunning_app"

# Roles belong to the whole server: two of us at once would collide in its catalogue.
_LOCK: Final = text("SELECT pg_advisory_lock(7305402118)")
_UNLOCK: Final = text("SELECT pg_advisory_unlock(7305402118)")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDatabase:
    """What to make; a password of None is for servers that ask for none."""

    name: str
    app_password: str | None = None
    owner_password: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseUrls:
    """Where the service and the migrations connect, each as its own role."""

    app: str
    owner: str


async def init_database(admin_url: str, wanted: NewDatabase) -> DatabaseUrls:
    """Make the roles and the database, or bring them to this state; `admin_url` may do both.

    Neither role is superuser or bypasses row-level security, and the database is closed to all
    other roles.
    """
    engine = create_async_engine(driver_url(admin_url), isolation_level="AUTOCOMMIT")
    try:
        async with engine.connect() as connection:
            await connection.execute(_LOCK)
            await _ensure_role(connection, OWNER, wanted.owner_password)
            await _ensure_role(connection, APP, wanted.app_password)
            await _ensure_database(connection, wanted.name)
            await connection.execute(_UNLOCK)
    finally:
        await engine.dispose()
    return DatabaseUrls(
        app=_url(admin_url, wanted.name, APP, wanted.app_password),
        owner=_url(admin_url, wanted.name, OWNER, wanted.owner_password),
    )


async def _ensure_role(connection: AsyncConnection, role: str, password: str | None) -> None:
    found = await connection.scalar(
        text("SELECT 1 FROM pg_roles WHERE rolname = :role"), {"role": role}
    )
    if not found:
        await _run(connection, "CREATE ROLE %I", role)
    await _run(
        connection,
        "ALTER ROLE %I LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE INHERIT PASSWORD %L",
        role,
        password,
    )


async def _ensure_database(connection: AsyncConnection, name: str) -> None:
    # Who creates a database for another role has to be a member of that role.
    await _run(connection, "GRANT %I TO CURRENT_USER", OWNER)
    found = await connection.scalar(
        text("SELECT 1 FROM pg_database WHERE datname = :name"), {"name": name}
    )
    if not found:
        await _run(connection, "CREATE DATABASE %I", name)
    await _run(connection, "ALTER DATABASE %I OWNER TO %I", name, OWNER)
    await _run(connection, "REVOKE ALL ON DATABASE %I FROM PUBLIC", name)
    await _run(connection, "GRANT CONNECT ON DATABASE %I TO %I", name, APP)


async def _run(connection: AsyncConnection, statement: str, *words: str | None) -> None:
    """Run a statement that takes no parameters; the server quotes the words in it."""
    quoted = await connection.scalar(
        text("SELECT format(CAST(:statement AS text), VARIADIC CAST(:words AS text[]))"),
        {"statement": statement, "words": list(words)},
    )
    await connection.exec_driver_sql(str(quoted))


def _url(admin_url: str, database: str, role: str, password: str | None) -> str:
    url = make_url(admin_url).set(
        drivername="postgresql", database=database, username=role, password=password
    )
    return url.render_as_string(hide_password=False)
