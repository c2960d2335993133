"""Too much at once, too slow, and given up in the middle: an answer in time, and nothing left."""

import asyncio
from collections.abc import AsyncGenerator

import httpx
import pytest
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.persistence import tables
from domain.access.grant import Grant
from domain.access.principal import Principal
from tests.e2e.blocked import Watch, blocked_charges
from tests.e2e.service import Demo, Service, running
from tests.protocol.fixtures import Sent, legacy, modern
from tests.protocol.requirements import proves

pytestmark = pytest.mark.anyio

CHARGES = modern("tools/call", {"name": "dunning_charges_list", "arguments": {}})
ME = modern("tools/call", {"name": "dunning_me", "arguments": {}})


async def new_charge(service: Service, description: str) -> Sent:
    """A call that stores a charge; its key is its description."""
    debtors = await service.http.get("/v1/debtors", headers=await service.rest_headers())
    arguments = {
        "debtor_id": debtors.json()["data"][0]["id"],
        "description": description,
        "amount": 90,
        "due_date": "2027-02-10",
        "idempotency_key": description,
    }
    return modern("tools/call", {"name": "dunning_charges_create", "arguments": arguments})


async def stored(owner: AsyncEngine, description: str) -> int:
    wanted = tables.charges.c.description == description
    async with owner.connect() as connection:
        counted = select(func.count()).select_from(tables.charges).where(wanted)
        return await connection.scalar(counted) or 0


@proves("limit.overload")
async def test_beyond_the_bound_both_doors_say_503_at_once_and_then_serve_again(
    demo: Demo, owner: AsyncEngine, watch: Watch
) -> None:
    async with running(demo, {"MAX_CONCURRENT": "1"}) as service:
        token, headers = await service.token(), await service.rest_headers()
        async with blocked_charges(owner) as lift, asyncio.TaskGroup() as tasks:
            slow = tasks.create_task(service.post(CHARGES, token))
            await watch.waiting(1)
            mcp = await service.post(ME, token)
            rest = await service.http.get("/v1/me", headers=headers)
            live = await service.http.get("/livez")
            await lift()
        again = await service.post(ME, token)

    for refused in (mcp, rest):
        assert refused.status_code == 503
        assert int(refused.headers["retry-after"]) >= 1
        assert refused.json()["error"]["code"] == "UNAVAILABLE"
    assert (live.status_code, slow.result().status_code, again.status_code) == (200, 200, 200)


@proves("limit.deadline", "call.unavailable")
@pytest.mark.parametrize(
    "sent", [CHARGES, legacy("tools/call", {"name": "dunning_charges_list", "arguments": {}})]
)
async def test_f12_what_takes_too_long_is_given_up_and_nothing_works_on_unseen(
    demo: Demo, owner: AsyncEngine, watch: Watch, sent: Sent
) -> None:
    async with running(demo, {"DEADLINE": "1"}) as service:
        token = await service.token()
        assert (await service.post(sent, token)).status_code == 200
        async with blocked_charges(owner), asyncio.TaskGroup() as tasks:
            slow = tasks.create_task(service.post(sent, token))
            await watch.waiting(1)
            await watch.waiting(0)
        answer = slow.result()
        await watch.rest()

    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) >= 1
    assert (answer.json()["id"], answer.json()["error"]["code"]) == (7, 503)


async def half_a_body() -> AsyncGenerator[bytes]:
    """The beginning of a body whose rest never comes."""
    yield b"{"
    await asyncio.Event().wait()


async def at_both_doors(service: Service) -> list[httpx.Response]:
    """The answers to a body that never ends, without a token."""
    return await asyncio.gather(
        *(service.http.post(path, content=half_a_body()) for path in ("/mcp", "/v1/charges"))
    )


@proves("limit.deadline")
async def test_a_body_that_does_not_come_in_time_is_408_at_both_doors(demo: Demo) -> None:
    async with running(demo, {"DEADLINE": "1"}) as service:
        said = await at_both_doors(service)

    for refused in said:
        assert refused.status_code == 408
        assert refused.json()["error"]["code"] == "REQUEST_TIMEOUT"
        assert refused.headers["connection"] == "close"


@proves("limit.deadline", "http.plain")
async def test_a_caller_who_cannot_be_looked_up_in_time_is_told_503_in_plain_json(
    demo: Demo,
) -> None:
    async def enter(_principal: Principal) -> Grant:
        return await asyncio.Future()

    async with running(demo, {"DEADLINE": "1"}, enter=enter) as service:
        token, headers = await service.token(), await service.rest_headers()
        said = await asyncio.gather(
            service.post(ME, token), service.http.get("/v1/me", headers=headers)
        )

    for refused in said:
        assert refused.status_code == 503
        assert refused.json()["error"]["code"] == "UNAVAILABLE"
        assert int(refused.headers["retry-after"]) >= 1


@proves("limit.overload")
async def test_only_so_many_bodies_are_gathered_at_once_and_the_rest_are_503(demo: Demo) -> None:
    async with running(demo, {"MAX_CONCURRENT": "1"}) as service:
        first = asyncio.create_task(service.http.post("/mcp", content=half_a_body()))
        await asyncio.sleep(0)
        refused = await at_both_doors(service)
        first.cancel()
        await asyncio.wait([first])
        again = await service.post(ME, await service.token())

    for one in refused:
        assert one.status_code == 503
        assert int(one.headers["retry-after"]) >= 1
    assert again.status_code == 200


@proves("limit.gone")
async def test_m4_a_write_that_is_cancelled_in_the_middle_leaves_nothing(
    service: Service, owner: AsyncEngine, watch: Watch
) -> None:
    create = await new_charge(service, "Cancelled")
    token = await service.token()
    async with blocked_charges(owner):
        write = asyncio.create_task(service.post(create, token))
        await watch.waiting(1)
        write.cancel()
        await asyncio.wait([write])
        await watch.waiting(0)
    await watch.rest()
    assert await stored(owner, "Cancelled") == 0

    again = await service.post(create, token)
    assert "isError" not in again.json()["result"]
    assert await stored(owner, "Cancelled") == 1
