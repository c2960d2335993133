"""The contact check through both doors: the rules, asked of what is stored; nothing changes."""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

import pytest

from domain.dunning.contact_points import ContactKind
from domain.dunning.debtors import Debtor
from domain.dunning.holds import Blocks, ManualHold
from domain.dunning.restrictions import Channel, DebtorFlag
from tests.builders import ADDRESS, NOW, TODAY, a_charge, a_contact_point, a_debtor
from tests.doors.firms import Ledger, Pair
from tests.doors.house import Answer, Door, House, both
from tests.doors.requests import an_interaction

pytestmark = pytest.mark.anyio

CHECK: Final = "dunning_debtors_contact_check"
EMAIL: Final[dict[str, Any]] = {"kind": ContactKind.EMAIL, "value": "paulo@example.com"}


@dataclass(frozen=True, slots=True)
class Room:
    """A debtor in São Paulo with a mobile and an e-mail; it is Tuesday, 10:00."""

    house: House
    ledger: Ledger
    pair: Pair
    debtor: Debtor

    async def check(self, door: Door = Door.REST, **fields: Any) -> Answer:
        return await self.house.call(
            door, self.pair.a.owner, CHECK, {"id": self.debtor.id, **fields}
        )

    async def reasons(self, channel: str, **fields: Any) -> list[str]:
        (one,) = (await self.check(channel=channel, **fields)).data["channels"]
        found: list[str] = one["reasons"]
        return found

    async def log(self, **fields: Any) -> None:
        arguments = an_interaction(self.debtor.id, **fields)
        answer = await self.house.rest(self.pair.a.owner, "dunning_interactions_create", arguments)
        assert answer.status == 201, answer.body


async def a_room(house: House, ledger: Ledger, pair: Pair, **fields: Any) -> Room:
    debtor = a_debtor(pair.a.creditor, **{"address": ADDRESS, **fields})
    points = (a_contact_point(debtor), a_contact_point(debtor, **EMAIL))
    await ledger.keep(pair.a, debtor, *points)
    return Room(house, ledger, pair, debtor)


@pytest.fixture
async def room(house: House, ledger: Ledger, pair: Pair) -> Room:
    return await a_room(house, ledger, pair)


async def test_everything_is_told_of_every_channel(room: Room) -> None:
    rest, mcp = await both(room.house, room.pair.a.owner, CHECK, {"id": room.debtor.id})
    assert mcp.body == rest.body
    free = {"allowed": True, "reasons": [], "next_allowed_at": None}
    assert rest.data == {
        "allowed": True,
        "channels": [{"channel": channel.value, **free} for channel in Channel],
        "window": {
            "date": "2026-09-01",
            "timezone": "America/Sao_Paulo",
            "uf": "SP",
            "start": "08:00",
            "end": "20:00",
            "source": "Lei 15.426/2014",
        },
        "caps_used": {
            "per_day": {"used": 0, "limit": 1},
            "per_7_days": {"used": 0, "limit": 3},
            "voice_per_day": {"used": 0, "limit": 1},
        },
    }


@pytest.mark.parametrize("door", Door)
async def test_half_past_eight_in_the_evening_is_too_late(room: Room, door: Door) -> None:
    answer = await room.check(door, channel="sms", at="2026-09-01T20:30:00-03:00")
    assert answer.data["allowed"] is False
    assert answer.data["channels"] == [
        {
            "channel": "sms",
            "allowed": False,
            "reasons": ["outside_window"],
            "next_allowed_at": "2026-09-02T11:00:00Z",
        }
    ]


@pytest.mark.parametrize("door", Door)
async def test_half_past_six_in_manaus_is_early_enough(
    house: House, ledger: Ledger, pair: Pair, door: Door
) -> None:
    manaus = replace(ADDRESS, city="Manaus", uf="AM", zipcode="69005000")
    room = await a_room(house, ledger, pair, address=manaus)
    house.clock.time = datetime(2026, 9, 1, 22, 30, tzinfo=UTC)
    answer = await room.check(door, channel="voice")
    assert answer.data["allowed"] is True
    assert answer.data["window"]["timezone"] == "America/Manaus"
    assert answer.data["window"]["end"] == "19:00"


async def test_a_holiday_has_no_hours(room: Room) -> None:
    answer = await room.check(channel="email", at="2026-09-07T10:00:00-03:00")
    window = answer.data["window"]
    assert (window["date"], window["start"], window["end"]) == ("2026-09-07", None, None)
    (email,) = answer.data["channels"]
    assert (email["reasons"], email["next_allowed_at"]) == (["holiday"], "2026-09-08T11:00:00Z")


@pytest.mark.parametrize("door", Door)
async def test_a_phone_alone_says_whose_holidays_count(
    house: House, ledger: Ledger, pair: Pair, door: Door
) -> None:
    room = await a_room(house, ledger, pair, address=None)
    of_sao_paulo, of_rio = date(2026, 9, 2), date(2026, 9, 3)
    await ledger.close(pair.a, of_sao_paulo, "SP")
    await ledger.close(pair.a, of_rio, "RJ")
    await ledger.close(pair.b, TODAY, "SP")

    asked = [
        await room.check(door, channel="sms", at=f"{day}T10:00:00-03:00")
        for day in (TODAY, of_sao_paulo, of_rio)
    ]

    assert [one.data["window"]["uf"] for one in asked] == ["SP"] * 3
    reasons = [one.data["channels"][0]["reasons"] for one in asked]
    assert reasons == [[], ["holiday"], []]


