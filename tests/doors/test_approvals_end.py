"""How a request ends without an approval, and the list of those that wait."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.persistence.transaction import open_pinned
from application.dunning.daily import KeepDay
from domain.access.roles import Role
from tests.builders import NOW, a_grant
from tests.doors.desk import APPROVE, LIST, REJECT, Desk, a_desk, an_overdue_charge
from tests.doors.firms import Ledger
from tests.doors.house import Door, House

pytestmark = pytest.mark.anyio


@pytest.fixture
async def desk(house: House, ledger: Ledger, doors_owner: AsyncEngine) -> Desk:
    return await a_desk(house, ledger, doors_owner)


async def test_what_is_rejected_does_not_happen_and_may_be_asked_for_anew(desk: Desk) -> None:
    approval_id = await desk.asked()
    charges = await desk.ledger.rows(desk.firm.id, "charges")

    rejected = (await desk.reject(approval_id, note="Paga todo mês.")).data

    assert (rejected["status"], rejected["note"]) == ("rejected", "Paga todo mês.")
    assert rejected["decided_by"]["id"] == desk.firm.creditor.members[Role.OWNER].id
    assert await desk.ledger.rows(desk.firm.id, "charges") == charges
    assert await desk.events() == ["approval.requested", "approval.rejected"]
    before = await desk.ledger.everything(desk.firm.id)
    for door in Door:
        wanted = {"id": approval_id, "note": "Outra nota."}
        again = await desk.house.call(door, desk.firm.caller("admin"), REJECT, wanted)
        assert again.data == rejected
    assert await desk.ledger.everything(desk.firm.id) == before
    approved = await desk.approve(approval_id)
    assert (approved.code, approved.error["current_status"]) == ("STATE_CONFLICT", "rejected")
    assert await desk.asked() != approval_id


async def test_after_seven_days_a_request_counts_as_expired_before_any_job_ran(
    desk: Desk,
) -> None:
    approval_id = await desk.asked()
    desk.house.clock.time = NOW + timedelta(days=7)

    assert await desk.listed() == []
    (expired,) = await desk.listed(status="expired")
    assert (expired["id"], expired["status"]) == (approval_id, "expired")
    for answer in (await desk.approve(approval_id), await desk.reject(approval_id)):
        assert (answer.code, answer.error["current_status"]) == ("STATE_CONFLICT", "expired")
    assert await desk.events() == ["approval.requested"]

    anew = await desk.asked()

    assert anew != approval_id
    assert await desk.ids() == [anew]
    assert await desk.ids(status="expired") == [approval_id]
    assert await desk.events() == [
        "approval.requested",
        "approval.expired",
        "approval.requested",
    ]


async def test_the_daily_clock_ends_what_has_run_out_in_its_organisation(desk: Desk) -> None:
    approval_id = await desk.asked()
    keep_day = KeepDay(desk.ledger.open_work, desk.house.clock, desk.house.container.ids())
    tenant = a_grant(desk.firm.creditor).tenant
    desk.house.clock.time = NOW + timedelta(days=7) - timedelta(seconds=1)
    assert (await keep_day(tenant)).expired == 0
    # A date ahead of the clock brings no request to its end.
    assert (await keep_day(tenant, date(2026, 12, 1))).expired == 0
    assert await desk.status(approval_id) == "pending"
    desk.house.clock.time += timedelta(seconds=1)

    kept, again = await keep_day(tenant), await keep_day(tenant)

    assert (kept.expired, again.expired) == (1, 0)
    (ended,) = [
        event["actor_type"]
        for event in await desk.ledger.events(desk.firm.id)
        if event["type"] == "approval.expired"
    ]
    assert ended == "system"
    (row,) = await desk.ledger.rows(desk.firm.id, "approvals")
    assert (row["status"], row["version"]) == ("expired", 2)
    (theirs,) = await desk.ledger.rows(desk.other.id, "approvals")
    assert theirs["status"] == "pending"


async def test_a_sandbox_that_is_ahead_ends_requests_by_its_own_clock(desk: Desk) -> None:
    async with open_pinned(desk.ledger.owner, desk.firm.id) as transaction:
        await transaction.connection.execute(
            text("UPDATE organizations SET clock_offset = '30 days' WHERE id = :own"),
            {"own": desk.firm.id},
        )
        await transaction.commit()
    # Whoever has been let in is remembered for a minute.
    desk.house.clock.time += timedelta(minutes=5)
    asked = (await desk.ask()).data
    assert (asked["created_at"], asked["expires_at"]) == (
        "2026-09-01T13:05:00Z",
        "2026-09-08T13:05:00Z",
    )
    assert await desk.ids() == [asked["id"]]


async def three_requests(desk: Desk) -> Sequence[str]:
    """Of the manager, of the owner, and one that is rejected."""
    charges = [await an_overdue_charge(desk.ledger, desk.firm) for _ in range(2)]
    first = await desk.asked()
    desk.house.clock.time += timedelta(minutes=1)
    second = await desk.asked(desk.owner, charges[0])
    desk.house.clock.time += timedelta(minutes=1)
    third = await desk.asked(desk.manager, charges[1])
    await desk.reject(third)
    return first, second, third


async def test_the_list_is_of_what_waits_oldest_first_unless_it_is_asked_otherwise(
    desk: Desk,
) -> None:
    first, second, third = await three_requests(desk)
    every = "pending,approved,rejected,expired"
    assert await desk.ids() == [first, second]
    assert await desk.ids(sort_order="desc") == [second, first]
    assert await desk.ids(status="rejected") == [third]
    assert await desk.ids(status=every, per_page=2, page=2) == [third]
    assert await desk.ids(debtor_id=desk.charge.debtor_id) == [first]
    assert await desk.ids(kind="write_off") == [first, second]
    assert await desk.ids(kind="protest,negativate") == []
    assert await desk.ids(created_to="2026-08-31") == []
    members = desk.firm.creditor.members
    assert await desk.ids(requested_by=members[Role.OWNER].id) == [second]
    assert await desk.ids(requested_by=members[Role.MANAGER].id, status=every) == [first, third]
    assert await desk.ids(requested_by=desk.other.creditor.members[Role.MANAGER].id) == []
    assert await desk.ids(page=9) == []


async def test_a_collector_with_a_portfolio_sees_requests_about_their_own_debtors(
    desk: Desk,
) -> None:
    mine = await an_overdue_charge(desk.ledger, desk.firm, assigned_member_id=desk.firm.narrowed.id)
    approval_id = await desk.asked(charge=mine)
    other_id = await desk.asked()
    narrowed = desk.firm.person(desk.firm.narrowed)
    assert await desk.ids(narrowed) == [approval_id]
    assert await desk.ids(narrowed, debtor_id=desk.charge.debtor_id) == []
    assert sorted(await desk.ids(desk.firm.caller("collector"))) == sorted([approval_id, other_id])


async def test_requests_of_another_organisation_are_not_there(desk: Desk) -> None:
    (theirs,) = await desk.ledger.rows(desk.other.id, "approvals")
    others = await desk.ledger.everything(desk.other.id)
    assert await desk.ids(status="pending,approved,rejected,expired") == []
    assert (await desk.approve(theirs["id"])).code == "NOT_FOUND"
    assert (await desk.reject(theirs["id"])).code == "NOT_FOUND"
    assert await desk.ledger.everything(desk.other.id) == others


@pytest.mark.parametrize("door", Door)
@pytest.mark.parametrize(
    ("operation", "fields", "details"),
    [
        (REJECT, {"note": "ab"}, [("note", "too_short")]),
        (REJECT, {"note": None}, [("note", "required")]),
        (REJECT, {"note": "um\u0001dois"}, [("note", "invalid_characters")]),
        (APPROVE, {"note": "um\u0001dois"}, [("note", "invalid_characters")]),
        (APPROVE, {"id": "chg_01jd7777777777777777777777"}, [("id", "wrong_id_type")]),
        (APPROVE, {"is_approved": True}, [("is_approved", "unknown_field")]),
    ],
)
async def test_what_cannot_be_is_refused_by_field(
    desk: Desk, *, door: Door, operation: str, fields: Any, details: Any
) -> None:
    wanted = {"id": await desk.asked(), **fields}
    assert (await desk.house.call(door, desk.owner, operation, wanted)).details == details


@pytest.mark.parametrize("door", Door)
async def test_who_asked_is_a_member_or_a_program(desk: Desk, door: Door) -> None:
    answer = await desk.house.call(door, desk.owner, LIST, {"requested_by": desk.charge.id})
    assert [field for field, _ in answer.details] == ["requested_by"]
