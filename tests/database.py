"""A real PostgreSQL for the tests: the one that is named, a container, or the embedded server."""

import asyncio
import fcntl
import gc
import os
import shutil
import tempfile
import warnings
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

import docker
import pytest
from docker.errors import DockerException
from sqlalchemy import make_url, text
from sqlalchemy.ext.asyncio import create_async_engine

from adapters.persistence.database import driver_url
from adapters.persistence.embedded import start_embedded
from adapters.persistence.migrations import migrate
from adapters.persistence.roles import DatabaseUrls, NewDatabase, init_database

IMAGE: Final = "postgres:18"
_URL: Final = "TEST_DATABASE_URL"
_RUN: Final = "DUNNING_TEST_RUN"
_CHOICE: Final = "DUNNING_TEST_SERVER"
_PASSWORD: Final = "for-tests-only"


class Choice(StrEnum):
    """Where the server of this run comes from."""

    NAMED = "the server of TEST_DATABASE_URL"
    CONTAINER = f"a container of {IMAGE}"
    EMBEDDED = "the embedded server"


@dataclass(frozen=True, slots=True, kw_only=True)
class Database:
    """One migrated database of this worker; `admin` is the server's administrator in it."""

    app: str
    owner: str
    admin: str


def begin_run(config: pytest.Config) -> None:
    """Make the folder that the workers of one run share."""
    if not hasattr(config, "workerinput"):
        os.environ[_RUN] = tempfile.mkdtemp(prefix="dunning-tests-")


def end_run(config: pytest.Config) -> None:
    """Stop what this run has started for all its workers."""
    if hasattr(config, "workerinput"):
        return
    container = _run_folder() / "container"
    if container.exists():
        with closing(docker.from_env()) as engine:
            engine.containers.get(container.read_text()).remove(force=True, v=True)
    shutil.rmtree(_run_folder())


def choose() -> Choice:
    """The first that there is of: a named server, a container engine, the embedded server."""
    if _CHOICE not in os.environ:
        usable = Choice.CONTAINER if _has_image() else Choice.EMBEDDED
        os.environ[_CHOICE] = Choice.NAMED if os.environ.get(_URL) else usable
    return Choice(os.environ[_CHOICE])


@contextmanager
def migrated_database(worker: str) -> Generator[Database]:
    """A database of its own for one worker, dropped at the end."""
    admin = _admin_url()
    name = f"{_run_folder().name.replace('-', '_')}_{worker}"
    wanted = NewDatabase(name=name, app_password=_PASSWORD, owner_password=_PASSWORD)
    urls = asyncio.run(_prepare(admin, wanted))
    inside = make_url(admin).set(drivername="postgresql", database=name)
    try:
        yield Database(
            app=urls.app, owner=urls.owner, admin=inside.render_as_string(hide_password=False)
        )
    finally:
        asyncio.run(_as_admin(admin, f'DROP DATABASE "{name}" WITH (FORCE)'))


async def _prepare(admin: str, wanted: NewDatabase) -> DatabaseUrls:
    urls = await init_database(admin, wanted)
    await migrate(urls.owner)
    return urls


async def _as_admin(admin: str, *statements: str) -> None:
    engine = create_async_engine(driver_url(admin), isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        for statement in statements:
            await connection.execute(text(statement))
    await engine.dispose()


def _admin_url() -> str:
    match choose():
        case Choice.NAMED:
            return os.environ[_URL]
        case Choice.CONTAINER:
            return _container_url()
        case Choice.EMBEDDED:
            return _embedded_url()


def _embedded_url() -> str:
    """The server of all runs of this user; the wheel counts its users and stops with the last."""
    folder = Path(tempfile.gettempdir()) / f"dunning-tests-postgres-{os.getuid()}"
    admin = start_embedded(folder).get_uri()
    # What a crash would lose is worth nothing.
    asyncio.run(
        _as_admin(
            admin,
            "ALTER SYSTEM SET fsync = off",
            "ALTER SYSTEM SET synchronous_commit = off",
            "SELECT pg_reload_conf()",
        )
    )
    return admin


def _container_url() -> str:
    """The container of this run, started by whichever worker comes first."""
    with _locked(_run_folder() / "lock"):
        known = _run_folder() / "admin-url"
        if not known.exists():
            known.write_text(_start_container())
        return known.read_text()


def _start_container() -> str:
    os.environ["TESTCONTAINERS_RYUK_DISABLED"] = "true"
    from testcontainers.community.postgres import PostgresContainer  # noqa: PLC0415 -- slow

    container = PostgresContainer(IMAGE, driver=None).with_command(
        "postgres -c fsync=off -c synchronous_commit=off -c max_connections=200"
    )
    container.start()
    (_run_folder() / "container").write_text(container.get_wrapped_container().id)
    return str(container.get_connection_url())


def _has_image() -> bool:
    """Whether a container engine answers at once and has the image, or gets it in a minute."""
    with warnings.catch_warnings():
        # Where nobody answers, the client leaves its socket to the garbage collector.
        warnings.simplefilter("ignore", ResourceWarning)
        try:
            with closing(docker.from_env(timeout=2)) as engine:
                engine.ping()
            with closing(docker.from_env(timeout=60)) as engine:
                if not engine.images.list(name=IMAGE):
                    engine.images.pull(IMAGE)
        except (DockerException, OSError):
            return False
        finally:
            gc.collect()
    return True


def _run_folder() -> Path:
    return Path(os.environ[_RUN])


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
