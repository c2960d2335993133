"""The whole service as one Litestar application."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any, Final

from litestar import Litestar
from litestar.types import ControllerRouterHandler

from adapters.auth.embedded.handlers import issuer_handlers
from adapters.http.confirm.handlers import confirmation_handlers
from adapters.http.docs import docs_handlers
from adapters.http.health import Check, Readiness, health_handlers
from adapters.http.mcp import McpEndpoint
from adapters.http.metadata import metadata_handlers
from adapters.http.unrouted import answer_error
from adapters.http.v1 import v1_handlers
from adapters.persistence.database import unsafe_role
from adapters.persistence.migrations import migrations_pending
from adapters.v1.openapi import Publication, openapi_document
from entrypoints.container import Container
from entrypoints.resources import protected_resources


class UnsafeDatabaseError(Exception):
    """The database would not hold what the service relies on; says what to change."""


_FIX: Final = "connect as dunning_app, which `dunning database init` makes"


class Service(Litestar):
    """Litestar with the MCP endpoints in front of its router, whose steps they have no use for."""

    def __init__(self, endpoints: Mapping[str, McpEndpoint], **given: Any) -> None:  # noqa: ANN401 -- Litestar's own
        super().__init__(**given)
        self._endpoints = endpoints

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 -- ASGI
        """Hand the request to its MCP endpoint, or to Litestar."""
        endpoint = self._endpoints.get(scope["path"]) if scope["type"] == "http" else None
        await (endpoint or super().__call__)(scope, receive, send)


def build_app(container: Container) -> Service:
    """The application over `container`; fails here, not at a request, when something is missing."""
    container.check_dependencies()
    return Service(
        _endpoints(container),
        route_handlers=_handlers(container),
        openapi_config=None,
        logging_config=None,
        exception_handlers={Exception: answer_error(container.edge())},
        lifespan=[lambda _: _serving(container)],
    )


def _endpoints(container: Container) -> dict[str, McpEndpoint]:
    """Each MCP path, with and without one trailing slash."""
    edge, server = container.edge(), container.mcp_server()
    endpoints: dict[str, McpEndpoint] = {}
    for resource in protected_resources(container.settings()):
        if resource.surface == "mcp":
            endpoint = McpEndpoint(edge=edge, server=server, resource=resource)
            route = resource.route.removesuffix("/")
            endpoints |= {path: endpoint for path in (route, f"{route}/") if path}
    return endpoints


def _handlers(container: Container) -> list[ControllerRouterHandler]:
    settings = container.settings()
    edge = container.edge()
    resources = protected_resources(settings)
    (rest,) = (resource for resource in resources if resource.surface == "v1")
    catalogue = container.catalogue()
    handlers: list[ControllerRouterHandler] = [
        *metadata_handlers(resources, settings.issuer),
        *health_handlers(Readiness(_checks(container), container.clock())),
        *v1_handlers(edge, container.run(), rest, catalogue.bounds),
        *confirmation_handlers(edge, container.visits(), container.pages()),
        *docs_handlers(rest.route, openapi_document(catalogue, _publication(container))),
    ]
    if settings.auth_provider == "embedded":
        handlers += issuer_handlers(container.issuer())
    return handlers


def _publication(container: Container) -> Publication:
    settings = container.settings()
    return Publication(
        title=f"{settings.server_title} API",
        version=version("dunning"),
        public_url=settings.public_url,
    )


def _checks(container: Container) -> dict[str, Check]:
    async def database() -> bool:
        return not await migrations_pending(container.engine())

    async def role() -> bool:
        return await unsafe_role(container.engine()) is None

    async def issuer() -> bool:
        await container.keys().check()
        return True

    return {"migrations": database, "role": role, "issuer": issuer}


@asynccontextmanager
async def _serving(container: Container) -> AsyncGenerator[None]:
    """Refuse a role that row-level security does not bind; let go of connections at the end."""
    engine = container.engine()
    try:
        refusal = await unsafe_role(engine)
        if refusal is not None:
            raise UnsafeDatabaseError(f"DATABASE_URL: {refusal}; {_FIX}")
        yield
    finally:
        await container.issuer_client().aclose()
        await engine.dispose()
