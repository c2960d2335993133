"""The service, started once for each worker, over a database that only these tests use."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import timedelta

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.persistence.database import open_engine
from adapters.persistence.demo import DemoOrganizations
from adapters.persistence.work import OpenSqlWork
from entrypoints.container import Container
from entrypoints.seed.plant import Planted, plant
from entrypoints.seed.rates import SAMPLE_RATES
from tests.builders import IDS, NOW, StoppedClock
from tests.database import Database, migrated_database
from tests.doors.firms import ISSUER, Ledger, Pair, found_firm
from tests.doors.house import Caller, House, open_house, settings_for


@pytest.fixture(scope="session")
def doors_database(worker_id: str) -> Iterator[Database]:
    with migrated_database(f"{worker_id}_doors") as database:
        yield database


@pytest.fixture(scope="session")
async def doors_owner(doors_database: Database) -> AsyncIterator[AsyncEngine]:
    """Rates are everybody's: they are there from the first test on, whichever it is."""
    engine = open_engine(doors_database.owner)
    await DemoOrganizations(engine).rates(SAMPLE_RATES)
    yield engine
    await engine.dispose()


@pytest.fixture(scope="session")
async def running(doors_database: Database) -> AsyncIterator[House]:
    clock = StoppedClock()
    container = Container(settings=settings_for(doors_database), clock=clock, patience=timedelta(0))
    async with open_house(container, clock) as house:
        yield house


@pytest.fixture
def house(running: House) -> House:
    """The service at the instant when the builders' things were made."""
    running.clock.time = NOW
    return running


@pytest.fixture
def ledger(doors_owner: AsyncEngine, house: House) -> Ledger:
    return Ledger(doors_owner, OpenSqlWork(house.container.engine(), house.clock, IDS))


@pytest.fixture
async def pair(doors_owner: AsyncEngine) -> Pair:
    return Pair(
        await found_firm(doors_owner, "Colégio Aurora"),
        await found_firm(doors_owner, "Pampa Distribuidora"),
    )


@dataclass(frozen=True, slots=True)
class Demo:
    """The two planted organisations, in which these tests only read. Their day is 1 December."""

    planted: Planted

    def caller(self, first_name: str) -> Caller:
        (person,) = (one for one in self.planted.people if one.name.startswith(f"{first_name} "))
        return Caller(
            subject=person.subject,
            client_id="some-client",
            organization_id=person.organization_id,
        )


@pytest.fixture(scope="session")
async def demo(doors_owner: AsyncEngine) -> Demo:
    return Demo(await plant(DemoOrganizations(doors_owner), issuer=ISSUER, system_now=NOW))
