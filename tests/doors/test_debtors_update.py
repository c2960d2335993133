"""Changing a debtor: what was left out stays, what protects them ends only for a reason."""

from dataclasses import asdict, dataclass
from datetime import date
from typing import Any, Final

import pytest

from domain.dunning.debtors import Debtor, DebtorStatus
from domain.dunning.restrictions import Channel, DebtorFlag, DoNotContact, DoNotContactReason
from tests.builders import ADDRESS, a_charge, a_contact_point, a_debtor
from tests.doors.firms import Firm, Ledger, Pair
from tests.doors.house import Answer, Caller, Door, House, both

pytestmark = pytest.mark.anyio

UPDATE: Final = "dunning_debtors_update"
SECRET_STREET: Final = "Travessa do Segredo"
NEW_ADDRESS: Final = {
    "street": SECRET_STREET,
    "number": "7",
    "complement": None,
    "district": "Centro",
    "city": "Manaus",
    "uf": "AM",
    "zipcode": "69005010",
}
NEW_PLACE: Final = dict.fromkeys(NEW_ADDRESS) | {"city": "Manaus", "uf": "AM"}


@dataclass(frozen=True, slots=True)
class Room:
    """A firm with one debtor about whom everything is known, and their twin in the other firm."""

    house: House
    ledger: Ledger
    pair: Pair
    debtor: Debtor

    async def update(
        self, door: Door = Door.REST, caller: Caller | None = None, **fields: Any
    ) -> Answer:
        arguments = {"id": self.debtor.id, **fields}
        return await self.house.call(door, caller or self.pair.a.owner, UPDATE, arguments)

    async def shown(self) -> dict[str, Any]:
        arguments = {"id": self.debtor.id}
        answer = await self.house.rest(self.pair.a.owner, "dunning_debtors_get", arguments)
        return {k: v for k, v in answer.data.items() if k not in ("contact_points", "holds")}


def a_full_debtor(firm: Firm) -> Debtor:
    debtor = a_debtor(
        firm.creditor,
        trade_name="Padaria Sol",
        birth_date=date(1980, 2, 29),
        address=ADDRESS,
        tags=("vip",),
        external_id="CLI-1",
        notes="Prefere e-mail.",
        custom_data={"turma": "3B"},
        assigned_member_id=firm.creditor.other_collector.id,
    )
    debtor.flags = (DebtorFlag.MINOR,)
    debtor.opted_out_channels = (Channel.EMAIL,)
    debtor.do_not_contact = DoNotContact(
        active=True, reason=DoNotContactReason.LAWYER, since=date(2026, 1, 5)
    )
    return debtor


@pytest.fixture
async def room(house: House, ledger: Ledger, pair: Pair) -> Room:
    debtors = [a_full_debtor(firm) for firm in (pair.a, pair.b)]
    for firm, debtor in zip((pair.a, pair.b), debtors, strict=True):
        await ledger.keep(firm, debtor)
    return Room(house, ledger, pair, debtors[0])


WANTED: Final[list[tuple[dict[str, Any], dict[str, Any]]]] = [
    ({"name": "Rosa Amarante"}, {"name": "Rosa Amarante"}),
    ({"trade_name": None}, {"trade_name": None}),
    ({"birth_date": None}, {"birth_date": None}),
    ({"birth_date": "1981-03-01"}, {"birth_date": None}),
    ({"document": "529.982.247-25"}, {"document": "***.982.247-**"}),
    (
        {"document": "12.abc.345/01de-35"},
        {
            "document": "12.ABC.345/01DE-35",
            "person_type": "company",
            "is_consumer": False,
            "address": asdict(ADDRESS),
        },
    ),
    (
        {"is_consumer": False, "is_consumer_reason": "Produtor rural."},
        {"is_consumer": False, "is_consumer_reason": "Produtor rural."},
    ),
    (
        {"address": NEW_ADDRESS},
        {"address": NEW_PLACE, "uf": "AM", "timezone": "America/Manaus"},
    ),
    ({"address": None}, {"address": None, "uf": None, "timezone": "America/Sao_Paulo"}),
    ({"language": "es"}, {"language": "es"}),
    ({"tags": []}, {"tags": []}),
    ({"tags": ["a", "b", "a"]}, {"tags": ["a", "b"]}),
    ({"external_id": None}, {"external_id": None}),
    ({"notes": None}, {"notes": None}),
    ({"custom_data": {"x": {"y": None}}}, {"custom_data": {"x": {"y": None}}}),
    ({"custom_data": None}, {"custom_data": None}),
    ({"assigned_member_id": None}, {"assigned_member_id": None}),
    ({"flags": ["minor", "bankrupt"]}, {"flags": ["bankrupt", "minor"]}),
    (
        {"opted_out_channels": ["sms", "email"]},
        {"opted_out_channels": ["email", "sms"]},
    ),
    (
        {"flags": [], "opted_out_channels": [], "reason": "Foi engano."},
        {"flags": [], "opted_out_channels": []},
    ),
    (
        {"do_not_contact": {"active": False}, "reason": "Foi engano."},
        {"do_not_contact": {"active": False, "reason": None, "since": None, "until": None}},
    ),
    (
        {"do_not_contact": {"active": True, "reason": "court_order"}},
        {
            "do_not_contact": {
                "active": True,
                "reason": "court_order",
                "since": "2026-01-05",
                "until": None,
            }
        },
    ),
]


