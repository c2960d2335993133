"""`dunning demo`: database, issuer and server in one process, with two invented organisations."""

import asyncio
import logging
import os
import platform
import signal
import socket
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Annotated, Final, TypeVar

import uvloop
from cyclopts import Parameter
from cyclopts.validators import Number

from adapters.persistence.demo import DemoOrganizations
from adapters.persistence.migrations import UnknownRevisionError, migrate
from adapters.persistence.roles import NewDatabase, init_database
from entrypoints.app import build_app
from entrypoints.cli import data_folder
from entrypoints.cli.connections import as_owner
from entrypoints.cli.database import print_totals
from entrypoints.cli.failures import FAILED, INTERRUPTED, CommandError, MisuseError
from entrypoints.cli.handout import Handout, prepare_handout, print_handout
from entrypoints.cli.listening import bound_socket, next_free_socket, quiet_end, server_of
from entrypoints.cli.output import step
from entrypoints.cli.serve import refuse_unfit_database
from entrypoints.cli.transcript import perform
from entrypoints.container import Container
from entrypoints.logs import configure_logs
from entrypoints.seed.plant import Planted, plant
from entrypoints.settings import Settings, SettingsError, read_settings

T = TypeVar("T")

_HOST: Final = "127.0.0.1"
_DATABASE: Final = "dunning"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stage:
    """What is there before anything runs on it."""

    settings: Settings
    listening: socket.socket
    is_once: bool


def demo(
    *,
    once: bool = False,
    port: Annotated[int, Parameter(validator=Number(gte=1, lte=65_535))] = 8000,
) -> None:
    """Run everything on this machine: PostgreSQL, a development issuer and the service.

    Two invented organisations are planted afresh, then addresses, tokens and what to paste into
    clients are printed. Ctrl-C ends all of it. The database's files and the sealing keys stay in
    DATA_DIR (.data unless set). Nothing listens beyond this machine.

    Parameters
    ----------
    once
        Play a transcript against the running service instead, over HTTP, and end with exit code 0
        if every answer was the expected one, else with 1. Uses any free port and leaves no files.
    port
        The port to listen on; the next free one where it is taken.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        failures = _demo(port, is_once=once)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED if once else 0)
    if failures:
        sys.exit(FAILED)


def _demo(port: int, *, is_once: bool) -> int:
    """How many expectations failed."""
    configure_logs(level=logging.WARNING)
    with step("environment") as current:
        listening = bound_socket(_HOST, 0) if is_once else next_free_socket(_HOST, port)
        settings = _settings(listening.getsockname()[1])
        current.note(f"Python {platform.python_version()}, port {settings.port}")
    folder = data_folder.thrown_away() if is_once else data_folder.kept()
    with listening, folder as where, data_folder.postgres_in(where) as admin_url:
        if not settings.sealing_keys:
            settings = replace(settings, sealing_keys=data_folder.sealing_keys_in(where))
        stage = _Stage(settings=settings, listening=listening, is_once=is_once)
        return uvloop.run(_play(stage, admin_url))


def _settings(port: int) -> Settings:
    """The environment's settings, but for what the demo is: local and embedded."""
    local = {
        "ENVIRONMENT": "development",
        "AUTH_PROVIDER": "embedded",
        "PUBLIC_URL": f"http://{_HOST}:{port}",
        "HOST": _HOST,
        "PORT": str(port),
    }
    try:
        return read_settings({**os.environ, **local})
    except SettingsError as refused:
        raise MisuseError(str(refused)) from None


async def _play(stage: _Stage, admin_url: str) -> int:
    settings = await _prepared(stage.settings, admin_url)
    planted = await _planted(settings)
    container = Container(settings=settings)
    handout = await _handout(container, planted)
    async with _running(container, stage.listening) as serving:
        if stage.is_once:
            return await _first(serving, asyncio.create_task(perform(handout)))
        print_handout(handout, settings)
        await serving
    return 0


async def _prepared(settings: Settings, admin_url: str) -> Settings:
    with step("roles and database") as current:
        urls = await init_database(admin_url, NewDatabase(name=_DATABASE))
        current.note("dunning_owner and dunning_app, neither a superuser")
    with step("migrations") as current:
        try:
            await migrate(urls.owner)
        except UnknownRevisionError:
            raise CommandError(
                "DATA_DIR: holds the schema of another version; remove it, or set another folder"
            ) from None
        current.note("the schema is up to date")
    return replace(settings, database_url=urls.app, migration_database_url=urls.owner)


async def _planted(settings: Settings) -> Planted:
    with step("two organisations") as current:
        async with as_owner(settings) as container:
            store = DemoOrganizations(container.engine())
            now = container.clock().now()
            planted = await plant(store, issuer=settings.issuer, system_now=now)
        current.note("planted afresh")
    print_totals(planted)
    return planted


async def _handout(container: Container, planted: Planted) -> Handout:
    with step("embedded issuer") as current:
        handout = await prepare_handout(container, planted)
        current.note(container.settings().issuer)
    return handout


@asynccontextmanager
async def _running(
    container: Container, listening: socket.socket
) -> AsyncGenerator[asyncio.Task[None]]:
    """The server in this very loop; it has ended when the block has."""
    settings = container.settings()
    await refuse_unfit_database(container)
    server = server_of(build_app(container), deadline=settings.deadline)
    with quiet_end():
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        try:
            with step("server") as current:
                await _first(serving, asyncio.create_task(server.listens.wait()))
                current.note(settings.public_url)
            yield serving
        finally:
            server.should_exit = True
            await serving


async def _first(serving: asyncio.Task[None], other: asyncio.Task[T]) -> T:
    """What `other` gives; a server that ends before is somebody's wish to end everything."""
    await asyncio.wait({serving, other}, return_when=asyncio.FIRST_COMPLETED)
    if other.done():
        return other.result()
    other.cancel()
    raise KeyboardInterrupt
