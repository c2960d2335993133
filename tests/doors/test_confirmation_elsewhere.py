"""Confirmation on the page, for clients that cannot ask: addresses, decisions, how often."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

import pytest

from application.confirmation.confirm import Confirm
from application.confirmation.links import Links, PageKey
from domain.access.confirmation import Verdict
from domain.access.roles import Role
from tests.doors.asked_charge import CANCEL, PARALLEL, Room, a_room, demote
from tests.doors.assistants import CANCELLED, DECLINED, FORM, NOTHING, OPENED, URL, Said
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
    assert TEN_MINUTES <= link.page.until - room.house.clock.time <= 2 * TEN_MINUTES
    assert (await room.call({"idempotency_key": "any"})).address == asked.address
    assert (await room.call({"note": "Outra nota qualquer."})).address != asked.address
    room.house.clock.time = link.page.until
    assert page.open(sealed) is None


async def test_the_address_says_nothing_of_what_it_is_about(room: Room) -> None:
    asked = await room.using(None).call()
    for told in (room.charge.id, room.pair.a.id, "1250", "Paulo", CANCEL):
        assert told not in asked.address
    for bad in ("", "x", asked.address.rpartition("/")[2][:-1], "A" * 7_000):
        assert room.house.container.confirmation_page().open(bad) is None


async def test_two_tabs_and_a_no_stands(room: Room) -> None:
    room = room.using(None)
    asked = await room.call()
    assert (await room.assistant.decide(asked, "refused")).state == "refused"
    assert (await room.assistant.decide(asked, "confirmed")).state == "refused"
    assert (await room.call()).status == "declined"
    assert await room.statuses() == ["pending", "pending"]


async def test_after_a_no_was_told_the_next_call_gets_a_page_that_asks(room: Room) -> None:
    room = room.using(None)
    asked = await room.call()
    ends = set()
    for _ in range(3):
        ends.add(page_of(room, asked).until)
        await room.assistant.decide(asked, "refused")
        assert (await room.call()).status == "declined"
        anew = await room.call()
        assert anew.address != asked.address
        assert (await room.assistant.look(anew)).state == "asking"
        assert (await room.call()).address == anew.address
        asked = anew
    assert len(ends) == 1
    await room.assistant.decide(asked, "confirmed")
    assert (await room.call()).document["data"]["status"] == "canceled"


def page_of(room: Room, asked: Said) -> PageKey:
    link = room.house.container.links().open(asked.address.rpartition("/")[2])
    assert link is not None
    page: PageKey = link.page
    return page


async def test_a_yes_can_be_withdrawn_until_it_is_used(room: Room) -> None:
    room = room.using(None)
    asked = await room.call()
    shown = await room.assistant.decide(asked, "confirmed")
    assert (shown.state, shown.question is None) == ("confirmed", False)
    assert (await room.assistant.decide(asked, "refused")).state == "refused"
    assert (await room.call()).status == "declined"
    assert await room.statuses() == ["pending", "pending"]
    assert [outcome for outcome, _ in await room.lines()] == ["asked", "confirmed", "declined"]


async def test_of_many_words_at_once_a_no_wins(room: Room) -> None:
    room = room.using(None)
    asked = await room.call()
    words: tuple[Verdict, ...] = ("confirmed", "refused") * 5
    await asyncio.gather(*(room.assistant.decide(asked, word) for word in words))
    (row,) = await room.ledger.rows(room.pair.a.id, "confirmation_decisions")
    assert row["verdict"] == "refused"
    assert (await room.call()).status == "declined"
    assert await room.statuses() == ["pending", "pending"]


async def test_the_last_word_counts_whichever_page_it_was_said_on(room: Room) -> None:
    room = room.using(None)
    first = await room.call()
    room.house.clock.time += TEN_MINUTES
    second = await room.call()
    assert second.address != first.address
    await room.assistant.decide(first, "confirmed")
    assert (await room.assistant.look(second)).state == "confirmed"
    assert (await room.assistant.decide(second, "refused")).state == "refused"
    assert (await room.call()).status == "declined"
    assert (await room.call()).code == "confirmation_required"
    assert await room.statuses() == ["pending", "pending"]


async def test_a_page_that_was_answered_too_long_ago_may_be_answered_again(room: Room) -> None:
    room = room.using(None)
    asked = await room.call()
    await room.assistant.decide(asked, "confirmed")
    room.house.clock.time += TEN_MINUTES
    assert (await room.assistant.look(asked)).state == "asking"
    assert (await room.assistant.decide(asked, "confirmed")).state == "confirmed"
    assert (await room.call()).document["data"]["status"] == "canceled"


@pytest.mark.parametrize("answer", [DECLINED, CANCELLED])
@pytest.mark.parametrize("capabilities", [FORM, URL])
async def test_a_no_in_the_client_ends_a_yes_on_the_page(
    room: Room, capabilities: Any, answer: Any
) -> None:
    in_band = room.using(capabilities)
    asked = await in_band.call()
    elsewhere = room.using(None)
    await room.assistant.decide(await elsewhere.call(), "confirmed")
    assert (await in_band.call(state=asked.state, answer=answer)).status is not None
    assert (await elsewhere.call()).code == "confirmation_required"
    assert await room.statuses() == ["pending", "pending"]


@pytest.mark.parametrize("answer", [DECLINED, CANCELLED])
async def test_a_no_that_comes_late_ends_a_yes_on_the_page_too(room: Room, answer: Any) -> None:
    in_band, elsewhere = room.using(FORM), room.using(None)
    asked = await in_band.call()
    room.house.clock.time += TEN_MINUTES / 2
    await room.assistant.decide(await elsewhere.call(), "confirmed")
    room.house.clock.time += TEN_MINUTES / 2
    said = await in_band.call(state=asked.state, answer=answer)
    assert said.status in {"declined", "cancelled"}
    assert (await elsewhere.call()).code == "confirmation_required"
    assert await room.statuses() == ["pending", "pending"]


async def test_a_yes_withdrawn_while_the_call_runs_is_one_or_the_other(room: Room) -> None:
    room = room.using(None)
    asked = await room.call()
    await room.assistant.decide(asked, "confirmed")
    said, shown = await asyncio.gather(room.call(), room.assistant.decide(asked, "refused"))
    was_done = (await room.statuses())[0] == "canceled"
    assert await room.effects() == int(was_done)
    assert shown.state in {"used", "reached"} if was_done else shown.state == "refused"
    assert (said.status == "declined") is not was_done


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
    for capabilities in (None, NOTHING, FORM, URL):
        program = replace(
            room.using(capabilities).assistant, caller=room.pair.a.caller("integration")
        )
        said = await program.call(CANCEL, room.arguments)
        assert said.code == "confirmation_required"
        assert "confirmation_url" not in said.document["error"]
        assert "/v1" in said.document["error"]["message"]
    assert await room.lines() == [("error", "confirmation_required")] * 4


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
