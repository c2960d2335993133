"""Suspending the collection of a charge, and ending that."""

import asyncio
from datetime import timedelta
from typing import Any, Final

import pytest

from domain.dunning.charge_states import ChargeStatus
from domain.dunning.charges import Charge
from tests.builders import NOW, a_charge, a_debtor
from tests.doors.firms import Ledger, Pair
from tests.doors.house import Answer, Door, House
from tests.doors.requests import INTEGRATION

pytestmark = pytest.mark.anyio

HOLD: Final = "dunning_charges_hold"
RELEASE: Final = "dunning_charges_release"
REASON: Final = "Aguardando a secretaria"


@pytest.fixture
async def charge(ledger: Ledger, pair: Pair) -> Charge:
    """One of the first firm; the other has one like it."""
    charges = []
    for firm in (pair.a, pair.b):
        debtor = a_debtor(firm.creditor)
        charges.append(a_charge(debtor))
        await ledger.keep(firm, debtor, charges[-1])
    return charges[0]


async def hold(
    house: House, pair: Pair, charge: Charge, door: Door = Door.REST, **fields: Any
) -> Answer:
    arguments = {"id": charge.id, "reason": REASON, **fields}
    return await house.call(door, pair.a.caller("collector"), HOLD, arguments)


async def release(
    house: House, pair: Pair, charge: Charge, door: Door = Door.REST, **fields: Any
) -> Answer:
    return await house.call(door, pair.a.caller("collector"), RELEASE, {"id": charge.id, **fields})


async def told(ledger: Ledger, pair: Pair) -> list[str]:
    assert await ledger.events(pair.b.id) == []
    return [event["type"] for event in await ledger.events(pair.a.id)]


@pytest.mark.parametrize("door", Door)
async def test_a_suspension_is_answered_kept_listed_and_told(
    house: House, ledger: Ledger, pair: Pair, charge: Charge, door: Door
) -> None:
    answer = await hold(house, pair, charge, door, until="2026-09-30", blocks=["outbound"])
    assert (answer.status, answer.data["version"]) == (200, 2)
    assert answer.data["holds"] == [
        {
            "code": "manual",
            "since": "2026-09-01",
            "until": "2026-09-30",
            "source": charge.id,
            "blocks": ["outbound"],
        }
    ]
    assert answer.data["manual_hold"] == {
        "reason": REASON,
        "since": "2026-09-01",
        "until": "2026-09-30",
        "blocks": ["outbound"],
        "released_on": None,
        "release_note": None,
    }
    listed = await house.rest(pair.a.owner, "dunning_charges_list", {"hold": "manual"})
    assert listed.data == [answer.data]
    assert (await house.rest(pair.b.owner, "dunning_charges_list", {"hold": "manual"})).data == []
    assert await told(ledger, pair) == ["charge.hold_added"]
    (event,) = await ledger.events(pair.a.id)
    (line,) = await ledger.audit(pair.a.id)
    assert line["diff"] == event["changes"]
    assert "secretaria" not in str([event, line])


async def test_both_kinds_of_acts_are_suspended_without_an_end_unless_told(
    house: House, pair: Pair, charge: Charge
) -> None:
    (held,) = (await hold(house, pair, charge)).data["holds"]
    assert (held["blocks"], held["until"]) == (["outbound", "legal"], None)


async def test_the_same_again_gives_the_same_and_nothing_happens(
    house: House, ledger: Ledger, pair: Pair, charge: Charge
) -> None:
    first = await hold(house, pair, charge)
    house.clock.time = NOW + timedelta(hours=2)
    for fields in ({}, {"blocks": ["legal", "outbound"]}, {"idempotency_key": "again"}):
        assert (await hold(house, pair, charge, **fields)).data == first.data
    assert await told(ledger, pair) == ["charge.hold_added"]


async def test_another_takes_its_place(
    house: House, ledger: Ledger, pair: Pair, charge: Charge
) -> None:
    await hold(house, pair, charge)
    answer = await hold(house, pair, charge, reason="Em negociação", blocks=["legal"])
    assert [one["blocks"] for one in answer.data["holds"]] == [["legal"]]
    assert answer.data["manual_hold"]["reason"] == "Em negociação"
    assert await told(ledger, pair) == ["charge.hold_added"] * 2


