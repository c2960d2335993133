"""The official TypeScript client asks its person too, and what they say is what happens."""

import asyncio
import json
import os
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.e2e.cancellations import CANCEL, OwnCharge, new_charge, say_yes, times_canceled
from tests.e2e.programs import program
from tests.e2e.service import Service
from tests.e2e.typescript_client import LONGEST_RUN

pytestmark = pytest.mark.anyio

FORM: Mapping[str, Any] = {"form": {}}
URL: Mapping[str, Any] = {"url": {}}
YES = {"action": "accept", "content": {"confirm": True, "reason": "Sent twice"}}
OPENED = {"action": "accept"}

Question = Mapping[str, Any]


async def _nothing(_question: Question) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Talk:
    """What a client asked its person, and what it was told in the end."""

    asked: list[Question] = field(default_factory=list)
    told: dict[str, Any] = field(default_factory=dict)

    @property
    def said(self) -> dict[str, Any]:
        """The document of the tool's answer."""
        document: dict[str, Any] = self.told["said"]
        return document


@dataclass(frozen=True, slots=True)
class TypeScript:
    """The client as Helena has it, connected to the service at `live`."""

    folder: Path
    live: Service

    async def cancel(
        self,
        charge: OwnCharge,
        elicitation: Mapping[str, Any] | None,
        answer: Mapping[str, Any] | None = None,
        meanwhile: Callable[[Question], Awaitable[None]] = _nothing,
    ) -> Talk:
        """Cancel the charge; `meanwhile` is what the person does while a question is open."""
        call = {"name": CANCEL, "arguments": charge.arguments}
        client = await asyncio.create_subprocess_exec(
            program("node", "nodejs"),
            self.folder / "confirm.mjs",
            f"{self.live.demo.public_url}/mcp",
            json.dumps({**call, "elicitation": elicitation, "answer": answer}),
            env={**os.environ, "TOKEN": await self.live.token()},
            stdout=PIPE,
            stderr=PIPE,
        )
        talk = Talk()
        assert client.stdout is not None
        async with asyncio.timeout(LONGEST_RUN):
            async for line in client.stdout:
                read = json.loads(line)
                if "asked" in read:
                    talk.asked.append(read["asked"])
                    await meanwhile(read["asked"])
                else:
                    talk.told.update(read)
            _, complaints = await client.communicate()
        assert client.returncode == 0, complaints.decode()
        assert talk.told["version"] == "2026-07-28"
        return talk


@pytest.fixture
async def helena(typescript: Path, live: str, service: Service) -> AsyncIterator[TypeScript]:
    async with httpx.AsyncClient(base_url=live, timeout=10) as http:
        yield TypeScript(typescript, Service(service.demo, service.container, http))


@pytest.fixture
async def charge(helena: TypeScript) -> OwnCharge:
    return await new_charge(helena.live.http, helena.live)


async def test_a_yes_cancels_the_charge_once(
    helena: TypeScript, charge: OwnCharge, owner: AsyncEngine
) -> None:
    elsewhere = await new_charge(helena.live.http, helena.live, "Vera")
    talk = await helena.cancel(charge, FORM, YES)
    again = await helena.cancel(charge, FORM, YES)

    assert await charge.status() == "canceled"
    assert await elsewhere.status() == "pending"
    assert not talk.told["isError"]
    assert talk.said["data"]["status"] == "canceled"
    (asked,) = talk.asked
    assert asked["mode"] == "form"
    assert "R$ 90,00" in asked["message"]
    assert again.asked == []
    assert again.said["data"] == talk.said["data"]
    assert await times_canceled(owner, charge.id) == 1


@pytest.mark.parametrize(
    ("elicitation", "answer", "status", "times"),
    [
        (FORM, {"action": "decline"}, "declined", 1),
        (FORM, {"action": "cancel"}, "cancelled", 1),
        (URL, {"action": "decline"}, "declined", 1),
        (FORM, {"action": "accept", "content": {}}, "cancelled", 3),
        (FORM, {"action": "accept", "content": {"confirm": "true"}}, "cancelled", 3),
    ],
)
async def test_whatever_is_no_yes_leaves_the_charge_alone(  # noqa: PLR0917 -- a table's columns
    helena: TypeScript,
    charge: OwnCharge,
    elicitation: dict[str, Any],
    answer: dict[str, Any],
    status: str,
    times: int,
) -> None:
    talk = await helena.cancel(charge, elicitation, answer)

    assert await charge.status() == "pending"
    assert not talk.told["isError"]
    assert talk.said == {"status": status}
    assert len(talk.asked) == times


async def test_a_client_that_can_open_pages_waits_there_for_the_person_s_yes(
    helena: TypeScript, charge: OwnCharge, owner: AsyncEngine
) -> None:
    async def visit_the_page(question: Question) -> None:
        assert question["mode"] == "url"
        assert await charge.status() == "pending"
        await say_yes(helena.live, urlsplit(question["url"]).path)

    talk = await helena.cancel(charge, URL, OPENED, visit_the_page)

    assert talk.said["data"]["status"] == "canceled"
    assert len(talk.asked) == 1
    assert await times_canceled(owner, charge.id) == 1


async def test_a_client_that_cannot_ask_is_told_where_a_person_can_confirm(
    helena: TypeScript, charge: OwnCharge
) -> None:
    talk = await helena.cancel(charge, None)

    assert await charge.status() == "pending"
    assert talk.told["isError"]
    assert talk.said["error"]["code"] == "confirmation_required"
    public_url = helena.live.demo.public_url
    assert talk.said["error"]["confirmation_url"].startswith(f"{public_url}/confirm/")
