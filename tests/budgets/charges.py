"""Ten thousand charges of one organisation among several, and the statements that list them."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, TypeAlias
from zoneinfo import ZoneInfo

import pytest
import uvloop
from asyncpg.connection import LoggedQuery
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.documents.typst_documents import TypstDocuments
from adapters.persistence.database import open_engine
from adapters.persistence.transaction import open_pinned
from adapters.persistence.work import OpenSqlWork
from adapters.system.clock import UtcClock
from adapters.v1.catalogue import V1Catalogue
from application.dunning import charges
from application.operations.discover import declared_in
from application.operations.request import Request
from application.operations.run import RunOperation
from domain.access.grant import Grant
from domain.dunning.moment import Moment
from tests.builders import IDS, ORIGIN, a_charge, a_creditor, a_debtor, a_grant
from tests.database import Database, begin_run, end_run, migrated_database
from tests.integration.many import copy_charge

OPERATION: Final = "dunning_charges_list"

_CHARGES: Final = 10_000
_OTHERS: Final = ("Pampa Distribuidora", "Clínica Ipê", "Academia Maré")
_CHARGES_OF_OTHERS: Final = 2_000

Statements: TypeAlias = tuple[tuple[str, tuple[Any, ...]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """Where the charges are, who lists them, and the statements that this takes."""

    url: str
    grant: Grant
    statements: Statements


@contextmanager
def stored_charges() -> Generator[Listed]:
    """A database with the charges, as long as the block runs."""
    config = pytest.Config.fromdictargs({}, ["--assert=plain"])
    begin_run(config)
    try:
        with migrated_database("budgets") as database:
            yield uvloop.run(_prepare(database))
    finally:
        end_run(config)


async def _prepare(database: Database) -> Listed:
    owner, app = open_engine(database.owner), open_engine(database.app, pool_size=1)
    grant = await creditor_with_charges(owner, "Colégio Aurora", _CHARGES)
    for name in _OTHERS:
        await creditor_with_charges(owner, name, _CHARGES_OF_OTHERS)
    async with owner.connect() as connection:
        await connection.exec_driver_sql("ANALYZE charges, debtors")
    statements = await _statements(app, grant)
    await owner.dispose()
    await app.dispose()
    return Listed(url=database.app, grant=grant, statements=statements)


async def creditor_with_charges(owner: AsyncEngine, name: str, count: int) -> Grant:
    """An organisation with so many charges, whose amounts are those of today."""
    creditor = a_creditor(name)
    grant = a_grant(creditor)
    now = UtcClock().now()
    today = now.astimezone(ZoneInfo(creditor.organization.timezone)).date()
    debtor = a_debtor(creditor)
    charge = a_charge(debtor, Moment(now, today), due_date=today + timedelta(days=1))
    async with open_pinned(owner, creditor.id) as transaction:
        transaction.session.add_all([creditor.organization, *creditor.people])
        await transaction.flush()
        transaction.session.add_all([debtor, charge])
        await transaction.flush()
        await transaction.commit()
    await copy_charge(owner, charge, count - 1)
    return grant


async def _statements(app: AsyncEngine, grant: Grant) -> Statements:
    """What the driver is asked by one run of the real operation."""
    asked: list[LoggedQuery] = []
    async with app.connect() as connection:
        raw = await connection.get_raw_connection()
        driver: Any = raw.driver_connection
        driver.add_query_logger(asked.append)
    clock = UtcClock()
    run = RunOperation(OpenSqlWork(app, clock, IDS), clock, IDS, TypstDocuments())
    bound = V1Catalogue(declared_in(charges)).find(OPERATION)
    assert bound is not None
    await run(bound, Request(raw={}, grant=grant, origin=ORIGIN))
    # The driver tells of its last statement a moment later.
    async with app.connect():
        pass
    return tuple((query.query, tuple(query.args or ())) for query in asked)
