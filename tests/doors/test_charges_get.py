"""Reading one charge: its amounts on a day, and what holds it up today."""

from datetime import date, timedelta
from typing import Any, Final

import pytest

from domain.dunning.charges import Charge
from domain.dunning.debtors import Debtor
from domain.dunning.restrictions import DebtorFlag, DoNotContact, DoNotContactReason
from tests.builders import NOW, TODAY, a_charge, a_debtor, a_payment
from tests.doors.firms import Firm, Ledger, Pair
from tests.doors.house import Answer, Caller, Door, House, both

pytestmark = pytest.mark.anyio

GET: Final = "dunning_charges_get"
LAST_MONTH: Final = date(2026, 8, 3)


async def keep(
    ledger: Ledger, firm: Firm, debtor: Debtor | None = None, **fields: Any
) -> tuple[Debtor, Charge]:
    debtor = debtor or a_debtor(firm.creditor)
    charge = a_charge(debtor, **fields)
    await ledger.keep(firm, debtor, charge)
    return debtor, charge


async def read(house: House, caller: Caller, charge: Charge, **fields: Any) -> Answer:
    """Through both doors, which have to answer the same."""
    rest, mcp = await both(house, caller, GET, {"id": charge.id, **fields})
    assert (mcp.data, mcp.code) == (rest.data, None) if rest.status == 200 else True
    assert mcp.refusal == rest.refusal
    return rest


async def test_a_charge_is_read_as_it_is_listed(house: House, ledger: Ledger, pair: Pair) -> None:
    for firm in (pair.a, pair.b):
        _, charge = await keep(ledger, firm, due_date=LAST_MONTH, issue_date=LAST_MONTH)
        listed = await house.rest(firm.owner, "dunning_charges_list", {})
        answer = await read(house, firm.caller("viewer"), charge)
        assert (answer.status, [answer.data]) == (200, listed.data)
        assert (answer.data["holds"], answer.data["guarantors"]) == ([], [])
        assert (answer.data["version"], answer.data["status"]) == (1, "overdue")
        assert answer.data["manual_hold"] is answer.data["written_off_amount"] is None


@pytest.mark.parametrize(
    ("as_of", "days_late", "total_due"),
    [
        ("2026-07-01", 0, 1250.0),
        ("2026-08-03", 0, 1250.0),
        ("2026-09-01", 29, 1287.08),
        ("2026-09-02", 30, 1287.5),
        ("2027-09-01", 394, 1439.17),
    ],
)
async def test_amounts_are_those_of_the_day_asked_for_and_nothing_else_is(
    house: House, ledger: Ledger, pair: Pair, *, as_of: str, days_late: int, total_due: float
) -> None:
    _, charge = await keep(ledger, pair.a, due_date=LAST_MONTH, issue_date=LAST_MONTH)
    before = await ledger.everything(pair.a.id)
    today = (await read(house, pair.a.owner, charge)).data
    answer = (await read(house, pair.a.owner, charge, as_of=as_of)).data
    assert (answer["amounts"]["as_of"], answer["days_late"]) == (as_of, days_late)
    assert answer["amounts"]["total_due"] == total_due
    of_the_day = ("amounts", "days_late", "aging_bucket")
    assert {name: answer[name] for name in answer if name not in of_the_day} == {
        name: today[name] for name in today if name not in of_the_day
    }
    assert await ledger.everything(pair.a.id) == before


