"""Four eyes: who may ask, who may decide, and that one request waits for one thing."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.persistence.transaction import open_pinned
from domain.access.roles import Role
from domain.access.scopes import scope_of
from domain.errors import DuplicateError
from tests.builders import a_debtor, an_approval
from tests.doors.desk import APPROVE, WRITE_OFF, Desk, a_desk, an_overdue_charge
from tests.doors.firms import Ledger, a_program
from tests.doors.house import House, both
from tests.doors.requests import a_write_off

pytestmark = pytest.mark.anyio


@pytest.fixture
async def desk(house: House, ledger: Ledger, doors_owner: AsyncEngine) -> Desk:
    return await a_desk(house, ledger, doors_owner)


async def test_asking_makes_a_request_and_changes_nothing_else(desk: Desk) -> None:
    charges = await desk.ledger.rows(desk.firm.id, "charges")
    others = await desk.ledger.everything(desk.other.id)

    answer = await desk.ask()

    asked = answer.data
    manager = desk.firm.creditor.members[Role.MANAGER]
    assert (answer.status, asked["status"], asked["kind"]) == (202, "pending", "write_off")
    assert asked["subject"] == {"type": "charge", "id": desk.charge.id}
    assert asked["requested_by"] == {"type": "member", "id": manager.id, "name": manager.name}
    assert (asked["created_at"], asked["expires_at"]) == (
        "2026-09-01T13:00:00Z",
        "2026-09-08T13:00:00Z",
    )
    assert asked["snapshot"] == {
        "status": "overdue",
        "as_of": "2026-09-01",
        "days_late": 29,
        "principal_outstanding": 300.0,
        "fine": 6.0,
        "interest": 2.9,
        "correction": 0.0,
        "discount": 0.0,
        "costs": 0.0,
        "total_due": 308.9,
    }
    assert (asked["operation"], asked["arguments"]) == (WRITE_OFF, a_write_off(desk.charge.id))
    assert (asked["decided_by"], asked["decided_at"], asked["note"]) == (None, None, None)
    assert await desk.listed() == [asked]
    assert await desk.ledger.rows(desk.firm.id, "charges") == charges
    assert await desk.ledger.everything(desk.other.id) == others


async def test_it_is_written_down_without_the_note(desk: Desk) -> None:
    asked = await desk.ask(note="CPF 529.982.247-25")
    (event,) = await desk.ledger.events(desk.firm.id)
    (line,) = await desk.ledger.audit(desk.firm.id)
    assert (event["type"], event["resource_id"]) == ("approval.requested", asked.data["id"])
    assert (event["debtor_id"], event["changes"]) == (desk.charge.debtor_id, {})
    assert (line["action"], line["outcome"], line["resource"]) == (
        WRITE_OFF,
        "ok",
        desk.charge.id,
    )
    assert "529" not in str([event, line])


async def test_asking_for_the_same_again_gives_the_request_that_waits(desk: Desk) -> None:
    first = await desk.ask()
    before = await desk.ledger.everything(desk.firm.id)
    again = await desk.ask()
    assert (again.status, again.body) == (202, first.body)
    over_mcp = await desk.house.tool(desk.manager, WRITE_OFF, a_write_off(desk.charge.id))
    assert over_mcp.body == first.body
    assert await desk.ledger.everything(desk.firm.id) == before


@pytest.mark.parametrize(
    ("role", "fields"),
    [("owner", {}), ("admin", {}), ("manager", {"reason": "commercial"})],
)
async def test_asking_while_another_request_waits_is_told_of_it(
    desk: Desk, role: str, fields: dict[str, Any]
) -> None:
    waiting = await desk.asked()
    before = await desk.ledger.rows(desk.firm.id, "approvals")
    wanted = a_write_off(desk.charge.id, **fields)
    for answer in await both(desk.house, desk.firm.caller(role), WRITE_OFF, wanted):
        assert (answer.code, answer.error["existing_id"]) == ("DUPLICATE", waiting)
        assert f"already waiting: {waiting}" in answer.error["message"]
        assert "with the role owner, admin or manager" in answer.error["message"]
    assert await desk.ledger.rows(desk.firm.id, "approvals") == before


async def test_many_who_ask_at_once_make_one_request(desk: Desk) -> None:
    callers = [desk.manager, desk.owner, desk.firm.caller("admin")] * 4
    answers = await asyncio.gather(*(desk.ask(caller) for caller in callers))
    (made,) = await desk.ids()
    assert {
        answer.data["id"] if answer.status == 202 else answer.error["existing_id"]
        for answer in answers
    } == {made}
    assert [answer.status for answer in answers].count(202) == 4
    assert await desk.events() == ["approval.requested"]


async def test_the_same_key_gives_the_request_again_after_it_was_decided(desk: Desk) -> None:
    wanted = {**a_write_off(desk.charge.id), "idempotency_key": "k-1"}
    first = await desk.house.rest(desk.manager, WRITE_OFF, wanted)
    await desk.approve(first.data["id"])
    again = await desk.house.rest(desk.manager, WRITE_OFF, wanted)
    assert (again.status, again.body) == (202, first.body)
    assert again.headers["idempotency-replayed"] == "true"


async def test_a_note_that_nobody_could_put_right_later_is_refused_at_once(desk: Desk) -> None:
    answer = await desk.ask(note="um\u0001dois")
    assert (answer.code, answer.details) == (
        "VALIDATION_ERROR",
        [("note", "invalid_characters")],
    )
    assert await desk.listed() == []


async def test_above_the_ceiling_nobody_may_even_ask(desk: Desk) -> None:
    dear = await an_overdue_charge(desk.ledger, desk.firm, 485_61)
    answer = await desk.ask(charge=dear)
    assert (answer.status, answer.code) == (403, "ROLE_LIMIT_EXCEEDED")
    assert answer.error["required_role"] == "admin"
    (detail,) = answer.error["details"]
    assert detail["message"] == (
        "Your role writes off up to BRL 500.00; BRL 500.01 is due on this charge. "
        "Ask somebody with the role admin."
    )
    assert await desk.listed() == []


async def test_nobody_decides_on_their_own_request_by_any_token(desk: Desk) -> None:
    approval_id = await desk.asked()
    before = await desk.ledger.rows(desk.firm.id, "approvals")
    another_client = replace(desk.manager, client_id="another-client")
    narrow = desk.manager.with_scopes("dunning.approvals:decide", "dunning.charges:write_off")
    for caller in (desk.manager, another_client, narrow):
        for answer in (
            await desk.approve(approval_id, caller),
            await desk.reject(approval_id, caller),
        ):
            assert (answer.status, answer.code) == (403, "PERMISSION_DENIED")
            assert "your own" in answer.error["message"]
    over_mcp = await desk.house.tool(desk.manager, APPROVE, {"id": approval_id})
    assert over_mcp.code == "PERMISSION_DENIED"
    assert await desk.ledger.rows(desk.firm.id, "approvals") == before
    lines = await desk.ledger.audit(desk.firm.id)
    assert [line["outcome"] for line in lines] == ["ok", *["denied"] * 7]


async def test_a_second_sign_in_of_the_same_person_is_the_same_person(desk: Desk) -> None:
    manager = desk.firm.creditor.members[Role.MANAGER]
    approval_id = await desk.asked()
    async with open_pinned(desk.ledger.owner, desk.firm.id) as transaction:
        await transaction.connection.execute(
            text(
                "INSERT INTO member_identities (organization_id, issuer, subject, member_id)"
                " SELECT organization_id, issuer, 'second-' || subject, member_id"
                " FROM member_identities WHERE member_id = :member"
            ),
            {"member": manager.id},
        )
        await transaction.commit()
    second = replace(desk.manager, subject=f"second-{desk.manager.subject}")
    answer = await desk.approve(approval_id, second)
    assert (answer.status, answer.code) == (403, "PERMISSION_DENIED")


async def test_a_program_may_ask_and_never_decide(desk: Desk) -> None:
    program = await a_program(
        desk.ledger, desk.firm, Role.MANAGER, (scope_of("charges.write_off"), "dunning.all")
    )
    approval_id = await desk.asked(program)
    (asked,) = await desk.listed()
    assert asked["requested_by"]["type"] == "api_client"
    other = await a_program(
        desk.ledger, desk.firm, Role.OWNER, (scope_of("approvals.decide"), "dunning.all")
    )
    for caller in (program, other):
        assert (await desk.approve(approval_id, caller)).code == "PERMISSION_DENIED"
        assert (await desk.reject(approval_id, caller)).code == "PERMISSION_DENIED"
    assert (await desk.approve(approval_id)).status == 200


async def test_the_ceiling_of_whoever_approves_counts(desk: Desk) -> None:
    dear = await an_overdue_charge(desk.ledger, desk.firm, 485_61)
    approval_id = await desk.asked(desk.owner, dear)
    answer = await desk.approve(approval_id, desk.manager)
    assert (answer.status, answer.code) == (403, "ROLE_LIMIT_EXCEEDED")
    assert await desk.status(approval_id) == "pending"
    assert (await desk.approve(approval_id, desk.firm.caller("admin"))).status == 200


async def test_whoever_approves_has_the_right_to_do_it_themselves(desk: Desk) -> None:
    approval_id = await desk.asked()
    narrow = desk.owner.with_scopes("dunning.approvals:decide")
    answer = await desk.approve(approval_id, narrow)
    assert (answer.status, answer.code) == (403, "SCOPE_MISSING")
    assert answer.details == [("dunning.charges:write_off", "scope_missing")]
    assert await desk.status(approval_id) == "pending"
    assert (await desk.reject(approval_id, narrow)).status == 200


async def test_a_second_pending_request_cannot_be_stored(desk: Desk) -> None:
    await desk.asked()
    debtor = a_debtor(desk.firm.creditor)
    await desk.ledger.keep(desk.firm, debtor)
    twin = an_approval(debtor, desk.charge)
    with pytest.raises(DuplicateError):
        await desk.ledger.keep(desk.firm, twin)


async def test_the_document_tells_of_the_answer_that_waits(house: House) -> None:
    document = (await house.http.get("/v1/openapi.json")).json()
    told = document["paths"]["/v1/charges/{id}/write_off"]["post"]
    assert "a second person has to approve it" in told["description"]
    schema = told["responses"]["202"]["content"]["application/json"]["schema"]
    assert schema == {"$ref": "#/components/schemas/ApprovalViewOne"}
    assert "202" not in document["paths"]["/v1/charges/{id}/cancel"]["post"]["responses"]
