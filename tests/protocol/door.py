"""The HTTP door before a library, and a client that reads an answer piece by piece."""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, cast

from adapters.http.admission import Admission
from adapters.http.deadline import Deadlines
from adapters.http.edge import Edge
from adapters.http.mcp import McpEndpoint
from adapters.http.messages import Incoming
from adapters.http.origins import Origins
from adapters.http.resources import ProtectedResource
from entrypoints.app import Service
from entrypoints.cli.listening import bound_socket, server_of
from tests.builders import IDS
from tests.protocol.fixtures import Reader, Sent
from tests.protocol.library import Library
from tests.protocol.streaming import LONGEST

PUBLIC = "https://mcp.example.com"
PAGE = "https://app.example.com"
BOTH = "application/json, text/event-stream"
"""What the specification has clients accept."""


class ReaderGate:
    """Lets everybody in as `reader`, whose token ends at `expires_at`, in Unix seconds."""

    def __init__(self, reader: Reader, expires_at: float | None) -> None:
        self._reader = reader
        self._expires_at = expires_at

    async def admit(self, incoming: Incoming, _surface: str) -> Reader:
        incoming.is_admitted = True
        incoming.expires_at = self._expires_at
        return self._reader

    def address(self, _incoming: Incoming) -> str:
        return "192.0.2.7"


def door(
    library: Library,
    *,
    places: int = 2,
    deadline: float = 30,
    expires_at: float | None = None,
    reader: Reader | None = None,
) -> McpEndpoint:
    """An endpoint with so many places and so many seconds for each request."""
    edge = Edge(
        origins=Origins(PUBLIC, (PAGE,)),
        gate=cast("Any", ReaderGate(reader or Reader(), expires_at)),
        callers=cast("Any", library.buckets),
        admission=Admission(places),
        gathering=Admission(places),
        deadlines=Deadlines(deadline),
        ids=IDS,
        clock=library.clock,
        on_failure=lambda _request, failure: library.failures.append(cast("Exception", failure)),
    )
    resource = ProtectedResource(
        public_url=PUBLIC, path="/mcp", surface="mcp", name="Library", challenge_scopes="read"
    )
    return McpEndpoint(edge=edge, server=cast("Any", library.server), resource=resource)


class Client:
    """One request and the pieces of its answer, which are taken only while the client reads."""

    def __init__(self, sent: Sent, headers: dict[str, str]) -> None:
        self._sent = sent
        self._headers = headers
        self._taken: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._has_asked = False
        self.reads, self.is_gone = asyncio.Event(), asyncio.Event()
        self.reads.set()
        self.status = 0
        self.headers: dict[str, str] = {}

    @property
    def scope(self) -> dict[str, Any]:
        """The request line and headers, as an ASGI server has read them."""
        pairs = {**dict(self._sent.headers), "Content-Type": "application/json", **self._headers}
        lines = [(name.lower().encode(), value.encode()) for name, value in pairs.items()]
        return {
            "type": "http", "method": "POST", "path": "/mcp", "query_string": b"", "headers": lines
        }  # fmt: skip

    async def receive(self) -> dict[str, Any]:
        """The body, and then nothing until the client hangs up."""
        if self._has_asked:
            await self.is_gone.wait()
            return {"type": "http.disconnect"}
        self._has_asked = True
        return {"type": "http.request", "body": json.dumps(self._sent.message).encode()}

    async def send(self, message: dict[str, Any]) -> None:
        """Take a piece of the answer, as soon as the client reads."""
        await self.reads.wait()
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            self._taken.put_nowait(message)

    async def part(self) -> bytes:
        """The next piece; empty at the end of the answer."""
        async with asyncio.timeout(LONGEST):
            message = await self._taken.get()
        assert bool(message["body"]) or not message.get("more_body")
        return bytes(message["body"])

    async def event(self) -> Any:
        """The message in the next piece, which is an event and no comment."""
        return read_event(await self.part())

    async def document(self) -> Any:
        """The answer that came whole, as JSON."""
        document = json.loads(await self.part())
        assert self.headers["content-type"] == "application/json"
        return document


def read_event(part: bytes) -> Any:
    """The message in one event, whose frame is checked."""
    kind, data, *rest = part.decode().split("\n")
    assert (kind, rest) == ("event: message", ["", ""])
    assert "\r" not in data
    assert data.startswith("data: ")
    return json.loads(data.removeprefix("data: "))


@asynccontextmanager
async def asking(
    endpoint: McpEndpoint, sent: Sent, *, accept: str = BOTH, **headers: str
) -> AsyncGenerator[tuple[Client, "asyncio.Task[None]"]]:
    """A client and the task that answers it; at the end of the block it hangs up."""
    client = Client(sent, {"Accept": accept, **headers})
    answering = asyncio.create_task(endpoint(client.scope, client.receive, client.send))
    try:
        yield client, answering
    finally:
        client.is_gone.set()
        client.reads.set()
        _, still_answering = await asyncio.wait({answering}, timeout=LONGEST)
        assert not still_answering


async def answered(endpoint: McpEndpoint, sent: Sent, *, accept: str = BOTH) -> Client:
    """The client after an answer that came whole."""
    async with asking(endpoint, sent, accept=accept) as (client, answering):
        async with asyncio.timeout(LONGEST):
            await answering
    return client


@asynccontextmanager
async def listening(endpoint: McpEndpoint) -> AsyncGenerator[str]:
    """The address of the endpoint on a real socket."""
    kept = logging.root.handlers[:]
    with bound_socket("127.0.0.1", 0) as bound:
        app = Service(
            {"/mcp": endpoint}, route_handlers=[], openapi_config=None, logging_config=None
        )
        server = server_of(app, deadline=0)
        # The log belongs to the process, which runs other tests as well.
        logging.root.handlers[:] = kept
        ending = asyncio.create_task(server.serve(sockets=[bound]))
        await server.listens.wait()
        try:
            yield f"http://127.0.0.1:{bound.getsockname()[1]}/mcp"
        finally:
            server.should_exit = True
            async with asyncio.timeout(LONGEST):
                await ending
