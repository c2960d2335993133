"""People and API clients of an organisation, and how a token becomes one of them."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal

from domain.access.roles import Role, permissions_of_client
from domain.access.scopes import expand, scope_of


class MemberStatus(StrEnum):
    """Where a person stands in an organisation."""

    INVITED = "invited"
    ACTIVE = "active"
    SUSPENDED = "suspended"
    REMOVED = "removed"


class Portfolio(StrEnum):
    """Which debtors a person works with."""

    ALL = "all"
    ASSIGNED = "assigned"


@dataclass(frozen=True, slots=True)
class Identity:
    """A person at an issuer: the only thing that counts once an invitation is taken up."""

    issuer: str
    subject: str


@dataclass(kw_only=True, eq=False)
class Member:
    """A person of one organisation."""

    organization_id: str
    id: str
    name: str
    email: str
    role: Role
    status: MemberStatus
    portfolio: Portfolio
    created_at: datetime
    updated_at: datetime
    version: int = 1

    def take_up(self, now: datetime) -> None:
        """Turn an invitation into membership."""
        self.status = MemberStatus.ACTIVE
        self.updated_at = now
        self.version += 1

    @property
    def assigned_to(self) -> str | None:
        """The member that rows are narrowed to, when the portfolio narrows a collector."""
        narrowed = self.role is Role.COLLECTOR and self.portfolio is Portfolio.ASSIGNED
        return self.id if narrowed else None


@dataclass(kw_only=True, eq=False)
class ApiClient:
    """A program of one organisation; its ceiling stands where a person's role would."""

    organization_id: str
    id: str
    name: str
    issuer: str
    client_id: str
    subject: str
    scopes: frozenset[str]
    role_ceiling: Role
    status: Literal["active", "revoked"]
    expires_at: datetime
    created_at: datetime
    updated_at: datetime
    version: int = 1

    def is_usable(self, now: datetime) -> bool:
        """Whether its tokens still count."""
        return self.status == "active" and now < self.expires_at

    def permissions(self) -> frozenset[str]:
        """Ceiling's rights of the scopes it was given, never those of persons only."""
        given = expand(self.scopes)
        return frozenset(
            p for p in permissions_of_client(self.role_ceiling) if scope_of(p) in given
        )
