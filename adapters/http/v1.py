"""The REST door: one handler per path of `/v1`, one method per declared operation.

What answers is raw ASGI, because the edge's steps are the same code for both doors and must answer
in our own words whatever fails; the framework routes and nothing else.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import cast

import msgspec
from litestar.enums import HttpMethod
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp

from adapters.http.accept import preferred_language
from adapters.http.edge import MAX_BODY, Edge
from adapters.http.edge_errors import (
    MethodNotAllowedError,
    OriginNotAllowedError,
    TwoTokensError,
)
from adapters.http.messages import (
    JSON,
    ClientGoneError,
    Headers,
    Incoming,
    RawHeader,
    RawHeaders,
    Receive,
    Scope,
    Send,
    answer,
    overdue,
    read_body,
)
from adapters.http.origins import OriginVerdict, preflight
from adapters.http.resources import ProtectedResource
from adapters.http.statuses import status_of
from adapters.http.v1_request import raw_arguments, with_header_key
from adapters.v1.bound import BoundV1
from application.operations.quota import quota_headers
from application.operations.refusals import error_body
from application.operations.request import Answer, FileFacts, Request
from application.operations.run import RunOperation
from domain.access.audit import Origin
from domain.errors import (
    DomainError,
    IdempotencyBusyError,
    InternalError,
    RateLimitedError,
    ScopeMissingError,
    UnauthenticatedError,
    UnavailableError,
)


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer of `/v1`."""

    status: int
    body: bytes
    headers: RawHeaders
    kind: RawHeader = JSON


@dataclass(frozen=True, slots=True, kw_only=True)
class V1Path:
    """One path of `/v1` as an ASGI application."""

    edge: Edge
    run: RunOperation
    resource: ProtectedResource
    methods: Mapping[str, BoundV1]

    @property
    def allow(self) -> str:
        """What stands in `Allow`."""
        return ", ".join([*sorted(self.methods), "OPTIONS"])

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, whatever happens in it."""
        incoming = Incoming(scope, Headers(scope["headers"]), self.edge.ids.new("req"))
        verdict = self.edge.origins.judge(incoming.headers)
        try:
            with self.edge.deadlines.begin():
                reply = await self._reply(incoming, receive, verdict)
        except ClientGoneError:
            return
        except TimeoutError:
            reply = self._refusal(overdue(incoming), incoming)
        except DomainError as refused:
            reply = self._refusal(refused, incoming)
        except Exception as failure:  # noqa: BLE001 -- the last line: no exception text goes out
            self.edge.on_failure(incoming.request_id, failure)
            reply = self._refusal(InternalError(), incoming)
        own_id = (b"x-request-id", incoming.request_id.encode())
        headers = [*reply.headers, *verdict.headers, own_id]
        await answer(send, reply.status, reply.body, headers, reply.kind)

    async def _reply(self, incoming: Incoming, receive: Receive, verdict: OriginVerdict) -> Reply:
        method = incoming.method
        if method != "OPTIONS" and method not in self.methods:
            raise MethodNotAllowedError
        body = incoming.body = await read_body(
            incoming.headers, receive, MAX_BODY, self.edge.gathering
        )
        if not verdict.accepted:
            raise OriginNotAllowedError
        if method == "OPTIONS":
            return Reply(204, b"", preflight(incoming.headers, self.allow))
        with self.edge.admission:
            return await self._admitted(incoming, body, self.methods[method])

    async def _admitted(self, incoming: Incoming, body: bytes, bound: BoundV1) -> Reply:
        grant = await self.edge.gate.admit(incoming, self.resource.surface)
        info = bound.operation.info
        allowance = await self.edge.callers.take(grant, info.rate_class)
        if allowance.retry_after:
            refusal = self._refusal(RateLimitedError(allowance.retry_after), incoming)
            limits = quota_headers(info.rate_class, allowance)
            return Reply(refusal.status, refusal.body, [*refusal.headers, *limits])
        raw = raw_arguments(incoming, body, bound)
        address = self.edge.gate.address(incoming)
        origin = Origin(request_id=incoming.request_id, via="rest", ip=address)
        request = Request(raw=raw, grant=grant, origin=origin)
        return _success(await self.run(with_header_key(bound, incoming.headers), request))

    def _refusal(self, refused: DomainError, incoming: Incoming) -> Reply:
        language = preferred_language(incoming.headers)
        body = msgspec.json.encode(error_body(refused, language, incoming.request_id))
        headers: RawHeaders = [(b"content-language", language.encode())]
        if isinstance(refused, UnauthenticatedError):
            headers.append((b"www-authenticate", self.resource.unauthorized(refused.reason)))
        elif isinstance(refused, TwoTokensError):
            headers.append((b"www-authenticate", self.resource.ambiguous))
        elif isinstance(refused, ScopeMissingError):
            headers.append((b"www-authenticate", self.resource.insufficient(refused.scopes)))
        elif isinstance(refused, MethodNotAllowedError):
            headers.append((b"allow", self.allow.encode()))
        elif isinstance(refused, RateLimitedError | UnavailableError | IdempotencyBusyError):
            headers.append((b"retry-after", str(refused.retry_after).encode()))
        return Reply(status_of(refused), body, headers)


def _success(given: Answer) -> Reply:
    if given.file is not None:
        return Reply(given.status, given.body, *_file_headers(given.file))
    replayed = [(b"idempotency-replayed", b"true")] if given.replayed else []
    return Reply(given.status, given.body, replayed)


def _file_headers(file: FileFacts) -> tuple[RawHeaders, RawHeader]:
    disposition = f'attachment; filename="{file.name}"'
    return (
        [(b"content-disposition", disposition.encode("ascii"))],
        (b"content-type", file.content_type.encode("ascii")),
    )


def v1_handlers(
    edge: Edge, run: RunOperation, resource: ProtectedResource, bounds: Iterable[BoundV1]
) -> list[HTTPRouteHandler]:
    """One handler per path."""
    paths: dict[str, dict[str, BoundV1]] = {}
    for bound in bounds:
        paths.setdefault(bound.route.path, {})[bound.route.method] = bound
    return [
        _handler(
            f"{resource.prefix}{path}",
            V1Path(edge=edge, run=run, resource=resource, methods=methods),
        )
        for path, methods in paths.items()
    ]


def _handler(path: str, application: V1Path) -> HTTPRouteHandler:
    async def serve() -> ASGIApp:
        return cast("ASGIApp", application)

    # A raw handler would be enough, but Litestar finds none below a path with parameters.
    return HTTPRouteHandler(
        path.replace("}", ":str}"), http_method=list(HttpMethod), include_in_schema=False
    )(serve)
