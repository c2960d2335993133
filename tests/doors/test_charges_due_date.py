"""Moving the due date of a charge: before it has come, and once it has gone by."""

from datetime import date
from typing import Any, Final

import pytest

from domain.dunning.charges import Charge
from tests.builders import TODAY, a_charge, a_debtor
from tests.doors.firms import Firm, Ledger, Pair
from tests.doors.house import Answer, Caller, Door, House

pytestmark = pytest.mark.anyio

LAST_MONTH: Final = date(2026, 8, 3)


async def keep(ledger: Ledger, firm: Firm, **fields: Any) -> Charge:
    debtor = a_debtor(firm.creditor)
    charge = a_charge(debtor, **fields)
    await ledger.keep(firm, debtor, charge)
    return charge


@pytest.fixture
async def charge(ledger: Ledger, pair: Pair) -> Charge:
    """One of the first firm, not due yet; the other has one like it."""
    await keep(ledger, pair.b)
    return await keep(ledger, pair.a)


@pytest.fixture
async def late(ledger: Ledger, pair: Pair) -> Charge:
    await keep(ledger, pair.b, due_date=LAST_MONTH, issue_date=LAST_MONTH)
    return await keep(ledger, pair.a, due_date=LAST_MONTH, issue_date=LAST_MONTH)


async def change(house: House, caller: Caller, charge: Charge, door: Door, **fields: Any) -> Answer:
    return await house.call(door, caller, "dunning_charges_update", {"id": charge.id, **fields})


async def told(ledger: Ledger, pair: Pair) -> list[dict[str, Any]]:
    assert await ledger.events(pair.b.id) == []
    return await ledger.events(pair.a.id)


@pytest.mark.parametrize("door", Door)
async def test_a_late_charge_is_given_more_time(
    house: House, ledger: Ledger, pair: Pair, late: Charge, door: Door
) -> None:
    earlier = await change(house, pair.a.owner, late, door, due_date="2026-08-04", amount=1)
    assert earlier.status == 200
    refused = await change(house, pair.a.owner, late, door, due_date="2026-08-03")
    assert refused.details == [("due_date", "only_in_favour")]
    stricter = {"fine_percent": 2, "interest_percent_month": 1, "charges_on_corrected": True}
    terms = await change(house, pair.a.owner, late, door, terms=stricter)
    assert terms.details == [("terms.charges_on_corrected", "only_in_favour")]
    answer = (await change(house, pair.a.owner, late, door, due_date="2026-09-10")).data
    assert (answer["status"], answer["days_late"]) == ("pending", 0)
    assert answer["listing_limit_date"] == "2031-08-03"
    assert (await told(ledger, pair))[-1]["changes"]["status"] == ["overdue", "pending"]


@pytest.mark.parametrize("door", Door)
async def test_respite_is_no_way_around_the_rules_for_a_late_charge(
    house: House, pair: Pair, late: Charge, door: Door
) -> None:
    given = await change(house, pair.a.owner, late, door, due_date=TODAY.isoformat())
    assert (given.status, given.data["status"]) == (200, "pending")
    back = await change(house, pair.a.owner, late, door, due_date="2026-08-05")
    assert back.details == [("due_date", "only_in_favour")]
    more = await change(house, pair.a.owner, late, door, due_date="2026-09-02")
    assert (more.status, more.data["listing_limit_date"]) == (200, "2031-08-03")
    assert more.data["prescription_date"] == "2031-08-03"


@pytest.mark.parametrize("door", Door)
async def test_a_due_date_that_has_passed_is_refused(
    house: House, ledger: Ledger, pair: Pair, charge: Charge, door: Door
) -> None:
    refused = await change(house, pair.a.owner, charge, door, due_date="2026-08-31")
    assert refused.details == [("due_date", "out_of_range")]
    assert await told(ledger, pair) == []
