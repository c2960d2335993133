"""Checking an access token, and the first steps of its bearer into an organisation."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from domain.access.grant import Tenant
from domain.access.members import ApiClient, Identity, Member
from domain.access.principal import Principal


class VerifyToken(Protocol):
    """Checks a bearer token for one surface.

    A surface is a set of endpoints with one list of accepted audiences, such as `mcp` or `v1`.
    """

    async def __call__(self, token: str, surface: str, /) -> Principal:
        """The principal of `token`.

        Raises:
            UnauthenticatedError: the token is refused.
            UnavailableError: the issuer could not be asked.
        """
        ...

    def recall(self, token: str, surface: str, /) -> Principal | None:
        """The principal of `token`, if that is known without checking it."""
        ...


class Entrance(Protocol):
    """One transaction in the organisation that a verified token names, before there is a Grant."""

    async def tenant(self) -> Tenant:
        """The organisation, with what every request needs of it."""
        ...

    async def api_client(self, issuer: str, client_id: str, /) -> ApiClient | None:
        """The API client registered under this id at this issuer, whatever its status."""
        ...

    async def member(self, identity: Identity, /) -> Member | None:
        """The member that is this person, whatever their status."""
        ...

    async def invited(self, email: str, /) -> Member | None:
        """The invitation to this address, whatever its case."""
        ...

    async def bind(self, member: Member, identity: Identity, /) -> None:
        """Let `identity` be `member` from now on."""
        ...

    async def commit(self) -> None:
        """Keep what was bound."""
        ...


class Directory(Protocol):
    """Which organisations exist; holds no personal data and belongs to none of them."""

    async def active_organization(self, claim: str, /) -> str | None:
        """The id of the organisation with this id or claim value, unless it is suspended."""
        ...


OpenEntrance = Callable[[str], AbstractAsyncContextManager[Entrance]]
