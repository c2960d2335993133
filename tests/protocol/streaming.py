"""Reading an answer of several messages, each within bounds and checked against public types."""

import asyncio
import json
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

from mcp_types import methods
from mcp_types.jsonrpc import JSONRPCNotification

from application.mcp.streams import Reply, Stream
from tests.protocol.checks import check_reply
from tests.protocol.fixtures import House, Reader, Sent

LONGEST = 5
"""Seconds after which a test that waits has failed."""


@asynccontextmanager
async def streamed(
    house: House, sent: Sent, caller: Reader | None = None, **asking: Any
) -> AsyncGenerator[Stream]:
    """The stream that answers, closed at the end of the block."""
    async with asyncio.timeout(LONGEST):
        answer = await house.ask(sent, caller, **asking)
        assert isinstance(answer, Stream)
        try:
            yield answer
        finally:
            await answer.rest.aclose()


@contextmanager
def leaving_nothing() -> Generator[None]:
    """What the block begins has ended with it."""
    before = asyncio.all_tasks()
    yield
    assert asyncio.all_tasks() <= before


async def give_up_waiting(stream: Stream) -> None:
    """Wait for the next message for a moment, and then no longer."""
    following = asyncio.ensure_future(anext(stream.rest))
    _, waiting = await asyncio.wait({following}, timeout=0.02)
    assert waiting
    following.cancel()
    await asyncio.wait({following})


async def told(house: House, sent: Sent, caller: Reader | None = None) -> list[dict[str, Any]]:
    """Every message of the answer: notifications, and the response at last."""
    async with streamed(house, sent, caller) as stream:
        raw = [stream.first, *[message async for message in stream.rest]]
    *notes, response = raw
    check_reply(Reply(200, response, stream.headers), json.dumps(sent.message).encode())
    return [*[_checked(note, stream) for note in notes], json.loads(response)]


async def replied(house: House, sent: Sent, caller: Reader | None = None) -> Reply:
    """The answer, which is no stream."""
    async with asyncio.timeout(LONGEST):
        answer = await house.ask(sent, caller)
    assert isinstance(answer, Reply)
    return answer


def _checked(note: bytes, stream: Stream) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(note)
    JSONRPCNotification.model_validate(document, strict=True)
    version = dict(stream.headers)[b"mcp-protocol-version"].decode()
    methods.parse_server_notification(document["method"], version, document["params"])
    return document


def params_of(messages: list[dict[str, Any]], method: str) -> list[dict[str, Any]]:
    """What the notifications of one kind say."""
    return [one["params"] for one in messages if one.get("method") == method]
