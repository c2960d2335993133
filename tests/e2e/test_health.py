"""Alive and ready, whatever happens to the database and the issuer."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest
from sqlalchemy import make_url, text
from sqlalchemy.ext.asyncio import create_async_engine

from adapters.persistence.database import driver_url
from adapters.system.clock import UtcClock
from domain.dunning.rates import NO_RATES
from entrypoints.seed.plant import Planted
from tests.auth.clock import FakeSystemClock
from tests.auth.issuer import ISSUER, FakeIssuer
from tests.builders import StoppedClock
from tests.database import Database, migrated_database
from tests.e2e.service import Demo, Service, running
from tests.protocol.fixtures import modern
from tests.protocol.requirements import proves

pytestmark = pytest.mark.anyio

ME = modern("tools/call", {"name": "dunning_me", "arguments": {}})
NOTHING = Planted(rates=NO_RATES, totals=(), people=(), api_clients=())
LONGEST = 10


@pytest.fixture(scope="module")
def own_database(worker_id: str) -> Iterator[Database]:
    """A database that a test may switch off."""
    with migrated_database(f"{worker_id}_down") as database:
        yield database


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock(UtcClock().now())


@pytest.fixture
async def on_its_own(own_database: Database, clock: StoppedClock) -> AsyncIterator[Service]:
    demo = Demo("http://127.0.0.1:8000", own_database, NOTHING)
    async with running(demo, clock=clock) as service:
        yield service


@asynccontextmanager
async def switched_off(database: Database) -> AsyncGenerator[None]:
    """Nobody can connect to the database while the block runs, and nobody is connected."""
    name = make_url(database.app).database
    elsewhere = make_url(database.admin).set(database="postgres")
    engine = create_async_engine(
        driver_url(elsewhere.render_as_string(hide_password=False)), isolation_level="AUTOCOMMIT"
    )
    allow = f'ALTER DATABASE "{name}" WITH ALLOW_CONNECTIONS'
    hang_up = text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = :name")
    async with engine.connect() as connection:
        await connection.execute(text(f"{allow} false"))
        await connection.execute(hang_up, {"name": name})
        try:
            yield
        finally:
            await connection.execute(text(f"{allow} true"))
    await engine.dispose()


@proves("http.open")
@pytest.mark.parametrize("path", ["/livez", "/readyz", "/livez/", "/readyz/"])
async def test_n1_health_needs_no_token_and_tells_no_secrets(service: Service, path: str) -> None:
    for headers in ({"Host": "10.0.0.7:8000"}, {"Origin": "https://evil.test"}):
        answer = await service.http.get(path, headers=headers)
        assert answer.status_code == 200
        assert set(answer.json().values()) == {"ok"}
        assert answer.headers["cache-control"] == "no-store"


@proves("http.open")
async def test_n2_without_its_database_it_lives_is_not_ready_and_recovers_by_itself(
    on_its_own: Service, own_database: Database, clock: StoppedClock
) -> None:
    async def state() -> tuple[int, int]:
        clock.time += timedelta(seconds=1)
        live, ready = await on_its_own.http.get("/livez"), await on_its_own.http.get("/readyz")
        return live.status_code, ready.status_code

    assert await state() == (200, 200)
    async with switched_off(own_database):
        assert await state() == (200, 503)
        assert (await on_its_own.http.get("/readyz")).json() == {
            "migrations": "failing", "role": "failing", "issuer": "ok"
        }  # fmt: skip
    async with asyncio.timeout(LONGEST):
        while await state() != (200, 200):
            pass


@proves("http.open", "limit.overload")
async def test_n2_without_its_database_a_call_is_our_503_and_no_text_of_the_driver(
    on_its_own: Service, own_database: Database
) -> None:
    token = await on_its_own.mint_for("org_nobody")
    async with switched_off(own_database):
        answer = await on_its_own.post(ME, token)

    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) >= 1
    assert answer.json()["error"]["code"] == "UNAVAILABLE"
    assert "database" not in answer.text.lower()


@proves("http.open", "auth.issuer-down")
async def test_n4_an_issuer_that_is_down_at_the_start_is_waited_for(demo: Demo) -> None:
    clock = FakeSystemClock()
    issuer = FakeIssuer(clock)
    issuer.is_down = True
    settings = {"AUTH_PROVIDER": "oidc", "AUTH_ISSUER": ISSUER}
    token = issuer.token(aud=f"{demo.public_url}/mcp", org_id="org_nobody")
    async with running(demo, settings, clock=clock, issuer_client=issuer.http) as service:
        assert (await service.http.get("/livez")).status_code == 200
        down = await service.http.get("/readyz")
        assert (down.status_code, down.json()["issuer"]) == (503, "failing")
        refused = await service.post(ME, token)
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "10")

        issuer.is_down = False
        clock.advance(10)
        assert (await service.http.get("/readyz")).status_code == 200
        # The token is read now: it names an organisation that does not exist.
        assert (await service.post(ME, token)).status_code == 403
