"""The official TypeScript client asks its person too, and what they say is what happens."""

import asyncio
import json
import os
import shutil
import subprocess
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
from tests.e2e.programs import missing, program
from tests.e2e.service import Service

pytestmark = pytest.mark.anyio

SOURCE = Path(__file__).with_name("typescript")
OLDEST_NODE = 20
LONGEST_INSTALL = 120
LONGEST_RUN = 30

FORM: Mapping[str, Any] = {"form": {}}
URL: Mapping[str, Any] = {"url": {}}
YES = {"action": "accept", "content": {"confirm": True, "reason": "Sent twice"}}
OPENED = {"action": "accept"}

Question = Mapping[str, Any]


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The client's program, beside what its lock file names."""
    version = subprocess.check_output([program("node", "nodejs"), "--version"], text=True)
    if int(version.removeprefix("v").partition(".")[0]) < OLDEST_NODE:
        missing(f"Node.js {OLDEST_NODE} or newer is needed; this is {version.strip()}")
    npm = program("npm", "npm")
    folder = tmp_path_factory.mktemp("typescript")
    for name in ("package.json", "package-lock.json", "confirm.mjs"):
        shutil.copy(SOURCE / name, folder)
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(folder)]
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=LONGEST_INSTALL)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as failed:
        missing(f"npm ci has failed: {(failed.stderr or b'no output').decode()}")
    return folder / "confirm.mjs"


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

    script: Path
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
            self.script,
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
async def typescript(script: Path, live: str, service: Service) -> AsyncIterator[TypeScript]:
    async with httpx.AsyncClient(base_url=live, timeout=10) as http:
        yield TypeScript(script, Service(service.demo, service.container, http))


@pytest.fixture
async def charge(typescript: TypeScript) -> OwnCharge:
    return await new_charge(typescript.live.http, typescript.live)


async def test_a_yes_cancels_the_charge_once(
    typescript: TypeScript, charge: OwnCharge, owner: AsyncEngine
) -> None:
    elsewhere = await new_charge(typescript.live.http, typescript.live, "Vera")
    talk = await typescript.cancel(charge, FORM, YES)
    again = await typescript.cancel(charge, FORM, YES)

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
    typescript: TypeScript,
    charge: OwnCharge,
    elicitation: dict[str, Any],
    answer: dict[str, Any],
    status: str,
    times: int,
) -> None:
    talk = await typescript.cancel(charge, elicitation, answer)

    assert await charge.status() == "pending"
    assert not talk.told["isError"]
    assert talk.said == {"status": status}
    assert len(talk.asked) == times


async def test_a_client_that_can_open_pages_waits_there_for_the_person_s_yes(
    typescript: TypeScript, charge: OwnCharge, owner: AsyncEngine
) -> None:
    async def visit_the_page(question: Question) -> None:
        assert question["mode"] == "url"
        assert await charge.status() == "pending"
        await say_yes(typescript.live, urlsplit(question["url"]).path)

    talk = await typescript.cancel(charge, URL, OPENED, visit_the_page)

    assert talk.said["data"]["status"] == "canceled"
    assert len(talk.asked) == 1
    assert await times_canceled(owner, charge.id) == 1


async def test_a_client_that_cannot_ask_is_told_where_a_person_can_confirm(
    typescript: TypeScript, charge: OwnCharge
) -> None:
    talk = await typescript.cancel(charge, None)

    assert await charge.status() == "pending"
    assert talk.told["isError"]
    assert talk.said["error"]["code"] == "confirmation_required"
    public_url = typescript.live.demo.public_url
    assert talk.said["error"]["confirmation_url"].startswith(f"{public_url}/confirm/")