async def test_contacts_of_ours_use_the_caps_up(room: Room) -> None:
    await room.log(direction="inbound")
    assert await room.reasons("email") == []
    await room.log(occurred_at="2026-08-26T10:00:00-03:00", channel="sms")
    await room.log(occurred_at="2026-08-25T23:59:59-03:00", channel="sms")
    await room.log(occurred_at="2026-09-01T08:30:00-03:00")
    answer = await room.check(channel="voice")
    assert answer.data["caps_used"] == {
        "per_day": {"used": 1, "limit": 1},
        "per_7_days": {"used": 2, "limit": 3},
        "voice_per_day": {"used": 1, "limit": 1},
    }
    assert await room.reasons("voice") == ["daily_cap", "voice_cap"]
    await room.log(occurred_at="2026-08-31T10:00:00-03:00", channel="letter")
    assert await room.reasons("email") == ["daily_cap", "weekly_cap"]


async def test_contacts_with_others_do_not_count(room: Room) -> None:
    neighbour, stranger = a_debtor(room.pair.a.creditor), a_debtor(room.pair.b.creditor)
    await room.ledger.keep(room.pair.a, neighbour)
    await room.ledger.keep(room.pair.b, stranger)
    for firm, debtor in ((room.pair.a, neighbour), (room.pair.b, stranger)):
        logged = await room.house.rest(
            firm.owner, "dunning_interactions_create", an_interaction(debtor.id)
        )
        assert logged.status == 201
    assert await room.reasons("voice") == []


async def test_a_refused_channel_leaves_the_others(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    debtor = a_debtor(pair.a.creditor, address=ADDRESS)
    debtor.opted_out_channels = (Channel.SMS, Channel.WHATSAPP)
    points = (a_contact_point(debtor), a_contact_point(debtor, **EMAIL))
    await ledger.keep(pair.a, debtor, *points)
    room = Room(house, ledger, pair, debtor)
    answer = await room.check()
    allowed = {one["channel"]: one["allowed"] for one in answer.data["channels"]}
    assert allowed == {
        "email": True,
        "sms": False,
        "whatsapp": False,
        "voice": True,
        "letter": True,
    }
    assert answer.data["allowed"] is True


async def test_of_the_deceased_nothing_is_allowed(house: House, ledger: Ledger, pair: Pair) -> None:
    debtor = a_debtor(pair.a.creditor, address=ADDRESS)
    debtor.flags = (DebtorFlag.DECEASED, DebtorFlag.REPRESENTED_BY_LAWYER)
    await ledger.keep(pair.a, debtor)
    answer = await Room(house, ledger, pair, debtor).check()
    assert answer.data["allowed"] is False
    for one in answer.data["channels"]:
        assert {"deceased", "lawyer"} <= set(one["reasons"])
        assert one["next_allowed_at"] is None


async def test_holds_of_a_charge_count_when_it_is_asked_about(room: Room) -> None:
    held, free = a_charge(room.debtor), a_charge(room.debtor)
    held.manual_hold = ManualHold(
        reason="Em análise",
        since=date(2026, 9, 1),
        until=date(2026, 9, 3),
        blocks=(Blocks.OUTBOUND,),
    )
    await room.ledger.keep(room.pair.a, held, free)
    answer = await room.check(channel="email", charge_id=held.id)
    (email,) = answer.data["channels"]
    assert (email["reasons"], email["next_allowed_at"]) == (["manual"], "2026-09-04T11:00:00Z")
    assert await room.reasons("email", charge_id=free.id) == []
    assert await room.reasons("email") == []


@pytest.mark.parametrize("door", Door)
async def test_another_debtors_charge_is_not_found(room: Room, door: Door) -> None:
    neighbour = a_debtor(room.pair.a.creditor)
    charge = a_charge(neighbour)
    await room.ledger.keep(room.pair.a, neighbour, charge)
    answer = await room.check(door, charge_id=charge.id)
    assert answer.details == [("charge_id", "not_found")]


@pytest.mark.parametrize(
    ("fields", "details"),
    [
        ({"channel": "fax"}, [("channel", "not_allowed")]),
        ({"at": "amanhã"}, [("at", "invalid_timestamp")]),
        ({"charge_id": "dbt_" + "0" * 26}, [("charge_id", "wrong_id_type")]),
        ({"when": "now"}, [("when", "unknown_field")]),
    ],
)
async def test_a_bad_question_is_refused_in_the_same_words(
    room: Room, fields: dict[str, str], details: list[tuple[str, str]]
) -> None:
    rest, mcp = [await room.check(door, **fields) for door in Door]
    assert (rest.status, rest.code) == (422, "VALIDATION_ERROR")
    assert rest.details == details
    assert mcp.refusal == rest.refusal


async def test_one_may_ask_from_yesterday_to_sixty_days_ahead(room: Room) -> None:
    for off in (timedelta(days=-1), timedelta(days=60)):
        assert (await room.check(at=(NOW + off).isoformat())).status == 200
    for off in (timedelta(days=-1, seconds=-1), timedelta(days=60, seconds=1)):
        answer = await room.check(at=(NOW + off).isoformat())
        assert answer.details == [("at", "out_of_range")]


async def test_nothing_is_changed_by_asking(room: Room) -> None:
    before = await room.ledger.everything(room.pair.a.id)
    for door in Door:
        await room.check(door)
    assert await room.ledger.everything(room.pair.a.id) == before


async def test_outside_the_portfolio_nobody_is_there(room: Room) -> None:
    narrowed = room.pair.a.person(room.pair.a.narrowed)
    rest, mcp = await both(room.house, narrowed, CHECK, {"id": room.debtor.id})
    assert (rest.status, rest.code) == (404, "NOT_FOUND")
    assert mcp.refusal == rest.refusal