async def test_two_at_once_both_count_one_after_the_other(
    house: House, ledger: Ledger, pair: Pair, charge: Charge
) -> None:
    reasons = ("Primeiro motivo", "Segundo motivo")
    answers = await asyncio.gather(*(hold(house, pair, charge, reason=one) for one in reasons))
    assert sorted(answer.data["version"] for answer in answers) == [2, 3]
    assert await told(ledger, pair) == ["charge.hold_added"] * 2


@pytest.mark.parametrize("door", Door)
@pytest.mark.parametrize(
    ("fields", "details"),
    [
        ({"reason": "Sim"}, [("reason", "too_short")]),
        ({"reason": "a" * 201}, [("reason", "too_long")]),
        ({"reason": "uma\nduas linhas"}, [("reason", "invalid_characters")]),
        ({"until": "2026-08-31"}, [("until", "out_of_range")]),
        ({"until": "2027-03-01"}, [("until", "out_of_range")]),
        ({"blocks": ["agreement"]}, [("blocks[0]", "not_allowed")]),
        ({"notify": True}, [("notify", "unknown_field")]),
    ],
)
async def test_what_cannot_be_is_refused_by_field(
    house: House, pair: Pair, charge: Charge, *, door: Door, fields: Any, details: Any
) -> None:
    assert (await hold(house, pair, charge, door, **fields)).details == details


async def test_the_last_day_is_180_days_ahead(house: House, pair: Pair, charge: Charge) -> None:
    assert (await hold(house, pair, charge, until="2027-02-28")).status == 200


@pytest.mark.parametrize("door", Door)
async def test_what_is_not_owed_is_not_suspended(
    house: House, ledger: Ledger, pair: Pair, door: Door
) -> None:
    debtor = a_debtor(pair.a.creditor)
    paid = a_charge(debtor)
    paid.status = ChargeStatus.PAID
    await ledger.keep(pair.a, debtor, paid)
    refused = await hold(house, pair, paid, door)
    assert (refused.code, refused.error["current_status"]) == ("STATE_CONFLICT", "paid")
    assert refused.error["allowed_actions"] == []
    assert await told(ledger, pair) == []


@pytest.mark.parametrize("door", Door)
async def test_a_release_ends_it_and_keeps_how(
    house: House, ledger: Ledger, pair: Pair, charge: Charge, door: Door
) -> None:
    await hold(house, pair, charge)
    answer = await release(house, pair, charge, door, note="A secretaria respondeu.")
    assert (answer.status, answer.data["holds"], answer.data["version"]) == (200, [], 3)
    ended = answer.data["manual_hold"]
    assert (ended["released_on"], ended["release_note"]) == (
        "2026-09-01",
        "A secretaria respondeu.",
    )
    assert (await house.rest(pair.a.owner, "dunning_charges_list", {"hold": "manual"})).data == []
    assert await told(ledger, pair) == ["charge.hold_added", "charge.hold_removed"]
    assert "respondeu" not in str(await ledger.events(pair.a.id))


async def test_without_a_suspension_a_release_gives_the_charge_and_nothing_happens(
    house: House, ledger: Ledger, pair: Pair, charge: Charge
) -> None:
    before = await release(house, pair, charge)
    assert (before.status, before.data["version"]) == (200, 1)
    await hold(house, pair, charge, until="2026-09-01")
    house.clock.time = NOW + timedelta(days=1)
    after = await release(house, pair, charge, note="Tarde demais")
    assert (after.data["version"], after.data["holds"]) == (2, [])
    assert await told(ledger, pair) == ["charge.hold_added"]


@pytest.mark.parametrize("operation", [HOLD, RELEASE])
async def test_a_program_may_and_a_viewer_may_not(
    house: House, pair: Pair, charge: Charge, operation: str
) -> None:
    arguments = {"id": charge.id} | ({"reason": REASON} if operation == HOLD else {})
    assert (await house.rest(pair.a.caller(INTEGRATION), operation, arguments)).status == 200
    viewer = await house.rest(pair.a.caller("viewer"), operation, arguments)
    assert viewer.code == "PERMISSION_DENIED"
