"""A client of the older era sends its person to the page; a real browser says yes there, once."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from anyio import to_thread
from mcp import Client
from mcp_types import TextContent
from sqlalchemy.ext.asyncio import AsyncEngine

from domain.ports.issuer import DemoPerson
from tests.e2e.cancellations import CANCEL, OwnCharge, own_charge, times_canceled
from tests.e2e.chromium import Chromium, chromium
from tests.e2e.official_client import signed_in
from tests.e2e.service import Demo, Service

pytestmark = pytest.mark.anyio


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Chromium]:
    with chromium(tmp_path) as opened:
        yield opened


async def cancel(client: Client, charge: OwnCharge) -> dict[str, Any]:
    """What the client is told."""
    (block,) = (await client.call_tool(CANCEL, charge.arguments)).content
    assert isinstance(block, TextContent)
    document: dict[str, Any] = json.loads(block.text)
    return document


def open_as(browser: Chromium, address: str, person: DemoPerson) -> None:
    """Follow the address, and sign in on the way."""
    browser.open(address)
    browser.sign_in(person)


def confirm(browser: Chromium, address: str, person: DemoPerson) -> None:
    """What the person does with the address that their assistant gave them."""
    open_as(browser, address, person)

    browser.find('button[value="confirm"]')
    assert browser.address == address
    assert browser.language == "pt-BR"
    assert "R$ 90,00" in browser.text
    assert person.name in browser.text
    browser.press("confirm")

    browser.find("h1.confirmed")
    assert browser.address == address


async def test_a_yes_on_the_page_lets_the_same_call_run_once(
    browser: Chromium, live: str, demo: Demo, service: Service, owner: AsyncEngine
) -> None:
    helena = demo.person("Helena")
    async with (
        own_charge(live, service) as charge,
        own_charge(live, service, "Vera") as elsewhere,
        signed_in(f"{live}/mcp", helena, "legacy", []) as client,
    ):
        refused = (await cancel(client, charge))["error"]
        assert refused["code"] == "confirmation_required"
        address = refused["confirmation_url"]
        await to_thread.run_sync(confirm, browser, address, helena)
        assert await charge.status() == "pending"

        done = await cancel(client, charge)
        assert done["data"]["status"] == "canceled"
        again = await cancel(client, charge)
        assert again["data"] == done["data"]
        assert await charge.status() == "canceled"
        assert await elsewhere.status() == "pending"
    assert await times_canceled(owner, charge.id) == 1

    browser.open(address)
    browser.find("h1.used")
    assert browser.complaints == []


async def test_somebody_else_who_opens_the_link_sees_nothing_of_it_and_decides_nothing(
    browser: Chromium, live: str, demo: Demo, service: Service
) -> None:
    async with (
        own_charge(live, service) as charge,
        signed_in(f"{live}/mcp", demo.person("Helena"), "legacy", []) as client,
    ):
        address = (await cancel(client, charge))["error"]["confirmation_url"]
        await to_thread.run_sync(open_as, browser, address, demo.person("Vera"))

        browser.find('main a[href$="?sign_in=again"]')
        assert "R$" not in browser.text
        assert charge.id not in browser.text
        assert "Helena" not in browser.text
        assert (await cancel(client, charge))["error"]["code"] == "confirmation_required"
        assert await charge.status() == "pending"
