"""The whole service over a real database, called without a socket, through either door."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, cast

import httpx
import msgspec

from adapters.auth.embedded.tokens import Bearer
from application.operations.discover import declared_in
from entrypoints.app import build_app
from entrypoints.container import Container
from entrypoints.settings import Settings, read_settings
from tests.builders import StoppedClock
from tests.database import Database

PUBLIC_URL: Final = "http://127.0.0.1:8000"
MODERN: Final = "2026-07-28"
EVERYTHING: Final = "dunning.all"

_ENVELOPE: Final = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Door(StrEnum):
    """The two ways in."""

    REST = "v1"
    MCP = "mcp"


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Whoever a token is minted for."""

    subject: str
    client_id: str
    organization_id: str
    scopes: tuple[str, ...] = (EVERYTHING,)

    def with_scopes(self, *scopes: str) -> "Caller":
        return replace(self, scopes=scopes)

    def bearer(self, door: Door) -> Bearer:
        return Bearer(
            subject=self.subject,
            client_id=self.client_id,
            organization_id=self.organization_id,
            scopes=self.scopes,
            resource=f"{PUBLIC_URL}/{door}",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What an operation answered; over MCP `body` is the document in the text of the result.

    A JSON-RPC error stays one: its `code` is a number.
    """

    status: int
    body: Any
    raw: bytes
    headers: httpx.Headers

    @property
    def code(self) -> str | int | None:
        code: str | int | None = self.error.get("code")
        return code

    @property
    def error(self) -> dict[str, Any]:
        found: dict[str, Any] = self.body.get("error", {})
        return found

    @property
    def refusal(self) -> dict[str, Any]:
        """The error without what differs from one request to the next."""
        return {name: value for name, value in self.error.items() if name != "request_id"}

    @property
    def details(self) -> list[tuple[str, str]]:
        return [(one["field"], one["code"]) for one in self.error.get("details", [])]

    @property
    def data(self) -> Any:
        return self.body["data"]


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """One running service; a test moves its clock."""

    container: Container
    http: httpx.AsyncClient
    clock: StoppedClock
    routes: Mapping[str, tuple[str, str]]

    async def token(self, caller: Caller, door: Door) -> str:
        minted: str = await self.container.issuer().mint(caller.bearer(door))
        return minted

    async def call(
        self,
        door: Door,
        caller: Caller,
        name: str,
        arguments: Mapping[str, Any] | None = None,
        **headers: str,
    ) -> Answer:
        """Run an operation through one door with the same arguments as through the other."""
        if door is Door.REST:
            return await self.rest(caller, name, arguments or {}, **headers)
        return await self.tool(caller, name, arguments or {}, **headers)

    async def rest(
        self, caller: Caller, name: str, arguments: Mapping[str, Any], **headers: str
    ) -> Answer:
        method, template = self.routes[name]
        rest = dict(arguments)
        path = template
        for parameter in [one for one in rest if f"{{{one}}}" in template]:
            path = path.replace(f"{{{parameter}}}", str(rest.pop(parameter)))
        sent = {"params": rest} if method == "GET" else {"content": msgspec.json.encode(rest)}
        response = await self.http.request(
            method,
            f"/v1{path}",
            headers=await self._headers(caller, Door.REST, headers),
            **sent,
        )
        is_json = response.headers.get("content-type") == "application/json"
        return _answer(response, response.json() if is_json else {})

    async def tool(
        self, caller: Caller, name: str, arguments: Mapping[str, Any], **headers: str
    ) -> Answer:
        response = await self.message(
            caller, "tools/call", {"name": name, "arguments": arguments}, mcp_name=name, **headers
        )
        document = response.json()
        if "error" in document:
            return _answer(response, document)
        (block,) = document["result"]["content"]
        return _answer(response, msgspec.json.decode(block["text"]))

    async def tools(self, caller: Caller, query: str = "") -> list[dict[str, Any]]:
        """What `tools/list` shows the caller."""
        response = await self.message(caller, "tools/list", {}, query=query)
        listed: list[dict[str, Any]] = response.json()["result"]["tools"]
        return listed

    async def message(
        self,
        caller: Caller,
        method: str,
        params: Mapping[str, Any],
        *,
        query: str = "",
        **headers: str,
    ) -> httpx.Response:
        """One JSON-RPC request of the modern era."""
        body = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": method,
            "params": {**params, "_meta": _ENVELOPE},
        }
        routing = {"mcp_protocol_version": MODERN, "mcp_method": method}
        return await self.http.post(
            f"/mcp{query}",
            content=msgspec.json.encode(body),
            headers=await self._headers(caller, Door.MCP, {**routing, **headers}),
        )

    async def _headers(
        self, caller: Caller, door: Door, further: Mapping[str, str]
    ) -> dict[str, str]:
        return {
            "authorization": f"Bearer {await self.token(caller, door)}",
            "content-type": "application/json",
            "accept-language": "en",
            **{name.replace("_", "-"): value for name, value in further.items()},
        }


async def both(
    house: House, caller: Caller, operation: str, arguments: Mapping[str, Any]
) -> tuple[Answer, Answer]:
    """What `/v1` answers, and then what the tool does."""
    rest = await house.rest(caller, operation, arguments)
    return rest, await house.tool(caller, operation, arguments)


def settings_for(database: Database) -> Settings:
    """No limits: they are about many requests, and a table of tests is many requests."""
    limits = ("RATE_READ", "RATE_WRITE", "RATE_DESTRUCTIVE", "FLOOD_ANONYMOUS", "FLOOD_UNVERIFIED")
    return read_settings(
        {"PUBLIC_URL": PUBLIC_URL, "DATABASE_URL": database.app, **dict.fromkeys(limits, "0")}
    )


@asynccontextmanager
async def open_house(container: Container, clock: StoppedClock) -> AsyncGenerator[House]:
    """The service as it starts and stops, with a client that speaks to it."""
    app = build_app(container)
    infos = [one.info for one in declared_in(*container.operation_rooms())]
    # Litestar types its scope more narrowly than ASGI's callers do.
    transport = httpx.ASGITransport(app=cast("Any", app), client=("192.0.2.7", 4711))
    async with (
        app.lifespan(),
        httpx.AsyncClient(transport=transport, base_url=PUBLIC_URL) as client,
    ):
        yield House(
            container=container,
            http=client,
            clock=clock,
            routes={info.name: (info.method, info.path) for info in infos},
        )


def _answer(response: httpx.Response, body: Any) -> Answer:
    return Answer(
        status=response.status_code, body=body, raw=response.content, headers=response.headers
    )
