"""Two processes on one database: asked by one, answered at the other, done once."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.command_line import dunning
from tests.e2e.cancellations import CANCEL, OwnCharge, new_charge, say_yes, times_canceled
from tests.e2e.processes import Fleet, fleet
from tests.e2e.service import Service
from tests.protocol.fixtures import Sent, modern

pytestmark = pytest.mark.anyio

FORM: Mapping[str, Any] = {"elicitation": {"form": {}}}
YES: Mapping[str, Any] = {"confirmation": {"action": "accept", "content": {"confirm": True}}}
REPLAYS = 20
LONGEST = 10


@pytest.fixture(scope="module")
async def both(service: Service) -> AsyncIterator[Fleet]:
    async with fleet(service) as running:
        yield running


class Keys:
    """The sealing keys of both, as an operator changes them on the command line."""

    def __init__(
        self, current: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self._capsys = capsys
        self._monkeypatch = monkeypatch
        monkeypatch.setenv("SEALING_KEYS", current)

    def after(self, step: str) -> str:
        """SEALING_KEYS after this step."""
        ran = dunning(self._capsys, "keys", step)
        assert ran.exit_code == 0, ran.err
        self._monkeypatch.setenv("SEALING_KEYS", ran.first_line)
        return ran.first_line


@pytest.fixture
def keys(both: Fleet, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Keys:
    return Keys(both.keys, capsys, monkeypatch)


@dataclass(frozen=True, slots=True)
class Cancellation:
    """A client's request to cancel a charge, in one of its rounds."""

    charge: OwnCharge
    sent: Sent

    async def at(self, service: Service, first_name: str = "Helena") -> dict[str, Any]:
        """What the client is told by this process: a JSON-RPC message."""
        answer = await service.post(self.sent, await service.token(first_name))
        message: dict[str, Any] = answer.json()
        return message

    async def accepted(self, asking: Service) -> "Cancellation":
        """The round after this process has asked, with the person's yes; not sent yet."""
        asked = (await self.at(asking))["result"]
        assert asked["resultType"] == "input_required"
        further = {"requestState": asked["requestState"], "inputResponses": YES}
        return replace(self, sent=self.sent.with_params(**further))


async def cancellation(
    service: Service, *, capabilities: Mapping[str, Any] = FORM, **arguments: str
) -> Cancellation:
    """Of a fresh charge, by a client that can be asked in a form unless said otherwise."""
    charge = await new_charge(service.http, service)
    params = {"name": CANCEL, "arguments": {**charge.arguments, **arguments}}
    return Cancellation(charge, modern("tools/call", params).with_meta(capabilities=capabilities))


def said(message: Mapping[str, Any]) -> dict[str, Any]:
    """The document of a tool's answer; a question has none."""
    (block,) = message["result"]["content"]
    document: dict[str, Any] = json.loads(block["text"])
    return document


def assert_done(message: Mapping[str, Any]) -> None:
    assert said(message)["data"]["status"] == "canceled"


def assert_one_outcome(messages: Iterable[Mapping[str, Any]]) -> None:
    """Each is the outcome, or that another one is at work on it."""
    documents = [said(message) for message in messages]
    refused = [one["error"]["code"] for one in documents if "error" in one]
    outcomes = [one for one in documents if "error" not in one]
    assert set(refused) <= {"IDEMPOTENCY_IN_PROGRESS"}
    assert outcomes
    assert all(one == outcomes[0] for one in outcomes)
    assert outcomes[0]["data"]["status"] == "canceled"


async def replayed(both: Fleet, call: Cancellation) -> list[dict[str, Any]]:
    """The answers to the same request many times at once, half of them at each process."""
    processes = [both.first, both.second] * (REPLAYS // 2)
    return await asyncio.gather(*(call.at(one) for one in processes))


async def page_of(asking: Service, call: Cancellation) -> str:
    """Where this process sends the person, as a path."""
    refused = said(await call.at(asking))["error"]
    assert refused["code"] == "confirmation_required"
    address: str = refused["confirmation_url"]
    return urlsplit(address).path


async def send_and_lose(port: int, call: Cancellation, token: str, owner: AsyncEngine) -> None:
    """Send the request, and hang up without reading as soon as it has been carried out."""
    body = json.dumps(call.sent.message).encode()
    headers = {
        **dict(call.sent.headers),
        "Host": "mcp.example.com",
        "Authorization": f"Bearer {token}",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
    }
    lines = ["POST /mcp HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        async with asyncio.timeout(LONGEST):
            while not await times_canceled(owner, call.charge.id):
                pass
    finally:
        writer.close()


async def test_one_yes_that_both_processes_get_many_times_at_once_has_one_effect(
    both: Fleet, service: Service, owner: AsyncEngine
) -> None:
    accepted = await (await cancellation(service)).accepted(both.first)
    stolen = await accepted.at(both.second, "Vera")
    assert stolen["error"]["code"] == -32602
    assert await accepted.charge.status() == "pending"

    assert_one_outcome(await replayed(both, accepted))
    assert_one_outcome(await replayed(both, accepted))
    assert await times_canceled(owner, accepted.charge.id) == 1


async def test_one_yes_on_the_page_lets_one_of_many_calls_run(
    both: Fleet, service: Service, owner: AsyncEngine
) -> None:
    call = await cancellation(service, capabilities={})
    path = await page_of(both.first, call)
    await say_yes(both.second, path)
    assert await call.charge.status() == "pending"

    assert_one_outcome(await replayed(both, call))
    assert await times_canceled(owner, call.charge.id) == 1


async def test_a_lost_answer_is_given_again_under_the_same_key_and_nobody_is_asked(
    both: Fleet, service: Service, owner: AsyncEngine
) -> None:
    key = "lost-answer"
    call = await cancellation(service, idempotency_key=key)
    accepted = await call.accepted(both.first)
    await send_and_lose(both.port(0), accepted, await service.token(), owner)

    assert_one_outcome([*await replayed(both, call), *await replayed(both, accepted)])
    assert await times_canceled(owner, call.charge.id) == 1
    rest = await both.second.http.post(
        f"/v1/charges/{call.charge.id}/cancel",
        json={"reason": call.charge.arguments["reason"]},
        headers={**call.charge.headers, "Idempotency-Key": key},
    )
    assert rest.status_code == 200
    assert rest.headers["idempotency-replayed"] == "true"


async def test_questions_outlive_restarts_and_each_step_of_changing_the_keys(
    both: Fleet, keys: Keys, service: Service
) -> None:
    by_form = await (await cancellation(service)).accepted(both.first)
    by_page = await cancellation(service, capabilities={})
    path = await page_of(both.first, by_page)
    both.keys = keys.after("add")
    await both.restart(1)
    assert_done(await by_form.at(both.second))
    await both.restart(0)

    both.keys = keys.after("promote")
    await both.restart(0)
    ahead = await (await cancellation(service)).accepted(both.first)
    assert_done(await ahead.at(both.second))
    await say_yes(both.first, path)
    assert_done(await by_page.at(both.second))

    late = await (await cancellation(service)).accepted(both.second)
    in_time = await (await cancellation(service)).accepted(both.first)
    both.keys = keys.after("drop")
    await both.restart(0, 1)
    assert (await late.at(both.first))["error"]["code"] == -32602
    assert await late.charge.status() == "pending"
    assert_done(await in_time.at(both.second))
