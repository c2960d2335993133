"""What every test may use: the event loop that the product runs on, and a real database."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.persistence.admin import Administration
from adapters.persistence.database import open_engine
from adapters.persistence.transaction import open_pinned
from adapters.persistence.work import OpenSqlWork
from tests.builders import IDS, Creditor, StoppedClock, a_creditor
from tests.database import Database, begin_run, choose, end_run, migrated_database


def pytest_configure(config: pytest.Config) -> None:
    begin_run(config)


def pytest_unconfigure(config: pytest.Config) -> None:
    end_run(config)


def pytest_report_header() -> str:
    return f"database: {choose()}"


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def database(worker_id: str) -> Iterator[Database]:
    with migrated_database(worker_id) as database:
        yield database


@pytest.fixture(scope="session")
async def app_engine(database: Database) -> AsyncIterator[AsyncEngine]:
    engine = open_engine(database.app)
    yield engine
    await engine.dispose()


@pytest.fixture(scope="session")
async def owner_engine(database: Database) -> AsyncIterator[AsyncEngine]:
    engine = open_engine(database.owner)
    yield engine
    await engine.dispose()


@pytest.fixture
def administration(owner_engine: AsyncEngine) -> Administration:
    return Administration(owner_engine)


@pytest.fixture
def system_clock() -> StoppedClock:
    return StoppedClock()


@pytest.fixture
def open_work(app_engine: AsyncEngine, system_clock: StoppedClock) -> OpenSqlWork:
    return OpenSqlWork(app_engine, system_clock, IDS)


@dataclass(frozen=True, slots=True)
class Organisations:
    """Two organisations that nobody else has; whatever is done in one, the other must not see."""

    a: Creditor
    b: Creditor


@pytest.fixture
async def organisations(owner_engine: AsyncEngine) -> Organisations:
    pair = Organisations(a_creditor("Colégio Aurora"), a_creditor("Pampa Distribuidora"))
    for creditor in (pair.a, pair.b):
        async with open_pinned(owner_engine, creditor.id) as transaction:
            transaction.session.add_all([creditor.organization, *creditor.people])
            await transaction.flush()
            await transaction.commit()
    return pair
