"""A small catalogue about a library's books, two profiles, and a client that speaks both eras."""

import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from adapters.auth.seal_keys import SealingRing
from adapters.auth.sealing import JweSeal
from application.mcp.exchange import Services
from application.mcp.mirrored import mirrored_params
from application.mcp.ports import Context, Given, Tool
from application.mcp.profile import ServerProfile
from application.mcp.rounds import NeedsInput, Rounds
from application.mcp.server import McpServer
from application.mcp.streams import Reply, Stream
from domain.access.audit import Origin
from domain.access.policy import Selection
from domain.errors import ScopeMissingError
from domain.ports.limits import Allowance
from domain.ports.operations import RateClass
from domain.ports.sealing import Seal
from domain.texts import Language
from tests.builders import StoppedClock
from tests.protocol.checks import check_reply

MODERN = "2026-07-28"
ENVELOPE_VERSION = "io.modelcontextprotocol/protocolVersion"
ENVELOPE_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
ENVELOPE_CLIENT = "io.modelcontextprotocol/clientInfo"
SERVER_INFO = "io.modelcontextprotocol/serverInfo"

SCOPES = ("library.read", "library.write")
"""What a caller is told to ask for."""

RING = SealingRing.fresh()
SEAL = JweSeal(RING, "requestState")

PRODUCT = ServerProfile(
    server_info={"name": "library", "title": "Library", "version": "1.2.3"},
    instructions="Tools of an invented library.",
    modern=(MODERN,),
    legacy=("2025-06-18", "2025-03-26"),
    discovered=(MODERN, "2025-06-18", "2025-03-26"),
    initialize_default="2025-06-18",
    modern_capabilities={"tools": {}},
    legacy_capabilities={"tools": {"listChanged": False}},
)
STRICT = ServerProfile(
    server_info={"name": "strict-library", "version": "0.1.0"},
    instructions="Tools of a stricter library.",
    modern=(MODERN,),
    legacy=("2025-11-25", "2025-06-18", "2025-03-26"),
    discovered=(MODERN,),
    initialize_default="2025-11-25",
    modern_capabilities={"tools": {"listChanged": True}},
    legacy_capabilities={"tools": {"listChanged": True}},
    strict_mcp_name=True,
    unknown_tool="Tool {name} not found",
    header_mismatch="Bad Request: the request headers and body disagree: {reason}",
)


@dataclass(frozen=True)
class Reader:
    """A caller: what the role gives, what the token adds, who it is and whose library it is."""

    library: str = "lib_one"
    name: str = "reader_one"
    client: str = "client_one"
    shelves: frozenset[str] = frozenset({"books", "loans"})
    scopes: frozenset[str] = frozenset({"read", "write"})


@dataclass(frozen=True)
class GivenAnswer:
    status: int
    body: bytes


@dataclass(frozen=True)
class Listed:
    """A tool of the fixture: its shelf is its toolset and the right that shows it."""

    shelf: str
    rate_class: RateClass = "read"
    scope: str = "read"
    properties: Mapping[str, Any] = field(default_factory=dict)

    @property
    def schema(self) -> dict[str, Any]:
        return {"type": "object", "properties": self.properties, "additionalProperties": False}


TOOLS: Mapping[str, Listed] = {
    "books_list": Listed("books", properties={"page": {"type": "integer"}}),
    "books_count": Listed("books"),
    "loans_create": Listed("loans", "write", "write", {"book": {"type": "string"}}),
    "loans_delete": Listed("loans", "destructive", "write", {"id": {"type": "string"}}),
    "shelf_find": Listed(
        "books",
        properties={
            "room": {"type": "string", "x-mcp-header": "Room"},
            "at": {
                "type": "object",
                "properties": {
                    "row": {"type": "integer", "x-mcp-header": "Row"},
                    "lit": {"type": "boolean", "x-mcp-header": "Lit"},
                },
            },
        },
    ),
    "livros_açúcar": Listed("books"),
}

Answered = GivenAnswer | Given | NeedsInput
Behaviour = Callable[[Mapping[str, Any], Rounds], Answered | Awaitable[Answered]]


