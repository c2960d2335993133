"""The daily clock in one organisation, and in no other."""

from datetime import date, timedelta

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.persistence.tables import events
from adapters.persistence.work import OpenSqlWork
from application.dunning import daily
from application.dunning.daily import DayKept, KeepDay
from domain.access.grant import Environment, Tenant
from domain.dunning.charges import Charge
from domain.errors import StateConflictError
from tests.builders import IDS, ORIGIN, TODAY, Creditor, StoppedClock, a_charge, a_debtor, a_grant
from tests.conftest import Organisations
from tests.integration.conftest import Store

pytestmark = pytest.mark.anyio

TOMORROW = TODAY + timedelta(days=1)


@pytest.fixture
def keep_day(open_work: OpenSqlWork, system_clock: StoppedClock) -> KeepDay:
    return KeepDay(open_work, system_clock, IDS)


@pytest.fixture
async def due_today(organisations: Organisations, store: Store) -> dict[str, list[Charge]]:
    """Three charges of each organisation that are due today."""
    kept = {}
    for creditor in (organisations.a, organisations.b):
        debtor = a_debtor(creditor)
        kept[creditor.id] = [a_charge(debtor, amount=1_000_00, due_date=TODAY) for _ in range(3)]
        await store(creditor, debtor, *kept[creditor.id])
    return kept


async def test_on_the_next_day_charges_are_overdue_and_have_its_amounts(
    organisations: Organisations,
    due_today: dict[str, list[Charge]],
    keep_day: KeepDay,
    system_clock: StoppedClock,
    open_work: OpenSqlWork,
) -> None:
    system_clock.time += timedelta(days=1)

    kept = await keep_day(tenant_of(organisations.a))

    assert kept == DayKept(on=TOMORROW, marked=3, repriced=3)
    for charge in await stored(open_work, organisations.a, due_today):
        assert (charge.status, charge.amounts_as_of, charge.days_late) == ("overdue", TOMORROW, 1)
        assert charge.total_due == 1_020_33
    for charge in await stored(open_work, organisations.b, due_today):
        assert (charge.status, charge.amounts_as_of, charge.total_due) == (
            "pending",
            TODAY,
            1_000_00,
        )


async def test_a_second_run_finds_nothing_to_do(
    organisations: Organisations, due_today: dict[str, list[Charge]], keep_day: KeepDay
) -> None:
    assert due_today
    tenant = tenant_of(organisations.a)
    await keep_day(tenant, TOMORROW)

    assert await keep_day(tenant, TOMORROW) == DayKept(on=TOMORROW)


async def test_a_run_ahead_is_undone_by_the_next_ordinary_one(
    organisations: Organisations,
    due_today: dict[str, list[Charge]],
    keep_day: KeepDay,
    open_work: OpenSqlWork,
    owner_engine: AsyncEngine,
) -> None:
    tenant = tenant_of(organisations.a)
    ahead = await keep_day(tenant, TODAY + timedelta(days=30))

    kept = await keep_day(tenant)

    assert (ahead.marked, ahead.repriced) == (3, 3)
    assert kept == DayKept(on=TODAY, marked=0, repriced=3)
    for charge in await stored(open_work, organisations.a, due_today):
        assert (charge.status, charge.amounts_as_of, charge.days_late) == ("pending", TODAY, 0)
        assert charge.total_due == 1_000_00
    for charge in due_today[organisations.a.id]:
        told = select(events.c.type, events.c.changes).where(events.c.resource_id == charge.id)
        async with owner_engine.connect() as connection:
            rows = (await connection.execute(told.order_by(events.c.id))).all()
        assert [tuple(row) for row in rows][-2:] == [
            ("charge.overdue", {"status": ["pending", "overdue"]}),
            ("charge.updated", {"status": ["overdue", "pending"]}),
        ]
    assert await keep_day(tenant) == DayKept(on=TODAY)


async def test_batches_follow_each_other_until_nothing_is_left(
    organisations: Organisations,
    due_today: dict[str, list[Charge]],
    keep_day: KeepDay,
    open_work: OpenSqlWork,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(daily, "BATCH", 2)

    kept = await keep_day(tenant_of(organisations.a), TOMORROW)

    assert (kept.marked, kept.repriced) == (3, 3)
    charges = await stored(open_work, organisations.a, due_today)
    assert {charge.status for charge in charges} == {"overdue"}


async def test_what_it_does_is_told_in_the_name_of_the_service(
    organisations: Organisations,
    due_today: dict[str, list[Charge]],
    keep_day: KeepDay,
    owner_engine: AsyncEngine,
) -> None:
    await keep_day(tenant_of(organisations.a), TOMORROW)

    ids = [charge.id for charge in due_today[organisations.a.id]]
    told = select(events.c.resource_id, events.c.actor_type, events.c.actor_id).where(
        events.c.type == "charge.overdue",
        events.c.organization_id.in_([organisations.a.id, organisations.b.id]),
    )
    async with owner_engine.connect() as connection:
        rows = (await connection.execute(told)).all()
    assert sorted(rows) == [(charge_id, "system", "daily") for charge_id in sorted(ids)]


async def test_a_charge_that_is_not_late_keeps_its_status_and_its_version(
    organisations: Organisations, keep_day: KeepDay, store: Store, open_work: OpenSqlWork
) -> None:
    debtor = a_debtor(organisations.a)
    charge = a_charge(debtor, due_date=date(2026, 10, 9))
    await store(organisations.a, debtor, charge)

    kept = await keep_day(tenant_of(organisations.a), TOMORROW)

    assert (kept.marked, kept.repriced) == (0, 1)
    (found,) = await stored(open_work, organisations.a, {organisations.a.id: [charge]})
    assert (found.status, found.version, found.amounts_as_of) == ("pending", 1, TOMORROW)


async def test_a_live_organisation_is_never_taken_beyond_its_date(
    organisations: Organisations, due_today: dict[str, list[Charge]], keep_day: KeepDay
) -> None:
    assert due_today
    tenant = tenant_of(organisations.a, Environment.LIVE)

    with pytest.raises(StateConflictError):
        await keep_day(tenant, TOMORROW)
    assert await keep_day(tenant, TODAY) == DayKept(on=TODAY)


@pytest.mark.parametrize("environment", Environment)
async def test_no_organisation_is_taken_back_behind_its_date(
    organisations: Organisations,
    due_today: dict[str, list[Charge]],
    keep_day: KeepDay,
    open_work: OpenSqlWork,
    environment: Environment,
) -> None:
    tenant = tenant_of(organisations.a, environment)

    with pytest.raises(StateConflictError) as refused:
        await keep_day(tenant, TODAY - timedelta(days=1))

    assert "past this date" in refused.value.message.en
    charges = await stored(open_work, organisations.a, due_today)
    assert {charge.amounts_as_of for charge in charges} == {TODAY}


def tenant_of(creditor: Creditor, environment: Environment = Environment.SANDBOX) -> Tenant:
    organization = creditor.organization
    return Tenant(
        id=organization.id,
        name=organization.name,
        environment=environment,
        timezone=organization.timezone,
    )


async def stored(
    open_work: OpenSqlWork, creditor: Creditor, kept: dict[str, list[Charge]]
) -> list[Charge]:
    async with open_work(a_grant(creditor), ORIGIN, read_only=True) as work:
        found = [await work.charges.find(charge.id) for charge in kept[creditor.id]]
    return [charge for charge in found if charge is not None]
