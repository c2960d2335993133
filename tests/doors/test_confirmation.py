"""Confirmation in a form, on cancelling a charge: what counts as a yes, and how often."""

import asyncio
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

import pytest
from sqlalchemy import insert

from adapters.persistence.tables import member_identities
from adapters.persistence.transaction import open_pinned
from domain.access.roles import Role
from tests.builders import a_charge, a_debtor
from tests.doors.asked_charge import CANCEL, PARALLEL, Room, a_room, demote
from tests.doors.assistants import DECLINED, YES
from tests.doors.firms import ISSUER, Ledger, Pair
from tests.doors.house import House

pytestmark = pytest.mark.anyio

TEN_MINUTES: Final = timedelta(minutes=10)


@pytest.fixture
async def room(house: House, ledger: Ledger, pair: Pair) -> Room:
    return await a_room(house, ledger, pair)


async def test_the_form_says_in_the_organisations_words_what_will_happen(room: Room) -> None:
    asked = await room.call()
    question = asked.question
    assert "R$ 1.250,00" in question["message"]
    assert question["message"].count("Paulo Nogueira") == 1
    schema = question["requestedSchema"]
    assert schema["required"] == ["confirm"]
    assert schema["properties"]["confirm"]["type"] == "boolean"
    assert schema["properties"]["confirm"]["default"] is False
    assert schema["properties"]["reason"]["maxLength"] == 200
    assert not {"ttlMs", "cacheScope", "content"} & set(asked.result)


@pytest.mark.parametrize(
    "answer",
    [
        {"action": "accept"},
        {"action": "accept", "content": None},
        {"action": "accept", "content": {}},
        {"action": "accept", "content": []},
        {"action": "accept", "content": {"confirm": "true"}},
        {"action": "accept", "content": {"confirm": False}},
        {"action": "accept", "content": {"confirm": 1}},
        {"action": "accept", "content": {"confirm": None}},
        {"action": "accept", "content": {"Confirm": True}},
        {"action": None, "content": {"confirm": True}},
        {"content": {"confirm": True}},
        {},
        "accept",
        True,
        [{"action": "accept", "content": {"confirm": True}}],
    ],
)
async def test_g5_nothing_but_the_boolean_yes_acts_and_it_is_asked_three_times_at_most(
    room: Room, answer: Any
) -> None:
    said = await room.call()
    for _ in range(2):
        said = await room.call(state=said.state, answer=answer)
        assert said.asks
    said = await room.call(state=said.state, answer=answer)
    assert (said.is_error, said.document) == (False, {"status": "cancelled"})
    assert await room.statuses() == ["pending", "pending"]
    assert await room.lines() == [("asked", None)] * 3 + [("cancelled", None)]


async def test_g8_an_action_that_nobody_has_is_an_error_of_the_protocol(room: Room) -> None:
    asked = await room.call()
    said = await room.call(state=asked.state, answer={"action": "maybe"})
    assert (said.http_status, said.code) == (400, -32602)
    assert "inputResponses.confirmation.action" in said.message["error"]["message"]
    assert await room.statuses() == ["pending", "pending"]


async def test_g8_after_a_no_the_same_call_may_ask_again(room: Room) -> None:
    asked = await room.call()
    assert (await room.call(state=asked.state, answer=DECLINED)).status == "declined"
    assert (await room.call()).asks


async def test_an_answer_without_a_question_is_asked_and_not_believed(room: Room) -> None:
    said = await room.call(answer=YES)
    assert said.asks
    assert await room.statuses() == ["pending", "pending"]


async def test_unknown_answers_beside_ours_are_ignored(room: Room) -> None:
    asked = await room.call()
    params = {
        "name": CANCEL,
        "arguments": room.arguments,
        "requestState": asked.state,
        "inputResponses": {"another": {"action": "accept"}, "confirmation": YES},
    }
    assert (await room.assistant.send(params)).document["data"]["status"] == "canceled"


async def test_g1_a_state_opens_for_its_own_call_only(room: Room) -> None:
    other = a_charge(a_debtor(room.pair.a.creditor, name="Rita Prado"))
    asked = await room.call()
    flipped = asked.state[:-9] + ("A" if asked.state[-9] != "A" else "B") + asked.state[-8:]
    for fields, state in (
        ({"id": other.id}, asked.state),
        ({"reason": "duplicate"}, asked.state),
        ({"note": "Outra nota qualquer."}, asked.state),
        ({}, flipped),
        ({}, asked.state[:-1]),
        ({}, "x" * 5_000),
        ({}, ""),
    ):
        said = await room.call(fields, state=state, answer=YES)
        assert (said.http_status, said.code) == (400, -32602)
        assert said.message["error"]["message"] == "Invalid or expired requestState"
    assert await room.statuses() == ["pending", "pending"]
    assert (await room.lines())[1:] == [("denied", "INVALID_STATE")] * 7


async def test_another_client_of_the_same_person_cannot_answer(room: Room) -> None:
    asked = await room.call()
    elsewhere = replace(room.assistant.caller, client_id="another-client")
    said = await room.assistant.with_caller(elsewhere).call(
        CANCEL, room.arguments, state=asked.state, answer=YES
    )
    assert said.code == -32602
    assert await room.statuses() == ["pending", "pending"]


