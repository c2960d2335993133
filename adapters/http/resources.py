"""Each protected resource's names: its identifier, its metadata, its challenges (RFC 9728, 6750).

Everything comes from the one public URL of the settings, never from a request.
"""

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from domain.access.scopes import UMBRELLAS

WELL_KNOWN_PREFIX: Final = "/.well-known/"
WELL_KNOWN: Final = f"{WELL_KNOWN_PREFIX}oauth-protected-resource"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtectedResource:
    """One endpoint path as clients know it.

    `path` is below the public URL, empty for its root; `surface` names the list of audiences.
    """

    public_url: str
    path: str
    surface: str
    name: str
    challenge_scopes: str

    @property
    def identifier(self) -> str:
        """The `resource`, without a trailing slash."""
        return f"{self.public_url}{self.path}"

    @property
    def prefix(self) -> str:
        """What stands before every path here; empty where the service has a whole host."""
        return urlsplit(self.public_url).path

    @property
    def route(self) -> str:
        """The path of the endpoint on this server."""
        return urlsplit(self.identifier).path or "/"

    @property
    def metadata_route(self) -> str:
        """The well-known path, inserted between host and path (RFC 9728 §3.1)."""
        return f"{WELL_KNOWN}{urlsplit(self.identifier).path}"

    @property
    def metadata_url(self) -> str:
        """The address of the metadata."""
        parts = urlsplit(self.public_url)
        return f"{parts.scheme}://{parts.netloc}{self.metadata_route}"

    def metadata(self, issuer: str) -> dict[str, object]:
        """The metadata document (RFC 9728 §2)."""
        return {
            "resource": self.identifier,
            "authorization_servers": [issuer],
            "scopes_supported": list(UMBRELLAS),
            "bearer_methods_supported": ["header"],
            "resource_name": self.name,
            "resource_documentation": f"{self.public_url}/v1/docs",
        }

    def unauthorized(self, reason: str | None) -> bytes:
        """The challenge of a 401 (RFC 6750 §3); an error is named only when a token was sent."""
        challenge = (
            f'Bearer resource_metadata="{self.metadata_url}", scope="{self.challenge_scopes}"'
        )
        if reason is not None:
            challenge += f', error="invalid_token", error_description="{reason}"'
        return challenge.encode("latin-1")

    @property
    def ambiguous(self) -> bytes:
        """The challenge of a request with two tokens (RFC 6750 §3.1)."""
        return f'Bearer resource_metadata="{self.metadata_url}", error="invalid_request"'.encode(
            "latin-1"
        )

    def insufficient(self, scopes: tuple[str, ...]) -> bytes:
        """The challenge of a 403: all scopes of the operation at once (RFC 6750 §3.1)."""
        return (
            f'Bearer error="insufficient_scope", scope="{" ".join(scopes)}", '
            f'resource_metadata="{self.metadata_url}"'
        ).encode("latin-1")
