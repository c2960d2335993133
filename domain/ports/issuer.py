"""Rows of the embedded development issuer: clients, codes, its signing key and invented people.

They belong to no organisation and hold no personal data of anybody real.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from domain.access.roles import Role


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisteredClient:
    """A public client as it registered itself (RFC 7591)."""

    client_id: str
    name: str
    redirect_uris: tuple[str, ...]
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class IssuedCode:
    """An authorization code and all that it is bound to; only its SHA-256 is kept, in hex."""

    digest: str
    client_id: str
    redirect_uri: str | None
    code_challenge: str
    resource: str
    scopes: tuple[str, ...]
    subject: str
    organization_id: str
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoPerson:
    """Somebody invented whom the sign-in page offers, as a member of one organisation."""

    subject: str
    name: str
    email: str
    role: Role
    organization_id: str
    organization_name: str


class IssuerStore(Protocol):
    """What the embedded issuer reads before, and writes after, it decides."""

    async def client(self, client_id: str, /) -> RegisteredClient | None:
        """The client registered under this id."""
        ...

    async def save_client(self, client: RegisteredClient, /) -> None:
        """Keep a newly registered client."""
        ...

    async def save_code(self, code: IssuedCode, /) -> None:
        """Keep a code until it is taken; expired ones may be dropped on the way."""
        ...

    async def take_code(self, digest: str, /) -> IssuedCode | None:
        """Remove a code and return it, in one step: of two who ask at once, one gets it."""
        ...

    async def signing_key(self, fresh: str, /) -> str:
        """The private JWK that signs, as JSON; where there is none yet, `fresh` becomes it."""
        ...

    async def people(self) -> Sequence[DemoPerson]:
        """Everybody the sign-in page offers, by organisation, then from owner to viewer."""
        ...