@pytest.mark.parametrize("state", [7, True, ["x"], {"a": 1}])
async def test_a_state_of_the_wrong_type_is_named(room: Room, state: Any) -> None:
    said = await room.call(state=state, answer=YES)
    assert (said.http_status, said.code) == (400, -32602)
    assert "requestState" in said.message["error"]["message"]


async def test_a_question_whose_time_is_over_is_asked_anew(room: Room) -> None:
    asked = await room.call()
    room.house.clock.time += TEN_MINUTES
    anew = await room.call(state=asked.state, answer=YES)
    assert anew.asks
    assert await room.statuses() == ["pending", "pending"]
    assert (await room.call(state=anew.state, answer=YES)).code is None


async def test_the_reason_is_kept_with_the_effect_and_nowhere_else(room: Room) -> None:
    asked = await room.call()
    reason = "  Pedido da\u202e secretaria \n em\u0000\u0007 2 vias  "
    answer = {"action": "accept", "content": {"confirm": True, "reason": reason}}
    await room.call(state=asked.state, answer=answer)
    asked_line, line = await room.ledger.audit(room.pair.a.id)
    assert line["diff"]["confirmation_reason"] == "Pedido da secretaria em 2 vias"
    assert line["confirmation"] == asked_line["confirmation"] is not None
    everything = await room.ledger.everything(room.pair.a.id)
    holders = [name for name, rows in everything.items() if "secretaria em" in str(rows)]
    assert holders == ["audit_entries"]


async def test_whoever_has_a_long_name_at_the_issuer_is_asked_all_the_same(room: Room) -> None:
    subject = "€" * 1_000
    manager = room.pair.a.creditor.members[Role.MANAGER]
    row = {"organization_id": room.pair.a.id, "member_id": manager.id}
    async with open_pinned(room.ledger.owner, room.pair.a.id) as transaction:
        identity = insert(member_identities).values(**row, issuer=ISSUER, subject=subject)
        await transaction.connection.execute(identity)
        await transaction.commit()
    named = room.assistant.with_caller(replace(room.assistant.caller, subject=subject))
    asked = await named.call(CANCEL, room.arguments)
    assert (await named.answer(CANCEL, room.arguments, asked, YES)).code is None
    elsewhere = replace(named, capabilities=None)
    assert (await elsewhere.call(CANCEL, room.arguments)).code in {None, "confirmation_required"}


async def test_g11_whoever_may_not_is_refused_and_never_asked(room: Room) -> None:
    collector = room.assistant.with_caller(room.pair.a.caller("collector"))
    said = await collector.call(CANCEL, room.arguments)
    assert (said.code, said.message["error"]["message"]) == (-32602, f"Unknown tool: {CANCEL}")
    narrow = room.assistant.caller.with_scopes("dunning.read")
    said = await room.assistant.with_caller(narrow).call(CANCEL, room.arguments)
    assert (said.http_status, said.code) == (403, 403)


async def test_g11_a_role_that_is_taken_away_before_the_yes_is_refused(room: Room) -> None:
    asked = await room.call()
    await demote(room)
    said = await room.call(state=asked.state, answer=YES)
    assert said.code == -32602
    assert await room.statuses() == ["pending", "pending"]


async def test_what_is_reached_already_is_answered_and_nobody_is_asked(room: Room) -> None:
    await room.house.rest(room.assistant.caller, CANCEL, room.arguments)
    said = await room.call()
    assert (said.asks, said.document["data"]["status"]) == (False, "canceled")


async def test_h1_with_a_key_a_lost_answer_is_given_again_and_nobody_is_asked(room: Room) -> None:
    key = {"idempotency_key": "cancel-1"}
    asked = await room.call(key)
    done = await room.call(key, state=asked.state, answer=YES)
    again = await room.call(key)
    assert again.document == done.document
    assert await room.effects() == 1
    changed = await room.call({**key, "reason": "duplicate"})
    assert changed.code == "IDEMPOTENCY_KEY_REUSED"
    assert await room.effects() == 1


@pytest.mark.parametrize("key", [{}, {"idempotency_key": "cancel-2"}])
async def test_twenty_answers_at_once_are_one_effect(room: Room, key: dict[str, str]) -> None:
    asked = await room.call(key)
    answers = [room.call(key, state=asked.state, answer=YES) for _ in range(PARALLEL)]
    said = await asyncio.gather(*answers)
    assert await room.effects() == 1
    assert await room.statuses() == ["canceled", "pending"]
    found = Counter(one.code for one in said)
    assert found[None] >= 1
    assert set(found) <= {None, "IDEMPOTENCY_IN_PROGRESS"}
    done = [one.document for one in said if one.code is None]
    assert all(document == done[0] for document in done)


async def test_g7_a_form_is_preferred_and_odd_abilities_count_as_none(room: Room) -> None:
    same: list[dict[str, Any]] = [{}, {"form": {}, "url": {}}, {"form": {}}]
    for forms in same:
        assert (await room.using({"elicitation": forms}).call()).question["mode"] == "form"
    odd: list[Any] = [True, [], "x", None, {"form": True}]
    for nothing in odd:
        assert (await room.using({"elicitation": nothing}).call()).code == "confirmation_required"
