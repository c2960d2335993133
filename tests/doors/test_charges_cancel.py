"""Cancelling: what it does through `/v1`, and how far it goes over MCP."""

import asyncio
from dataclasses import dataclass
from typing import Any, Final

import pytest

from domain.dunning.charge_states import ChargeStatus
from domain.dunning.charges import Charge
from tests.builders import a_charge, a_debtor
from tests.doors.firms import Ledger, Pair
from tests.doors.house import PUBLIC_URL, Answer, Caller, Door, House, both

pytestmark = pytest.mark.anyio

CANCEL: Final = "dunning_charges_cancel"


@dataclass(frozen=True, slots=True)
class Room:
    """A firm with one charge, and one like it in the other firm."""

    house: House
    ledger: Ledger
    pair: Pair
    charge: Charge

    async def cancel(
        self, door: Door = Door.REST, caller: Caller | None = None, **fields: Any
    ) -> Answer:
        arguments = {"id": self.charge.id, "reason": "issued_in_error", **fields}
        return await self.house.call(door, caller or self.pair.a.owner, CANCEL, arguments)

    async def everything(self) -> list[dict[str, list[str]]]:
        return [await self.ledger.everything(firm.id) for firm in (self.pair.a, self.pair.b)]


async def a_room(house: House, ledger: Ledger, pair: Pair, **state: Any) -> Room:
    charges = []
    for firm in (pair.a, pair.b):
        debtor = a_debtor(firm.creditor, name="Paulo Nogueira")
        charges.append(a_charge(debtor))
        for name, value in state.items():
            setattr(charges[-1], name, value)
        await ledger.keep(firm, debtor, charges[-1])
    return Room(house, ledger, pair, charges[0])


def untold(everything: list[dict[str, list[str]]]) -> list[dict[str, list[str]]]:
    """All but the trail."""
    return [
        {table: rows for table, rows in one.items() if table != "audit_entries"}
        for one in everything
    ]


@pytest.fixture
async def room(house: House, ledger: Ledger, pair: Pair) -> Room:
    return await a_room(house, ledger, pair)


async def test_a_cancelled_charge_is_owed_no_more(room: Room) -> None:
    answer = await room.cancel(note="Lançada duas vezes.")
    assert answer.status == 200
    cancelled = answer.data
    assert (cancelled["status"], cancelled["cancel_reason"]) == ("canceled", "issued_in_error")
    assert (cancelled["canceled_at"], cancelled["version"]) == ("2026-09-01T13:00:00Z", 2)
    assert cancelled["amount"] == 1250.0
    assert set(cancelled["amounts"].values()) == {0.0, "2026-09-01"}
    assert cancelled["debtor_name"] == "Paulo Nogueira"
    assert cancelled["cancel_note"] == "Lançada duas vezes."
    listed = await room.house.rest(room.pair.a.owner, "dunning_charges_list", {})
    assert listed.data == [cancelled]


async def test_it_is_written_down_once_with_who_what_and_before_and_after(room: Room) -> None:
    answer = await room.cancel(caller=room.pair.a.caller("manager"))
    (event,) = await room.ledger.events(room.pair.a.id)
    (line,) = await room.ledger.audit(room.pair.a.id)
    assert (event["type"], event["resource_id"]) == ("charge.canceled", room.charge.id)
    assert (line["action"], line["outcome"], line["resource"]) == (CANCEL, "ok", room.charge.id)
    assert (
        line["diff"]
        == event["changes"]
        == {
            "status": ["pending", "canceled"],
            "cancel_reason": [None, "issued_in_error"],
            "canceled_at": [None, "2026-09-01T13:00:00+00:00"],
            "principal_outstanding": [1_250_00, 0],
            "total_due": [1_250_00, 0],
        }
    )
    assert line["request_id"] == event["request_id"] == answer.headers["x-request-id"]


async def test_a_second_time_gives_the_charge_and_nothing_happens(room: Room) -> None:
    first = await room.cancel()
    before = await room.everything()
    others: list[dict[str, Any]] = [{}, {"reason": "duplicate"}, {"idempotency_key": "again"}]
    for fields in others:
        again = await room.cancel(**fields)
        assert (again.status, again.body) == (200, first.body)
        assert "idempotency-replayed" not in again.headers
    assert await room.everything() == before


