"""What an operator does across organisations, connected as the owner of the schema."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.persistence.tables import (
    api_clients,
    issuer_people,
    member_identities,
    members,
    organization_settings,
    organizations,
)
from adapters.persistence.transaction import PinnedTransaction, open_pinned
from adapters.persistence.uniqueness import duplicates_refused
from domain.access.grant import Environment
from domain.access.members import ApiClient, Identity, Member, MemberStatus
from domain.dunning.organizations import Organization
from domain.errors import NotFoundError
from domain.ports.issuer import DemoPerson


@dataclass(frozen=True, slots=True, kw_only=True)
class OrganizationLine:
    """An organisation as the operator's list shows it."""

    id: str
    name: str
    environment: Environment
    status: str
    claim: str | None
    clock_offset: timedelta
    created_at: datetime


class Administration:
    """Organisations, their people and their API clients; each call is one transaction."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def add_organization(
        self,
        organization: Organization,
        *,
        claim: str | None = None,
        clock_offset: timedelta = timedelta(),
    ) -> None:
        """Keep a new organisation; tokens may name it by `claim` instead of its id.

        Raises:
            DuplicateError: `claim` is another's.
        """
        async with self._inside(organization.id) as transaction:
            transaction.session.add(organization)
            await transaction.flush()
            await transaction.connection.execute(
                update(organizations)
                .where(organizations.c.id == organization.id)
                .values(claim=claim, clock_offset=clock_offset)
            )

    async def set_suspended(self, organization_id: str, *, suspended: bool) -> None:
        """Let nobody in any more, or let them in again. Raises NotFoundError."""
        status = "suspended" if suspended else "active"
        async with self._inside(organization_id) as transaction:
            changed = await transaction.connection.execute(
                update(organizations)
                .where(organizations.c.id == organization_id)
                .values(status=status)
            )
            if not changed.rowcount:
                raise NotFoundError

    async def organizations(self) -> Sequence[OrganizationLine]:
        """Every organisation, by name."""
        wanted = (
            select(
                organizations.c.id,
                organization_settings.c.name,
                organizations.c.environment,
                organizations.c.status,
                organizations.c.claim,
                organizations.c.clock_offset,
                organizations.c.created_at,
            )
            .join_from(organizations, organization_settings)
            .order_by(organization_settings.c.name, organizations.c.id)
        )
        async with self._engine.connect() as connection:
            rows = (await connection.execute(wanted)).mappings().all()
        return [OrganizationLine(**row) for row in rows]

    async def add_member(self, member: Member) -> None:
        """Keep a new member. Raises DuplicateError: the e-mail is another member's."""
        async with self._inside(member.organization_id) as transaction:
            transaction.session.add(member)

    async def bind_member(self, member: Member, identity: Identity, now: datetime) -> None:
        """Let `identity` be this member, whose invitation is taken up by it.

        Raises:
            DuplicateError: it is somebody already.
        """
        async with self._inside(member.organization_id) as transaction:
            await transaction.connection.execute(
                insert(member_identities).values(
                    organization_id=member.organization_id,
                    member_id=member.id,
                    **asdict(identity),
                )
            )
            await transaction.connection.execute(
                update(members)
                .where(
                    members.c.organization_id == member.organization_id,
                    members.c.id == member.id,
                    members.c.status == MemberStatus.INVITED,
                )
                .values(status=MemberStatus.ACTIVE, updated_at=now, version=members.c.version + 1)
            )

    async def members(self, organization_id: str) -> Sequence[Member]:
        """The people of one organisation, by name."""
        async with open_pinned(self._engine, organization_id, read_only=True) as transaction:
            wanted = select(Member).where(members.c.organization_id == organization_id)
            ordered = wanted.order_by(members.c.name, members.c.id)
            return (await transaction.session.scalars(ordered)).all()

    async def add_api_client(self, client: ApiClient) -> None:
        """Keep a new API client. Raises DuplicateError: the issuer's client id is another's."""
        async with self._inside(client.organization_id) as transaction:
            transaction.session.add(client)

    async def revoke_api_client(self, organization_id: str, client_id: str, now: datetime) -> None:
        """Let the API client with this id of ours in no more. Raises NotFoundError."""
        async with self._inside(organization_id) as transaction:
            changed = await transaction.connection.execute(
                update(api_clients)
                .where(
                    api_clients.c.organization_id == organization_id, api_clients.c.id == client_id
                )
                .values(status="revoked", updated_at=now, version=api_clients.c.version + 1)
            )
            if not changed.rowcount:
                raise NotFoundError

    async def api_clients(self, organization_id: str) -> Sequence[ApiClient]:
        """The API clients of one organisation, by name."""
        async with open_pinned(self._engine, organization_id, read_only=True) as transaction:
            wanted = select(ApiClient).where(api_clients.c.organization_id == organization_id)
            ordered = wanted.order_by(api_clients.c.name, api_clients.c.id)
            return (await transaction.session.scalars(ordered)).all()

    async def add_demo_person(self, person: DemoPerson) -> None:
        """Offer an invented person on the embedded issuer's sign-in page."""
        async with self._inside(person.organization_id) as transaction:
            await transaction.connection.execute(insert(issuer_people).values(asdict(person)))

    @asynccontextmanager
    async def _inside(self, organization_id: str) -> AsyncGenerator[PinnedTransaction]:
        """A transaction that is committed when its block ends well."""
        async with open_pinned(self._engine, organization_id) as transaction:
            with duplicates_refused():
                yield transaction
                await transaction.flush()
                await transaction.commit()