@pytest.mark.parametrize("door", Door)
@pytest.mark.parametrize(("sent", "expected"), WANTED)
async def test_what_is_sent_changes_and_everything_else_stays(
    room: Room, door: Door, sent: dict[str, Any], expected: dict[str, Any]
) -> None:
    before = await room.shown()
    theirs = await room.ledger.rows(room.pair.b.id, "debtors")

    answer = await room.update(door, **sent, version=1)

    own = {"version": 2, "updated_at": "2026-09-01T13:00:00Z"}
    assert answer.data == before | expected | own
    assert await room.shown() == answer.data
    events = await room.ledger.events(room.pair.a.id)
    (event,) = (one for one in events if one["type"] == "debtor.updated")
    (line,) = await room.ledger.audit(room.pair.a.id)
    assert (line["action"], line["resource"]) == (UPDATE, room.debtor.id)
    assert line["diff"] == event["changes"]
    assert set(event["changes"]) - {"reason"} <= {*expected, "uf", "timezone", "person_type"}
    for secret in ("Rosa", "52998", "529.982", SECRET_STREET, "1981", "Nogueira"):
        assert secret not in f"{event}{line}"
    assert await room.ledger.rows(room.pair.b.id, "debtors") == theirs
    assert await room.ledger.audit(room.pair.b.id) == []


@pytest.mark.parametrize("door", Door)
async def test_what_the_answer_masks_is_kept_whole(room: Room, door: Door) -> None:
    await room.update(door, address=NEW_ADDRESS, birth_date="1981-03-01")

    (kept,) = await room.ledger.rows(room.pair.a.id, "debtors")
    assert (kept["address"], kept["birth_date"]) == (NEW_ADDRESS, "1981-03-01")


SAME: Final[list[dict[str, Any]]] = [
    {},
    {"name": " Paulo Nogueira "},
    {"flags": ["minor", "minor"]},
    {"tags": ["vip"], "external_id": "CLI-1", "custom_data": {"turma": "3B"}},
    {"do_not_contact": {"active": True, "reason": "lawyer", "until": None}},
    {"status": "active"},
    {"reason": "Sem motivo."},
    {"address": asdict(ADDRESS)},
]


@pytest.mark.parametrize("fields", SAME)
async def test_the_same_state_is_answered_and_nothing_happens(
    room: Room, fields: dict[str, Any]
) -> None:
    before = await room.shown()
    for door in Door:
        answer = await room.update(door, **fields)
        assert answer.data == before
    assert await room.ledger.events(room.pair.a.id) == []


@pytest.mark.parametrize("name", ["name", "document", "language", "tags", "flags", "is_consumer"])
async def test_what_always_has_a_value_cannot_be_emptied(room: Room, name: str) -> None:
    rest, mcp = await both(
        room.house, room.pair.a.owner, UPDATE, {"id": room.debtor.id, name: None}
    )
    assert rest.details == [(name, "null_not_allowed")]
    assert mcp.refusal == rest.refusal


@pytest.mark.parametrize(
    "fields",
    [
        {"flags": []},
        {"flags": ["deceased"]},
        {"opted_out_channels": ["voice"]},
        {"do_not_contact": {"active": False}},
        {"do_not_contact": {"active": True, "reason": "lawyer", "until": "2026-12-01"}},
    ],
)
async def test_a_protection_ends_only_for_a_reason(room: Room, fields: dict[str, Any]) -> None:
    for door in Door:
        refused = await room.update(door, **fields)
        assert refused.details == [("reason", "required_with")]
    assert (await room.shown())["version"] == 1

    answer = await room.update(**fields, reason="O juiz decidiu.")
    assert answer.data["version"] == 2
    (line,) = [one for one in await room.ledger.audit(room.pair.a.id) if one["outcome"] == "ok"]
    assert line["diff"]["reason"] == [None, None]
    for kept in (answer.data, await room.ledger.everything(room.pair.a.id)):
        assert "O juiz decidiu." not in str(kept)


@pytest.mark.parametrize("door", Door)
async def test_a_refusal_is_an_event_of_its_own(room: Room, door: Door) -> None:
    await room.update(door, opted_out_channels=["email", "whatsapp"])

    events = await room.ledger.events(room.pair.a.id)
    assert {one["type"] for one in events} == {"debtor.updated", "debtor.opted_out"}
    (refused,) = (one for one in events if one["type"] == "debtor.opted_out")
    assert refused["data"]["channels"] == ["whatsapp"]
    assert refused["debtor_id"] == room.debtor.id