def answer(document: object, status: int = 200) -> Behaviour:
    body = b"" if document is None else msgspec.json.encode(document)
    return lambda _arguments, _rounds: GivenAnswer(status, body)


def refusal(error: Exception) -> Behaviour:
    def refuse(_arguments: Mapping[str, Any], _rounds: Rounds) -> GivenAnswer:
        raise error

    return refuse


class Books:
    """The catalogue. Counts how often definitions were made, and keeps every call."""

    def __init__(self, tools: Mapping[str, Listed] = TOOLS) -> None:
        self.tools = tools
        self.behaviour: Behaviour = answer({"data": [], "meta": {"total": 0}})
        self.calls: list[tuple[str, Reader, dict[str, Any], Context]] = []
        self.definitions_made = 0
        self._mirrored = {name: mirrored_params(tool.schema) for name, tool in tools.items()}

    @property
    def toolsets(self) -> frozenset[str]:
        return frozenset(tool.shelf for tool in self.tools.values())

    def visible(self, caller: Reader, selection: Selection) -> frozenset[str]:
        return frozenset(
            name
            for name in self.tools
            if self.find(name, caller, selection) and self.tools[name].scope in caller.scopes
        )

    def variant(self, caller: Reader) -> str:
        return caller.library

    def definitions(self, visible: frozenset[str], caller: Reader) -> Iterable[bytes]:
        self.definitions_made += 1
        for name, tool in self.tools.items():
            if name in visible:
                yield msgspec.json.encode(
                    {
                        "name": name,
                        "title": f"{name} of {caller.library}",
                        "description": "An invented tool.",
                        "inputSchema": tool.schema,
                        "annotations": {"readOnlyHint": tool.rate_class == "read"},
                    }
                )

    def find(self, name: str, caller: Reader, selection: Selection) -> Tool | None:
        tool = self.tools.get(name)
        if tool is None or tool.shelf not in caller.shelves:
            return None
        if selection.toolsets and tool.shelf not in selection.toolsets:
            return None
        if selection.read_only and tool.rate_class != "read":
            return None
        return Tool(
            rate_class=tool.rate_class,
            mirrored=self._mirrored[name],
        )

    def identity(self, caller: Reader) -> tuple[str, ...]:
        return caller.library, caller.name, caller.client

    async def call(
        self,
        name: str,
        caller: Reader,
        arguments: Mapping[str, Any],
        context: Context,
        rounds: Rounds,
    ) -> Answered:
        if self.tools[name].scope not in caller.scopes:
            raise ScopeMissingError(SCOPES)
        self.calls.append((name, caller, dict(arguments), context))
        answered = self.behaviour(arguments, rounds)
        return await answered if isinstance(answered, Awaitable) else answered


class Buckets:
    """Limits that never end until `spent` says otherwise; keeps what was taken."""

    def __init__(self) -> None:
        self.spent = False
        self.taken: list[RateClass] = []

    async def take(self, _caller: Reader, rate_class: RateClass) -> Allowance:
        self.taken.append(rate_class)
        if self.spent:
            return Allowance(limit=30, window=60, remaining=0, reset_after=17, retry_after=2)
        return Allowance(limit=30, window=60, remaining=29, reset_after=60, retry_after=0)


