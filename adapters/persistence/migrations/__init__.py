"""Schema migrations: run by the operator as the owner of the schema, never by the web process."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from adapters.persistence.database import driver_url

_HERE: Final = Path(__file__).parent


class UnknownRevisionError(Exception):
    """A revision, asked for or found in the database, that this version does not have."""


async def migrate(url: str, target: str = "head") -> None:
    """Bring the database of `url`, the owner's, up to `target`; all of it or nothing.

    Raises:
        UnknownRevisionError: the schema is that of another version of the service.
    """
    await _run(url, lambda config: command.upgrade(config, target))


async def migrate_down(url: str, target: str) -> None:
    """Take the database of `url`, the owner's, back to `target`; `base` is an empty one.

    Raises:
        UnknownRevisionError: there is no such revision.
    """
    await _run(url, lambda config: command.downgrade(config, target))


async def migrations_pending(engine: AsyncEngine) -> bool:
    """Whether the schema is not the one that this version of the service was written for."""
    async with engine.connect() as connection:
        present = await connection.run_sync(_revision)
    return present != _newest()


@cache
def _newest() -> str | None:
    # What stands in our own files does not change while we run, and takes long to read.
    return ScriptDirectory.from_config(_config()).get_current_head()


async def _run(url: str, move: Callable[[Config], None]) -> None:
    engine = create_async_engine(driver_url(url))
    try:
        async with engine.begin() as connection:
            await connection.run_sync(lambda sync: move(_config(sync)))
    except CommandError:
        raise UnknownRevisionError from None
    finally:
        await engine.dispose()


def _config(connection: Connection | None = None) -> Config:
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(_HERE).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def _revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()
