"""Proven membership of one organisation. Storage takes nothing else."""

from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from typing import Literal

from domain.access.roles import Role


class Environment(StrEnum):
    """What an organisation's acts may touch: a sandbox's adapters are fakes."""

    SANDBOX = "sandbox"
    LIVE = "live"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tenant:
    """The organisation of a grant, with what every request needs of it.

    `clock_offset` is what a sandbox's business time is ahead of the system's.
    """

    id: str
    name: str
    environment: Environment
    timezone: str
    clock_offset: timedelta = timedelta()


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Who acts: a person, an API client, or the service itself in a job."""

    type: Literal["member", "api_client", "system"]
    id: str
    name: str
    issuer: str = ""
    subject: str = ""
    client_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """What one caller may do in one organisation.

    Made only from a verified token by `application.access` (or for a job, by the jobs): holding one
    is the proof. `permissions` come from the role or the client's ceiling, `scopes` from the token
    with umbrellas opened. `assigned_to` narrows every row to the debtors of that member.
    """

    tenant: Tenant
    actor: Actor
    role: Role
    permissions: frozenset[str]
    scopes: frozenset[str]
    assigned_to: str | None = field(default=None)

    @property
    def organization_id(self) -> str:
        """The organisation that every query of this grant is pinned to."""
        return self.tenant.id
