"""How often somebody may ask: by person, never by address, and a flood touches nobody else."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import httpx
import pytest

from adapters.system.clock import UtcClock
from tests.builders import StoppedClock
from tests.e2e.service import OUR_PAGE, Demo, Service, running
from tests.protocol.fixtures import modern
from tests.protocol.requirements import proves

pytestmark = pytest.mark.anyio

ME = modern("tools/call", {"name": "dunning_me", "arguments": {}})
LIST = modern("tools/list")


@asynccontextmanager
async def limited(demo: Demo, **limits: str) -> AsyncGenerator[tuple[Service, StoppedClock]]:
    """A service with these limits, whose clock a test moves."""
    clock = StoppedClock(UtcClock().now())
    async with running(demo, limits, clock=clock) as service:
        yield service, clock


@pytest.fixture
async def two_reads(demo: Demo) -> AsyncIterator[tuple[Service, StoppedClock]]:
    async with limited(demo, RATE_READ="2") as given:
        yield given


@proves("limit.person")
async def test_j1_two_people_at_one_address_have_a_bucket_each(
    two_reads: tuple[Service, StoppedClock],
) -> None:
    service, _ = two_reads
    one, other = await service.token("Helena"), await service.token("Bianca")
    statuses = [(await service.post(ME, one)).status_code for _ in range(3)]

    assert statuses == [200, 200, 429]
    assert (await service.post(ME, other)).status_code == 200


@proves("limit.person")
async def test_both_doors_take_from_one_bucket(
    two_reads: tuple[Service, StoppedClock],
) -> None:
    service, _ = two_reads
    token, headers = await service.token(), await service.rest_headers()
    statuses = [
        (await service.post(ME, token)).status_code,
        (await service.http.get("/v1/me", headers=headers)).status_code,
        (await service.http.get("/v1/me", headers=headers)).status_code,
        (await service.post(ME, token, path="/")).status_code,
    ]

    assert statuses == [200, 200, 429, 429]


@proves("limit.spent", "http.cors")
async def test_j4_a_429_says_when_to_come_back_and_then_it_works(
    two_reads: tuple[Service, StoppedClock],
) -> None:
    service, clock = two_reads
    token, headers = await service.token(), await service.rest_headers()
    for _ in range(2):
        await service.post(ME, token)
    page = {"Origin": OUR_PAGE}
    mcp = await service.post(ME, token, **page)
    rest = await service.http.get("/v1/me", headers={**headers, **page})

    for refused in (mcp, rest):
        assert refused.status_code == 429
        assert refused.headers["content-type"] == "application/json"
        assert refused.headers["ratelimit-policy"].startswith('"read";q=2')
        assert refused.headers["access-control-allow-origin"] == OUR_PAGE
    assert (mcp.json()["id"], mcp.json()["error"]["code"]) == (7, 429)
    assert rest.json()["error"]["code"] == "RATE_LIMITED"
    seconds = int(mcp.headers["retry-after"])
    assert seconds >= 1
    clock.time += timedelta(seconds=seconds)
    assert (await service.post(ME, token)).status_code == 200


@proves("limit.outside")
async def test_greeting_costs_nothing(two_reads: tuple[Service, StoppedClock]) -> None:
    service, _ = two_reads
    token = await service.token()
    for _ in range(5):
        assert (await service.post(modern("server/discover"), token)).status_code == 200
        assert (await service.post(modern("nope"), token)).status_code == 404
    assert (await service.post(ME, token)).status_code == 200


async def statuses_of(service: Service, count: int, token: str | None = None) -> list[int]:
    return [(await service.post(LIST, token)).status_code for _ in range(count)]


@proves("http.flood")
async def test_j2_a_flood_without_tokens_touches_no_one_who_has_one(demo: Demo) -> None:
    async with limited(demo, FLOOD_ANONYMOUS="3", FLOOD_UNVERIFIED="3") as (service, clock):
        remembered = await service.token()
        assert await statuses_of(service, 1, remembered) == [200]
        assert await statuses_of(service, 5) == [401, 401, 401, 429, 429]
        newcomer = await service.token("Bianca")
        assert await statuses_of(service, 1, remembered) == [200]
        assert await statuses_of(service, 1, newcomer) == [200]
        clock.time += timedelta(seconds=60)
        assert await statuses_of(service, 1) == [401]


@proves("http.flood")
async def test_a_flood_of_bad_tokens_touches_neither_the_known_nor_the_tokenless(
    demo: Demo,
) -> None:
    async with limited(demo, FLOOD_ANONYMOUS="3", FLOOD_UNVERIFIED="3") as (service, _):
        remembered = await service.token()
        assert await statuses_of(service, 1, remembered) == [200]
        assert await statuses_of(service, 4, "a.b.c") == [401, 401, 401, 429]
        assert await statuses_of(service, 1, await service.token("Bianca")) == [429]
        assert await statuses_of(service, 1, remembered) == [200]
        assert await statuses_of(service, 1) == [401]


@proves("http.flood", "auth.header")
async def test_two_tokens_cost_what_a_refused_one_costs(demo: Demo) -> None:
    async with limited(demo, FLOOD_UNVERIFIED="2") as (service, _):
        bearer = ("Authorization", f"Bearer {await service.token()}")
        statuses = [
            (await service.http.post("/mcp", json={}, headers=[bearer, bearer])).status_code,
            (await service.http.get("/v1/me", headers=[bearer, bearer])).status_code,
            (await service.http.get("/v1/me", headers=[bearer, bearer])).status_code,
        ]

    assert statuses == [400, 400, 429]


@proves("http.flood")
async def test_a_good_token_seen_for_the_first_time_costs_its_address_nothing(demo: Demo) -> None:
    async with limited(demo, FLOOD_UNVERIFIED="1") as (service, _):
        for _ in range(5):
            assert await statuses_of(service, 1, await service.token()) == [200]


@proves("http.flood")
async def test_a_429_before_the_token_is_in_the_words_of_each_door(demo: Demo) -> None:
    async with limited(demo, FLOOD_ANONYMOUS="1") as (service, _):
        await service.post(LIST)
        mcp, rest = await service.post(LIST), await service.http.get("/v1/me")

    assert (mcp.status_code, rest.status_code) == (429, 429)
    error = {"code": 429, "message": "Too many requests"}
    assert mcp.json() == {"jsonrpc": "2.0", "error": error}
    assert rest.json()["error"]["code"] == "RATE_LIMITED"
    assert int(mcp.headers["retry-after"]) == int(rest.headers["retry-after"]) == 60


async def tokenless(service: Service, forwarded: str) -> httpx.Response:
    return await service.post(LIST, X_Forwarded_For=forwarded)


@proves("http.address")
@pytest.mark.parametrize(
    ("proxies", "statuses"),
    [("0", [401, 429, 429]), ("1", [401, 401, 429]), ("2", [401, 429, 401])],
)
async def test_an_address_is_what_trusted_proxies_vouch_for(
    demo: Demo, proxies: str, statuses: list[int]
) -> None:
    async with limited(demo, FLOOD_ANONYMOUS="1", TRUSTED_PROXIES=proxies) as (service, _):
        said = [
            await tokenless(service, forwarded)
            for forwarded in ("9.9.9.9, 192.0.2.1", "9.9.9.9, 192.0.2.2", "8.8.8.8, 192.0.2.2")
        ]

    assert [one.status_code for one in said] == statuses


@proves("http.flood", "http.address")
async def test_whoever_has_a_network_of_addresses_has_one_bucket(demo: Demo) -> None:
    async with limited(demo, FLOOD_ANONYMOUS="1", TRUSTED_PROXIES="1") as (service, _):
        said = [
            await tokenless(service, address)
            for address in ("2001:db8:0:7::1", "2001:db8:0:7:ffff::2", "2001:db8:0:8::1")
        ]

    assert [one.status_code for one in said] == [401, 429, 401]