class House:
    """A server with everything that a test may want to look at."""

    def __init__(
        self,
        profile: ServerProfile = PRODUCT,
        tools: Mapping[str, Listed] = TOOLS,
        seal: Seal = SEAL,
        **services: Any,
    ) -> None:
        self.profile = profile
        self.books = Books(tools)
        self.buckets = Buckets()
        self.clock = StoppedClock()
        self.failures: list[Exception] = []
        self.server = McpServer(
            Services(
                profile=profile,
                catalogue=self.books,
                limits=self.buckets,
                seal=seal,
                clock=self.clock,
                **services,
            ),
            lambda failure, _context: self.failures.append(failure),
        )

    async def post(
        self,
        body: bytes | object,
        headers: Sequence[tuple[str, str]] = (),
        *,
        query: str = "",
        caller: Reader | None = None,
        language: Language = "pt-BR",
        takes_json: bool = True,
    ) -> Reply:
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        context = Context(Origin(request_id="req_1", via="mcp"), language, takes_json)
        lines = [(name.lower().encode(), value.encode("latin-1")) for name, value in headers]
        reply = await self.server.handle(raw, lines, query, caller or Reader(), context)
        assert isinstance(reply, Reply)
        check_reply(reply, raw)
        return reply

    async def ask(
        self,
        sent: "Sent",
        caller: Reader | None = None,
        *,
        takes_json: bool = True,
        until: float | None = None,
    ) -> Reply | Stream:
        """The answer to a client that takes event streams; what is no stream is checked."""
        raw = json.dumps(sent.message).encode()
        origin = Origin(request_id="req_1", via="mcp")
        context = Context(origin, "en", takes_json, takes_stream=True, until=until)
        lines = [(name.lower().encode(), value.encode("latin-1")) for name, value in sent.headers]
        reply = await self.server.handle(raw, lines, "", caller or Reader(), context)
        if isinstance(reply, Reply):
            check_reply(reply, raw)
        return reply


@dataclass(frozen=True)
class Sent:
    """A request as a test builds it: change one thing and send it."""

    message: dict[str, Any]
    headers: tuple[tuple[str, str], ...]

    def with_header(self, name: str, *values: str) -> "Sent":
        """The same with `name` sent once for each of `values`, or not at all."""
        kept = tuple(pair for pair in self.headers if pair[0] != name)
        return Sent(self.message, (*kept, *((name, value) for value in values)))

    def with_params(self, **params: object) -> "Sent":
        return Sent({**self.message, "params": {**self.message["params"], **params}}, self.headers)

    def with_meta(self, **meta: object) -> "Sent":
        """Members of `_meta` by the last word of their key; `...` takes one out."""
        keys = {"version": ENVELOPE_VERSION, "capabilities": ENVELOPE_CAPABILITIES}
        keys["client"] = ENVELOPE_CLIENT
        members = dict(self.message["params"]["_meta"])
        members.update({keys[name]: value for name, value in meta.items()})
        return self.with_params(
            _meta={key: value for key, value in members.items() if value is not ...}
        )

    async def to(self, house: House, query: str = "", caller: Reader | None = None) -> Reply:
        return await house.post(self.message, self.headers, query=query, caller=caller)


def modern(method: str, params: Mapping[str, Any] | None = None, **extra: Any) -> Sent:
    """A right request of the modern era."""
    params = dict(params or {})
    headers = [("MCP-Protocol-Version", MODERN), ("Mcp-Method", method)]
    name = params.get("name", params.get("uri"))
    if isinstance(name, str):
        headers.append(("Mcp-Name", name))
    params["_meta"] = {
        ENVELOPE_VERSION: MODERN,
        ENVELOPE_CLIENT: {"name": "a-client", "version": "1.0.0"},
        ENVELOPE_CAPABILITIES: {},
    }
    return Sent(
        {"jsonrpc": "2.0", "id": 7, "method": method, "params": params, **extra}, tuple(headers)
    )


def legacy(
    method: str, params: Mapping[str, Any] | None = None, *, version: str | None = "2025-06-18"
) -> Sent:
    """A right request of the legacy era, after no handshake at all."""
    message = {"jsonrpc": "2.0", "id": 7, "method": method, "params": dict(params or {})}
    return Sent(message, () if version is None else (("MCP-Protocol-Version", version),))


def document(reply: Reply) -> Any:
    assert reply.body is not None
    return json.loads(reply.body)


def result(reply: Reply) -> Any:
    assert reply.status == 200, reply
    return document(reply)["result"]


def error(reply: Reply) -> Any:
    return document(reply)["error"]


def text(reply: Reply) -> str:
    [block] = result(reply)["content"]
    assert block["type"] == "text"
    return str(block["text"])


def header(reply: Reply, name: bytes) -> str | None:
    return next((value.decode() for known, value in reply.headers if known == name), None)
