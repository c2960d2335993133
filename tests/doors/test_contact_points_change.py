"""What becomes of a contact point: refused, allowed again, lost, changed, deleted."""

import pytest

from tests.builders import IDS
from tests.doors.contacts import Room, a_room
from tests.doors.firms import Ledger, Pair
from tests.doors.house import Door, House
from tests.doors.requests import INTEGRATION

pytestmark = pytest.mark.anyio


@pytest.fixture
async def room(house: House, ledger: Ledger, pair: Pair) -> Room:
    return await a_room(house, ledger, pair)


async def test_refusing_and_allowing_again(room: Room) -> None:
    point_id = await room.added()
    out = await room.change(point_id, status="opted_out", evidence="Respondeu SAIR")
    assert (out.data["status"], out.data["is_primary"]) == ("opted_out", False)
    assert out.data["opt_out"] == {
        "at": "2026-09-01T13:00:00Z",
        "source": "member",
        "evidence": "Respondeu SAIR",
        "ended_at": None,
        "ended_evidence": None,
    }
    for door in Door:
        refused = await room.change(point_id, door, status="active")
        assert refused.details == [("evidence", "required_with")]
        short = await room.change(point_id, door, status="active", evidence="sim")
        assert short.details == [("evidence", "too_short")]
    back = await room.change(point_id, Door.MCP, status="active", evidence="Pediu de volta")
    assert (back.data["status"], back.data["is_primary"]) == ("active", True)
    assert back.data["opt_out"]["ended_evidence"] == "Pediu de volta"


async def test_an_api_clients_refusal_is_an_import(room: Room) -> None:
    point_id = await room.added()
    client = room.pair.a.caller(INTEGRATION)
    out = await room.change(point_id, caller=client, status="opted_out")
    assert out.data["opt_out"]["source"] == "import"


async def test_an_invalid_one_comes_back_only_verified(room: Room) -> None:
    point_id = await room.added()
    lost = await room.change(point_id, status="invalid")
    assert lost.data["status"] == "invalid"
    rest, mcp = [await room.change(point_id, door, status="opted_out") for door in Door]
    assert (rest.status, rest.code) == (409, "STATE_CONFLICT")
    assert rest.error["current_status"] == "invalid"
    assert mcp.refusal == rest.refusal
    assert (await room.change(point_id, is_primary=True)).code == "STATE_CONFLICT"
    refused = await room.change(point_id, status="active")
    assert refused.details == [("verified", "required_with")]
    back = await room.change(point_id, status="active", verified=True)
    assert (back.data["status"], back.data["verified_at"]) == ("active", "2026-09-01T13:00:00Z")
    events = [event["type"] for event in await room.ledger.events(room.pair.a.id)]
    assert "contact_point.invalid" in events


async def test_what_is_left_out_stays_and_null_empties(room: Room) -> None:
    point_id = await room.added(label="trabalho")
    kept = await room.change(point_id, verified=True)
    assert kept.data["label"] == "trabalho"
    emptied = await room.change(point_id, label=None)
    assert emptied.data["label"] is None
    assert (await room.change(point_id, status=None)).details == [("status", "null_not_allowed")]


async def test_a_change_to_what_is_so_already_leaves_nothing_behind(room: Room) -> None:
    point_id = await room.added(label="casa")
    first = await room.change(point_id, status="opted_out", evidence="Respondeu SAIR")
    events = await room.ledger.events(room.pair.a.id)
    again = await room.change(point_id, status="opted_out", evidence="Respondeu SAIR", label="casa")
    assert again.body == first.body
    assert await room.ledger.events(room.pair.a.id) == events


@pytest.mark.parametrize("door", Door)
async def test_a_stale_version_is_a_conflict(room: Room, door: Door) -> None:
    point_id = await room.added()
    await room.change(point_id, label="casa", version=1)
    stale = await room.change(point_id, door, label="trabalho", version=1)
    assert stale.code == "VERSION_CONFLICT"
    assert (await room.rows())[0]["label"] == "casa"


async def test_a_deleted_one_is_gone(room: Room) -> None:
    first = await room.added()
    second = await room.added(value="outro@example.com")
    answer = await room.delete(first)
    assert (answer.status, answer.raw) == (204, b"")
    assert await room.primaries() == {second: True}
    for answer in (await room.delete(first), await room.change(first, label="x")):
        assert (answer.status, answer.code) == (404, "NOT_FOUND")
    fresh = await room.added()
    assert fresh != first


async def test_over_mcp_a_person_has_to_say_yes_first(room: Room) -> None:
    point_id = await room.added()
    answer = await room.delete(point_id, Door.MCP)
    assert (answer.status, answer.code) == (200, "confirmation_required")
    assert len(await room.rows()) == 1
    missing = await room.delete(IDS.new("cpt"), Door.MCP)
    assert missing.code == "NOT_FOUND"


async def test_of_a_refused_one_a_trace_is_kept_that_knows_the_value_again(room: Room) -> None:
    point_id = await room.added(kind="mobile", value="+5511912345678", label="da Ana")
    await room.change(point_id, status="opted_out", evidence="Respondeu SAIR")
    assert (await room.delete(point_id)).status == 204
    (row,) = await room.rows()
    assert (row["status"], row["label"], row["address"]) == ("deleted", None, None)
    assert len(row["value"]) == 64
    assert "SAIR" not in str(row)
    for gone in (await room.delete(point_id), await room.change(point_id, label="x")):
        assert gone.code == "NOT_FOUND"
    again = await room.add(kind="mobile", value="11 91234-5678")
    assert (again.status, again.data["id"]) == (201, point_id)
    assert (again.data["status"], again.data["is_primary"]) == ("opted_out", False)
    assert len(await room.rows()) == 1


async def test_of_a_legal_notice_a_trace_is_kept(room: Room) -> None:
    point_id = await room.added(usable_as_legal_notice=True)
    await room.delete(point_id)
    (row,) = await room.rows()
    assert (row["status"], row["usable_as_legal_notice"]) == ("deleted", True)
    assert "paulo" not in str(row)
