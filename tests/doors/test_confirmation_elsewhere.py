"""Confirmation on the page, for clients that cannot ask: addresses, decisions, how often."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Final

import pytest

from application.confirmation.confirm import Confirm
from application.confirmation.links import Links
from domain.access.confirmation import Verdict
from domain.access.roles import Role
from tests.doors.asked_charge import CANCEL, PARALLEL, Room, a_room, demote
from tests.doors.assistants import NOTHING, OPENED, URL
from tests.doors.firms import Ledger, Pair
from tests.doors.house import House

pytestmark = pytest.mark.anyio

TEN_MINUTES: Final = timedelta(minutes=10)


@pytest.fixture
async def room(house: House, ledger: Ledger, pair: Pair) -> Room:
    return await a_room(house, ledger, pair)


async def test_g11_a_role_that_is_taken_away_is_refused_on_the_page_and_after_it(
    room: Room,
) -> None:
    room = room.using(None)
    asked = await room.call()
    await room.assistant.decide(asked, "confirmed")
    await demote(room)
    assert (await room.call()).code == -32602
    assert await room.statuses() == ["pending", "pending"]


async def test_g11_the_page_asks_nobody_whose_role_was_taken_away(room: Room) -> None:
    asked = await room.using(None).call()
    await demote(room)
    shown = await room.assistant.decide(asked, "confirmed")
    assert (shown.state, shown.question) == ("forbidden", None)
    assert await room.ledger.rows(room.pair.a.id, "confirmation_decisions") == []


async def test_twenty_calls_at_once_after_a_yes_on_the_page_are_one_effect(room: Room) -> None:
    room = room.using(NOTHING)
    await room.assistant.decide(await room.call(), "confirmed")
    said = await asyncio.gather(*(room.call() for _ in range(PARALLEL)))
    assert await room.effects() == 1
    assert {one.code for one in said} <= {None, "IDEMPOTENCY_IN_PROGRESS"}
    assert None in {one.code for one in said}


async def test_a_yes_on_the_page_ends_after_ten_minutes(room: Room) -> None:
    room = room.using(None)
    asked = await room.call()
    shown = await room.assistant.decide(asked, "confirmed")
    assert shown.until is not None
    assert shown.until.utcoffset() == timedelta(hours=-3)
    room.house.clock.time = shown.until
    assert (await room.call()).code == "confirmation_required"
    assert await room.statuses() == ["pending", "pending"]


async def test_the_address_stays_while_it_is_fresh_and_ends_within_twenty_minutes(
    room: Room,
) -> None:
    room = room.using(None)
    asked = await room.call()
    page = room.house.container.confirmation_page()
    sealed = asked.address.rpartition("/")[2]
    link = page.open(sealed)
    assert link is not None
    assert TEN_MINUTES <= link.expires_at - room.house.clock.time <= 2 * TEN_MINUTES
    assert (await room.call({"idempotency_key": "any"})).address == asked.address
    assert (await room.call({"note": "Outra nota qualquer."})).address != asked.address
    room.house.clock.time = link.expires_at
    assert page.open(sealed) is None


async def test_the_address_says_nothing_of_what_it_is_about(room: Room) -> None:
    asked = await room.using(None).call()
    for told in (room.charge.id, room.pair.a.id, "1250", "Paulo", CANCEL):
        assert told not in asked.address
    for bad in ("", "x", asked.address.rpartition("/")[2][:-1], "A" * 7_000):
        assert room.house.container.confirmation_page().open(bad) is None


async def test_two_tabs_and_the_first_word_counts(room: Room) -> None:
    room = room.using(None)
    asked = await room.call()
    assert (await room.assistant.decide(asked, "refused")).state == "refused"
    assert (await room.assistant.decide(asked, "confirmed")).state == "refused"
    assert (await room.call()).status == "declined"
    # The no has been told; whoever asks again is asked again, and has the old page's answer.
    assert (await room.call()).code == "confirmation_required"
    assert await room.statuses() == ["pending", "pending"]


async def test_two_tabs_at_once_keep_one_word(room: Room) -> None:
    room = room.using(None)
    asked = await room.call()
    words: tuple[Verdict, ...] = ("confirmed", "refused") * 5
    shown = await asyncio.gather(*(room.assistant.decide(asked, word) for word in words))
    assert len({one.state for one in shown}) == 1
    (row,) = await room.ledger.rows(room.pair.a.id, "confirmation_decisions")
    assert row["verdict"] == shown[0].state
    lines = await room.lines()
    assert len([one for one in lines if one[0] in {"confirmed", "declined"}]) == 1


async def test_the_page_tells_who_asks_through_what(room: Room) -> None:
    asked = await room.using(NOTHING, name="Claude\u202e  Desktop" + "!" * 100).call()
    shown = await room.assistant.look(asked)
    assert (shown.operation, shown.client_id) == (CANCEL, room.assistant.caller.client_id)
    assert shown.client == "Claude Desktop" + "!" * 46
    assert shown.person == room.pair.a.creditor.members[Role.MANAGER].name
    assert shown.tenant.name == "Colégio Aurora"
    assert shown.question is not None


async def test_the_page_of_a_changed_charge_asks_nothing(room: Room) -> None:
    room = room.using(None)
    asked = await room.call()
    await room.house.rest(
        room.pair.a.owner, "dunning_charges_update", {"id": room.charge.id, "amount": 99}
    )
    assert (await room.assistant.look(asked)).state == "changed"
    assert (await room.assistant.decide(asked, "confirmed")).state == "changed"
    await room.house.rest(room.pair.a.owner, CANCEL, room.arguments)
    assert (await room.assistant.look(asked)).state == "reached"


async def test_a_program_without_a_person_is_sent_to_v1(room: Room) -> None:
    program = replace(room.assistant, caller=room.pair.a.caller("integration"), capabilities=None)
    said = await program.call(CANCEL, room.arguments)
    assert said.code == "confirmation_required"
    assert "confirmation_url" not in said.document["error"]
    assert "/v1" in said.document["error"]["message"]
    assert await room.lines() == [("error", "confirmation_required")]


async def test_arguments_too_long_for_an_address_are_said_to_be(room: Room) -> None:
    note = "Nota" + " " * 20_000
    said = await room.using(None).call({"note": note + "x"})
    assert said.code in {"confirmation_required", "VALIDATION_ERROR"}
    assert "confirmation_url" not in said.document["error"]
    assert await room.statuses() == ["pending", "pending"]


async def test_a_client_at_the_page_gets_the_answer_as_soon_as_the_person_decides(
    room: Room,
) -> None:
    room = room.using(URL)
    container = room.house.container
    links: Links = container.links()
    patient = Confirm(container.run(), links, timedelta(seconds=20))
    tools = container.tools()
    asked = await room.call()
    impatient, tools._confirm = tools._confirm, patient
    try:
        waiting = asyncio.create_task(room.call(state=asked.state, answer=OPENED))
        await room.assistant.decide(asked, "confirmed")
        async with asyncio.timeout(10):
            done = await waiting
    finally:
        tools._confirm = impatient
    assert done.document["data"]["status"] == "canceled"
    assert await room.effects() == 1
