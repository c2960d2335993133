"""The protected resources of this service, and whose tokens each of them takes."""

from typing import Protocol
from urllib.parse import urlsplit

from adapters.http.resources import ProtectedResource


class Published(Protocol):
    """What the settings say of the resources, which the settings themselves are checked by."""

    @property
    def public_url(self) -> str:
        """The address clients use."""
        ...

    @property
    def server_title(self) -> str:
        """What people read."""
        ...

    @property
    def challenge_scopes(self) -> str:
        """Scopes that a 401 asks for."""
        ...

    @property
    def mcp_audiences(self) -> tuple[str, ...]:
        """Further audiences of the MCP server."""
        ...

    @property
    def api_audiences(self) -> tuple[str, ...]:
        """Further audiences of `/v1`."""
        ...


def protected_resources(settings: Published) -> tuple[ProtectedResource, ...]:
    """The MCP server at its path and at the root, and the REST API; the first is the default."""
    return (
        _resource(settings, "/mcp", "mcp", settings.server_title),
        _resource(settings, "", "mcp", settings.server_title),
        _resource(settings, "/v1", "v1", f"{settings.server_title} API"),
    )


def audiences_of(settings: Published) -> dict[str, frozenset[str]]:
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


def confirmation_root(settings: Published) -> str:
    """The path of the confirmation page."""
    return f"{urlsplit(settings.public_url).path}/confirm"


def signed_in_address(settings: Published) -> str:
    """Where the issuer sends a person back to who signs in at the confirmation page."""
    return f"{settings.public_url}/confirm/signed-in"


def origin_of(settings: Published) -> str:
    """Our own web origin."""
    parts = urlsplit(settings.public_url)
    return f"{parts.scheme}://{parts.netloc}"


def _resource(settings: Published, path: str, surface: str, name: str) -> ProtectedResource:
    return ProtectedResource(
        public_url=settings.public_url,
        path=path,
        surface=surface,
        name=name,
        challenge_scopes=settings.challenge_scopes,
    )
