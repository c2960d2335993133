"""The first steps of a token's bearer into an organisation, before there is a Grant."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final

from sqlalchemy import Select, func, insert, select
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.persistence.tables import (
    api_clients,
    member_identities,
    members,
    organization_settings,
    organizations,
)
from adapters.persistence.transaction import PinnedTransaction, open_pinned
from adapters.persistence.uniqueness import duplicates_refused
from domain.access.grant import Tenant
from domain.access.members import ApiClient, Identity, Member, MemberStatus

_I: Final = member_identities.c


class SqlEntrance:
    """One transaction in the organisation that a verified token names."""

    def __init__(self, transaction: PinnedTransaction) -> None:
        self._transaction = transaction

    async def tenant(self) -> Tenant:
        """The organisation, with what every request needs of it."""
        wanted = (
            select(
                organizations.c.id,
                organization_settings.c.name,
                organizations.c.environment,
                organization_settings.c.timezone,
                organizations.c.clock_offset,
            )
            .join_from(organizations, organization_settings)
            .where(organizations.c.id == self._transaction.organization_id)
        )
        found = (await self._transaction.connection.execute(wanted)).one()
        return Tenant(**found._asdict())

    async def api_client(self, issuer: str, client_id: str, /) -> ApiClient | None:
        """The API client registered under this id at this issuer, whatever its status."""
        return await self._transaction.session.scalar(
            select(ApiClient).where(
                api_clients.c.organization_id == self._transaction.organization_id,
                api_clients.c.issuer == issuer,
                api_clients.c.client_id == client_id,
            )
        )

    async def member(self, identity: Identity, /) -> Member | None:
        """The member that is this person, whatever their status."""
        is_theirs = (_I.organization_id == members.c.organization_id) & (
            _I.member_id == members.c.id
        )
        return await self._transaction.session.scalar(
            self._members()
            .join(member_identities, is_theirs)
            .where(_I.issuer == identity.issuer, _I.subject == identity.subject)
        )

    async def invited(self, email: str, /) -> Member | None:
        """The invitation to this address, whatever its case; held until the transaction ends."""
        return await self._transaction.session.scalar(
            self._members()
            .where(
                func.lower(members.c.email) == func.lower(email),
                members.c.status == MemberStatus.INVITED,
            )
            .with_for_update()
        )

    async def bind(self, member: Member, identity: Identity, /) -> None:
        """Let `identity` be `member` from now on. Raises DuplicateError: it is somebody already."""
        with duplicates_refused():
            await self._transaction.connection.execute(
                insert(member_identities).values(
                    organization_id=self._transaction.organization_id,
                    issuer=identity.issuer,
                    subject=identity.subject,
                    member_id=member.id,
                )
            )

    async def commit(self) -> None:
        """Keep what was bound."""
        await self._transaction.flush()
        await self._transaction.commit()

    def _members(self) -> Select[Member]:
        return select(Member).where(members.c.organization_id == self._transaction.organization_id)


class OpenSqlEntrance:
    """Opens entrances on the application's engine."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    @asynccontextmanager
    async def __call__(self, organization_id: str, /) -> AsyncGenerator[SqlEntrance]:
        """One transaction, undone unless committed. Raises UnavailableError."""
        async with open_pinned(self._engine, organization_id) as transaction:
            yield SqlEntrance(transaction)
