"""The official Python client asks its person before a charge is cancelled, and obeys."""

import json
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from mcp import Client
from mcp.client.session import ClientRequestContext
from mcp_types import (
    CallToolResult,
    ElicitRequestFormParams,
    ElicitRequestParams,
    ElicitResult,
    TextContent,
)
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.e2e.cancellations import CANCEL, own_charge, times_canceled
from tests.e2e.official_client import signed_in
from tests.e2e.service import Demo, Service

pytestmark = pytest.mark.anyio

YES = ElicitResult(action="accept", content={"confirm": True, "reason": "Sent twice"})


class Person:
    """Answers whatever their client asks, always the same, and remembers the questions."""

    def __init__(self, answer: ElicitResult) -> None:
        self._answer = answer
        self.asked: list[ElicitRequestParams] = []

    async def __call__(
        self,
        context: ClientRequestContext,  # noqa: ARG002 -- the client's protocol names it
        params: ElicitRequestParams,
    ) -> ElicitResult:
        self.asked.append(params)
        return self._answer


def client_of(
    live: str, demo: Demo, person: Person | None, *, name: str = "Helena", mode: str = "auto"
) -> AbstractAsyncContextManager[Client]:
    return signed_in(f"{live}/mcp", demo.person(name), mode, [], person)


def document(result: CallToolResult) -> dict[str, Any]:
    (block,) = result.content
    assert isinstance(block, TextContent)
    read: dict[str, Any] = json.loads(block.text)
    return read


async def test_a_yes_cancels_the_charge_once_and_nobody_is_asked_again(
    live: str, demo: Demo, service: Service, owner: AsyncEngine
) -> None:
    person = Person(YES)
    async with (
        own_charge(live, service) as charge,
        own_charge(live, service, "Vera") as elsewhere,
        client_of(live, demo, person) as client,
    ):
        result = await client.call_tool(CANCEL, charge.arguments)
        again = await client.call_tool(CANCEL, charge.arguments)

        assert await charge.status() == "canceled"
        assert await elsewhere.status() == "pending"
    assert not result.is_error
    assert document(result)["data"]["status"] == "canceled"
    assert document(again)["data"] == document(result)["data"]
    (asked,) = person.asked
    assert isinstance(asked, ElicitRequestFormParams)
    assert "R$ 90,00" in asked.message
    assert asked.requested_schema["properties"]["confirm"]["type"] == "boolean"
    assert await times_canceled(owner, charge.id) == 1


@pytest.mark.parametrize(
    ("answer", "status"),
    [(ElicitResult(action="decline"), "declined"), (ElicitResult(action="cancel"), "cancelled")],
)
async def test_a_no_and_a_dismissal_are_results_and_leave_the_charge_alone(
    live: str, demo: Demo, service: Service, answer: ElicitResult, status: str
) -> None:
    person = Person(answer)
    async with own_charge(live, service) as charge, client_of(live, demo, person) as client:
        result = await client.call_tool(CANCEL, charge.arguments)

        assert await charge.status() == "pending"
    assert not result.is_error
    assert document(result) == {"status": status}
    assert len(person.asked) == 1


def unticked() -> Iterator[dict[str, str | int | float | bool | list[str] | None]]:
    yield {}
    yield {"confirm": "true"}
    yield {"confirm": 1}
    yield {"confirm": False, "reason": "yes"}


@pytest.mark.parametrize("content", [*unticked(), None])
async def test_a_client_that_accepts_without_a_person_s_yes_is_asked_three_times_and_then_not_heard(
    live: str, demo: Demo, service: Service, content: dict[str, Any] | None
) -> None:
    liar = Person(ElicitResult(action="accept", content=content))
    async with own_charge(live, service) as charge, client_of(live, demo, liar) as client:
        result = await client.call_tool(CANCEL, charge.arguments)

        assert await charge.status() == "pending"
    assert document(result) == {"status": "cancelled"}
    assert len(liar.asked) == 3


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_client_that_cannot_ask_is_told_where_a_person_can_confirm(
    live: str, demo: Demo, service: Service, mode: str
) -> None:
    async with (
        own_charge(live, service) as charge,
        client_of(live, demo, None, mode=mode) as client,
    ):
        result = await client.call_tool(CANCEL, charge.arguments)
        again = await client.call_tool(CANCEL, charge.arguments)

        assert await charge.status() == "pending"
    assert result.is_error
    error = document(result)["error"]
    assert error["code"] == "confirmation_required"
    assert error["confirmation_url"].startswith(f"{live}/confirm/")
    assert error["confirmation_url"] in error["message"]
    assert document(again)["error"]["code"] == "confirmation_required"


async def test_nobody_is_asked_about_a_charge_of_the_other_organisation(
    live: str, demo: Demo, service: Service
) -> None:
    person = Person(YES)
    async with (
        own_charge(live, service, "Vera") as foreign,
        client_of(live, demo, person) as client,
    ):
        result = await client.call_tool(CANCEL, foreign.arguments)

        assert await foreign.status() == "pending"
    assert document(result)["error"]["code"] == "NOT_FOUND"
    assert person.asked == []
