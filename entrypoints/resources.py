"""The protected resources of this service, and whose tokens each of them takes."""

from adapters.http.resources import ProtectedResource
from entrypoints.settings import Settings


def protected_resources(settings: Settings) -> tuple[ProtectedResource, ...]:
    """The MCP server at its path and at the root, and the REST API; the first is the default."""
    return (
        _resource(settings, "/mcp", "mcp", settings.server_title),
        _resource(settings, "", "mcp", settings.server_title),
        _resource(settings, "/v1", "v1", f"{settings.server_title} API"),
    )


def audiences_of(settings: Settings) -> dict[str, frozenset[str]]:
    """By surface, every audience that a token may name; each resource with and without slash."""
    extra = {"mcp": settings.mcp_audiences, "v1": settings.api_audiences}
    return {
        surface: frozenset(
            [
                *further,
                *(
                    f"{resource.identifier}{slash}"
                    for resource in protected_resources(settings)
                    if resource.surface == surface
                    for slash in ("", "/")
                ),
            ]
        )
        for surface, further in extra.items()
    }


def _resource(settings: Settings, path: str, surface: str, name: str) -> ProtectedResource:
    return ProtectedResource(
        public_url=settings.public_url,
        path=path,
        surface=surface,
        name=name,
        challenge_scopes=settings.challenge_scopes,
    )
