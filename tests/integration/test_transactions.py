"""A transaction is kept whole or not at all, and leaves nothing on its connection."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.persistence.database import open_engine
from adapters.persistence.failures import StatementFailedError
from adapters.persistence.transaction import PinnedTransaction, open_pinned
from adapters.persistence.work import OpenSqlWork
from domain.access.audit import AuditEntry, Origin, Via
from domain.access.grant import Grant
from domain.dunning.debtors import Debtor
from domain.errors import UnavailableError
from tests.builders import IDS, NOW, ORIGIN, Creditor, StoppedClock, a_charge, a_debtor, a_grant
from tests.conftest import Organisations
from tests.database import Database
from tests.integration.conftest import Store

pytestmark = pytest.mark.anyio

OPEN_TRANSACTIONS = text(
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE usename = 'dunning_app' AND datname = current_database() AND state LIKE 'idle in%'"
)


@pytest.fixture
async def one_connection(database: Database) -> AsyncIterator[AsyncEngine]:
    engine = open_engine(database.app, pool_size=1, pool_timeout=1)
    yield engine
    await engine.dispose()


@pytest.fixture
def open_on_one(one_connection: AsyncEngine) -> OpenSqlWork:
    return OpenSqlWork(one_connection, StoppedClock(), IDS)


async def keep(open_work: OpenSqlWork, grant: Grant, debtor: Debtor) -> None:
    async with open_work(grant, ORIGIN) as work:
        work.debtors.add(debtor)
        await work.commit()


async def debtor_names(engine: AsyncEngine, creditor: Creditor) -> set[str]:
    async with open_pinned(engine, creditor.id, read_only=True) as transaction:
        return {row[0] for row in await transaction.driver.fetch("SELECT name FROM debtors")}


async def test_one_pooled_connection_never_carries_an_organisation_over(
    organisations: Organisations,
    one_connection: AsyncEngine,
    open_on_one: OpenSqlWork,
    store: Store,
) -> None:
    await store(organisations.a, a_debtor(organisations.a, name="Ana Alves"))
    await store(organisations.b, a_debtor(organisations.b, name="Bruno Braga"))
    seen = text("SELECT name FROM debtors")

    assert await debtor_names(one_connection, organisations.a) == {"Ana Alves"}
    with pytest.raises(StatementFailedError):
        await keep(open_on_one, a_grant(organisations.a), a_debtor(organisations.b))
    async with one_connection.connect() as connection:
        assert not (await connection.scalars(seen)).all()
    assert await debtor_names(one_connection, organisations.b) == {"Bruno Braga"}


async def test_what_is_not_committed_is_undone(
    organisations: Organisations, open_work: OpenSqlWork, app_engine: AsyncEngine
) -> None:
    async with open_work(a_grant(organisations.a), ORIGIN) as work:
        work.debtors.add(a_debtor(organisations.a))
        assert work.pending_events()

    assert await debtor_names(app_engine, organisations.a) == set()


async def test_a_read_only_transaction_neither_writes_nor_commits(
    organisations: Organisations, open_work: OpenSqlWork, app_engine: AsyncEngine
) -> None:
    with pytest.raises(StatementFailedError, match="25006"):
        async with open_pinned(app_engine, organisations.a.id, read_only=True) as transaction:
            await transaction.driver.fetch("UPDATE members SET name = 'Outra'")
    with pytest.raises(RuntimeError, match="read-only"):
        async with open_work(a_grant(organisations.a), ORIGIN, read_only=True) as work:
            await work.commit()


async def test_cancelling_between_two_writes_stores_neither_and_leaves_nothing_open(
    organisations: Organisations,
    one_connection: AsyncEngine,
    open_on_one: OpenSqlWork,
    owner_engine: AsyncEngine,
) -> None:
    halfway, never = asyncio.Event(), asyncio.Event()

    async def write_twice() -> None:
        async with open_on_one(a_grant(organisations.a), ORIGIN) as work:
            debtor = a_debtor(organisations.a)
            work.debtors.add(debtor)
            await work._transaction.flush()
            halfway.set()
            await never.wait()
            work.charges.add(a_charge(debtor))
            await work.commit()

    task = asyncio.create_task(write_twice())
    await halfway.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert await debtor_names(one_connection, organisations.a) == set()
    async with owner_engine.connect() as connection:
        assert await connection.scalar(OPEN_TRANSACTIONS) == 0


async def test_cancelling_a_running_statement_frees_the_connection(
    organisations: Organisations, one_connection: AsyncEngine, owner_engine: AsyncEngine
) -> None:
    async def wait_in_the_database() -> None:
        async with open_pinned(one_connection, organisations.a.id) as transaction:
            await transaction.driver.fetch("SELECT pg_sleep(60)")

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await wait_in_the_database()

    assert await debtor_names(one_connection, organisations.a) == set()
    async with owner_engine.connect() as connection:
        assert await connection.scalar(OPEN_TRANSACTIONS) == 0


@pytest.fixture
async def late_refusal(owner_engine: AsyncEngine) -> AsyncIterator[None]:
    """A rule that looks at a debtor only when the transaction is committed."""
    function = (
        "CREATE FUNCTION refuse_late() RETURNS trigger LANGUAGE plpgsql AS"
        " $$ BEGIN RAISE integrity_constraint_violation; END $$"
    )
    trigger = (
        "CREATE CONSTRAINT TRIGGER refuse_late AFTER INSERT ON debtors"
        " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.name = 'Recusado no Fim')"
        " EXECUTE FUNCTION refuse_late()"
    )
    async with owner_engine.connect() as connection:
        await connection.exec_driver_sql(function)
        await connection.exec_driver_sql(trigger)
        yield
        await connection.exec_driver_sql("DROP FUNCTION refuse_late CASCADE")


@pytest.mark.usefixtures("late_refusal")
async def test_a_failure_at_commit_is_an_error_and_nothing_is_kept(
    organisations: Organisations, open_work: OpenSqlWork, app_engine: AsyncEngine
) -> None:
    debtor = a_debtor(organisations.a, name="Recusado no Fim")

    with pytest.raises(StatementFailedError, match="23000"):
        await keep(open_work, a_grant(organisations.a), debtor)

    assert await debtor_names(app_engine, organisations.a) == set()


async def test_committing_after_a_swallowed_failure_is_an_error(
    organisations: Organisations, app_engine: AsyncEngine
) -> None:
    async with open_pinned(app_engine, organisations.a.id) as transaction:
        with pytest.raises(Exception, match="division by zero"):
            await transaction.driver.fetch("SELECT 1 / 0")
        with pytest.raises(RuntimeError, match="nothing was kept"):
            await transaction.commit()


async def test_a_refused_statement_never_tells_the_values_of_a_row(
    organisations: Organisations, open_work: OpenSqlWork
) -> None:
    debtor = a_debtor(organisations.a, name="Nome Secreto")
    debtor.status = None  # type: ignore[assignment]  # what the database must refuse

    with pytest.raises(StatementFailedError) as refused:
        await keep(open_work, a_grant(organisations.a), debtor)

    assert str(refused.value) == "SQLSTATE 23502"
    assert refused.value.__suppress_context__


async def test_a_full_pool_and_a_dead_server_are_unavailable(
    organisations: Organisations, one_connection: AsyncEngine
) -> None:
    async with open_pinned(one_connection, organisations.a.id):
        with pytest.raises(UnavailableError):
            async with open_pinned(one_connection, organisations.a.id):
                pass
    nowhere = open_engine("postgresql://dunning_app@127.0.0.1:1/none")
    with pytest.raises(UnavailableError):
        async with open_pinned(nowhere, organisations.a.id):
            pass
    await nowhere.dispose()


async def test_a_server_that_lets_nobody_in_is_unavailable(
    organisations: Organisations, database: Database
) -> None:
    for refused in (f"{database.app}_gone", database.app.replace("dunning_app", "nobody")):
        elsewhere = open_engine(refused)
        with pytest.raises(UnavailableError):
            async with open_pinned(elsewhere, organisations.a.id):
                pass
        await elsewhere.dispose()


@pytest.fixture
async def end_backend(database: Database) -> AsyncIterator[Callable[[int], Awaitable[None]]]:
    """Ends a server process as an administrator would, and waits until it is gone."""
    engine = open_engine(database.admin)
    end = text("SELECT pg_terminate_backend(:pid, 5000)")

    async def end_one(pid: int) -> None:
        async with engine.connect() as connection:
            assert await connection.scalar(end, {"pid": pid})

    yield end_one
    await engine.dispose()


async def backend_of(transaction: PinnedTransaction) -> int:
    ((pid,),) = await transaction.driver.fetch("SELECT pg_backend_pid()")
    return int(pid)


async def test_an_idle_connection_that_the_server_has_closed_is_replaced(
    organisations: Organisations,
    one_connection: AsyncEngine,
    end_backend: Callable[[int], Awaitable[None]],
) -> None:
    async with open_pinned(one_connection, organisations.a.id) as transaction:
        idle = await backend_of(transaction)
    await end_backend(idle)

    async with open_pinned(one_connection, organisations.a.id) as transaction:
        assert await backend_of(transaction) != idle


async def test_losing_the_connection_in_a_transaction_is_unavailable_once(
    organisations: Organisations,
    one_connection: AsyncEngine,
    end_backend: Callable[[int], Awaitable[None]],
) -> None:
    async def lose_it() -> None:
        async with open_pinned(one_connection, organisations.a.id) as transaction:
            await end_backend(await backend_of(transaction))
            await transaction.driver.fetch("SELECT 1")

    with pytest.raises(UnavailableError):
        await lose_it()

    assert await debtor_names(one_connection, organisations.a) == set()


async def rows_of(
    engine: AsyncEngine, creditor: Creditor, statement: str
) -> list[tuple[object, ...]]:
    async with open_pinned(engine, creditor.id, read_only=True) as transaction:
        return [tuple(row) for row in await transaction.driver.fetch(statement)]


@pytest.mark.parametrize(("via", "actor_type"), [("rest", "member"), ("mcp", "mcp")])
async def test_events_are_stored_with_the_effect_in_their_order(
    organisations: Organisations,
    open_work: OpenSqlWork,
    app_engine: AsyncEngine,
    via: Via,
    actor_type: str,
) -> None:
    grant, origin = a_grant(organisations.a), Origin(request_id="req_77", via=via)
    debtor = a_debtor(organisations.a)
    charge = a_charge(debtor)

    async with open_work(grant, origin) as work:
        work.debtors.add(debtor)
        work.charges.add(charge)
        happened = [event.type for event in work.pending_events()]
        await work.commit()
        assert not work.pending_events()

    assert happened == ["debtor.created", "charge.created"]
    stored = await rows_of(
        app_engine,
        organisations.a,
        "SELECT type, resource_id, occurred_at, actor_type, actor_id, request_id,"
        " data ->> 'status' FROM events ORDER BY id",
    )
    shared = (NOW, actor_type, grant.actor.id, "req_77")
    assert stored == [
        ("debtor.created", debtor.id, *shared, "active"),
        ("charge.created", charge.id, *shared, "pending"),
    ]


async def test_an_audit_line_has_the_actor_and_the_origin(
    organisations: Organisations, open_work: OpenSqlWork, app_engine: AsyncEngine
) -> None:
    grant = a_grant(organisations.a)
    entry = AuditEntry(
        id=IDS.new("aud"),
        at=NOW,
        action="dunning_charges_cancel",
        resource="chg_1",
        outcome="ok",
        scopes_used=("dunning.charges:cancel",),
        diff={"status": ("pending", "canceled")},
    )

    async with open_work(grant, Origin(request_id="req_77", via="mcp", ip="192.0.2.7")) as work:
        await work.audit(entry)
        await work.commit()

    stored = await rows_of(
        app_engine,
        organisations.a,
        "SELECT id, at, action, resource, outcome, code, scopes_used, actor_type, actor_id,"
        " client_id, request_id, via, ip, diff::text FROM audit_entries",
    )
    of_the_entry = (entry.id, NOW, entry.action, "chg_1", "ok", None, ["dunning.charges:cancel"])
    of_the_caller = ("member", grant.actor.id, "client-1", "req_77", "mcp", "192.0.2.7")
    assert stored == [(*of_the_entry, *of_the_caller, '{"status": ["pending", "canceled"]}')]


async def test_an_audit_line_stays_in_its_organisation(
    organisations: Organisations, open_work: OpenSqlWork, app_engine: AsyncEngine
) -> None:
    entry = AuditEntry(
        id=IDS.new("aud"),
        at=NOW,
        action="dunning_charges_get",
        resource=None,
        outcome="denied",
        code="NOT_FOUND",
    )
    async with open_work(a_grant(organisations.a), ORIGIN) as work:
        await work.audit(entry)
        await work.commit()

    codes = "SELECT code FROM audit_entries"
    assert await rows_of(app_engine, organisations.a, codes) == [("NOT_FOUND",)]
    assert await rows_of(app_engine, organisations.b, codes) == []