async def test_a_stale_version_is_a_conflict_at_both_doors(room: Room) -> None:
    await room.update(notes="Mudou.", version=1)
    rest, mcp = await both(
        room.house, room.pair.a.owner, UPDATE, {"id": room.debtor.id, "notes": None, "version": 1}
    )
    assert (rest.status, rest.code) == (409, "VERSION_CONFLICT")
    assert mcp.refusal == rest.refusal
    assert (await room.shown())["notes"] == "Mudou."


async def test_a_document_is_fixed_from_the_first_charge_on(room: Room) -> None:
    canceled = a_charge(room.debtor)
    await room.ledger.keep(room.pair.a, canceled)
    other, same = "529.982.247-25", room.debtor.document.formatted
    rest, mcp = await both(
        room.house, room.pair.a.owner, UPDATE, {"id": room.debtor.id, "document": other}
    )
    assert (rest.status, rest.code) == (409, "STATE_CONFLICT")
    assert rest.error["current_status"] == "active"
    assert mcp.refusal == rest.refusal
    assert (await room.update(document=same)).code is None


@pytest.mark.parametrize("field", ["document", "external_id"])
async def test_what_another_debtor_has_is_refused_with_their_id(room: Room, field: str) -> None:
    other = a_debtor(room.pair.a.creditor, document="529.982.247-25", external_id="CLI-2")
    await room.ledger.keep(room.pair.a, other)
    value = {"document": "529.982.247-25", "external_id": "CLI-2"}[field]
    rest, mcp = await both(
        room.house, room.pair.a.owner, UPDATE, {"id": room.debtor.id, field: value}
    )
    assert (rest.status, rest.code, rest.details) == (409, "DUPLICATE", [(field, "duplicate")])
    assert rest.error["existing_id"] == other.id
    assert mcp.refusal == rest.refusal


async def test_moving_away_moves_no_charge(room: Room) -> None:
    charge = a_charge(room.debtor, due_date=date(2026, 10, 24))
    await room.ledger.keep(room.pair.a, charge)
    before = await room.ledger.rows(room.pair.a.id, "charges")

    await room.update(address=NEW_ADDRESS)

    assert await room.ledger.rows(room.pair.a.id, "charges") == before


async def test_without_an_address_the_phone_says_where_the_debtor_lives(room: Room) -> None:
    point = a_contact_point(room.debtor, value="+5568987654321")
    await room.ledger.keep(room.pair.a, point)

    assert (await room.update(address=None)).data["timezone"] == "America/Rio_Branco"


@pytest.mark.parametrize("door", Door)
async def test_an_archived_debtor_comes_back_and_only_an_own_operation_archives(
    room: Room, door: Door
) -> None:
    for status in ("archived", "anonymized"):
        refused = await room.update(door, status=status)
        assert refused.details == [("status", "not_allowed")]
    archived = a_debtor(room.pair.a.creditor)
    archived.status = DebtorStatus.ARCHIVED
    await room.ledger.keep(room.pair.a, archived)
    back = await room.house.call(
        door, room.pair.a.owner, UPDATE, {"id": archived.id, "status": "active"}
    )
    assert back.data["status"] == "active"
    (event,) = await room.ledger.events(room.pair.a.id)
    assert (event["type"], event["changes"]) == (
        "debtor.updated",
        {"status": ["archived", "active"]},
    )


async def test_a_collector_with_a_portfolio_keeps_their_debtors_in_it(room: Room) -> None:
    narrowed = room.pair.a.narrowed
    mine = a_debtor(room.pair.a.creditor, assigned_member_id=narrowed.id)
    await room.ledger.keep(room.pair.a, mine)
    caller = room.pair.a.person(narrowed)
    for member in (None, room.pair.a.creditor.other_collector.id):
        sent = {"id": mine.id, "assigned_member_id": member}
        for answer in await both(room.house, caller, UPDATE, sent):
            assert answer.details == [("assigned_member_id", "outside_portfolio")]
    sent = {"id": mine.id, "assigned_member_id": narrowed.id, "notes": "Ligou."}
    assert (await room.house.rest(caller, UPDATE, sent)).data["notes"] == "Ligou."
    assert (await room.update(caller=caller, notes="x")).code == "NOT_FOUND"


async def test_a_finished_change_is_replayed(room: Room) -> None:
    first = await room.update(notes="Um.", idempotency_key="k-1")
    await room.update(notes="Dois.")
    again = await room.update(notes="Um.", idempotency_key="k-1")
    assert again.body == first.body
    assert (await room.shown())["notes"] == "Dois."
