"""A charge of a test's own that somebody wants cancelled, and what has become of it over `/v1`."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import httpx
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncEngine
from ulid import ULID

from adapters.persistence import tables
from adapters.system.clock import UtcClock
from tests.e2e.service import Service
from tests.e2e.visitor import mark_in, visiting

CANCEL = "dunning_charges_cancel"
_DUE_IN = timedelta(days=60)


@dataclass(frozen=True, slots=True)
class OwnCharge:
    """A pending charge that no other test knows, as one person sees it through the REST door."""

    id: str
    http: httpx.AsyncClient
    headers: Mapping[str, str]

    @property
    def arguments(self) -> dict[str, Any]:
        """What cancels it."""
        return {"id": self.id, "reason": "issued_in_error"}

    async def status(self) -> str:
        answer = await self.http.get(f"/v1/charges/{self.id}", headers=self.headers)
        assert answer.status_code == 200, answer.text
        status: str = answer.json()["data"]["status"]
        return status


async def new_charge(
    http: httpx.AsyncClient, service: Service, first_name: str = "Helena"
) -> OwnCharge:
    """A new charge in the organisation of this person, made through `http`."""
    headers = await service.rest_headers(first_name)
    debtors = await http.get("/v1/debtors", headers=headers)
    body = {
        "debtor_id": debtors.json()["data"][0]["id"],
        "description": "Issued in error",
        "amount": 90,
        "due_date": str((UtcClock().now() + _DUE_IN).date()),
    }
    key = {"Idempotency-Key": str(ULID())}
    created = await http.post("/v1/charges", json=body, headers={**headers, **key})
    assert created.status_code == 201, created.text
    return OwnCharge(created.json()["data"]["id"], http, headers)


@asynccontextmanager
async def own_charge(
    live: str, service: Service, first_name: str = "Helena"
) -> AsyncGenerator[OwnCharge]:
    """The same on the service at `live`."""
    async with httpx.AsyncClient(base_url=live, timeout=10) as http:
        yield await new_charge(http, service, first_name)


async def say_yes(showing: Service, path: str) -> None:
    """What Helena does on the page, which this service shows her."""
    async with visiting(showing) as visitor:
        page = await visitor.signed_in(path)
        answer = await visitor.answer(path, mark_in(page))
        assert answer.status_code == 303
        assert 'class="confirmed"' in (await visitor.open(path)).text


async def times_canceled(owner: AsyncEngine, charge_id: str) -> int:
    """How often the database says that the charge was cancelled."""
    events = tables.events.c
    told = (
        select(func.count())
        .select_from(tables.events)
        .where(events.type == "charge.canceled", events.resource_id == charge_id)
    )
    async with owner.connect() as connection:
        return await connection.scalar(told) or 0
