"""Every destructive operation over MCP, in each client world, with each thing a person may say."""

from dataclasses import dataclass, replace
from typing import Any, Final

import pytest
from sqlalchemy import text

from adapters.persistence.transaction import open_pinned
from application.confirmation.page import NotForThemError
from tests.doors.assistants import (
    CANCELLED,
    DECLINED,
    FORM,
    NOTHING,
    OPENED,
    URL,
    YES,
    Assistant,
    Said,
)
from tests.doors.firms import Ledger, Pair, things
from tests.doors.house import Caller, House
from tests.doors.requests import ROWS, Arguments

pytestmark = pytest.mark.anyio

DESTRUCTIVE: Final = tuple(name for name, row in ROWS.items() if row.kind == "confirmed")
NO: Final = {"declined": DECLINED, "cancelled": CANCELLED}
BY_PAGE: Final = {"none": NOTHING, "legacy": None}
OUT_OF_BAND: Final = {**BY_PAGE, "url": URL}
_TABLES: Final = {
    "dbt": "debtors",
    "cpt": "contact_points",
    "chg": "charges",
    "pay": "payments",
    "apr": "approvals",
}


@dataclass(frozen=True, slots=True)
class Case:
    """One destructive call that is allowed, and both firms as they were before it."""

    assistant: Assistant
    ledger: Ledger
    pair: Pair
    operation: str
    arguments: Arguments
    before: dict[str, list[str]]
    elsewhere: dict[str, list[str]]

    async def call(self, **round_: Any) -> Said:
        return await self.assistant.call(self.operation, self.arguments, **round_)

    async def changed(self) -> bool:
        """Whether anything but the trail is other than before; the other firm never is."""
        assert await self.ledger.everything(self.pair.b.id) == self.elsewhere
        return _book(await self.ledger.everything(self.pair.a.id)) != self.before

    async def outcomes(self) -> list[str]:
        lines = await self.ledger.audit(self.pair.a.id)
        return [line["outcome"] for line in lines if line["action"] == self.operation]

    async def move_target(self) -> None:
        """Somebody else changes what the call is about, so that it is still allowed."""
        target = self.arguments.get("cp_id") or self.arguments["id"]
        table = _TABLES[target[:3]]
        where = "id = :id"
        if self.operation == "dunning_charges_delete":
            # A charge that anything has happened to cannot be deleted any more: its debtor can.
            table, where = "debtors", "id IN (SELECT debtor_id FROM charges WHERE id = :id)"
        async with open_pinned(self.ledger.owner, self.pair.a.id) as transaction:
            await transaction.connection.execute(
                text(f"UPDATE {table} SET version = version + 1 WHERE {where}"),  # noqa: S608 -- our own names
                {"id": target},
            )
            await transaction.commit()


def _book(everything: dict[str, list[str]]) -> dict[str, list[str]]:
    kept = {"audit_entries", "confirmation_decisions"}
    return {table: rows for table, rows in everything.items() if table not in kept}


async def a_case(
    house: House, ledger: Ledger, pair: Pair, operation: str, capabilities: Any
) -> Case:
    known = await things(ledger, pair.a)
    await things(ledger, pair.b)
    return Case(
        Assistant(house=house, caller=pair.a.owner, capabilities=capabilities),
        ledger,
        pair,
        operation,
        ROWS[operation].arguments(known),
        _book(await ledger.everything(pair.a.id)),
        await ledger.everything(pair.b.id),
    )


def another(pair: Pair) -> Caller:
    return pair.a.caller("admin")


async def test_the_declarations_and_the_table_agree_on_what_is_destructive(house: House) -> None:
    infos = house.container.catalogue().infos
    assert {info.name for info in infos if info.destructive} == set(DESTRUCTIVE)


@pytest.mark.parametrize("operation", DESTRUCTIVE)
async def test_a_form_is_asked_first_and_a_yes_acts_once(
    house: House, ledger: Ledger, pair: Pair, operation: str
) -> None:
    case = await a_case(house, ledger, pair, operation, FORM)
    asked = await case.call()
    assert asked.asks
    assert asked.question["mode"] == "form"
    assert not await case.changed()
    done = await case.call(state=asked.state, answer=YES)
    assert done.code is None
    assert await case.changed()
    after = await ledger.everything(pair.a.id)
    again = await case.call(state=asked.state, answer=YES)
    assert again.message == done.message
    assert _book(await ledger.everything(pair.a.id)) == _book(after)
    assert await case.outcomes() == ["asked", "ok", "replayed"]


@pytest.mark.parametrize("operation", DESTRUCTIVE)
@pytest.mark.parametrize("status", NO)
async def test_a_no_or_a_closed_form_is_a_result_and_changes_nothing(
    house: House, ledger: Ledger, pair: Pair, operation: str, status: str
) -> None:
    case = await a_case(house, ledger, pair, operation, FORM)
    asked = await case.call()
    said = await case.call(state=asked.state, answer=NO[status])
    assert (said.is_error, said.document) == (False, {"status": status})
    assert not await case.changed()
    assert await case.outcomes() == ["asked", status]


