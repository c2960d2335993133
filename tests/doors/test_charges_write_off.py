"""Giving a charge up: how much a role may, who has to approve, and that it stays owed."""

import asyncio
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, Final

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from domain.dunning.charge_states import ChargeStatus
from domain.dunning.charges import Charge
from domain.dunning.organization_settings import ApprovalAct, RoleLimits, Settings
from tests.builders import NOW, a_charge, a_debtor
from tests.doors.firms import Firm, Ledger, Pair, found_firm
from tests.doors.house import Answer, Door, House
from tests.doors.requests import a_new_payment, a_write_off

pytestmark = pytest.mark.anyio

WRITE_OFF: Final = "dunning_charges_write_off"
# 29 days late on 1 September: a fine of 2 % and interest of 1 % a month add 2.9667 %.
LAST_MONTH: Final = date(2026, 8, 3)


async def overdue(
    ledger: Ledger, firm: Firm, amount: int = 300_00, due_date: date = LAST_MONTH, **state: Any
) -> Charge:
    debtor = a_debtor(firm.creditor)
    charge = a_charge(debtor, amount=amount, due_date=due_date, issue_date=LAST_MONTH)
    for name, value in state.items():
        setattr(charge, name, value)
    await ledger.keep(firm, debtor, charge)
    return charge


@pytest.fixture
async def charge(ledger: Ledger, pair: Pair) -> Charge:
    """One of the first firm; the other has one like it."""
    await overdue(ledger, pair.b)
    return await overdue(ledger, pair.a)


async def write_off(
    house: House, firm: Firm, charge: Charge, column: str = "manager", **fields: Any
) -> Answer:
    return await house.rest(firm.caller(column), WRITE_OFF, a_write_off(charge.id, **fields))


async def test_all_that_is_due_that_day_is_given_up_and_stays_owed(
    house: House, ledger: Ledger, pair: Pair, charge: Charge
) -> None:
    others = await ledger.everything(pair.b.id)
    answer = await write_off(house, pair.a, charge)
    given_up = answer.data
    assert (answer.status, given_up["status"]) == (200, "written_off")
    assert (given_up["write_off_reason"], given_up["written_off_amount"]) == (
        "uncollectible",
        308.9,
    )
    assert given_up["amounts"]["total_due"] == 308.9
    assert (given_up["written_off_at"], given_up["version"]) == ("2026-09-01T13:00:00Z", 2)
    assert given_up["write_off_note"] == "Sem resposta há um ano."
    assert (await house.rest(pair.a.owner, "dunning_charges_list", {})).data == [given_up]
    assert await ledger.everything(pair.b.id) == others


async def test_amounts_go_on_and_payments_are_still_taken(
    house: House, pair: Pair, charge: Charge
) -> None:
    await write_off(house, pair.a, charge)
    house.clock.time = NOW + timedelta(days=30)
    later = (await house.rest(pair.a.owner, "dunning_charges_get", {"id": charge.id})).data
    assert (later["amounts"]["total_due"], later["written_off_amount"]) == (311.9, 308.9)
    house.clock.time = NOW
    payment = a_new_payment(charge.debtor_id, amount=308.90, charge_ids=[charge.id])
    paid = await house.rest(pair.a.owner, "dunning_payments_create", payment)
    assert paid.status == 201
    answer = (await house.rest(pair.a.owner, "dunning_charges_get", {"id": charge.id})).data
    assert (answer["status"], answer["written_off_amount"]) == ("paid", 308.9)


async def test_it_is_written_down_without_the_note(
    house: House, ledger: Ledger, pair: Pair, charge: Charge
) -> None:
    await write_off(house, pair.a, charge, note="CPF 529.982.247-25")
    (event,) = await ledger.events(pair.a.id)
    (line,) = await ledger.audit(pair.a.id)
    assert event["type"] == "charge.written_off"
    assert (
        line["diff"]
        == event["changes"]
        == {
            "status": ["overdue", "written_off"],
            "write_off_reason": [None, "uncollectible"],
            "written_off_at": [None, "2026-09-01T13:00:00+00:00"],
            "written_off_amount": [None, 308_90],
        }
    )


