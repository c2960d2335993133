"""The MCP endpoint as a raw ASGI handler: the edge's steps, then the engine."""

import asyncio
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final

import msgspec

from adapters.http.accept import accepted_of, accepts_streams, preferred_language
from adapters.http.deadline import Deadline
from adapters.http.edge import MAX_BODY, Edge
from adapters.http.edge_errors import (
    MethodNotAllowedError,
    NotAcceptableError,
    OriginNotAllowedError,
    PayloadTooLargeError,
    TwoTokensError,
    UnsupportedMediaTypeError,
)
from adapters.http.event_stream import send_stream
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
    overdue,
    read_body,
)
from adapters.http.origins import preflight
from adapters.http.resources import ProtectedResource
from adapters.http.statuses import status_of
from application.mcp.admission import retry_after
from application.mcp.envelope import decode
from application.mcp.errors import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    TOO_MANY_REQUESTS,
    UNAVAILABLE,
)
from application.mcp.headers import read_routing
from application.mcp.ports import Context
from application.mcp.revisions import WITHOUT_HEADER
from application.mcp.server import McpServer
from application.mcp.streams import Reply, Stream
from application.operations.refusals import error_body
from domain.access.audit import Origin
from domain.access.grant import Grant
from domain.errors import DomainError, RateLimitedError, UnauthenticatedError, UnavailableError

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
        verdict = self.edge.origins.judge(incoming.headers)
        deadline = self.edge.deadlines.begin()
        try:
            with deadline:
                reply = await self._reply(incoming, receive, accepted=verdict.accepted)
        except ClientGoneError:
            return
        except TimeoutError:
            reply = self._overdue(incoming)
        except DomainError as refused:
            reply = self._refusal(refused, incoming)
        except Exception as failure:  # noqa: BLE001 -- the last line: no exception text goes out
            self.edge.on_failure(incoming.request_id, failure)
            reply = self.server.refuse(500, INTERNAL_ERROR, "Internal error", incoming.headers.raw)
        if isinstance(reply, Stream):
            self._mind(reply, deadline)
            await send_stream(reply, verdict.headers, receive, send)
            return
        await answer(
            send, reply.status, reply.body or b"", [*self._headers(reply), *verdict.headers]
        )

    def _mind(self, stream: Stream, deadline: Deadline) -> None:
        """Work behind a stream keeps its place and its deadline; one that stays open has neither.

        Nobody else has had the time to take the place.
        """
        if stream.work is None:
            return
        kept = ExitStack()
        kept.enter_context(self.edge.admission)
        ending = asyncio.get_running_loop().call_at(deadline.ends, stream.work.cancel)
        kept.callback(ending.cancel)
        stream.work.add_done_callback(lambda _: kept.close())

    async def _reply(
        self, incoming: Incoming, receive: Receive, *, accepted: bool
    ) -> Reply | Stream:
        if incoming.method not in {"POST", "OPTIONS"}:
            raise MethodNotAllowedError
        body = incoming.body = await read_body(
            incoming.headers, receive, MAX_BODY, self.edge.gathering
        )
        if not accepted:
            raise OriginNotAllowedError
        if incoming.method == "OPTIONS":
            return Reply(204, None, tuple(preflight(incoming.headers, ALLOW)))
        with self.edge.admission:
            grant = await self.edge.gate.admit(incoming, self.resource.surface)
            context = self._context(incoming)
            query = incoming.scope["query_string"].decode("latin-1")
            reply = await self.server.handle(body, incoming.headers.raw, query, grant, context)
        if isinstance(reply, Stream):
            return reply
        if reply.status == NOT_ACCEPTABLE:  # the engine leaves what is not JSON-RPC to the door
            plain = _plain(NotAcceptableError(), incoming)
            return Reply(reply.status, plain, reply.headers)
        return reply

    def _context(self, incoming: Incoming) -> Context:
        headers = incoming.headers
        if not is_json(headers):
            raise UnsupportedMediaTypeError
        accepted = accepted_of(headers)
        if accepted == "neither":
            raise NotAcceptableError
        return Context(
            origin=Origin(incoming.request_id, "mcp", self.edge.gate.address(incoming)),
            language=preferred_language(headers),
            takes_json=accepted == "json",
            takes_stream=accepts_streams(headers),
            until=self._until(incoming),
        )

    def _until(self, incoming: Incoming) -> float | None:
        """When its token ends, of the loop's clock."""
        if incoming.expires_at is None:
            return None
        left = incoming.expires_at - self.edge.clock.now().timestamp()
        return asyncio.get_running_loop().time() + left

    def _overdue(self, incoming: Incoming) -> Reply:
        """Its time is up: in the protocol's words for whoever was let in."""
        if incoming.body is None or not incoming.is_admitted:
            return self._refusal(overdue(incoming), incoming)
        return _given_up(incoming.body, incoming.headers.raw)

    def _refusal(self, refused: DomainError, incoming: Incoming) -> Reply:
        """Before an id is known: limits in the protocol's words, the rest as plain JSON."""
        headers = incoming.headers.raw
        if isinstance(refused, PayloadTooLargeError):
            return self.server.refuse(413, INVALID_REQUEST, "Request body too large", headers)
        if isinstance(refused, RateLimitedError):
            reply = self.server.refuse(429, TOO_MANY_REQUESTS, "Too many requests", headers)
            return Reply(reply.status, reply.body, (retry_after(refused.retry_after),))
        plain = _plain(refused, incoming)
        return Reply(status_of(refused), plain, tuple(self._hints(refused)))

    def _hints(self, refused: DomainError) -> RawHeaders:
        """The headers that tell what would help."""
        if isinstance(refused, UnavailableError):
            return [retry_after(refused.retry_after)]
        if isinstance(refused, UnauthenticatedError):
            return [(b"www-authenticate", self.resource.unauthorized(refused.reason))]
        if isinstance(refused, TwoTokensError):
            return [(b"www-authenticate", self.resource.ambiguous)]
        if isinstance(refused, MethodNotAllowedError):
            return [(b"allow", ALLOW.encode())]
        return []

    def _headers(self, reply: Reply) -> RawHeaders:
        if not reply.challenge_scopes:
            return list(reply.headers)
        challenge = self.resource.insufficient(reply.challenge_scopes)
        return [*reply.headers, (b"www-authenticate", challenge)]


def _given_up(body: bytes, headers: RawHeaders) -> Reply:
    """The 503 of a method that took too long; by then its id and its version are known."""
    error = {"code": UNAVAILABLE, "message": "Service unavailable"}
    said = msgspec.json.encode({"jsonrpc": "2.0", "id": decode(body).id, "error": error})
    version = read_routing(headers).version or WITHOUT_HEADER
    hints = ((b"mcp-protocol-version", version.encode()), retry_after(1))
    return Reply(UNAVAILABLE, said, hints)


def _plain(refused: DomainError, incoming: Incoming) -> bytes:
    language = preferred_language(incoming.headers)
    error = error_body(refused, language, incoming.request_id)["error"]
    outline = {name: error[name] for name in ("code", "message", "request_id")}
    return msgspec.json.encode({"error": outline})
