"""The protected-resource metadata documents: open to everybody, from any origin (RFC 9728)."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from litestar import Request, Response
from litestar.enums import MediaType
from litestar.handlers import HTTPRouteHandler

from adapters.http.resources import ProtectedResource

_DOCUMENT: Final = {"Access-Control-Allow-Origin": "*", "Cache-Control": "max-age=300"}
_PREFLIGHT: Final = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
    # The wildcard stands for every header but this one (Fetch §4.8).
    "Access-Control-Allow-Headers": "*, Authorization",
    "Access-Control-Max-Age": "600",
}


def metadata_handlers(
    resources: Sequence[ProtectedResource], issuer: str
) -> list[HTTPRouteHandler]:
    """One handler per protected resource."""
    return [_handler(resource, issuer) for resource in resources]


def metadata_preflight() -> Response[bytes]:
    """What any page is told that asks whether it may read metadata, wherever that may be."""
    return Response(b"", status_code=204, headers=_PREFLIGHT)


def _handler(resource: ProtectedResource, issuer: str) -> HTTPRouteHandler:
    document = msgspec.json.encode(resource.metadata(issuer))

    async def read(request: Request[Any, Any, Any]) -> Response[bytes]:
        if request.method == "OPTIONS":
            return metadata_preflight()
        return Response(document, media_type=MediaType.JSON, headers=_DOCUMENT)

    return HTTPRouteHandler(
        resource.metadata_route, http_method=["GET", "HEAD", "OPTIONS"], status_code=200
    )(read)