async def test_two_at_once_are_one_cancellation(room: Room) -> None:
    answers = await asyncio.gather(*(room.cancel() for _ in range(4)))
    assert {answer.status for answer in answers} == {200}
    assert len({answer.raw for answer in answers}) == 1
    assert len(await room.ledger.events(room.pair.a.id)) == 1
    assert len(await room.ledger.audit(room.pair.a.id)) == 1


CONFLICTS: Final[list[tuple[dict[str, Any], str]]] = [
    ({"status": ChargeStatus.PAID, "paid": 1_250_00}, "paid"),
    ({"status": ChargeStatus.RENEGOTIATED}, "renegotiated"),
    ({"status": ChargeStatus.WRITTEN_OFF}, "written_off"),
    ({"paid": 1_00}, "pending"),
]


@pytest.mark.parametrize(("state", "status"), CONFLICTS)
async def test_a_state_that_does_not_allow_it_is_a_conflict_at_both_doors(
    house: House, ledger: Ledger, pair: Pair, state: dict[str, Any], status: str
) -> None:
    room = await a_room(house, ledger, pair, **state)
    before = await ledger.rows(pair.a.id, "charges")
    rest, mcp = [await room.cancel(door) for door in Door]
    assert (rest.status, rest.code) == (409, "STATE_CONFLICT")
    assert rest.error["current_status"] == status
    assert mcp.refusal == rest.refusal
    assert await ledger.rows(pair.a.id, "charges") == before
    assert await ledger.events(pair.a.id) == []
    lines = await ledger.audit(pair.a.id)
    assert [(line["outcome"], line["code"]) for line in lines] == [("error", "STATE_CONFLICT")] * 2


async def test_over_mcp_a_person_has_to_say_yes_first_and_nothing_happens(room: Room) -> None:
    before = untold(await room.everything())
    tries: list[dict[str, Any]] = [{}, {"idempotency_key": "k-1"}, {"confirm": None}]
    answers = [await room.cancel(Door.MCP, **fields) for fields in tries]
    for answer in answers:
        assert (answer.status, answer.code) == (200, "confirmation_required")
        assert answer.error["confirmation_url"].startswith(f"{PUBLIC_URL}/confirm/")
        assert answer.error["confirmation_url"] in answer.error["message"]
        assert answer.details == []
    assert untold(await room.everything()) == before
    assert [line["outcome"] for line in await room.ledger.audit(room.pair.a.id)] == ["asked"] * 3
    assert await room.ledger.audit(room.pair.b.id) == []


async def test_over_mcp_the_argument_confirm_confirms_nothing(room: Room) -> None:
    answer = await room.cancel(Door.MCP, confirm=True)
    assert answer.details == [("confirm", "unknown_field")]
    assert await room.ledger.events(room.pair.a.id) == []


async def test_over_mcp_the_scope_comes_before_the_arguments(room: Room) -> None:
    caller = room.pair.a.owner.with_scopes("dunning.read")
    answer = await room.cancel(Door.MCP, caller, reason="because")
    assert (answer.status, answer.code) == (403, 403)


async def test_over_mcp_arguments_come_before_the_target(room: Room) -> None:
    answer = await room.cancel(Door.MCP, id="chg_" + "0" * 26, reason="because")
    assert answer.details == [("reason", "not_allowed")]


async def test_over_mcp_a_finished_cancellation_is_replayed_before_anything_is_asked(
    room: Room,
) -> None:
    done = await room.cancel(idempotency_key="k-1")
    before = untold(await room.everything())
    replayed = await room.cancel(Door.MCP, idempotency_key="k-1")
    assert (replayed.code, replayed.body) == (None, done.body)
    other = await room.cancel(Door.MCP, idempotency_key="k-1", reason="duplicate")
    assert other.code == "IDEMPOTENCY_KEY_REUSED"
    assert untold(await room.everything()) == before


async def test_over_mcp_what_is_not_there_is_not_found_before_anybody_is_asked(room: Room) -> None:
    arguments = {"id": "chg_" + "0" * 26, "reason": "other"}
    rest, mcp = await both(room.house, room.pair.a.owner, CANCEL, arguments)
    assert (rest.status, rest.code) == (404, "NOT_FOUND")
    assert mcp.refusal == rest.refusal


async def test_over_mcp_what_is_cancelled_already_is_answered_without_asking(room: Room) -> None:
    done = await room.cancel()
    before = await room.everything()
    again = await room.cancel(Door.MCP, reason="duplicate", idempotency_key="k-2")
    assert (again.code, again.body) == (None, done.body)
    assert await room.everything() == before
