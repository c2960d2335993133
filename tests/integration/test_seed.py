"""The demo in a real database: complete, repeatable, and no danger to anybody else."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.persistence import tables
from adapters.persistence.database import open_engine
from adapters.persistence.demo import DemoOrganizations
from adapters.persistence.directory import SqlDirectory
from adapters.persistence.entrance import OpenSqlEntrance
from adapters.persistence.issuer_store import SqlIssuerStore
from adapters.persistence.rates import RateTable
from adapters.persistence.transaction import open_pinned
from adapters.persistence.work import OpenSqlWork
from application.access.enter import Enter
from domain.access.grant import Grant
from domain.access.principal import Principal
from domain.access.scopes import SCOPES
from domain.errors import UnauthenticatedError
from domain.ports.charges import ChargeQuery
from domain.ports.clocks import BusinessClock
from domain.ports.debtors import DebtorQuery
from domain.ports.lists import Window
from domain.ports.payments import PaymentQuery
from entrypoints.seed.plant import Planted, plant
from entrypoints.seed.rates import SAMPLE_RATES
from entrypoints.seed.totals import EXPECTED_TOTALS
from tests.builders import IDS, ORIGIN, StoppedClock, a_creditor, a_debtor
from tests.database import Database, migrated_database

pytestmark = pytest.mark.anyio

ISSUER = "http://127.0.0.1:8000/issuer"
SYSTEM_NOW = datetime(2026, 9, 1, 13, 0, tzinfo=UTC)
CLOCK = StoppedClock(SYSTEM_NOW)
FIRST_ROWS = Window(page=1, per_page=100, sort_by="created_at", descending=False)
BY_PAYMENT = Window(page=1, per_page=100, sort_by="paid_at", descending=False)


@pytest.fixture(scope="module")
def own_database(worker_id: str) -> Iterator[Database]:
    """A database in which nobody else's tests would meet the demo."""
    with migrated_database(f"{worker_id}_seed") as database:
        yield database


@pytest.fixture(scope="module")
async def owner(own_database: Database) -> AsyncIterator[AsyncEngine]:
    engine = open_engine(own_database.owner)
    yield engine
    await engine.dispose()


@pytest.fixture(scope="module")
async def app(own_database: Database) -> AsyncIterator[AsyncEngine]:
    engine = open_engine(own_database.app)
    yield engine
    await engine.dispose()


@pytest.fixture
async def planted(owner: AsyncEngine) -> Planted:
    return await plant(DemoOrganizations(owner), issuer=ISSUER, system_now=SYSTEM_NOW)


async def rows_of(owner: AsyncEngine, organization_id: str | None = None) -> dict[str, list[str]]:
    """Every row of every table as text, of one organisation or of all."""
    found: dict[str, list[str]] = {}
    async with owner.connect() as connection:
        for table in tables.metadata.sorted_tables:
            owned_by = "id" if table is tables.organizations else "organization_id"
            if owned_by in table.c:
                rows = await connection.scalars(
                    text(
                        f"SELECT t::text FROM {table.name} t"  # noqa: S608 -- our own names
                        f" WHERE CAST(:own AS text) IS NULL OR {owned_by} = :own ORDER BY 1"
                    ),
                    {"own": organization_id},
                )
                found[table.name] = list(rows)
    return found


async def entered(app: AsyncEngine, *, subject: str, client_id: str, organization: str) -> Grant:
    enter = Enter(SqlDirectory(app), OpenSqlEntrance(app), CLOCK)
    return await enter(
        Principal(
            issuer=ISSUER,
            subject=subject,
            client_id=client_id,
            organization=organization,
            scopes=SCOPES,
            expires_at=(SYSTEM_NOW + timedelta(hours=1)).timestamp(),
        )
    )


async def grant_of(app: AsyncEngine, planted: Planted, first_name: str) -> Grant:
    (person,) = (one for one in planted.people if one.name.startswith(f"{first_name} "))
    return await entered(
        app,
        subject=person.subject,
        client_id="some-client",
        organization=person.organization_id,
    )


