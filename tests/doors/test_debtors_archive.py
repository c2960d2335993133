"""Setting a debtor aside: only who owes nothing that is collected."""

import asyncio
from dataclasses import dataclass
from typing import Any, Final

import pytest

from domain.dunning.charge_states import ChargeStatus
from domain.dunning.debtors import Debtor, DebtorStatus
from tests.builders import a_charge, a_debtor
from tests.doors.firms import Ledger, Pair
from tests.doors.house import PUBLIC_URL, Answer, Caller, Door, House, both
from tests.doors.requests import a_new_charge

pytestmark = pytest.mark.anyio

ARCHIVE: Final = "dunning_debtors_archive"


@dataclass(frozen=True, slots=True)
class Room:
    """A firm with one debtor who owes nothing, and one like them in the other firm."""

    house: House
    ledger: Ledger
    pair: Pair
    debtor: Debtor

    async def archive(
        self, door: Door = Door.REST, caller: Caller | None = None, **fields: Any
    ) -> Answer:
        arguments = {"id": self.debtor.id, **fields}
        return await self.house.call(door, caller or self.pair.a.owner, ARCHIVE, arguments)

    async def everything(self) -> list[dict[str, list[str]]]:
        return [await self.ledger.everything(firm.id) for firm in (self.pair.a, self.pair.b)]


@pytest.fixture
async def room(house: House, ledger: Ledger, pair: Pair) -> Room:
    debtors = [a_debtor(firm.creditor, document="529.982.247-25") for firm in (pair.a, pair.b)]
    for firm, debtor in zip((pair.a, pair.b), debtors, strict=True):
        await ledger.keep(firm, debtor)
    return Room(house, ledger, pair, debtors[0])


async def test_an_archived_debtor_gets_no_new_charge(room: Room) -> None:
    answer = await room.archive(reason="Mudou-se para longe.")

    assert (answer.status, answer.data["status"], answer.data["version"]) == (200, "archived", 2)
    refused = await room.house.rest(
        room.pair.a.owner, "dunning_charges_create", a_new_charge(room.debtor.id)
    )
    assert (refused.code, refused.error["current_status"]) == ("STATE_CONFLICT", "archived")
    assert "debtors_update" in refused.error["message"]
    assert (await room.house.rest(room.pair.a.owner, "dunning_debtors_list", {})).data == []
    (theirs,) = await room.ledger.rows(room.pair.b.id, "debtors")
    assert theirs["status"] == "active"


async def test_it_is_written_down_once_and_that_there_is_a_reason(room: Room) -> None:
    await room.archive(reason="Mudou-se para longe.")

    (event,) = await room.ledger.events(room.pair.a.id)
    (line,) = await room.ledger.audit(room.pair.a.id)
    assert (event["type"], event["resource_id"]) == ("debtor.archived", room.debtor.id)
    assert (line["action"], line["outcome"], line["resource"]) == (ARCHIVE, "ok", room.debtor.id)
    assert (
        line["diff"]
        == event["changes"]
        == {"status": ["active", "archived"], "reason": [None, None]}
    )
    assert "Mudou-se" not in str(await room.everything())
    assert await room.ledger.events(room.pair.b.id) == await room.ledger.audit(room.pair.b.id) == []


async def test_a_second_time_gives_the_debtor_and_nothing_happens(room: Room) -> None:
    first = await room.archive()
    before = await room.everything()
    for door in Door:
        again = await room.archive(door, reason="Outra vez.", idempotency_key=f"k-{door}")
        assert (again.code, again.body) == (None, first.body)
    assert await room.everything() == before


async def test_over_mcp_a_person_has_to_say_yes_first_and_nothing_happens(room: Room) -> None:
    before = await room.everything()
    answer = await room.archive(Door.MCP)
    assert (answer.status, answer.code) == (200, "confirmation_required")
    assert answer.error["confirmation_url"].startswith(f"{PUBLIC_URL}/confirm/")
    (line,) = await room.ledger.audit(room.pair.a.id)
    assert (line["action"], line["outcome"]) == (ARCHIVE, "asked")
    after = await room.everything()
    trails = [one.pop("audit_entries") for one in (*before, *after)]
    assert [len(lines) for lines in trails] == [0, 0, 1, 0]
    assert after == before


