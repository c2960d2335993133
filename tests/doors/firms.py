"""Two organisations to do things in, with everybody who may call, and what they leave behind."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final, TypeAlias

import msgspec
from sqlalchemy import insert, text
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.persistence.tables import holidays, member_identities
from adapters.persistence.transaction import open_pinned
from adapters.persistence.work import OpenSqlWork
from domain.access.members import ApiClient, Member, Portfolio
from domain.access.roles import INTEGRATION_PRESET, Role
from domain.access.scopes import scope_of
from domain.dunning.approvals import Approval
from domain.dunning.charges import Charge
from domain.dunning.contact_points import ContactPoint
from domain.dunning.debtors import Debtor
from domain.dunning.holidays import HolidayScope, HolidaySource
from domain.dunning.interactions import Interaction
from domain.dunning.organization_settings import Settings
from domain.dunning.payments import Payment
from tests.builders import (
    IDS,
    NOW,
    ORIGIN,
    Creditor,
    a_charge,
    a_contact_point,
    a_creditor,
    a_debtor,
    a_grant,
    a_member,
    a_payment,
    an_approval,
)
from tests.doors.house import PUBLIC_URL, Caller
from tests.doors.requests import INTEGRATION, Known

Kept: TypeAlias = Debtor | ContactPoint | Interaction | Charge | Payment | Approval

LAST_MONTH: Final = date(2026, 8, 3)
ISSUER: Final = f"{PUBLIC_URL}/issuer"


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


async def a_program(
    ledger: "Ledger", firm: Firm, ceiling: Role, scopes: Iterable[str] | None = None
) -> Caller:
    """An API client with another ceiling, and with the scopes of the preset unless told."""
    client_id = IDS.new("cli")
    client = replace(
        firm.client,
        id=client_id,
        client_id=client_id,
        subject=client_id,
        role_ceiling=ceiling,
        scopes=firm.client.scopes if scopes is None else frozenset(scopes),
    )
    async with open_pinned(ledger.owner, firm.id) as transaction:
        transaction.session.add(client)
        await transaction.flush()
        await transaction.commit()
    return Caller(subject=client_id, client_id=client_id, organization_id=firm.id)


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

    async def keep(self, firm: Firm, *aggregates: Kept) -> None:
        async with self.open_work(a_grant(firm.creditor), ORIGIN) as work:
            for aggregate in aggregates:
                aggregate.events.clear()
                match aggregate:
                    case Debtor():
                        work.debtors.add(aggregate)
                    case ContactPoint():
                        work.contact_points.add(aggregate)
                    case Interaction():
                        work.interactions.add(aggregate)
                    case Payment():
                        work.payments.add(aggregate)
                    case Approval():
                        await work.approvals.add(aggregate)
                    case Charge():
                        work.charges.add(aggregate)
            await work.commit()

    async def close(self, firm: Firm, day: date, uf: str) -> None:
        """Make a day a holiday of a state."""
        row = {
            "organization_id": firm.id,
            "id": IDS.new("hol"),
            "date": day,
            "name": "Dia do estado",
            "scope": HolidayScope.UF,
            "uf": uf,
            "source": HolidaySource.ORGANIZATION,
            "version": 1,
            "created_at": NOW,
            "updated_at": NOW,
        }
        async with open_pinned(self.owner, firm.id) as transaction:
            await transaction.connection.execute(insert(holidays), [row])
            await transaction.commit()

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
            for table in (
                "approvals",
                "charges",
                "confirmation_decisions",
                "contact_points",
                "debtors",
                "interactions",
                "payments",
                "organization_settings",
                "events",
                "audit_entries",
                "idempotency_records",
            ):
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


def settled_in_2025(firm: Firm, **fields: Any) -> tuple[Debtor, Charge, Payment]:
    """A debtor whose only charge was due in 2025 and is paid today."""
    debtor = a_debtor(firm.creditor, **fields)
    due = date(2025, 10, 9)
    charge = a_charge(debtor, issue_date=due, due_date=due)
    owed = charge.total_due
    return debtor, charge, a_payment(debtor, charge, amount=owed)


async def things(ledger: Ledger, firm: Firm, **fields: Any) -> Known:
    """A debtor of the firm with one charge of each kind that requests are about."""
    debtor = a_debtor(firm.creditor, **fields)
    charge, partly_paid = a_charge(debtor, **fields), a_charge(debtor)
    overdue = a_charge(debtor, amount=300_00, issue_date=LAST_MONTH, due_date=LAST_MONTH)
    payment = a_payment(debtor, partly_paid, amount=100_00)
    point = a_contact_point(debtor)
    approval = an_approval(debtor, overdue)
    past = a_debtor(firm.creditor)
    past.created_at = past.updated_at = datetime(2020, 3, 2, 15, 0, tzinfo=UTC)
    settled, settled_charge, settlement = settled_in_2025(firm, **fields)
    await ledger.keep(firm, debtor, charge, partly_paid, overdue, payment, point, approval, past)
    await ledger.keep(firm, settled, settled_charge, settlement)
    return Known(
        debtor_id=debtor.id,
        charge_id=charge.id,
        overdue_charge_id=overdue.id,
        paid_charge_id=partly_paid.id,
        payment_id=payment.id,
        approval_id=approval.id,
        contact_point_id=point.id,
        document=debtor.document.number,
        past_debtor_id=past.id,
        settled_debtor_id=settled.id,
        settled_charge_id=settled_charge.id,
    )
