"""Dynamic registration of public clients (RFC 7591).

Authlib's endpoint gives out secrets and trusts the shape of what it is sent; this one does neither.
"""

# Authlib is not typed.

import secrets
from datetime import datetime
from typing import Any, Final

import msgspec
from authlib.oauth2.rfc7591 import InvalidClientMetadataError, InvalidRedirectURIError

from adapters.auth.embedded.clients import is_trustworthy
from domain.ports.issuer import RegisteredClient

_MOST_REDIRECTS: Final = 10
_LONGEST_NAME: Final = 60


class _Metadata(msgspec.Struct):
    """What we read of a registration; every other member is ignored (RFC 7591 §2)."""

    redirect_uris: list[str]
    client_name: str | None = None
    grant_types: list[str] | None = None
    response_types: list[str] | None = None


def read_registration(body: bytes, now: datetime) -> RegisteredClient:
    """The client that `body` describes, under a fresh id.

    Raises:
        InvalidRedirectURIError: an address is neither https nor http on this machine.
        InvalidClientMetadataError: not the JSON we need, or not for the code grant.
    """
    metadata = _decoded(body)
    _check_grant(metadata)
    uris = tuple(dict.fromkeys(metadata.redirect_uris))
    if not 0 < len(uris) <= _MOST_REDIRECTS or not all(map(is_trustworthy, uris)):
        raise InvalidRedirectURIError(
            "Between one and ten redirect URIs are needed, each https or http on loopback."
        )
    return RegisteredClient(
        client_id=secrets.token_urlsafe(18),
        name=_shown_name(metadata.client_name or ""),
        redirect_uris=uris,
        created_at=now,
    )


def registration_body(client: RegisteredClient) -> dict[str, Any]:
    """What was registered, with our values where the client's do not count (RFC 7591 §3.2.1)."""
    return {
        "client_id": client.client_id,
        "client_id_issued_at": int(client.created_at.timestamp()),
        "client_name": client.name,
        "redirect_uris": client.redirect_uris,
        "grant_types": ["authorization_code"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
    }


def _decoded(body: bytes) -> _Metadata:
    try:
        return msgspec.json.decode(body, type=_Metadata)
    except (msgspec.DecodeError, RecursionError) as error:
        raise InvalidClientMetadataError(
            "The body must be a JSON object with redirect_uris, a list of strings."
        ) from error


def _check_grant(metadata: _Metadata) -> None:
    for asked, needed in (
        (metadata.grant_types, "authorization_code"),
        (metadata.response_types, "code"),
    ):
        if asked and needed not in asked:
            raise InvalidClientMetadataError("Only the authorization code grant is offered.")


def _shown_name(name: str) -> str:
    # A person reads it: nothing invisible, and no line breaks or other ways to look like more.
    visible = "".join(character for character in name if character.isprintable())
    return visible.strip()[:_LONGEST_NAME] or "Unnamed client"