async def test_a_second_time_gives_the_charge_and_nothing_happens(
    house: House, ledger: Ledger, pair: Pair, charge: Charge
) -> None:
    first = await write_off(house, pair.a, charge)
    before = await ledger.everything(pair.a.id)
    again = await write_off(house, pair.a, charge, reason="commercial", note="Outra nota.")
    over_mcp = await house.tool(pair.a.owner, WRITE_OFF, a_write_off(charge.id))
    assert (again.body, over_mcp.body) == (first.body, first.body)
    assert await ledger.everything(pair.a.id) == before


async def test_two_at_once_are_one_write_off(
    house: House, ledger: Ledger, pair: Pair, charge: Charge
) -> None:
    answers = await asyncio.gather(*(write_off(house, pair.a, charge) for _ in range(3)))
    assert {answer.status for answer in answers} == {200}
    assert len(await ledger.events(pair.a.id)) == 1


@pytest.mark.parametrize(
    ("column", "amount", "allowed"),
    [
        # With a fine of 9.71 and interest of 4.69 it is 500.00.
        ("manager", 485_60, True),
        ("manager", 485_61, False),
        ("admin", 485_61, True),
        ("owner", 99_999_99, True),
    ],
)
async def test_a_manager_gives_up_to_500_today_and_above_it_an_admin(
    house: House, ledger: Ledger, pair: Pair, *, column: str, amount: int, allowed: bool
) -> None:
    charge = await overdue(ledger, pair.a, amount)
    answer = await write_off(house, pair.a, charge, column)
    if allowed:
        assert answer.status == 200
        return
    assert (answer.status, answer.code) == (403, "ROLE_LIMIT_EXCEEDED")
    assert answer.error["required_role"] == "admin"
    assert answer.details == [("total_due", "role_limit")]
    over_mcp = await house.tool(pair.a.caller(column), WRITE_OFF, a_write_off(charge.id))
    assert over_mcp.refusal == answer.refusal
    assert await ledger.events(pair.a.id) == []


async def test_the_ceiling_is_the_organisations_and_counts_what_is_due_today(
    house: House, ledger: Ledger, doors_owner: AsyncEngine
) -> None:
    limits = RoleLimits()
    limits = replace(limits, manager=replace(limits.manager, write_off_amount=308_90))
    firm = await found_firm(doors_owner, "Clínica Ipê", Settings(role_limits=limits))
    charge = await overdue(ledger, firm)
    house.clock.time = NOW + timedelta(days=1)
    assert (await write_off(house, firm, charge)).code == "ROLE_LIMIT_EXCEEDED"
    house.clock.time = NOW
    assert (await write_off(house, firm, charge)).status == 200


async def test_where_a_second_person_has_to_approve_nobody_writes_off_alone(
    house: House, ledger: Ledger, doors_owner: AsyncEngine
) -> None:
    settings = Settings(approval_required_for=frozenset({ApprovalAct.WRITE_OFF}))
    firm = await found_firm(doors_owner, "Clínica Ipê", settings)
    charge = await overdue(ledger, firm)
    before = await ledger.rows(firm.id, "charges")
    answer = await write_off(house, firm, charge, "owner")
    assert (answer.status, answer.data["status"]) == (202, "pending")
    assert answer.data["subject"] == {"type": "charge", "id": charge.id}
    assert await ledger.rows(firm.id, "charges") == before


