"""The documentation of `/v1`: its page for people, its document for programs, open to everybody."""

from collections.abc import Mapping
from typing import Final

import msgspec
from litestar.handlers import HTTPRouteHandler
from litestar.response import Response

from adapters.http.docs_page.rendering import page_of, style_sheet

_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "max-age=300",
}
_ANY_ORIGIN: Final = {"Access-Control-Allow-Origin": "*"}


def docs_handlers(route: str, document: Mapping[str, object]) -> list[HTTPRouteHandler]:
    """`openapi.json`, `docs` and its style sheet below `route`, made once; no token is asked for.

    `document` is the one of `adapters.v1.openapi`.
    """
    return [
        _handler(
            f"{route}/openapi.json", msgspec.json.encode(document), "application/json", _ANY_ORIGIN
        ),
        _handler(f"{route}/docs", page_of(route, document), "text/html"),
        _handler(f"{route}/docs/style.css", style_sheet(), "text/css"),
    ]


def _handler(
    path: str, content: bytes, media_type: str, extra: Mapping[str, str] | None = None
) -> HTTPRouteHandler:
    async def read() -> Response[bytes]:
        return Response(content, media_type=media_type, headers={**_HEADERS, **(extra or {})})

    return HTTPRouteHandler(path, http_method=["GET", "HEAD"], include_in_schema=False)(read)
