"""The protected-resource metadata documents: open to everybody, from any origin (RFC 9728)."""

from collections.abc import Sequence

import msgspec
from litestar.enums import MediaType
from litestar.handlers import HTTPRouteHandler
from litestar.response import Response

from adapters.http.resources import ProtectedResource

_HEADERS = {"Access-Control-Allow-Origin": "*", "Cache-Control": "max-age=300"}


def metadata_handlers(
    resources: Sequence[ProtectedResource], issuer: str
) -> list[HTTPRouteHandler]:
    """One handler per protected resource."""
    return [handler for resource in resources for handler in _handlers(resource, issuer)]


def _handlers(resource: ProtectedResource, issuer: str) -> list[HTTPRouteHandler]:
    document = msgspec.json.encode(resource.metadata(issuer))

    async def read() -> Response[bytes]:
        return Response(document, media_type=MediaType.JSON, headers=_HEADERS)

    async def preflight() -> Response[None]:
        return Response(
            None,
            status_code=204,
            headers={
                "Access-Control-Allow-Origin": "*",
                "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
                "Access-Control-Allow-Headers": "*",
                "Access-Control-Max-Age": "600",
            },
        )

    route = resource.metadata_route
    return [
        HTTPRouteHandler(route, http_method=["GET", "HEAD"], include_in_schema=False)(read),
        HTTPRouteHandler(route, http_method=["OPTIONS"], status_code=204)(preflight),
    ]
