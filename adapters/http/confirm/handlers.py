"""Mounts the confirmation page: whatever is asked there, the answer is a page, never JSON."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final, cast

from litestar.enums import HttpMethod
from litestar.handlers import HTTPRouteHandler
from litestar.response import Response
from litestar.types import ASGIApp

from adapters.http.confirm.pages import HEADERS, Pages, style_sheet
from adapters.http.confirm.visit import (
    PARAMETER,
    DeadLinkError,
    NotConfiguredError,
    Reply,
    StaleFormError,
    Visits,
    page_reply,
)
from adapters.http.edge import Edge
from adapters.http.edge_errors import MethodNotAllowedError, RequestTimeoutError
from adapters.http.messages import (
    ClientGoneError,
    Headers,
    Incoming,
    Receive,
    Scope,
    Send,
    answer,
    overdue,
    read_body,
)
from adapters.http.statuses import status_of
from application.confirmation.page import NotForThemError
from application.operations.refusals import best_language
from domain.errors import (
    DomainError,
    InternalError,
    MembershipError,
    RateLimitedError,
    UnauthenticatedError,
    UnavailableError,
)

MAX_BODY: Final = 16_384
"""Bytes of a form: it has a mark and an answer."""

_HTML: Final = (b"content-type", b"text/html; charset=utf-8")
_LANGUAGES: Final = {"pt": "pt-BR", "es": "es", "en": "en", "*": "pt-BR"}
_PROBLEMS: Final[Mapping[type[DomainError], tuple[str, int]]] = {
    DeadLinkError: ("dead", 404),
    NotForThemError: ("not_for_them", 403),
    MembershipError: ("no_member", 403),
    # Not 401: that wants a challenge, and there is none that a browser could meet.
    UnauthenticatedError: ("not_signed_in", 403),
    StaleFormError: ("stale", 403),
    NotConfiguredError: ("not_configured", 503),
    UnavailableError: ("unavailable", 503),
    RequestTimeoutError: ("unavailable", 408),
    RateLimitedError: ("too_many", 429),
    InternalError: ("internal", 500),
}
"""The page of each refusal and its status; any other cannot be read, with a status of its own."""

Answering = Callable[[Incoming, bytes], Awaitable[Reply]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Endpoint:
    """One path of the page as an ASGI application."""

    edge: Edge
    visits: Visits
    pages: Pages
    methods: Mapping[str, Answering]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, whatever happens in it."""
        incoming = Incoming(scope, Headers(scope["headers"]), self.edge.ids.new("req"))
        try:
            with self.edge.deadlines.begin():
                reply = await self._reply(incoming, receive)
        except ClientGoneError:
            return
        except TimeoutError:
            reply = self._problem(overdue(incoming), incoming)
        except DomainError as refused:
            reply = self._problem(refused, incoming)
        except Exception as failure:  # noqa: BLE001 -- the last line: no exception text goes out
            self.edge.on_failure(incoming.request_id, failure)
            reply = self._problem(InternalError(), incoming)
        await answer(send, reply.status, reply.body, reply.headers, _HTML)

    async def _reply(self, incoming: Incoming, receive: Receive) -> Reply:
        answering = self.methods.get("GET" if incoming.method == "HEAD" else incoming.method)
        if answering is None:
            raise MethodNotAllowedError
        body = incoming.body = await read_body(
            incoming.headers, receive, MAX_BODY, self.edge.gathering
        )
        with self.edge.admission:
            return await answering(incoming, body)

    def _problem(self, refused: DomainError, incoming: Incoming) -> Reply:
        name, status = _PROBLEMS.get(type(refused)) or ("unreadable", status_of(refused))
        accepted = ", ".join(incoming.headers.all(b"accept-language"))
        page = self.pages.problem(
            name,
            best_language(accepted, _LANGUAGES, "pt-BR"),
            address=None if name in {"dead", "not_configured"} else self.visits.again_at(incoming),
            request_id=incoming.request_id if name == "internal" else None,
        )
        reply = page_reply(status, page)
        reply.headers.append((b"vary", b"Accept-Language"))
        if isinstance(refused, RateLimitedError | UnavailableError):
            reply.headers.append((b"retry-after", str(refused.retry_after).encode()))
        elif isinstance(refused, MethodNotAllowedError):
            reply.headers.append((b"allow", ", ".join(["HEAD", *self.methods]).encode()))
        return reply


def confirmation_handlers(edge: Edge, visits: Visits, pages: Pages) -> list[HTTPRouteHandler]:
    """The page, the way back from the issuer, and the style sheet; no token is asked for."""

    def endpoint(path: str, methods: Mapping[str, Answering]) -> HTTPRouteHandler:
        return _handler(path, _Endpoint(edge=edge, visits=visits, pages=pages, methods=methods))

    root = visits.root
    return [
        endpoint(f"{root}/{{{PARAMETER}:str}}", {"GET": visits.show, "POST": visits.decide}),
        # A link that was cut off before its seal.
        endpoint(root, {"GET": visits.show}),
        endpoint(f"{root}/signed-in", {"GET": visits.come_back}),
        _style(f"{root}/style.css"),
    ]


def _handler(path: str, application: _Endpoint) -> HTTPRouteHandler:
    async def serve() -> ASGIApp:
        return cast("ASGIApp", application)

    # A raw handler would be enough, but Litestar finds none below a path with parameters.
    return HTTPRouteHandler(path, http_method=list(HttpMethod), include_in_schema=False)(serve)


def _style(path: str) -> HTTPRouteHandler:
    content = style_sheet()
    headers = {name.decode(): value.decode() for name, value in HEADERS}
    headers["Cache-Control"] = "max-age=300"

    async def read() -> Response[bytes]:
        return Response(content, media_type="text/css", headers=headers)

    return HTTPRouteHandler(path, http_method=["GET", "HEAD"], include_in_schema=False)(read)
