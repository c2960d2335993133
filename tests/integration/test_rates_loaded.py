"""A rate that is loaded today counts today, in every organisation."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.persistence.rates import RateTable
from adapters.persistence.tables import index_rates
from adapters.persistence.work import OpenSqlWork
from application.dunning.daily import KeepDay
from domain.dunning.charges import Charge
from domain.dunning.rates import IndexRate, RateCode
from tests.builders import IDS, TODAY, StoppedClock, a_charge, a_debtor, a_grant
from tests.builders import ORIGIN as HERE
from tests.conftest import Organisations
from tests.integration.conftest import Store
from tests.integration.test_daily_clock import tenant_of

pytestmark = pytest.mark.anyio

AUGUST = IndexRate(
    code=RateCode.TAXA_LEGAL,
    month=date(2026, 8, 1),
    percent=Decimal("0.93"),
    published_on=date(2026, 8, 3),
)
LATE: Any = {"issue_date": date(2026, 7, 1), "due_date": date(2026, 7, 31), "amount": 1_000_00}


async def test_amounts_of_today_are_made_anew_where_the_rate_matters(
    organisations: Organisations,
    store: Store,
    open_work: OpenSqlWork,
    owner_engine: AsyncEngine,
    system_clock: StoppedClock,
) -> None:
    by_law: dict[str, Charge] = {}
    by_contract: dict[str, Charge] = {}
    for creditor in (organisations.a, organisations.b):
        debtor = a_debtor(creditor)
        by_law[creditor.id] = a_charge(debtor, contract_reference=None, **LATE)
        by_contract[creditor.id] = a_charge(debtor, **LATE)
        await store(creditor, debtor, by_law[creditor.id], by_contract[creditor.id])

    await RateTable(owner_engine).load([AUGUST], dry_run=False)
    keep_day = KeepDay(open_work, system_clock, IDS)
    for creditor in (organisations.a, organisations.b):
        kept = await keep_day(tenant_of(creditor))
        assert kept.repriced == 1
        async with open_work(a_grant(creditor), HERE, read_only=True) as work:
            lawful = await work.charges.find(by_law[creditor.id].id)
            agreed = await work.charges.find(by_contract[creditor.id].id)
        assert lawful is not None
        assert agreed is not None
        assert (lawful.total_due, lawful.amounts_as_of) == (1_009_30, TODAY)
        assert agreed.total_due == by_contract[creditor.id].total_due

    async with owner_engine.connect() as connection:
        await connection.execute(delete(index_rates))
