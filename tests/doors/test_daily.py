"""The daily clock, as the doors show what it did."""

from datetime import date, timedelta

import pytest

from application.dunning.daily import KeepDay
from tests.builders import a_charge, a_debtor, a_grant
from tests.doors.firms import Firm, Ledger, Pair
from tests.doors.house import Door, House

pytestmark = pytest.mark.anyio

DUE = date(2026, 9, 10)


@pytest.fixture
def keep_day(house: House, ledger: Ledger) -> KeepDay:
    return KeepDay(ledger.open_work, house.clock, house.container.ids())


async def a_debt(ledger: Ledger, firm: Firm) -> str:
    debtor = a_debtor(firm.creditor)
    charge = a_charge(debtor, due_date=DUE)
    await ledger.keep(firm, debtor, charge)
    return charge.id


async def test_what_has_fallen_due_becomes_overdue_with_its_amounts(
    house: House, ledger: Ledger, pair: Pair, keep_day: KeepDay
) -> None:
    mine, _ = [await a_debt(ledger, firm) for firm in (pair.a, pair.b)]
    elsewhere = await ledger.everything(pair.b.id)
    house.clock.time += timedelta(days=10)
    kept = await keep_day(a_grant(pair.a.creditor).tenant)
    assert (kept.on, kept.marked, kept.repriced) == (date(2026, 9, 11), 1, 1)
    for door in Door:
        answer = await house.call(door, pair.a.owner, "dunning_charges_list")
        (shown,) = answer.data
        assert (shown["status"], shown["days_late"]) == ("overdue", 1)
        assert shown["amounts"]["total_due"] == 1275.42
        assert answer.body["meta"]["sum_total_due"] == 1275.42
    (event,) = await ledger.events(pair.a.id)
    assert (event["type"], event["resource_id"]) == ("charge.overdue", mine)
    assert event["actor_type"] == "system"
    assert event["changes"] == {"status": ["pending", "overdue"]}
    assert await ledger.everything(pair.b.id) == elsewhere


async def test_on_the_due_date_nothing_is_overdue_yet(
    house: House, ledger: Ledger, pair: Pair, keep_day: KeepDay
) -> None:
    await a_debt(ledger, pair.a)
    house.clock.time += timedelta(days=9)
    kept = await keep_day(a_grant(pair.a.creditor).tenant)
    assert (kept.on, kept.marked) == (DUE, 0)
    answer = await house.rest(pair.a.owner, "dunning_charges_list", {})
    assert (answer.data[0]["status"], answer.data[0]["amounts"]["total_due"]) == ("pending", 1250.0)