async def counts_of(owner: AsyncEngine, organization_id: str) -> dict[str, int]:
    """How many rows there are, and the money in them."""
    payments = tables.payments.c
    money = (payments.status == "confirmed") & (payments.method != "compensation")
    charges = tables.charges.c
    is_open = charges.status.in_(("pending", "overdue"))
    asked = {
        "contact_points": select(func.count()).select_from(tables.contact_points),
        "interactions": select(func.count()).select_from(tables.interactions),
        "approvals": select(func.count()).select_from(tables.approvals),
        "payments": select(func.count()).select_from(tables.payments),
        "received": select(func.sum(payments.amount)).where(money),
        "credit": select(func.sum(tables.debtors.c.credit)),
        "open_principal": select(func.sum(charges.principal_outstanding)).where(is_open),
    }
    async with owner.connect() as connection:
        return {
            name: await connection.scalar(
                statement.where(statement.get_final_froms()[0].c.organization_id == organization_id)
            )
            for name, statement in asked.items()
        }


async def test_what_is_stored_adds_up_to_the_published_totals(
    owner: AsyncEngine, planted: Planted
) -> None:
    assert planted.totals == EXPECTED_TOTALS
    ids = {person.organization_name: person.organization_id for person in planted.people}
    charges = tables.charges.c
    for totals in EXPECTED_TOTALS:
        counted = (
            select(charges.status, func.count())
            .where(charges.organization_id == ids[totals.organization])
            .group_by(charges.status)
        )
        async with owner.connect() as connection:
            found = (await connection.execute(counted)).all()
        assert {row[0]: row[1] for row in found} == totals.charges
        stored = await counts_of(owner, ids[totals.organization])
        assert stored == {name: getattr(totals, name) for name in stored}


async def test_sample_rates_are_there_after_the_first_planting(
    owner: AsyncEngine, planted: Planted
) -> None:
    assert set(planted.rates) == set(SAMPLE_RATES)
    assert set(await RateTable(owner).all()) == set(SAMPLE_RATES)


async def test_rates_that_an_operator_has_loaded_stay_and_charges_grow_by_them(
    owner: AsyncEngine, planted: Planted
) -> None:
    doubled = [replace(rate, percent=2 * rate.percent) for rate in SAMPLE_RATES]
    await RateTable(owner).load(doubled, dry_run=False)
    again = await plant(DemoOrganizations(owner), issuer=ISSUER, system_now=SYSTEM_NOW)
    kept = await RateTable(owner).all()
    await RateTable(owner).load(tuple(SAMPLE_RATES), dry_run=False)
    assert set(kept) == set(again.rates) == set(doubled)
    assert again.totals[0] == planted.totals[0]
    assert again.totals[1].received > planted.totals[1].received


async def test_stored_payments_holidays_and_contact_points_are_read_back(
    app: AsyncEngine, planted: Planted
) -> None:
    grant = await grant_of(app, planted, "Helena")
    async with OpenSqlWork(app, CLOCK, IDS)(grant, ORIGIN, read_only=True) as work:
        payments = await work.payments.page(PaymentQuery(window=BY_PAYMENT))
        (holiday,) = await work.holidays.all()
        points = await work.contact_points.of_debtor(payments.rows[0].debtor_id)
    assert (payments.total, payments.rows[0].paid_at) == (96, date(2025, 1, 10))
    assert holiday.name == "Aniversário de São Paulo"
    assert {point.debtor_id for point in points} == {payments.rows[0].debtor_id}


async def test_what_happened_to_a_debtor_is_found_by_the_debtor(
    owner: AsyncEngine, planted: Planted
) -> None:
    happened = tables.events.c
    counted = (
        select(happened.resource_type, func.count())
        .where(happened.debtor_id.is_not(None))
        .group_by(happened.resource_type)
    )
    async with owner.connect() as connection:
        found = {row[0]: row[1] for row in await connection.execute(counted)}
    assert set(found) == {
        "approval",
        "charge",
        "contact_point",
        "debtor",
        "interaction",
        "payment",
    }
    assert found["interaction"] == sum(one.interactions for one in planted.totals)


async def test_planting_again_leaves_the_same_rows(owner: AsyncEngine, planted: Planted) -> None:
    before = await rows_of(owner)
    await plant(DemoOrganizations(owner), issuer=ISSUER, system_now=SYSTEM_NOW)
    assert await rows_of(owner) == before
    assert len(planted.people) == len(before["issuer_people"])


