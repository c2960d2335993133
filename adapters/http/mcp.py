"""The MCP endpoint as a raw ASGI handler: the edge's steps, then the engine."""

from dataclasses import dataclass
from typing import Final

import msgspec
from litestar.handlers import ASGIRouteHandler

from adapters.http.accept import accepted_of
from adapters.http.edge import MAX_BODY, Edge
from adapters.http.edge_errors import (
    MethodNotAllowedError,
    NotAcceptableError,
    OriginNotAllowedError,
    PayloadTooLargeError,
    UnsupportedMediaTypeError,
)
from adapters.http.messages import (
    ClientGoneError,
    Headers,
    Incoming,
    RawHeaders,
    Receive,
    Scope,
    Send,
    answer,
    is_json,
    read_body,
)
from adapters.http.origins import preflight
from adapters.http.resources import ProtectedResource
from adapters.http.statuses import status_of
from application.mcp.errors import INTERNAL_ERROR, INVALID_REQUEST, TOO_MANY_REQUESTS
from application.mcp.ports import Context
from application.mcp.server import McpServer, Reply
from application.operations.refusals import error_body, language_of
from domain.access.audit import Origin
from domain.access.grant import Grant
from domain.errors import DomainError, RateLimitedError, UnauthenticatedError, UnavailableError
from domain.texts import Language

ALLOW: Final = "POST, OPTIONS"
NOT_ACCEPTABLE: Final = 406


@dataclass(frozen=True, slots=True, kw_only=True)
class McpEndpoint:
    """One path of an MCP server as an ASGI application."""

    edge: Edge
    server: McpServer[Grant]
    resource: ProtectedResource

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, whatever happens in it."""
        incoming = Incoming(scope, Headers(scope["headers"]), self.edge.ids.new("req"))
        origin = self.edge.origins.judge(incoming.headers)
        try:
            reply = await self._reply(incoming, receive, accepted=origin.accepted)
        except ClientGoneError:
            return
        except DomainError as refused:
            reply = self._refusal(refused, incoming)
        except Exception as failure:  # noqa: BLE001 -- the last line: no exception text goes out
            self.edge.on_failure(incoming.request_id, failure)
            reply = self.server.refuse(500, INTERNAL_ERROR, "Internal error", incoming.headers.raw)
        await answer(
            send, reply.status, reply.body or b"", [*self._headers(reply), *origin.headers]
        )

    async def _reply(self, incoming: Incoming, receive: Receive, *, accepted: bool) -> Reply:
        if incoming.method not in {"POST", "OPTIONS"}:
            raise MethodNotAllowedError
        body = await read_body(incoming.headers, receive, MAX_BODY)
        if not accepted:
            raise OriginNotAllowedError
        if incoming.method == "OPTIONS":
            return Reply(204, None, tuple(preflight(incoming.headers, ALLOW)))
        with self.edge.admission:
            return await self._admitted(incoming, body)

    async def _admitted(self, incoming: Incoming, body: bytes) -> Reply:
        headers = incoming.headers
        grant = await self.edge.gate.admit(incoming, self.resource.surface)
        if not is_json(headers):
            raise UnsupportedMediaTypeError
        accepted = accepted_of(headers)
        if accepted == "neither":
            raise NotAcceptableError
        address = self.edge.gate.address(incoming)
        context = Context(
            origin=Origin(request_id=incoming.request_id, via="mcp", ip=address),
            language=_language(headers),
            takes_json=accepted == "json",
        )
        query = incoming.scope["query_string"].decode("latin-1")
        reply = await self.server.handle(body, headers.raw, query, grant, context)
        return self._with_body(reply, incoming)

    def _with_body(self, reply: Reply, incoming: Incoming) -> Reply:
        """The engine leaves what is not JSON-RPC to the door."""
        if reply.status != NOT_ACCEPTABLE:
            return reply
        plain = _plain(NotAcceptableError(), incoming)
        return Reply(reply.status, plain, reply.headers)

    def _refusal(self, refused: DomainError, incoming: Incoming) -> Reply:
        """Before an id is known: limits in the protocol's words, the rest as plain JSON."""
        headers = incoming.headers.raw
        if isinstance(refused, PayloadTooLargeError):
            return self.server.refuse(413, INVALID_REQUEST, "Request body too large", headers)
        if isinstance(refused, RateLimitedError):
            reply = self.server.refuse(429, TOO_MANY_REQUESTS, "Too many requests", headers)
            return _later(reply, refused.retry_after)
        status = status_of(refused)
        plain = _plain(refused, incoming)
        reply = Reply(status, plain)
        if isinstance(refused, UnavailableError):
            return _later(reply, refused.retry_after)
        if isinstance(refused, UnauthenticatedError):
            challenge = self.resource.unauthorized(refused.reason)
            return Reply(status, plain, ((b"www-authenticate", challenge),))
        if isinstance(refused, MethodNotAllowedError):
            return Reply(status, plain, ((b"allow", ALLOW.encode()),))
        return reply

    def _headers(self, reply: Reply) -> RawHeaders:
        if not reply.challenge_scopes:
            return list(reply.headers)
        challenge = self.resource.insufficient(reply.challenge_scopes)
        return [*reply.headers, (b"www-authenticate", challenge)]


def mcp_handler(endpoint: McpEndpoint) -> ASGIRouteHandler:
    """The route of an endpoint."""
    return ASGIRouteHandler(endpoint.resource.route, copy_scope=False)(endpoint.__call__)


def _language(headers: Headers) -> Language:
    return language_of(", ".join(headers.all(b"accept-language")))


def _later(reply: Reply, seconds: int) -> Reply:
    return Reply(reply.status, reply.body, ((b"retry-after", str(seconds).encode()),))


def _plain(refused: DomainError, incoming: Incoming) -> bytes:
    language = _language(incoming.headers)
    error = error_body(refused, language, incoming.request_id)["error"]
    outline = {name: error[name] for name in ("code", "message", "request_id")}
    return msgspec.json.encode({"error": outline})
