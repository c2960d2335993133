"""Event streams over a real connection: as they come, given up, left unread, and at the end."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from application.mcp.rounds import Rounds
from tests.protocol.door import BOTH, door, listening, read_event
from tests.protocol.fixtures import GivenAnswer, Sent, modern
from tests.protocol.library import Library
from tests.protocol.reporting import DONE, STEPS, Waiting, call, reporting
from tests.protocol.requirements import proves
from tests.protocol.streaming import LONGEST

pytestmark = pytest.mark.anyio

LISTEN = modern("subscriptions/listen", {"notifications": {}})
WATCHED = call(progressToken="p")


@asynccontextmanager
async def posted(address: str, sent: Sent) -> AsyncGenerator[httpx.Response]:
    headers = {**dict(sent.headers), "Accept": BOTH}
    async with (
        asyncio.timeout(LONGEST),
        httpx.AsyncClient(timeout=LONGEST) as http,
        http.stream("POST", address, json=sent.message, headers=headers) as response,
    ):
        yield response


async def events(response: httpx.Response) -> AsyncIterator[Any]:
    frame = ""
    async for line in response.aiter_lines():
        frame += f"{line}\n"
        if not line:
            yield read_event(frame.encode())
            frame = ""


@proves("sse.frames", "stream.progress")
async def test_a_stream_arrives_message_by_message() -> None:
    library, go_on = Library(), asyncio.Event()

    async def report(_arguments: Mapping[str, Any], rounds: Rounds) -> GivenAnswer:
        rounds.reports.progress(1)
        await go_on.wait()
        return DONE

    library.books.behaviour = report
    async with listening(door(library)) as address, posted(address, WATCHED) as response:
        assert response.headers["content-type"] == "text/event-stream"
        said = events(response)
        assert (await anext(said))["params"] == {"progressToken": "p", "progress": 1}
        go_on.set()
        assert "result" in await anext(said)
        assert [more async for more in said] == []


@proves("sse.gone", "stream.cancelled")
async def test_m4_hanging_up_stops_the_work() -> None:
    library = Library()
    library.books.behaviour = waiting = Waiting()
    async with listening(door(library)) as address:
        async with posted(address, WATCHED) as response:
            await anext(events(response))
        async with asyncio.timeout(LONGEST):
            await waiting.ended.wait()
    assert waiting.was_cancelled


@proves("listen.caps", "sse.gone")
async def test_the_places_of_listens_that_hung_up_are_free_again() -> None:
    library = Library()
    async with listening(door(library)) as address:
        for _ in range(5):
            async with posted(address, LISTEN) as response:
                await anext(events(response))
        async with asyncio.timeout(LONGEST):
            while not await _all_places_are_free(address):
                pass


async def _all_places_are_free(address: str) -> bool:
    """Whether five can listen at once, and no sixth."""
    async with AsyncExitStack() as stack:
        six = [await stack.enter_async_context(posted(address, LISTEN)) for _ in range(6)]
        return [response.status_code for response in six] == [200] * 5 + [503]


@proves("listen.ends")
async def test_a_listen_ends_with_its_result_before_the_server_does() -> None:
    library = Library()
    async with listening(door(library)) as address, posted(address, LISTEN) as response:
        said = events(response)
        assert "method" in await anext(said)
        library.streams.close()
        assert [message["result"]["resultType"] async for message in said] == ["complete"]


@proves("stream.bounded")
async def test_whoever_reads_late_gets_the_first_reports_and_the_result() -> None:
    library, is_done = Library(), asyncio.Event()

    async def hasty(_arguments: Mapping[str, Any], rounds: Rounds) -> GivenAnswer:
        for step in range(5_000):
            rounds.reports.progress(step, message="x" * 10_000)
            await asyncio.sleep(0)
        is_done.set()
        return DONE

    library.books.behaviour = hasty
    async with listening(door(library)) as address, asyncio.timeout(LONGEST):
        parts = urlsplit(address)
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port, limit=1_000)
        body = json.dumps(WATCHED.message).encode()
        head = [
            "POST /mcp HTTP/1.1", "Host: x", f"Accept: {BOTH}", "Content-Type: application/json",
            "Connection: close", f"Content-Length: {len(body)}",
            *(f"{name}: {value}" for name, value in WATCHED.headers),
        ]  # fmt: skip
        writer.write("\r\n".join([*head, "", ""]).encode() + body)
        await is_done.wait()
        said = await reader.read()
        while more := await reader.read(65_536):
            said += more
        writer.close()
    assert b'"result"' in said
    assert said.count(b"event: message") < 5_000


@proves("stream.progress")
async def test_many_streams_at_once_keep_to_themselves() -> None:
    async def one(address: str, token: int) -> list[Any]:
        async with posted(address, call(progressToken=token)) as response:
            return [message async for message in events(response)]

    async with listening(door(reporting(*STEPS), places=50)) as address:
        every = await asyncio.gather(*(one(address, token) for token in range(20)))
    for token, (*progress, response) in enumerate(every):
        assert [message["params"]["progressToken"] for message in progress] == [token] * 3
        assert "result" in response
