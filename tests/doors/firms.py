"""Two organisations to do things in, with everybody who may call, and what they leave behind."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import msgspec
from sqlalchemy import insert, text
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.persistence.tables import member_identities
from adapters.persistence.transaction import open_pinned
from adapters.persistence.work import OpenSqlWork
from domain.access.members import ApiClient, Member, Portfolio
from domain.access.roles import INTEGRATION_PRESET, Role
from domain.access.scopes import scope_of
from domain.dunning.charges import Charge
from domain.dunning.debtors import Debtor
from domain.dunning.organization_settings import Settings
from tests.builders import IDS, NOW, ORIGIN, Creditor, a_creditor, a_grant, a_member
from tests.doors.house import PUBLIC_URL, Caller

ISSUER: Final = f"{PUBLIC_URL}/issuer"
INTEGRATION: Final = "integration"
COLUMNS: Final = (*(role.value for role in Role), INTEGRATION)
"""The six columns of the role table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Firm:
    """An organisation that only one test knows."""

    creditor: Creditor
    client: ApiClient
    narrowed: Member

    @property
    def id(self) -> str:
        return self.creditor.id

    @property
    def owner(self) -> Caller:
        return self.caller("owner")

    def caller(self, column: str) -> Caller:
        """The person with this role, or the API client of the preset `integration`."""
        if column == INTEGRATION:
            return Caller(
                subject=self.client.subject,
                client_id=self.client.client_id,
                organization_id=self.id,
            )
        return self.person(self.creditor.members[Role(column)])

    def person(self, member: Member) -> Caller:
        return Caller(
            subject=f"person-{member.id}", client_id="some-client", organization_id=self.id
        )


async def found_firm(owner: AsyncEngine, name: str, settings: Settings | None = None) -> Firm:
    """Set an organisation up: one person of each role, two more collectors, and one API client."""
    creditor = a_creditor(name)
    creditor.organization.settings = settings or creditor.organization.settings
    narrowed = a_member(creditor.organization, Role.COLLECTOR, portfolio=Portfolio.ASSIGNED)
    firm = Firm(creditor=creditor, client=_integration(creditor), narrowed=narrowed)
    people = [*creditor.people, narrowed]
    async with open_pinned(owner, firm.id) as transaction:
        for rows in ([creditor.organization], [*people, firm.client]):
            transaction.session.add_all(rows)
            await transaction.flush()
        await transaction.connection.execute(
            insert(member_identities),
            [
                {
                    "organization_id": firm.id,
                    "member_id": member.id,
                    "issuer": ISSUER,
                    "subject": firm.person(member).subject,
                }
                for member in people
            ],
        )
        await transaction.commit()
    return firm


def _integration(creditor: Creditor) -> ApiClient:
    client_id = IDS.new("cli")
    return ApiClient(
        organization_id=creditor.id,
        id=client_id,
        name="erp-sync",
        issuer=ISSUER,
        client_id=f"erp-{client_id}",
        subject=f"erp-{client_id}",
        scopes=frozenset(map(scope_of, INTEGRATION_PRESET)),
        role_ceiling=Role.MANAGER,
        status="active",
        expires_at=NOW + timedelta(days=365),
        created_at=NOW,
        updated_at=NOW,
    )


@dataclass(frozen=True, slots=True)
class Ledger:
    """Puts rows into an organisation behind the doors' back, and reads what is in it."""

    owner: AsyncEngine
    open_work: OpenSqlWork

    async def keep(self, firm: Firm, *aggregates: Debtor | Charge) -> None:
        async with self.open_work(a_grant(firm.creditor), ORIGIN) as work:
            for aggregate in aggregates:
                aggregate.events.clear()
                if isinstance(aggregate, Debtor):
                    work.debtors.add(aggregate)
                else:
                    work.charges.add(aggregate)
            await work.commit()

    async def rows(self, organization_id: str, table: str) -> list[dict[str, Any]]:
        """The rows of one table as JSON, in the order of their ids."""
        own = {"own": organization_id}
        async with open_pinned(self.owner, organization_id, read_only=True) as transaction:
            found = await transaction.connection.scalars(
                text(
                    f"SELECT row_to_json(t)::text FROM {table} t"  # noqa: S608 -- our own names
                    " WHERE organization_id = :own ORDER BY id"
                ),
                own,
            )
            return [msgspec.json.decode(row) for row in found]

    async def audit(self, organization_id: str) -> list[dict[str, Any]]:
        return await self.rows(organization_id, "audit_entries")

    async def events(self, organization_id: str) -> list[dict[str, Any]]:
        return await self.rows(organization_id, "events")

    async def everything(self, organization_id: str) -> dict[str, list[str]]:
        """All rows that an operation could change or leave, as text."""
        found: dict[str, list[str]] = {}
        async with open_pinned(self.owner, organization_id, read_only=True) as transaction:
            for table in ("charges", "debtors", "events", "audit_entries", "idempotency_records"):
                rows = await transaction.connection.scalars(
                    text(
                        f"SELECT t::text FROM {table} t"  # noqa: S608 -- our own names
                        " WHERE organization_id = :own ORDER BY 1"
                    ),
                    {"own": organization_id},
                )
                found[table] = list(rows)
        return found


@dataclass(frozen=True, slots=True)
class Pair:
    """Two firms; whatever is done in `a`, `b` must not see."""

    a: Firm
    b: Firm
