"""The database alone keeps organisations apart, whatever a query forgets."""

import pytest
from sqlalchemy import text
from sqlalchemy.exc import ProgrammingError
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.persistence.database import open_engine, unsafe_role
from adapters.persistence.failures import StatementFailedError
from adapters.persistence.tables import DIRECTORY_TABLES, metadata
from adapters.persistence.transaction import open_pinned
from adapters.persistence.work import OpenSqlWork
from domain.dunning.charges import Charge
from domain.dunning.debtors import Debtor
from tests.builders import ORIGIN, Creditor, a_charge, a_debtor, a_grant
from tests.conftest import Organisations
from tests.database import Database
from tests.integration.conftest import Store

pytestmark = pytest.mark.anyio

TENANT_TABLES = sorted(set(metadata.tables) - DIRECTORY_TABLES)


async def a_pair(creditor: Creditor, store: Store) -> tuple[Debtor, Charge]:
    debtor = a_debtor(creditor)
    charge = a_charge(debtor)
    await store(creditor, debtor, charge)
    return debtor, charge


async def test_a_query_without_an_organisation_sees_no_row_of_any_tenant_table(
    organisations: Organisations, app_engine: AsyncEngine, store: Store
) -> None:
    await a_pair(organisations.a, store)

    async with app_engine.connect() as connection:
        for table in TENANT_TABLES:
            assert await connection.scalar(text(f"SELECT count(*) FROM {table}")) == 0  # noqa: S608 -- our own names


async def test_a_query_that_forgets_its_organisation_sees_the_pinned_one_only(
    organisations: Organisations, app_engine: AsyncEngine, store: Store
) -> None:
    await a_pair(organisations.a, store)
    await a_pair(organisations.b, store)

    async with open_pinned(app_engine, organisations.a.id, read_only=True) as transaction:
        for table in ("debtors", "charges", "members", "events", "organization_settings"):
            seen = await transaction.driver.fetch(f"SELECT DISTINCT organization_id FROM {table}")  # noqa: S608 -- our own names
            assert [tuple(row) for row in seen] == [(organisations.a.id,)]


async def test_a_row_cannot_be_written_into_another_organisation(
    organisations: Organisations, app_engine: AsyncEngine, store: Store
) -> None:
    debtor, _ = await a_pair(organisations.a, store)
    moved = "UPDATE debtors SET organization_id = $1 WHERE id = $2"

    with pytest.raises(StatementFailedError, match="42501"):
        async with open_pinned(app_engine, organisations.a.id) as transaction:
            await transaction.driver.fetch(moved, organisations.b.id, debtor.id)


async def test_a_charge_cannot_belong_to_a_debtor_of_another_organisation(
    organisations: Organisations, store: Store
) -> None:
    theirs, _ = await a_pair(organisations.b, store)
    charge = a_charge(theirs)
    charge.organization_id = organisations.a.id

    with pytest.raises(StatementFailedError, match="fk_charges_organization_id_debtor_id"):
        await store(organisations.a, charge)


async def test_what_another_organisation_has_is_not_found(
    organisations: Organisations, open_work: OpenSqlWork, store: Store
) -> None:
    debtor, charge = await a_pair(organisations.b, store)

    async with open_work(a_grant(organisations.a), ORIGIN) as work:
        assert await work.debtors.find(debtor.id) is None
        assert await work.charges.find(charge.id, lock=True) is None
        assert not await work.members.exists(organisations.b.other_collector.id)
        assert await work.members.exists(organisations.a.other_collector.id)


async def test_every_table_is_bound_to_organisations_or_exempted_by_name(
    owner_engine: AsyncEngine,
) -> None:
    bound = text(
        """
        SELECT c.relname
        FROM pg_class c
        JOIN pg_attribute a ON a.attrelid = c.oid
         AND a.attname = 'organization_id' AND a.attnotnull
        JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary AND i.indkey[0] = a.attnum
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
          AND c.relrowsecurity AND c.relforcerowsecurity
          AND (SELECT array_agg(p.polname || ' ' || p.polroles::regrole[]::text ORDER BY p.polname)
               FROM pg_policy p WHERE p.polrelid = c.oid AND p.polcmd = '*' AND p.polpermissive)
              = ARRAY['housekeeping {dunning_owner}', 'tenant {dunning_app}']
        """
    )
    every = text("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    async with owner_engine.connect() as connection:
        tables = set((await connection.scalars(every)).all())
        bound_tables = set((await connection.scalars(bound)).all())

    exempt = DIRECTORY_TABLES | {"alembic_version"}
    assert tables - bound_tables == exempt
    assert bound_tables == set(TENANT_TABLES)


@pytest.mark.parametrize("table", ["events", "audit_entries"])
@pytest.mark.parametrize("act", ["DELETE FROM {0}", "UPDATE {0} SET id = id", "TRUNCATE {0}"])
async def test_the_service_cannot_rewrite_its_trails(
    app_engine: AsyncEngine, table: str, act: str
) -> None:
    async with app_engine.connect() as connection:
        with pytest.raises(ProgrammingError, match="permission denied"):
            await connection.execute(text(act.format(table)))


async def test_only_a_role_that_row_level_security_binds_is_safe(database: Database) -> None:
    reasons = {}
    for name in ("app", "owner", "admin"):
        engine = open_engine(getattr(database, name))
        reasons[name] = await unsafe_role(engine)
        await engine.dispose()

    assert reasons["app"] is None
    assert "owns a table" in str(reasons["owner"])
    assert "superuser" in str(reasons["admin"])


async def test_an_organisation_id_cannot_carry_sql(app_engine: AsyncEngine) -> None:
    with pytest.raises(ValueError, match="Not an organisation id"):
        async with open_pinned(app_engine, "org_1', true); SELECT ('"):
            pass
