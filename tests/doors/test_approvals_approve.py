"""What is approved is done once, by the rules of then; what a rule forbids goes on waiting."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from domain.access.roles import Role
from tests.builders import NOW
from tests.doors.desk import APPROVE, REJECT, Desk, a_desk
from tests.doors.firms import Ledger
from tests.doors.house import Door, House
from tests.doors.requests import a_new_payment

pytestmark = pytest.mark.anyio


@pytest.fixture
async def desk(house: House, ledger: Ledger, doors_owner: AsyncEngine) -> Desk:
    return await a_desk(house, ledger, doors_owner)


async def test_what_is_approved_is_done_and_both_are_told(desk: Desk) -> None:
    others = await desk.ledger.everything(desk.other.id)
    approval_id = await desk.asked()

    answer = await desk.approve(approval_id, note="De acordo.")

    approved, owner = answer.data, desk.firm.creditor.members[Role.OWNER]
    assert (answer.status, approved["status"], approved["version"]) == (200, "approved", 2)
    assert approved["decided_by"] == {"type": "member", "id": owner.id, "name": owner.name}
    assert (approved["decided_at"], approved["note"]) == ("2026-09-01T13:00:00Z", "De acordo.")
    written_off = approved["result"]
    assert (written_off["status"], written_off["written_off_amount"]) == ("written_off", 308.9)
    assert written_off["write_off_note"] == "Sem resposta há um ano."
    assert written_off == await desk.read()
    assert await desk.events() == ["approval.requested", "approval.approved", "charge.written_off"]
    assert await desk.listed() == []
    assert await desk.ledger.everything(desk.other.id) == others


async def test_the_audit_line_of_an_approval_tells_what_changed_and_no_note(desk: Desk) -> None:
    approval_id = await desk.asked()
    await desk.approve(approval_id, note="CPF 529.982.247-25")
    line = (await desk.ledger.audit(desk.firm.id))[-1]
    owner = desk.firm.creditor.members[Role.OWNER]
    assert (line["action"], line["resource"], line["actor_id"]) == (APPROVE, approval_id, owner.id)
    assert line["diff"][approval_id] == {
        "status": ["pending", "approved"],
        "decided_by": [None, owner.id],
        "note": [None, None],
    }
    assert line["diff"][desk.charge.id]["status"] == ["overdue", "written_off"]
    assert "529" not in str(await desk.ledger.events(desk.firm.id))


async def test_the_timeline_of_the_debtor_tells_of_it(desk: Desk) -> None:
    await desk.approve(await desk.asked())
    wanted = {"id": desk.charge.debtor_id, "types": "approval", "charge_id": desk.charge.id}
    told = (await desk.house.rest(desk.owner, "dunning_debtors_timeline", wanted)).data
    assert [one["type"] for one in told] == ["approval.approved", "approval.requested"]
    assert told[0]["data"]["total_due"] == 308.9


async def test_amounts_and_rules_are_those_of_the_day_of_the_approval(desk: Desk) -> None:
    approval_id = await desk.asked()
    desk.house.clock.time = NOW + timedelta(days=5)
    approved = (await desk.approve(approval_id)).data
    assert approved["snapshot"]["total_due"] == 308.9
    assert approved["result"]["written_off_amount"] == 309.4


async def test_many_approvals_at_once_do_it_once(desk: Desk) -> None:
    approval_id = await desk.asked()
    callers = [desk.owner, desk.firm.caller("admin")] * 10
    answers = await asyncio.gather(*(desk.approve(approval_id, one) for one in callers))
    assert {(answer.status, answer.data["status"]) for answer in answers} == {(200, "approved")}
    assert len([one for one in answers if one.data["result"] is not None]) == 1
    assert await desk.events() == ["approval.requested", "approval.approved", "charge.written_off"]


async def test_of_many_who_approve_and_reject_at_once_one_word_counts(desk: Desk) -> None:
    approval_id = await desk.asked()
    words = [desk.approve(approval_id), desk.reject(approval_id)] * 5
    answers = await asyncio.gather(*words)
    decided = [event for event in await desk.events() if event.startswith("approval.")]
    assert len(decided) == 2
    status = decided[-1].removeprefix("approval.")
    agreeing = [one for one in answers if one.status == 200]
    assert {one.data["status"] for one in agreeing} == {status}
    refused = [one for one in answers if one.status != 200]
    assert {(one.code, one.error["current_status"]) for one in refused} == {
        ("STATE_CONFLICT", status)
    }
    assert (await desk.read())["status"] == ("written_off" if status == "approved" else "overdue")


async def test_asking_and_approving_at_once_never_wait_for_each_other(desk: Desk) -> None:
    approval_id = await desk.asked()
    done = await asyncio.gather(
        *(desk.ask() for _ in range(5)), *(desk.approve(approval_id) for _ in range(5))
    )
    assert {answer.status for answer in done} <= {200, 202}
    assert (await desk.read())["status"] == "written_off"


async def test_approving_again_gives_it_and_nothing_happens(desk: Desk) -> None:
    approval_id = await desk.asked()
    first = await desk.approve(approval_id)
    before = await desk.ledger.everything(desk.firm.id)
    for door in Door:
        caller = desk.firm.caller("admin")
        again = await desk.house.call(door, caller, APPROVE, {"id": approval_id})
        assert again.code is None
        assert again.data == {**first.data, "result": None}
    assert await desk.ledger.everything(desk.firm.id) == before


async def test_a_rule_that_forbids_it_by_now_leaves_the_request_waiting(desk: Desk) -> None:
    approval_id = await desk.asked()
    payment = a_new_payment(desk.charge.debtor_id, amount=308.90, charge_ids=[desk.charge.id])
    assert (await desk.house.rest(desk.owner, "dunning_payments_create", payment)).status == 201
    before = await desk.ledger.rows(desk.firm.id, "approvals")

    answer = await desk.approve(approval_id)

    assert (answer.status, answer.code) == (409, "STATE_CONFLICT")
    assert (answer.error["current_status"], answer.error["allowed_actions"]) == (
        "pending",
        ["reject"],
    )
    assert "(paid)" in answer.error["message"]
    assert "can be rejected" in answer.error["message"]
    assert await desk.ledger.rows(desk.firm.id, "approvals") == before
    assert await desk.status(approval_id) == "pending"
    assert (await desk.reject(approval_id)).data["status"] == "rejected"


async def test_what_has_happened_already_can_only_be_rejected(desk: Desk) -> None:
    approval_id = await desk.asked()
    changed: dict[str, Any] = {"approval_required_for": []}
    await desk.house.rest(desk.owner, "dunning_settings_update", changed)
    assert (await desk.ask(desk.owner)).status == 200

    answer = await desk.approve(approval_id)

    assert (answer.status, answer.code) == (409, "STATE_CONFLICT")
    assert answer.error["current_status"] == "pending"
    assert answer.error["allowed_actions"] == ["reject"]
    assert (await desk.reject(approval_id)).status == 200


async def test_what_was_deleted_meanwhile_can_only_be_rejected(desk: Desk) -> None:
    approval_id = await desk.asked()
    deleted = await desk.house.rest(desk.owner, "dunning_charges_delete", {"id": desk.charge.id})
    assert deleted.status == 204

    answer = await desk.approve(approval_id)

    assert (answer.status, answer.code) == (409, "STATE_CONFLICT")
    assert answer.error["allowed_actions"] == ["reject"]
    assert (await desk.reject(approval_id)).status == 200


async def test_a_request_is_carried_out_though_four_eyes_are_not_asked_for_any_more(
    desk: Desk,
) -> None:
    approval_id = await desk.asked()
    changed: dict[str, Any] = {"approval_required_for": []}
    await desk.house.rest(desk.owner, "dunning_settings_update", changed)
    assert (await desk.approve(approval_id)).data["result"]["status"] == "written_off"


async def test_over_mcp_nothing_is_decided_without_a_persons_yes(desk: Desk) -> None:
    approval_id = await desk.asked()
    before = await desk.ledger.rows(desk.firm.id, "approvals")
    for operation, fields in ((APPROVE, {}), (REJECT, {"note": "Ainda responde."})):
        answer = await desk.house.tool(desk.owner, operation, {"id": approval_id, **fields})
        assert answer.code == "confirmation_required"
    assert await desk.ledger.rows(desk.firm.id, "approvals") == before