async def test_planting_again_undoes_what_was_done_in_the_demo(
    owner: AsyncEngine, app: AsyncEngine, planted: Planted
) -> None:
    before = await rows_of(owner)
    grant = await grant_of(app, planted, "Bianca")
    async with OpenSqlWork(app, CLOCK, IDS)(grant, ORIGIN) as work:
        page = await work.debtors.page(DebtorQuery(window=FIRST_ROWS, today=SYSTEM_NOW.date()))
        page.rows[0].debtor.notes = "changed"
        organization = await work.organization()
        newcomer = a_debtor(a_creditor("Colégio Aurora"))
        newcomer.organization_id = organization.id
        work.debtors.add(newcomer)
        await work.commit()
    assert await rows_of(owner) != before
    await plant(DemoOrganizations(owner), issuer=ISSUER, system_now=SYSTEM_NOW)
    assert await rows_of(owner) == before


async def test_planting_never_touches_another_organisation(owner: AsyncEngine) -> None:
    other = a_creditor("Colégio Aurora")
    async with open_pinned(owner, other.id) as transaction:
        for rows in ([other.organization], other.people, [a_debtor(other)]):
            transaction.session.add_all(rows)
            await transaction.flush()
        await transaction.commit()
    before = await rows_of(owner, other.id)
    await plant(DemoOrganizations(owner), issuer=ISSUER, system_now=SYSTEM_NOW)
    assert before["debtors"]
    assert await rows_of(owner, other.id) == before


async def test_every_person_enters_as_what_they_are(app: AsyncEngine, planted: Planted) -> None:
    for person in planted.people:
        grant = await entered(
            app,
            subject=person.subject,
            client_id="some-client",
            organization=person.organization_id,
        )
        assert (grant.actor.name, grant.role) == (person.name, person.role)
        assert BusinessClock(CLOCK).now(grant.tenant).isoformat() == "2026-12-01T10:00:00-03:00"


async def test_usable_api_clients_enter_and_the_others_are_refused(
    app: AsyncEngine, planted: Planted
) -> None:
    refused = []
    for client in planted.api_clients:
        try:
            grant = await entered(
                app,
                subject=client.subject,
                client_id=client.client_id,
                organization=client.organization_id,
            )
        except UnauthenticatedError:
            refused.append(client.name)
        else:
            assert (grant.actor.id, grant.permissions) == (client.id, client.permissions())
    assert refused == ["portal-expirado", "loja-revogada"]


async def test_the_sign_in_page_offers_everybody(app: AsyncEngine, planted: Planted) -> None:
    people = await SqlIssuerStore(app, CLOCK).people()
    assert sorted(people, key=lambda one: one.subject) == sorted(
        planted.people, key=lambda one: one.subject
    )


@pytest.mark.parametrize(
    ("first_name", "debtors", "charges"), [("Caio", 40, 168), ("Lia", 12, 75), ("Nilo", 14, 45)]
)
async def test_everybody_sees_their_own_portfolio(
    app: AsyncEngine, planted: Planted, first_name: str, debtors: int, charges: int
) -> None:
    grant = await grant_of(app, planted, first_name)
    async with OpenSqlWork(app, CLOCK, IDS)(grant, ORIGIN, read_only=True) as work:
        assert (
            await work.debtors.page(DebtorQuery(window=FIRST_ROWS, today=SYSTEM_NOW.date()))
        ).total == debtors
        assert (await work.charges.page(ChargeQuery(window=FIRST_ROWS))).total == charges


async def test_the_same_invoice_number_finds_each_organisations_own_charge(
    app: AsyncEngine, planted: Planted
) -> None:
    found = []
    for first_name in ("Helena", "Vera"):
        grant = await grant_of(app, planted, first_name)
        async with OpenSqlWork(app, CLOCK, IDS)(grant, ORIGIN, read_only=True) as work:
            page = await work.charges.page(ChargeQuery(window=FIRST_ROWS, external_id="NF-1001"))
            (row,) = page.rows
            found.append((row.id, row.debtor_name, row.amount))
    (a_id, a_name, a_amount), (b_id, b_name, b_amount) = found
    assert a_name == b_name == "Transportes Silva"
    assert (a_amount, b_amount) == (1_480_00, 7_315_20)
    assert a_id != b_id


async def test_a_stored_charge_is_the_one_that_was_grown(
    app: AsyncEngine, planted: Planted
) -> None:
    grant = await grant_of(app, planted, "Helena")
    async with OpenSqlWork(app, CLOCK, IDS)(grant, ORIGIN, read_only=True) as work:
        page = await work.charges.page(ChargeQuery(window=FIRST_ROWS, external_id="A-01"))
        charge = await work.charges.find(page.rows[0].id)
        assert charge is not None
        assert charge.total_due == 1_295_42
        assert [one.rounded for one in charge.amounts_memory] == [25_00, 20_42]
