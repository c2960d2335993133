"""The official Python client starts the service itself and speaks to it in lines, in both eras."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from mcp import Client
from mcp.client.session import ClientRequestContext, ElicitationFnT
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import ElicitRequestFormParams, ElicitRequestParams, ElicitResult, TextContent
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.e2e.blocked import Watch, blocked_charges
from tests.e2e.cancellations import CANCEL, own_charge, times_canceled
from tests.e2e.named import (
    completes_an_argument,
    debtor_of,
    finds_nothing_of_the_other,
    reads_a_pdf,
    reads_resources,
    runs_a_prompt,
)
from tests.e2e.service import Service
from tests.e2e.spoken import DUNNING, environment
from tests.protocol.requirements import proves

pytestmark = pytest.mark.anyio

ERAS = [("auto", "2026-07-28"), ("legacy", "2025-06-18")]


@asynccontextmanager
async def started(
    service: Service,
    first_name: str = "Helena",
    mode: str = "auto",
    asks: ElicitationFnT | None = None,
) -> AsyncGenerator[Client]:
    """The client of this person, over a process of its own."""
    environ = environment(service, await service.token(first_name))
    transport = stdio_client(
        StdioServerParameters(command=str(DUNNING), args=["stdio"], env=environ)
    )
    async with Client(
        transport, mode=mode, read_timeout_seconds=20, elicitation_callback=asks
    ) as client:
        yield client


@proves("stdio.version", "stdio.token")
@pytest.mark.parametrize(("mode", "version"), ERAS)
async def test_it_lists_tools_and_calls_one(service: Service, mode: str, version: str) -> None:
    async with started(service, "Vera", mode) as client:
        tools = (await client.list_tools()).tools
        answer = await client.call_tool("dunning_me", {})

        assert client.protocol_version == version
    assert "dunning_charges_cancel" in {tool.name for tool in tools}
    (block,) = answer.content
    assert isinstance(block, TextContent)
    assert "Pampa Distribuidora" in block.text
    assert "Colégio Aurora" not in block.text


@proves("stdio.cancel")
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_what_it_gives_up_is_stopped(
    service: Service, owner: AsyncEngine, watch: Watch, mode: str
) -> None:
    async with started(service, mode=mode) as client:
        async with blocked_charges(owner):
            listing = asyncio.ensure_future(client.call_tool("dunning_charges_list", {}))
            await watch.waiting(1)
            listing.cancel()
            await watch.rest()
        answer = await client.call_tool("dunning_charges_list", {"per_page": 1})

    assert not answer.is_error


class Yes:
    """A person who agrees."""

    def __init__(self) -> None:
        self.asked: list[ElicitRequestParams] = []

    async def __call__(
        self,
        context: ClientRequestContext,  # noqa: ARG002 -- the client's protocol names it
        params: ElicitRequestParams,
    ) -> ElicitResult:
        self.asked.append(params)
        return ElicitResult(action="accept", content={"confirm": True})


@proves("stdio.lines")
async def test_its_person_is_asked_before_a_charge_is_cancelled(
    live: str, service: Service, owner: AsyncEngine
) -> None:
    person = Yes()
    async with (
        own_charge(live, service) as charge,
        started(service, asks=person) as client,
    ):
        result = await client.call_tool(CANCEL, charge.arguments)

        assert await charge.status() == "canceled"
    (block,) = result.content
    assert isinstance(block, TextContent)
    assert json.loads(block.text)["data"]["status"] == "canceled"
    (asked,) = person.asked
    assert isinstance(asked, ElicitRequestFormParams)
    assert await times_canceled(owner, charge.id) == 1


@proves("stdio.lines")
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_it_reads_resources_and_a_pdf_runs_a_prompt_and_completes_an_argument(
    service: Service, mode: str
) -> None:
    async with started(service, mode=mode) as client:
        await reads_resources(client, "Colégio Aurora")
        await reads_a_pdf(client)
        await runs_a_prompt(client)
        await completes_an_argument(client)
        debtor = await debtor_of(client)
    async with started(service, "Vera", mode) as client:
        await finds_nothing_of_the_other(client, debtor)