@pytest.mark.parametrize("operation", DESTRUCTIVE)
async def test_a_target_that_changed_since_it_was_shown_is_asked_about_anew(
    house: House, ledger: Ledger, pair: Pair, operation: str
) -> None:
    case = await a_case(house, ledger, pair, operation, FORM)
    asked = await case.call()
    await case.move_target()
    case = replace(case, before=_book(await ledger.everything(pair.a.id)))
    anew = await case.call(state=asked.state, answer=YES)
    assert anew.asks
    assert not await case.changed()
    done = await case.call(state=anew.state, answer=YES)
    assert done.code is None
    assert await case.changed()


@pytest.mark.parametrize("operation", DESTRUCTIVE)
async def test_nobody_can_answer_what_another_was_asked(
    house: House, ledger: Ledger, pair: Pair, operation: str
) -> None:
    case = await a_case(house, ledger, pair, operation, FORM)
    asked = await case.call()
    stranger = replace(case, assistant=case.assistant.with_caller(another(pair)))
    refused = await stranger.call(state=asked.state, answer=YES)
    assert (refused.http_status, refused.code) == (400, -32602)
    assert refused.message["error"]["message"] == "Invalid or expired requestState"
    assert not await case.changed()
    assert await case.outcomes() == ["asked", "denied"]


@pytest.mark.parametrize("world", BY_PAGE)
@pytest.mark.parametrize("operation", DESTRUCTIVE)
async def test_g4_a_client_that_cannot_be_asked_is_sent_to_the_page_and_then_runs_once(
    house: House, ledger: Ledger, pair: Pair, operation: str, world: str
) -> None:
    case = await a_case(house, ledger, pair, operation, BY_PAGE[world])
    asked = await case.call()
    assert asked.code == "confirmation_required"
    assert (await case.call()).address == asked.address
    assert (await case.assistant.look(asked)).state == "asking"
    assert not await case.changed()
    assert (await case.assistant.decide(asked, "confirmed")).state == "confirmed"
    assert not await case.changed()
    done = await case.call()
    assert done.code is None
    assert await case.changed()
    assert (await case.assistant.look(asked)).state == "used"
    after = _book(await ledger.everything(pair.a.id))
    await case.call()
    assert _book(await ledger.everything(pair.a.id)) == after


@pytest.mark.parametrize("operation", DESTRUCTIVE)
async def test_a_client_that_takes_addresses_waits_for_the_page(
    house: House, ledger: Ledger, pair: Pair, operation: str
) -> None:
    case = await a_case(house, ledger, pair, operation, URL)
    asked = await case.call()
    assert asked.question["mode"] == "url"
    pending = await case.call(state=asked.state, answer=OPENED)
    assert pending.asks
    assert pending.address == asked.address
    assert not await case.changed()
    await case.assistant.decide(asked, "confirmed")
    done = await case.call(state=pending.state, answer=OPENED)
    assert done.code is None
    assert await case.changed()
    again = await case.call(state=pending.state, answer=OPENED)
    assert again.message == done.message


@pytest.mark.parametrize("world", OUT_OF_BAND)
@pytest.mark.parametrize("operation", DESTRUCTIVE)
async def test_a_no_on_the_page_is_told_to_the_client_and_changes_nothing(
    house: House, ledger: Ledger, pair: Pair, operation: str, world: str
) -> None:
    case = await a_case(house, ledger, pair, operation, OUT_OF_BAND[world])
    asked = await case.call()
    assert (await case.assistant.decide(asked, "refused")).state == "refused"
    round_ = {"state": asked.state, "answer": OPENED} if world == "url" else {}
    said = await case.call(**round_)
    assert (said.is_error, said.document) == (False, {"status": "declined"})
    assert not await case.changed()


@pytest.mark.parametrize("world", OUT_OF_BAND)
@pytest.mark.parametrize("operation", DESTRUCTIVE)
async def test_a_yes_on_the_page_does_not_outlive_a_change_of_the_target(
    house: House, ledger: Ledger, pair: Pair, operation: str, world: str
) -> None:
    case = await a_case(house, ledger, pair, operation, OUT_OF_BAND[world])
    asked = await case.call()
    await case.assistant.decide(asked, "confirmed")
    await case.move_target()
    case = replace(case, before=_book(await ledger.everything(pair.a.id)))
    round_ = {"state": asked.state, "answer": OPENED} if world == "url" else {}
    said = await case.call(**round_)
    assert said.asks or said.code == "confirmation_required"
    assert said.address != asked.address
    assert not await case.changed()


@pytest.mark.parametrize("world", OUT_OF_BAND)
@pytest.mark.parametrize("operation", DESTRUCTIVE)
async def test_the_page_is_for_nobody_but_the_asker(
    house: House, ledger: Ledger, pair: Pair, operation: str, world: str
) -> None:
    case = await a_case(house, ledger, pair, operation, OUT_OF_BAND[world])
    asked = await case.call()
    for stranger in (another(pair), pair.b.owner):
        with pytest.raises(NotForThemError):
            await case.assistant.decide(asked, "confirmed", by=stranger)
    assert (await case.assistant.look(asked)).state == "asking"
    assert not await case.changed()
    lines = await ledger.audit(pair.a.id)
    assert [line["outcome"] for line in lines if line["via"] == "page"] == ["denied", "denied"]
