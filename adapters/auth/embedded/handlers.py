"""Mounts the embedded issuer in Litestar; no endpoint asks who is calling."""

# Authlib is not typed.

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from authlib.oauth2.rfc6749 import InvalidRequestError
from litestar import Request, Response, get, post, route
from litestar.handlers import HTTPRouteHandler

from adapters.auth.discovery import metadata_addresses
from adapters.auth.embedded.authorization import COOKIE
from adapters.auth.embedded.issuer import EmbeddedIssuer
from adapters.auth.embedded.messages import Answer, IncomingRequest, error_answer
from domain.texts import Language

_AnyRequest = Request[Any, Any, Any]
_MAX_BODY: Final = 65_536
_STYLE: Final = Path(__file__).parent / "templates" / "style.css"
_CORS: Final = {"Access-Control-Allow-Origin": "*"}
_PREFLIGHT: Final = {
    **_CORS,
    # The wildcard stands for every header but this one (Fetch §4.8).
    "Access-Control-Allow-Headers": "*, Authorization",
    "Access-Control-Max-Age": "600",
}


def issuer_handlers(issuer: EmbeddedIssuer) -> list[HTTPRouteHandler]:
    """Every route of `issuer`, at the paths that its public address has."""
    return [*_documents(issuer), *_endpoints(issuer), *_pages(issuer)]


def _documents(issuer: EmbeddedIssuer) -> list[HTTPRouteHandler]:
    openid, oauth = (urlsplit(url).path for url in metadata_addresses(issuer.settings.issuer))

    async def oauth_metadata() -> dict[str, Any]:
        return issuer.oauth_metadata()

    async def openid_metadata() -> dict[str, Any]:
        return issuer.openid_metadata()

    return [
        _document(oauth, oauth_metadata),
        _document(openid, openid_metadata),
        _document(f"{issuer.settings.path}/jwks", issuer.key_set),
    ]


def _document(path: str, content: Callable[[], Awaitable[dict[str, Any]]]) -> HTTPRouteHandler:
    @route(path, http_method=["GET", "HEAD", "OPTIONS"], include_in_schema=False)
    async def document(request: _AnyRequest) -> Response[Any]:
        if request.method == "OPTIONS":
            return _preflight("GET, HEAD, OPTIONS")
        headers = {**_CORS, "Cache-Control": "public, max-age=60"}
        return Response(await content(), headers=headers)

    return document


def _endpoints(issuer: EmbeddedIssuer) -> list[HTTPRouteHandler]:
    return [
        _endpoint(f"{issuer.settings.path}/register", issuer.register),
        _endpoint(f"{issuer.settings.path}/token", issuer.token),
    ]


def _endpoint(
    path: str, answer: Callable[[IncomingRequest], Awaitable[Answer]]
) -> HTTPRouteHandler:
    @route(path, http_method=["POST", "OPTIONS"], include_in_schema=False)
    async def endpoint(request: _AnyRequest) -> Response[Any]:
        if request.method == "OPTIONS":
            return _preflight("POST, OPTIONS")
        incoming = await _incoming(request)
        if incoming is None:
            too_large = InvalidRequestError(
                "The body is too large.", status_code=HTTPStatus.REQUEST_ENTITY_TOO_LARGE
            )
            return _response(error_answer(too_large), _CORS)
        return _response(await answer(incoming), _CORS)

    return endpoint


def _pages(issuer: EmbeddedIssuer) -> list[HTTPRouteHandler]:
    path = issuer.settings.path
    style = _STYLE.read_bytes()

    @get(f"{path}/authorize", include_in_schema=False)
    async def sign_in(request: _AnyRequest) -> Response[bytes]:
        return _response(await issuer.authorization.show(_without_body(request)))

    @post(f"{path}/authorize", include_in_schema=False)
    async def decide(request: _AnyRequest) -> Response[bytes]:
        incoming = await _incoming(request)
        return _response(await issuer.authorization.decide(incoming or _without_body(request)))

    @get(f"{path}/style.css", include_in_schema=False)
    async def stylesheet(request: _AnyRequest) -> Response[bytes]:
        del request
        headers = {"Cache-Control": "public, max-age=300", "X-Content-Type-Options": "nosniff"}
        return Response(style, media_type="text/css", headers=headers)

    return [sign_in, decide, stylesheet]


async def _incoming(request: _AnyRequest) -> IncomingRequest | None:
    """The request with its body; None when that is larger than anything we ask for."""
    if (request.content_length or 0) > _MAX_BODY:
        return None
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MAX_BODY:
            return None
    return _without_body(request, bytes(body))


def _without_body(request: _AnyRequest, body: bytes = b"") -> IncomingRequest:
    return IncomingRequest(
        query=request.scope["query_string"],
        body=body,
        content_type=request.headers.get("content-type", ""),
        has_authorization="authorization" in request.headers,
        browser=request.cookies.get(COOKIE),
        language=_language(request.headers.get("accept-language", "")),
    )


def _language(accepted: str) -> Language:
    return "en" if accepted.strip().lower().startswith("en") else "pt-BR"


def _preflight(methods: str) -> Response[None]:
    headers = {**_PREFLIGHT, "Access-Control-Allow-Methods": methods}
    return Response(None, status_code=HTTPStatus.NO_CONTENT, headers=headers)


def _response(answer: Answer, headers: dict[str, str] | None = None) -> Response[bytes]:
    return Response(
        answer.body,
        status_code=answer.status,
        headers={**answer.headers, **(headers or {})},
        media_type=answer.headers.get("Content-Type", "text/plain"),
    )
