"""One MCP server: from the body of a POST to its answer."""

from collections.abc import Mapping
from typing import Final, Generic

import msgspec

from application.mcp.envelope import Malformed, decode
from application.mcp.errors import (
    INTERNAL_ERROR,
    RequestId,
    RpcError,
    status_from_method,
    status_of_malformed,
)
from application.mcp.exchange import Exchange, Services
from application.mcp.headers import RawHeaders, Routing, read_routing
from application.mcp.ladder import Ladder, Refusal
from application.mcp.methods import bind_methods
from application.mcp.outcomes import Complete, NotAcceptable, Outcome, RawHeader, Refused
from application.mcp.ports import CallerT, Context, NoteFailure
from application.mcp.results import encode
from application.mcp.revisions import REVISIONS
from application.mcp.selection import read_selection

_VERSION_HEADER: Final[Mapping[str, RawHeader]] = {
    revision: (b"mcp-protocol-version", revision.encode()) for revision in REVISIONS
}


class Reply(msgspec.Struct, frozen=True):
    """An HTTP answer. A 202 has no body at all; that of a 406 is the door's own.

    `challenge_scopes` are those that `WWW-Authenticate` has to name.
    """

    status: int
    body: bytes | None = None
    headers: tuple[RawHeader, ...] = ()
    challenge_scopes: tuple[str, ...] = ()


class McpServer(Generic[CallerT]):
    """Answers one message at a time and remembers nothing of it."""

    def __init__(self, services: Services[CallerT], note_failure: NoteFailure) -> None:
        self._profile = services.profile
        self._catalogue = services.catalogue
        self._note_failure = note_failure
        self._methods = bind_methods(services)
        self._ladder = Ladder(self._profile, self._methods)

    async def handle(
        self, body: bytes, headers: RawHeaders, query: str, caller: CallerT, context: Context
    ) -> Reply:
        """Answer the body of one POST that the door has let in."""
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
        try:
            outcome = await self._methods[route.method, route.revision](exchange)
        except Exception as failure:  # noqa: BLE001  # the client gets an answer, the log the rest
            self._note_failure(failure, context)
            outcome = Refused(RpcError(INTERNAL_ERROR, "Internal error"))
        return _reply(outcome, message.id, route.revision)

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
            return encode({"jsonrpc": "2.0", "error": _error_object(error)})
        return _error(error, request_id)


def _reply(outcome: Outcome, request_id: RequestId, revision: str) -> Reply:
    version = _VERSION_HEADER[revision]
    if isinstance(outcome, Complete):
        head = b'{"jsonrpc":"2.0","id":', encode(request_id), b',"result":'
        return Reply(200, b"".join((*head, *outcome.pieces, b"}")), (version,))
    if isinstance(outcome, NotAcceptable):
        return Reply(406, None, (version,))
    return Reply(
        status_from_method(outcome.error, REVISIONS[revision]),
        _error(outcome.error, request_id),
        (version, *outcome.headers),
        outcome.scopes,
    )


def _reply_to_refused(refusal: Refusal, request_id: RequestId) -> Reply:
    body = _error(refusal.error, request_id)
    return Reply(refusal.status, body, (_VERSION_HEADER[refusal.revision],))


def _error(error: RpcError, request_id: RequestId | None) -> bytes:
    return encode({"jsonrpc": "2.0", "id": request_id, "error": _error_object(error)})


def _error_object(error: RpcError) -> dict[str, object]:
    members: dict[str, object] = {"code": error.code, "message": error.message}
    return members if error.data is None else {**members, "data": error.data}
