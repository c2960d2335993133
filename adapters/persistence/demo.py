"""Replaces a whole organisation of the demo, connected as the owner of the schema."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from adapters.persistence import tables
from adapters.persistence.rates import RateTable
from adapters.persistence.transaction import PinnedTransaction, open_pinned
from domain.access.grant import Actor
from domain.access.members import ApiClient, Identity, Member
from domain.dunning.approvals import Approval
from domain.dunning.charges import Charge
from domain.dunning.contact_points import ContactPoint
from domain.dunning.debtors import Debtor
from domain.dunning.events import Event
from domain.dunning.holidays import Holiday
from domain.dunning.interactions import Interaction
from domain.dunning.organizations import Organization
from domain.dunning.payments import Payment
from domain.dunning.rates import Rates
from domain.ports.issuer import DemoPerson


@dataclass(frozen=True, slots=True, kw_only=True)
class PastEvent:
    """Something that happened before the demo starts, with who did it and through which request."""

    id: str
    event: Event
    occurred_at: datetime
    actor: Actor
    request_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoOrganization:
    """An organisation with everything in it; `identities` are by the id of the member."""

    organization: Organization
    clock_offset: timedelta
    members: Sequence[Member]
    people: Sequence[DemoPerson]
    identities: Mapping[str, Identity]
    api_clients: Sequence[ApiClient]
    holidays: Sequence[Holiday]
    debtors: Sequence[Debtor]
    contact_points: Sequence[ContactPoint]
    charges: Sequence[Charge]
    payments: Sequence[Payment]
    interactions: Sequence[Interaction]
    approvals: Sequence[Approval]
    events: Sequence[PastEvent]


class DemoOrganizations:
    """The organisations of the demo; each call is one transaction."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def rates(self, sample: Rates) -> Rates:
        """The rates that are there; where there are none at all, `sample` is kept first."""
        table = RateTable(self._engine)
        known = await table.all()
        if next(iter(known), None) is not None:
            return known
        await table.load(tuple(sample), dry_run=False)
        return sample

    async def replace(self, demo: DemoOrganization) -> None:
        """Forget every row of this organisation and keep `demo` instead."""
        async with open_pinned(self._engine, demo.organization.id) as transaction:
            await _forget(transaction)
            await _keep_aggregates(transaction, demo)
            await _keep_rows(transaction.connection, demo)
            await transaction.commit()


async def _forget(transaction: PinnedTransaction) -> None:
    own = transaction.organization_id
    # Nobody who works in the organisation may add rows to what is being emptied.
    locked = select(tables.organizations.c.id).where(tables.organizations.c.id == own)
    await transaction.connection.execute(locked.with_for_update())
    for table in reversed(tables.metadata.sorted_tables):
        column = table.c.id if table is tables.organizations else table.c.get("organization_id")
        if column is not None:
            await transaction.connection.execute(delete(table).where(column == own))


async def _keep_aggregates(transaction: PinnedTransaction, demo: DemoOrganization) -> None:
    # The mappings know no relationships, so what others refer to is written before them.
    together = (
        [demo.organization],
        [*demo.members, *demo.api_clients],
        demo.debtors,
        [
            *demo.contact_points,
            *demo.charges,
            *demo.payments,
            *demo.interactions,
            *demo.approvals,
        ],
    )
    for aggregates in together:
        transaction.session.add_all(aggregates)
        await transaction.flush()


async def _keep_rows(connection: AsyncConnection, demo: DemoOrganization) -> None:
    own, founded_at = demo.organization.id, demo.organization.created_at
    await connection.execute(
        update(tables.organizations)
        .where(tables.organizations.c.id == own)
        .values(clock_offset=demo.clock_offset)
    )
    identities = [
        {"organization_id": own, "member_id": member_id, **asdict(identity)}
        for member_id, identity in demo.identities.items()
    ]
    await connection.execute(insert(tables.member_identities), identities)
    await connection.execute(insert(tables.issuer_people), [asdict(one) for one in demo.people])
    await connection.execute(
        insert(tables.holidays), [_holiday_row(own, founded_at, one) for one in demo.holidays]
    )
    await connection.execute(insert(tables.events), [_event_row(own, one) for one in demo.events])


def _holiday_row(organization_id: str, added_at: datetime, holiday: Holiday) -> dict[str, object]:
    return {
        "organization_id": organization_id,
        **asdict(holiday),
        "version": 1,
        "created_at": added_at,
        "updated_at": added_at,
    }


def _event_row(organization_id: str, past: PastEvent) -> dict[str, object]:
    return {
        "organization_id": organization_id,
        "id": past.id,
        "type": past.event.type,
        "occurred_at": past.occurred_at,
        "resource_type": past.event.resource_type,
        "resource_id": past.event.resource_id,
        "debtor_id": past.event.debtor_id,
        "data": past.event.data,
        "changes": past.event.changes,
        "actor_type": past.actor.type,
        "actor_id": past.actor.id,
        "request_id": past.request_id,
    }
