"""Two organisations at once, on shared connections: nobody ever meets the other's rows."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

import httpx
import pytest
from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.persistence import tables
from tests.e2e.service import Demo, Service, running
from tests.protocol.fixtures import legacy, modern

pytestmark = pytest.mark.anyio

PEOPLE = ("Helena", "Vera", "Bianca", "Ivo")
LIST = {"name": "dunning_charges_list", "arguments": {"per_page": 100}}


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody with their tokens, and the ids of the debtors of their organisation."""

    first_name: str
    organization_id: str
    token: str
    rest: Mapping[str, str]
    debtors: frozenset[str]


async def caller(service: Service, first_name: str) -> Caller:
    headers = await service.rest_headers(first_name)
    pages = [
        (await service.http.get(f"/v1/debtors?per_page=100&page={page}", headers=headers)).json()
        for page in (1, 2)
    ]
    return Caller(
        first_name,
        service.demo.person(first_name).organization_id,
        await service.token(first_name),
        headers,
        frozenset(row["id"] for page in pages for row in page["data"]),
    )


def text_of(answer: httpx.Response) -> dict[str, object]:
    assert answer.status_code == 200, answer.text
    result = answer.json()["result"]
    assert "isError" not in result, result
    document: dict[str, object] = json.loads(result["content"][0]["text"])
    return document


async def list_in_either_era(service: Service, who: Caller, number: int) -> None:
    sent = (modern if number % 2 else legacy)("tools/call", LIST)
    rows = text_of(await service.post(sent, who.token))["data"]
    assert isinstance(rows, list)
    assert rows
    assert {row["debtor_id"] for row in rows} <= who.debtors


async def list_over_rest(service: Service, who: Caller, number: int) -> None:
    answer = await service.http.get(f"/v1/charges?page={number % 2 + 1}", headers=who.rest)
    assert {row["debtor_id"] for row in answer.json()["data"]} <= who.debtors


async def create(service: Service, who: Caller, number: int) -> None:
    arguments = {
        "debtor_id": min(who.debtors),
        "description": f"Under load by {who.first_name}",
        "amount": 10,
        "due_date": "2027-01-10",
        "external_id": f"load-{number}",
        "idempotency_key": f"load-{who.first_name}-{number}",
    }
    sent = modern("tools/call", {"name": "dunning_charges_create", "arguments": arguments})
    data = text_of(await service.post(sent, who.token))["data"]
    assert isinstance(data, dict)
    assert data["debtor_id"] == arguments["debtor_id"]


Step = Callable[[Service, Caller, int], Awaitable[None]]
STEPS: Sequence[Step] = (list_in_either_era, create, list_over_rest, list_in_either_era, create)


async def test_i1_i3_two_hundred_interleaved_calls_each_see_their_own_organisation_only(
    service: Service, owner: AsyncEngine
) -> None:
    callers = [await caller(service, name) for name in PEOPLE]
    assert not callers[0].debtors & callers[1].debtors
    places = asyncio.Semaphore(50)

    async def take(step: Step, who: Caller, number: int) -> None:
        async with places:
            await step(service, who, number)

    async with asyncio.TaskGroup() as tasks:
        for number in range(200):
            who, step = callers[number % len(callers)], STEPS[number % len(STEPS)]
            tasks.create_task(take(step, who, number))

    await assert_the_trail_names_who_it_was(owner, callers)


async def assert_the_trail_names_who_it_was(owner: AsyncEngine, callers: list[Caller]) -> None:
    charges, lines, members = tables.charges.c, tables.audit_entries.c, tables.members.c
    wanted = (
        select(charges.description, members.name, lines.organization_id, charges.organization_id)
        .join_from(
            tables.charges,
            tables.audit_entries,
            (lines.resource == charges.id) & (lines.action == "dunning_charges_create"),
        )
        .join(tables.members, members.id == lines.actor_id)
        .where(charges.description.startswith("Under load by "))
    )
    async with owner.connect() as connection:
        rows = (await connection.execute(wanted)).all()
    assert len(rows) == 80
    homes = {who.first_name: who.organization_id for who in callers}
    for description, name, audited_in, stored_in in rows:
        first_name = description.rpartition(" ")[2]
        assert name.split()[0] == first_name
        assert audited_in == stored_in == homes[first_name]


async def test_i8_one_connection_serves_one_organisation_after_the_other(demo: Demo) -> None:
    async with running(demo, {"DATABASE_POOL_SIZE": "1"}) as service:
        helena, vera = await caller(service, "Helena"), await caller(service, "Vera")
        await list_over_rest(service, helena, 0)
        refused = await service.http.post(
            "/v1/charges",
            json={"debtor_id": min(vera.debtors), "description": "Not mine", "amount": 1,
                  "due_date": "2027-01-10"},
            headers={**helena.rest, "Idempotency-Key": "i8"},
        )  # fmt: skip
        assert [one["code"] for one in refused.json()["error"]["details"]] == ["not_found"]
        async with service.container.engine().connect() as connection:
            assert await connection.scalar(text("SELECT count(*) FROM debtors")) == 0
            assert await connection.scalar(text("SELECT count(*) FROM charges")) == 0
        await list_over_rest(service, vera, 0)