async def test_a_day_later_the_amounts_are_of_that_day_before_any_clock_has_run(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    _, charge = await keep(ledger, pair.a, due_date=LAST_MONTH, issue_date=LAST_MONTH)
    house.clock.time = NOW + timedelta(days=1)
    answer = (await read(house, pair.a.owner, charge)).data
    assert (answer["amounts"]["as_of"], answer["amounts"]["total_due"]) == ("2026-09-02", 1287.5)
    listed = await house.rest(pair.a.owner, "dunning_charges_list", {})
    assert listed.data == [answer]


@pytest.mark.parametrize(
    ("as_of", "status"),
    [("2021-09-01", 200), ("2021-08-31", 422), ("2027-09-01", 200), ("2027-09-02", 422)],
)
async def test_the_day_is_from_five_years_ago_to_one_year_ahead(
    house: House, ledger: Ledger, pair: Pair, as_of: str, status: int
) -> None:
    _, charge = await keep(ledger, pair.a)
    answer = await read(house, pair.a.owner, charge, as_of=as_of)
    assert answer.status == status
    if status == 422:
        assert answer.details == [("as_of", "out_of_range")]


async def test_a_paid_charge_keeps_the_days_late_of_its_last_day_whatever_day_is_asked_for(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    debtor = a_debtor(pair.a.creditor)
    charge = a_charge(debtor, due_date=LAST_MONTH, issue_date=LAST_MONTH)
    payment = a_payment(debtor, charge, amount=1287_08)
    await ledger.keep(pair.a, debtor, charge, payment)
    for fields in ({}, {"as_of": "2026-09-01"}, {"as_of": "2026-12-01"}):
        answer = (await read(house, pair.a.owner, charge, **fields)).data
        assert (answer["status"], answer["days_late"]) == ("paid", 29)
        assert answer["aging_bucket"] == "16_30"
    earlier = (await read(house, pair.a.owner, charge, as_of="2026-08-04")).data
    assert (earlier["days_late"], earlier["aging_bucket"]) == (1, "1_15")


async def test_a_paid_charge_shows_what_was_due_and_paid_on_each_day(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    debtor = a_debtor(pair.a.creditor)
    charge = a_charge(debtor, due_date=LAST_MONTH, issue_date=LAST_MONTH)
    payment = a_payment(debtor, charge, amount=1287_08)
    await ledger.keep(pair.a, debtor, charge, payment)
    for as_of, due, paid in [
        ("2026-08-31", 1286.67, 0.0),
        ("2026-09-01", 0.0, 1287.08),
        ("2026-12-01", 0.0, 1287.08),
        (None, 0.0, 1287.08),
    ]:
        wanted = {} if as_of is None else {"as_of": as_of}
        amounts = (await read(house, pair.a.owner, charge, **wanted)).data["amounts"]
        assert (amounts["total_due"], amounts["paid"]) == (due, paid), as_of


async def test_holds_of_debtor_and_charge_come_with_what_they_block(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    debtor = a_debtor(pair.a.creditor)
    debtor.flags = (DebtorFlag.REPRESENTED_BY_LAWYER,)
    debtor.do_not_contact = DoNotContact(
        active=True, reason=DoNotContactReason.LAWYER, since=TODAY, until=date(2026, 9, 30)
    )
    _, charge = await keep(ledger, pair.a, debtor)
    _, free = await keep(ledger, pair.b)
    answer = await read(house, pair.a.owner, charge)
    assert answer.data["holds"] == [
        {
            "code": "do_not_contact",
            "since": "2026-09-01",
            "until": "2026-09-30",
            "source": debtor.id,
            "blocks": ["outbound"],
        },
        {
            "code": "represented_by_lawyer",
            "since": None,
            "until": None,
            "source": debtor.id,
            "blocks": ["outbound", "legal"],
        },
    ]
    listed = await house.rest(
        pair.a.owner, "dunning_charges_list", {"hold": "minor,do_not_contact"}
    )
    assert listed.data == [answer.data]
    for wanted in ("minor", "tolerance,prescribed,manual"):
        nothing = await house.rest(pair.a.owner, "dunning_charges_list", {"hold": wanted})
        assert nothing.data == []
    assert (await read(house, pair.b.owner, free)).data["holds"] == []


async def test_edge_case_25_a_charge_outside_organisation_or_portfolio_is_not_found(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    narrowed = pair.a.narrowed
    own = a_debtor(pair.a.creditor, assigned_member_id=narrowed.id)
    _, visible = await keep(ledger, pair.a, own)
    _, hidden = await keep(ledger, pair.a)
    _, foreign = await keep(ledger, pair.b)
    caller = pair.a.person(narrowed)
    assert (await read(house, caller, visible)).data["id"] == visible.id
    refusals = [(await read(house, caller, charge)).refusal for charge in (hidden, foreign)]
    assert refusals[0] == refusals[1]
    assert refusals[0]["code"] == "NOT_FOUND"
    assert await ledger.audit(pair.b.id) == []


@pytest.mark.parametrize("door", Door)
async def test_another_kind_of_id_is_told_apart(house: House, pair: Pair, door: Door) -> None:
    answer = await house.call(door, pair.a.owner, GET, {"id": "dbt_" + "0" * 26})
    assert answer.details == [("id", "wrong_id_type")]
