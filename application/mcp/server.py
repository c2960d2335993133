"""One MCP server: from the body of a POST to its answer."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, Generic

from msgspec import structs

from application.mcp.envelope import Malformed, Message, decode
from application.mcp.errors import (
    INTERNAL_ERROR,
    UNAVAILABLE,
    RequestId,
    RpcError,
    status_from_method,
    status_of_malformed,
)
from application.mcp.exchange import Exchange, Services
from application.mcp.headers import RawHeaders, Routing, read_routing
from application.mcp.in_band import InBand
from application.mcp.ladder import Ladder, Refusal, Route
from application.mcp.methods import STREAMS, bind_methods
from application.mcp.outcomes import Complete, Listening, NotAcceptable, RawHeader, Refused
from application.mcp.ports import CallerT, Context, NoteFailure
from application.mcp.reports import SILENT, Level, Reports, Send, level_in, token_in
from application.mcp.results import encode, error_message, error_object
from application.mcp.revisions import REVISIONS
from application.mcp.selection import read_selection
from application.mcp.streams import Reply, Stream, opened, reported
from domain.access.policy import EVERYTHING

_VERSION_HEADER: Final[Mapping[str, RawHeader]] = {
    revision: (b"mcp-protocol-version", revision.encode()) for revision in REVISIONS
}


class McpServer(Generic[CallerT]):
    """Answers one message at a time and remembers nothing of it."""

    def __init__(self, services: Services[CallerT], note_failure: NoteFailure) -> None:
        self._profile = services.profile
        self._catalogue = services.catalogue
        self._note_failure = note_failure
        self._methods = bind_methods(services)
        self._ladder = Ladder(self._profile, self._methods)
        self._in_band = InBand(self._profile)

    async def handle(
        self, body: bytes, headers: RawHeaders, query: str, caller: CallerT, context: Context
    ) -> Reply | Stream:
        """Answer the body of one message that the door has let in."""
        routing = read_routing(headers)
        message = decode(body)
        if isinstance(message, Malformed):
            return self._reply_to_malformed(message, routing)
        if message.id is None:
            return self._reply_to_notification(routing)
        route = self._ladder.climb(message, routing)
        if isinstance(route, Refusal):
            return _reply_to_refused(route, message.id)
        selection = read_selection(query, self._catalogue.toolsets)
        if isinstance(selection, RpcError):
            refusal = Refusal(selection, status_of_malformed(selection), route.revision)
            return _reply_to_refused(refusal, message.id)
        exchange = Exchange(message.params, headers, caller, selection, context)
        return await self._answer(route, message.id, exchange)

    async def handle_bare(
        self, message: Message, settled: str | None, caller: CallerT, context: Context
    ) -> Reply | Stream:
        """Answer a request of a connection without headers.

        `settled` is the revision that the connection's `initialize` was answered in, None before.
        """
        assert message.id is not None  # noqa: S101 -- a notification has no answer
        version = settled or self._profile.initialize_default
        route = self._ladder.climb(message, Routing(version, are_headers=False))
        if isinstance(route, Refusal):
            return _reply_to_refused(route, message.id)
        exchange = Exchange(message.params, None, caller, EVERYTHING, context)
        return await self._answer(route, message.id, exchange)

    async def _answer(
        self, route: Route, request_id: RequestId, exchange: Exchange[CallerT]
    ) -> Reply | Stream:
        async def run(reports: Reports) -> Reply | Stream:
            return await self._run(route, request_id, structs.replace(exchange, reports=reports))

        reports_to = self._reports_wanted(route, exchange)
        if reports_to is None:
            return await run(SILENT)
        overdue = error_message(RpcError(UNAVAILABLE, "Service unavailable"), request_id)
        return await reported(run, reports_to, overdue, (_VERSION_HEADER[route.revision],))

    async def _run(
        self, route: Route, request_id: RequestId, exchange: Exchange[CallerT]
    ) -> Reply | Stream:
        try:
            outcome = await self._methods[route.method, route.revision](exchange)
        except Exception as failure:  # noqa: BLE001  # the client gets an answer, the log the rest
            self._note_failure(failure, exchange.context)
            outcome = Refused(RpcError(INTERNAL_ERROR, "Internal error"))
        if exchange.headers is None:
            outcome = self._in_band(outcome, route, exchange.context)
        if isinstance(outcome, Listening):
            return await opened(outcome.messages(request_id), (_VERSION_HEADER[route.revision],))
        return _reply(outcome, request_id, route.revision)

    def _reports_wanted(
        self, route: Route, exchange: Exchange[CallerT]
    ) -> Callable[[Send], Reports] | None:
        """Makes what the client wants to hear while it waits; None if nothing, or it cannot be."""
        can_be_told = self._profile.streams and exchange.context.takes_stream
        if not can_be_told or route.method in STREAMS:
            return None
        meta = exchange.params.get("_meta")
        meta = meta if isinstance(meta, dict) else {}
        token, level = token_in(meta), self._level(route, meta)
        if token is None and level is None:
            return None
        return partial(Reports, token=token, level=level)

    def _level(self, route: Route, meta: Mapping[str, Any]) -> Level | None:
        if REVISIONS[route.revision] == "modern":
            return level_in(meta)
        # Older clients set a level for the connection, which nobody here remembers.
        return "info" if "logging" in self._profile.legacy_capabilities else None

    def refuse(self, status: int, code: int, message: str, headers: RawHeaders) -> Reply:
        """A JSON-RPC error of the door's own, about a request whose id nobody read."""
        return Reply(status, self._error_body(RpcError(code, message), None, read_routing(headers)))

    def _reply_to_malformed(self, malformed: Malformed, routing: Routing) -> Reply:
        body = self._error_body(malformed.error, malformed.id, routing)
        return Reply(status_of_malformed(malformed.error), body)

    def _reply_to_notification(self, routing: Routing) -> Reply:
        refusal = self._ladder.refuse_notification(routing)
        if refusal is None:
            return Reply(202)
        body = self._error_body(refusal.error, None, routing)
        return Reply(refusal.status, body, (_VERSION_HEADER[refusal.revision],))

    def _error_body(self, error: RpcError, request_id: RequestId | None, routing: Routing) -> bytes:
        """An error without an id says so in the words of the caller's era."""
        if request_id is None and routing.version in self._profile.modern:
            return encode({"jsonrpc": "2.0", "error": error_object(error)})
        return error_message(error, request_id)


def _reply(
    outcome: Complete | Refused | NotAcceptable, request_id: RequestId, revision: str
) -> Reply:
    version = _VERSION_HEADER[revision]
    if isinstance(outcome, Complete):
        head = b'{"jsonrpc":"2.0","id":', encode(request_id), b',"result":'
        return Reply(200, b"".join((*head, *outcome.pieces, b"}")), (version,))
    if isinstance(outcome, NotAcceptable):
        return Reply(406, None, (version,))
    return Reply(
        status_from_method(outcome.error, REVISIONS[revision]),
        error_message(outcome.error, request_id),
        (version, *outcome.headers),
        outcome.scopes,
    )


def _reply_to_refused(refusal: Refusal, request_id: RequestId) -> Reply:
    body = error_message(refusal.error, request_id)
    return Reply(refusal.status, body, (_VERSION_HEADER[refusal.revision],))