@pytest.mark.parametrize("status", list(ChargeStatus))
async def test_only_what_is_to_be_collected_stands_in_the_way(
    room: Room, status: ChargeStatus
) -> None:
    charge = a_charge(room.debtor)
    charge.status = status
    await room.ledger.keep(room.pair.a, charge)
    holds = status in (ChargeStatus.PENDING, ChargeStatus.OVERDUE, ChargeStatus.RENEGOTIATED)

    mcp, rest = await room.archive(Door.MCP), await room.archive()

    if holds:
        assert (rest.status, rest.code) == (409, "STATE_CONFLICT")
        assert rest.error["current_status"] == "active"
        assert mcp.refusal == rest.refusal
    else:
        assert rest.data["status"] == "archived"
        assert mcp.code == "confirmation_required"


async def test_the_charges_of_others_do_not_matter(room: Room) -> None:
    other = a_debtor(room.pair.a.creditor)
    await room.ledger.keep(room.pair.a, other, a_charge(other))
    assert (await room.archive()).data["status"] == "archived"


@pytest.mark.parametrize("status", list(ChargeStatus))
async def test_who_guarantees_what_is_to_be_collected_is_not_archived(
    room: Room, status: ChargeStatus
) -> None:
    other = a_debtor(room.pair.a.creditor)
    charge = a_charge(other, guarantors=(room.debtor.id,))
    charge.status = status
    await room.ledger.keep(room.pair.a, other, charge)
    holds = status in (ChargeStatus.PENDING, ChargeStatus.OVERDUE, ChargeStatus.RENEGOTIATED)

    mcp, rest = await room.archive(Door.MCP), await room.archive()

    if holds:
        assert (rest.status, rest.code) == (409, "STATE_CONFLICT")
        assert mcp.refusal == rest.refusal
    else:
        assert rest.data["status"] == "archived"


async def test_a_guarantor_may_still_have_another_document(room: Room) -> None:
    other = a_debtor(room.pair.a.creditor)
    await room.ledger.keep(room.pair.a, other, a_charge(other, guarantors=(room.debtor.id,)))
    answer = await room.house.rest(
        room.pair.a.owner,
        "dunning_debtors_update",
        {"id": room.debtor.id, "document": "168.995.350-09"},
    )
    assert answer.status == 200


async def test_who_is_archived_owes_nothing_even_when_both_happen_at_once(room: Room) -> None:
    owner = room.pair.a.owner
    for _ in range(3):
        debtor = a_debtor(room.pair.a.creditor)
        await room.ledger.keep(room.pair.a, debtor)
        created, archived = await asyncio.gather(
            room.house.rest(owner, "dunning_charges_create", a_new_charge(debtor.id)),
            room.archive(id=debtor.id),
        )
        assert (created.status, archived.status) in ((201, 409), (409, 200))


@pytest.mark.parametrize("door", Door)
async def test_a_forgotten_debtor_is_not_archived(room: Room, door: Door) -> None:
    gone = a_debtor(room.pair.a.creditor)
    gone.status = DebtorStatus.ANONYMIZED
    await room.ledger.keep(room.pair.a, gone)
    answer = await room.archive(door, id=gone.id)
    assert (answer.code, answer.error["current_status"]) == ("STATE_CONFLICT", "anonymized")


@pytest.mark.parametrize("reason", ["abc", "x" * 501])
async def test_a_reason_says_something(room: Room, reason: str) -> None:
    rest, mcp = await both(
        room.house, room.pair.a.owner, ARCHIVE, {"id": room.debtor.id, "reason": reason}
    )
    assert [field for field, _ in rest.details] == ["reason"]
    assert mcp.refusal == rest.refusal
