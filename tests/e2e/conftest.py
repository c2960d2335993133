"""The service as one piece, over a database of its own with the demo in it."""

import socket
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.persistence.database import open_engine
from adapters.persistence.demo import DemoOrganizations
from adapters.system.clock import UtcClock
from entrypoints.seed.plant import plant
from tests.database import Database, migrated_database
from tests.e2e.blocked import Watch
from tests.e2e.live import serving
from tests.e2e.service import Demo, Service, running
from tests.e2e.typescript_client import installed_in


@pytest.fixture(scope="session")
def demo_database(worker_id: str) -> Iterator[Database]:
    """A database in which nobody else's tests would meet the demo."""
    with migrated_database(f"{worker_id}_e2e") as database:
        yield database


@pytest.fixture(scope="session")
async def owner(demo_database: Database) -> AsyncIterator[AsyncEngine]:
    """The demo's database as the operator sees it: every organisation's rows."""
    engine = open_engine(demo_database.owner)
    yield engine
    await engine.dispose()


@pytest.fixture(scope="session")
async def watch(demo_database: Database) -> AsyncIterator[Watch]:
    engine = open_engine(demo_database.admin)
    yield Watch(engine)
    await engine.dispose()


@pytest.fixture(scope="session")
def own_socket() -> Iterator[socket.socket]:
    """The address of the service: tokens, metadata and the demo's people name it."""
    with socket.create_server(("127.0.0.1", 0), backlog=200) as bound:
        yield bound


@pytest.fixture(scope="session")
async def demo(demo_database: Database, owner: AsyncEngine, own_socket: socket.socket) -> Demo:
    public_url = f"http://127.0.0.1:{own_socket.getsockname()[1]}"
    planted = await plant(
        DemoOrganizations(owner), issuer=f"{public_url}/issuer", system_now=UtcClock().now()
    )
    return Demo(public_url, demo_database, planted)


@pytest.fixture(scope="session")
async def service(demo: Demo) -> AsyncIterator[Service]:
    """The service in memory, without limits on how often somebody may ask."""
    async with running(demo) as running_service:
        yield running_service


@pytest.fixture(scope="session")
def live(demo: Demo, own_socket: socket.socket) -> Iterator[str]:
    """The address of the service on a real socket."""
    with serving(demo, own_socket):
        yield demo.public_url


@pytest.fixture(scope="session")
def typescript(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the official TypeScript client and its programs."""
    return installed_in(tmp_path_factory.mktemp("typescript"))
