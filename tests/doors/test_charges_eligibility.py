"""What may be done about a charge, asked through the doors."""

from datetime import date, timedelta
from typing import Any, Final

import pytest

from domain.dunning.charges import Charge
from domain.dunning.restrictions import DebtorFlag
from tests.builders import ADDRESS, NOW, a_charge, a_contact_point, a_debtor
from tests.doors.firms import Ledger, Pair
from tests.doors.house import Answer, Caller, Door, House

pytestmark = pytest.mark.anyio

OPERATION: Final = "dunning_charges_eligibility"
ACTS: Final = ["negativate", "protest", "agreement", "notify", "write_off"]
DUE: Final = date(2026, 10, 9)


async def kept(ledger: Ledger, pair: Pair, **debtor_fields: Any) -> Charge:
    """A charge of A that is due in a month, of a debtor in São Paulo."""
    debtor = a_debtor(pair.a.creditor, **{"address": ADDRESS, **debtor_fields})
    charge = a_charge(debtor, due_date=DUE)
    await ledger.keep(pair.a, debtor, charge)
    return charge


async def asked(house: House, caller: Caller, charge: Charge, **more: Any) -> Answer:
    return await house.rest(caller, OPERATION, {"id": charge.id, **more})


@pytest.mark.parametrize("door", Door)
async def test_each_act_has_its_reasons_and_its_day_and_nothing_is_changed(
    house: House, ledger: Ledger, pair: Pair, door: Door
) -> None:
    charge = await kept(ledger, pair)
    before = await ledger.everything(pair.a.id)

    answer = await house.call(door, pair.a.caller("viewer"), OPERATION, {"id": charge.id})

    assert list(answer.data) == ACTS
    assert answer.data["negativate"] == {
        "allowed": False,
        "reasons": ["not_overdue", "min_days_overdue", "no_prior_notice", "approval_required"],
        # Thirty days late, fifteen of notice in São Paulo, the last of them whole.
        "earliest_on": "2026-11-24",
    }
    assert answer.data["protest"] == {
        "allowed": False,
        "reasons": ["not_overdue", "approval_required"],
        "earliest_on": "2026-10-10",
    }
    assert answer.data["agreement"] == {"allowed": True, "reasons": [], "earliest_on": None}
    assert answer.data["write_off"]["reasons"] == ["not_overdue", "role_limit"]
    assert await ledger.everything(pair.a.id) == before


@pytest.mark.parametrize(
    ("phone", "earliest_on"),
    [("+5511912345678", "2026-11-24"), ("+5521912345678", "2026-11-19"), (None, "2026-11-19")],
)
async def test_a_phone_alone_says_how_long_a_notice_runs(
    house: House, ledger: Ledger, pair: Pair, phone: str | None, earliest_on: str
) -> None:
    debtor = a_debtor(pair.a.creditor)
    charge = a_charge(debtor, due_date=DUE)
    points = [] if phone is None else [a_contact_point(debtor, value=phone)]
    await ledger.keep(pair.a, debtor, *points, charge)

    answer = await asked(house, pair.a.owner, charge, actions="negativate")

    assert answer.data["negativate"]["earliest_on"] == earliest_on


@pytest.mark.parametrize("door", Door)
async def test_only_what_was_asked_about_is_answered(
    house: House, ledger: Ledger, pair: Pair, door: Door
) -> None:
    charge = await kept(ledger, pair)

    some = await house.call(
        door, pair.a.owner, OPERATION, {"id": charge.id, "actions": "protest,notify"}
    )
    wrong = await house.call(door, pair.a.owner, OPERATION, {"id": charge.id, "actions": "sue"})
    foreign = await house.call(door, pair.b.owner, OPERATION, {"id": charge.id})

    assert list(some.data) == ["protest", "notify"]
    assert wrong.details == [("actions", "not_allowed")]
    assert foreign.code == "NOT_FOUND"


async def test_a_message_follows_the_contact_rules_of_the_debtor(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    with_address = await kept(ledger, pair)
    without = await kept(ledger, pair, address=None)

    by_letter = await asked(house, pair.a.owner, with_address, actions="notify")
    by_nothing = await asked(house, pair.a.owner, without, actions="notify")

    assert by_letter.data["notify"]["allowed"] is True
    assert by_nothing.data["notify"] == {
        "allowed": False,
        "reasons": ["no_contact_point"],
        "earliest_on": None,
    }


async def test_nobody_writes_to_the_dead_or_takes_legal_steps(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    debtor = a_debtor(pair.a.creditor, address=ADDRESS)
    debtor.flags = (DebtorFlag.DECEASED,)
    charge = a_charge(debtor, due_date=DUE)
    await ledger.keep(pair.a, debtor, charge)

    answer = await asked(house, pair.a.owner, charge)

    for act in ("negativate", "protest", "notify"):
        assert "deceased" in answer.data[act]["reasons"]
        assert answer.data[act]["earliest_on"] is None
    assert answer.data["agreement"]["allowed"] is True


@pytest.mark.parametrize(
    ("column", "reasons"),
    [("collector", ["role_limit"]), ("manager", ["role_limit"]), ("owner", [])],
)
async def test_the_ceiling_is_that_of_who_asks_and_the_amount_that_of_today(
    house: House, ledger: Ledger, pair: Pair, *, column: str, reasons: list[str]
) -> None:
    debtor = a_debtor(pair.a.creditor)
    # Below a manager's 500.00 when it was stored, above with what forty days add.
    charge = a_charge(debtor, due_date=DUE, amount=495_00)
    await ledger.keep(pair.a, debtor, charge)
    house.clock.time = NOW + timedelta(days=(DUE - NOW.date()).days + 40)

    answer = await asked(house, pair.a.caller(column), charge, actions="write_off")

    assert answer.data["write_off"]["reasons"] == reasons
