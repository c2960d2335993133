"""Own holidays are those of one organisation."""

from datetime import date

import pytest
from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.persistence.holidays import SqlHolidays
from adapters.persistence.tables import holidays
from adapters.persistence.transaction import open_pinned
from domain.dunning.holidays import Holiday, HolidayScope, HolidaySource
from tests.builders import IDS, NOW, Creditor
from tests.conftest import Organisations

pytestmark = pytest.mark.anyio


def a_holiday(day: date, scope: HolidayScope, **place: str) -> Holiday:
    return Holiday(
        id=IDS.new("hol"),
        date=day,
        name="Dia da casa",
        scope=scope,
        uf=place.get("uf"),
        city=place.get("city"),
        source=HolidaySource.ORGANIZATION,
    )


async def plant(engine: AsyncEngine, creditor: Creditor, *planted: Holiday) -> None:
    rows = [
        {
            "organization_id": creditor.id,
            "id": one.id,
            "date": one.date,
            "name": one.name,
            "scope": one.scope,
            "uf": one.uf,
            "city": one.city,
            "source": one.source,
            "version": 1,
            "created_at": NOW,
            "updated_at": NOW,
        }
        for one in planted
    ]
    async with open_pinned(engine, creditor.id) as transaction:
        await transaction.connection.execute(insert(holidays), rows)
        await transaction.commit()


async def test_an_organisation_has_its_own_holidays_by_date_and_no_others(
    organisations: Organisations, owner_engine: AsyncEngine, app_engine: AsyncEngine
) -> None:
    of_state = a_holiday(date(2027, 9, 20), HolidayScope.UF, uf="RS")
    of_city = a_holiday(date(2027, 1, 25), HolidayScope.CITY, uf="SP", city="São Paulo")
    theirs = a_holiday(date(2027, 6, 1), HolidayScope.NATIONAL)
    await plant(owner_engine, organisations.a, of_state, of_city)
    await plant(owner_engine, organisations.b, theirs)

    seen = {}
    for creditor in (organisations.a, organisations.b):
        async with open_pinned(app_engine, creditor.id, read_only=True) as transaction:
            seen[creditor.id] = await SqlHolidays(transaction).all()

    assert seen == {organisations.a.id: [of_city, of_state], organisations.b.id: [theirs]}
