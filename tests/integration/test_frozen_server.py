"""A server that says nothing any more: nobody waits for it longer than a statement may take."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import pytest
from sqlalchemy import URL, make_url
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.persistence import database as connections
from adapters.persistence import transaction
from adapters.persistence.database import open_engine
from adapters.persistence.directory import SqlDirectory
from adapters.persistence.entrance import OpenSqlEntrance
from adapters.persistence.transaction import open_pinned
from domain.errors import UnavailableError
from tests.builders import a_grant
from tests.conftest import Organisations
from tests.database import Database

pytestmark = pytest.mark.anyio

LONGEST: Final = 5
ON_THE_SERVER: Final = 0.1


class Wire:
    """Stands between a client and the server, and passes on what each says until it is frozen."""

    def __init__(self, server: URL) -> None:
        self._server = server
        self._flows = asyncio.Event()
        self._flows.set()

    def freeze(self) -> None:
        self._flows.clear()

    def thaw(self) -> None:
        self._flows.set()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[int]:
        """The port for clients."""
        async with asyncio.TaskGroup() as talks:

            def begin(near: asyncio.StreamReader, answers: asyncio.StreamWriter) -> None:
                talks.create_task(self._talk(near, answers))

            listener = await asyncio.start_server(begin, "127.0.0.1", 0)
            yield listener.sockets[0].getsockname()[1]
            listener.close()
            self.thaw()

    async def _talk(self, near: asyncio.StreamReader, answers: asyncio.StreamWriter) -> None:
        far, questions = await self._reach()
        async with asyncio.TaskGroup() as both:
            both.create_task(self._pass_on(near, questions))
            both.create_task(self._pass_on(far, answers))

    async def _reach(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        host = str(self._server.query.get("host", self._server.host))
        port = self._server.port or 5432
        if host.startswith("/"):
            return await asyncio.open_unix_connection(f"{host}/.s.PGSQL.{port}")
        return await asyncio.open_connection(host, port)

    async def _pass_on(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        try:
            while said := await source.read(65_536):
                await self._flows.wait()
                target.write(said)
                await target.drain()
        except ConnectionError:
            pass
        finally:
            target.close()


@pytest.fixture
async def wire(database: Database) -> Wire:
    return Wire(make_url(database.app))


@pytest.fixture
async def engine(
    wire: Wire, database: Database, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[AsyncEngine]:
    """One connection through the wire."""
    monkeypatch.setattr(transaction, "PATIENCE", ON_THE_SERVER)
    monkeypatch.setattr(connections, "_GRACE", ON_THE_SERVER)
    async with wire.listening() as port:
        url = make_url(database.app).set(host="127.0.0.1", port=port, query={"ssl": "disable"})
        engine = open_engine(
            url.render_as_string(hide_password=False),
            pool_size=1,
            pool_timeout=1,
            statement_timeout=ON_THE_SERVER,
        )
        yield engine
        wire.thaw()
        await engine.dispose()


async def test_a_transaction_that_gets_no_answer_is_unavailable_and_its_connection_is_replaced(
    organisations: Organisations, engine: AsyncEngine, wire: Wire
) -> None:
    async def wait_in_vain() -> None:
        async with open_pinned(engine, organisations.a.id) as work:
            wire.freeze()
            await work.driver.fetch("SELECT 1")

    with pytest.raises(UnavailableError):
        async with asyncio.timeout(LONGEST):
            await wait_in_vain()
    wire.thaw()

    async with OpenSqlEntrance(engine)(organisations.b.id) as entrance:
        assert await entrance.tenant() == a_grant(organisations.b).tenant


async def test_leaving_a_transaction_does_not_wait_for_a_server_that_says_nothing(
    organisations: Organisations, engine: AsyncEngine, wire: Wire
) -> None:
    async with asyncio.timeout(LONGEST):
        async with open_pinned(engine, organisations.a.id) as work:
            await work.driver.fetch("SELECT 1")
            wire.freeze()
    wire.thaw()

    async with open_pinned(engine, organisations.b.id) as work:
        assert await work.driver.fetch("SELECT 1")


async def test_the_directory_and_the_entrance_do_not_wait_either(
    organisations: Organisations, engine: AsyncEngine, wire: Wire
) -> None:
    directory, open_entrance = SqlDirectory(engine), OpenSqlEntrance(engine)
    assert await directory.active_organization(organisations.a.id) == organisations.a.id

    wire.freeze()
    with pytest.raises(UnavailableError):
        async with asyncio.timeout(LONGEST):
            await directory.active_organization(organisations.a.id)
    wire.thaw()
    assert await directory.active_organization(organisations.b.id) == organisations.b.id

    async def enter() -> None:
        async with open_entrance(organisations.a.id) as entrance:
            wire.freeze()
            await entrance.tenant()

    with pytest.raises(UnavailableError):
        async with asyncio.timeout(LONGEST):
            await enter()


async def test_the_server_gives_a_long_statement_up(
    organisations: Organisations, engine: AsyncEngine
) -> None:
    with pytest.raises(UnavailableError):
        async with open_pinned(engine, organisations.a.id) as work:
            await work.driver.fetch("SELECT pg_sleep(60)")