async def test_a_charge_whose_date_has_passed_unnoticed_is_given_up_as_the_rules_say(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    debtor = a_debtor(pair.a.creditor)
    charge = a_charge(debtor, amount=300_00, due_date=NOW.date())
    await ledger.keep(pair.a, debtor, charge)
    assert (await write_off(house, pair.a, charge)).code == "STATE_CONFLICT"
    house.clock.time = NOW + timedelta(days=1)
    asked = {"id": charge.id, "actions": "write_off"}
    told = await house.rest(pair.a.caller("manager"), "dunning_charges_eligibility", asked)
    assert told.data["write_off"]["allowed"] is True
    over_mcp = await house.tool(pair.a.caller("manager"), WRITE_OFF, a_write_off(charge.id))
    assert over_mcp.code == "confirmation_required"
    assert await ledger.events(pair.a.id) == []
    answer = await write_off(house, pair.a, charge)
    # The fine is 6.00, a day's interest 0.10.
    assert (answer.status, answer.data["written_off_amount"]) == (200, 306.1)
    events = await ledger.events(pair.a.id)
    assert [event["type"] for event in events] == ["charge.overdue", "charge.written_off"]
    assert events[0]["data"]["total_due"] == 306_10


@pytest.mark.parametrize(
    "status", [ChargeStatus.PENDING, ChargeStatus.PAID, ChargeStatus.RENEGOTIATED, "canceled"]
)
async def test_only_what_is_overdue_is_given_up(
    house: House, ledger: Ledger, pair: Pair, status: str
) -> None:
    due = NOW.date() if status == ChargeStatus.PENDING else LAST_MONTH
    charge = await overdue(ledger, pair.a, due_date=due, status=ChargeStatus(status))
    answer = await write_off(house, pair.a, charge)
    over_mcp = await house.tool(pair.a.caller("manager"), WRITE_OFF, a_write_off(charge.id))
    assert (answer.code, answer.error["current_status"]) == ("STATE_CONFLICT", status)
    assert over_mcp.refusal == answer.refusal


@pytest.mark.parametrize("door", Door)
@pytest.mark.parametrize(
    ("fields", "details"),
    [
        ({"note": "Sim"}, [("note", "too_short")]),
        ({"note": "a" * 501}, [("note", "too_long")]),
        ({"note": None}, [("note", "required")]),
        ({"reason": "other"}, [("reason", "not_allowed")]),
        ({"amount": 10}, [("amount", "unknown_field")]),
    ],
)
async def test_what_cannot_be_is_refused_by_field(
    house: House, pair: Pair, charge: Charge, *, door: Door, fields: Any, details: Any
) -> None:
    arguments = a_write_off(charge.id, **fields)
    assert (await house.call(door, pair.a.owner, WRITE_OFF, arguments)).details == details


async def test_over_mcp_a_person_has_to_say_yes_first(
    house: House, ledger: Ledger, pair: Pair, charge: Charge
) -> None:
    before = await ledger.rows(pair.a.id, "charges")
    answer = await house.tool(pair.a.owner, WRITE_OFF, a_write_off(charge.id))
    assert answer.code == "confirmation_required"
    assert await ledger.rows(pair.a.id, "charges") == before


@pytest.mark.parametrize(
    ("column", "way_out"),
    [
        ("manager", "Ask somebody with the role admin."),
        ("admin", "An admin of the organisation may move the ceiling, in role_limits."),
        ("owner", "An admin of the organisation may move the ceiling, in role_limits."),
    ],
)
async def test_above_a_ceiling_the_ceiling_what_is_due_and_the_way_out_are_told(
    house: House, ledger: Ledger, doors_owner: AsyncEngine, column: str, way_out: str
) -> None:
    limits = RoleLimits()
    most = 1_000_00 if column == "manager" else 300_00
    limits = replace(
        limits,
        manager=replace(limits.manager, write_off_amount=300_00),
        admin=replace(limits.admin, write_off_amount=most),
    )
    firm = await found_firm(doors_owner, "Clínica Ipê", Settings(role_limits=limits))
    charge = await overdue(ledger, firm)
    answer = await write_off(house, firm, charge, column)
    (detail,) = answer.error["details"]
    assert detail["message"] == (
        f"Your role writes off up to BRL 300.00; BRL 308.90 is due on this charge. {way_out}"
    )
