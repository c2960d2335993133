"""An id of another organisation is an id that does not exist, wherever it is sent."""

import re
from dataclasses import dataclass
from typing import Any, Final

import pytest

from tests.builders import a_charge, a_debtor
from tests.doors.firms import Ledger, Pair
from tests.doors.house import Answer, Door, House
from tests.doors.requests import a_new_charge

pytestmark = pytest.mark.anyio

_ID: Final = re.compile(r"\^([a-z]{3})_")

# Every field that takes an id, and what an id that does not exist gives there.
NOTHING_FOUND: Final = "an empty list"
FIELDS: Final = {
    ("dunning_charges_cancel", "id", "chg"): "NOT_FOUND",
    ("dunning_charges_create", "assigned_member_id", "mbr"): "VALIDATION_ERROR",
    ("dunning_charges_create", "debtor_id", "dbt"): "VALIDATION_ERROR",
    ("dunning_charges_list", "assigned_member_id", "mbr"): NOTHING_FOUND,
    ("dunning_charges_list", "debtor_id", "dbt"): NOTHING_FOUND,
    ("dunning_debtors_list", "assigned_member_id", "mbr"): NOTHING_FOUND,
}
WRITES: Final = tuple(field for field, outcome in FIELDS.items() if outcome != NOTHING_FOUND)


@dataclass(frozen=True, slots=True)
class Strangers:
    """Ids that exist in the other organisation, and one of A's own for everything else."""

    house: House
    pair: Pair
    theirs: dict[str, str]
    mine: dict[str, str]

    async def send(self, door: Door, field: tuple[str, str, str], value: str) -> Answer:
        operation, name, _ = field
        arguments: dict[str, Any] = {}
        if operation == "dunning_charges_create":
            arguments = a_new_charge(self.mine["dbt"])
        elif operation == "dunning_charges_cancel":
            arguments = {"reason": "other"}
        return await self.house.call(door, self.pair.a.owner, operation, {**arguments, name: value})


@pytest.fixture
async def strangers(house: House, ledger: Ledger, pair: Pair) -> Strangers:
    found = {}
    for firm in (pair.a, pair.b):
        member = firm.creditor.other_collector.id
        debtor = a_debtor(firm.creditor, assigned_member_id=member)
        charge = a_charge(debtor, assigned_member_id=member)
        await ledger.keep(firm, debtor, charge)
        found[firm.id] = {"dbt": debtor.id, "chg": charge.id, "mbr": member}
    return Strangers(house, pair, found[pair.b.id], found[pair.a.id])


def a_random_id(prefix: str) -> str:
    return f"{prefix}_01jd{'7' * 22}"


async def test_every_field_that_takes_an_id_is_tried_here(house: House, pair: Pair) -> None:
    found = {
        (tool["name"], name, one[1])
        for tool in await house.tools(pair.a.owner)
        for name, schema in tool["inputSchema"]["properties"].items()
        if (one := _ID.match(schema.get("pattern", "")))
    }
    assert found == set(FIELDS)


@pytest.mark.parametrize("door", Door)
@pytest.mark.parametrize("field", FIELDS)
async def test_a_foreign_id_answers_as_one_that_does_not_exist(
    strangers: Strangers, door: Door, field: tuple[str, str, str]
) -> None:
    prefix = field[2]
    foreign = await strangers.send(door, field, strangers.theirs[prefix])
    absent = await strangers.send(door, field, a_random_id(prefix))
    assert foreign.status == absent.status
    if FIELDS[field] == NOTHING_FOUND:
        assert foreign.body == absent.body
        assert foreign.data == []
    else:
        assert foreign.refusal == absent.refusal
        assert foreign.code == FIELDS[field]
    assert strangers.theirs[prefix].encode() not in foreign.raw


@pytest.mark.parametrize("door", Door)
@pytest.mark.parametrize("field", FIELDS)
async def test_an_own_id_in_the_same_place_is_found(
    strangers: Strangers, door: Door, field: tuple[str, str, str]
) -> None:
    own = await strangers.send(door, field, strangers.mine[field[2]])
    confirmed = field[0] == "dunning_charges_cancel" and door is Door.MCP
    assert own.code == ("confirmation_required" if confirmed else None)
    if FIELDS[field] == NOTHING_FOUND:
        assert len(own.data) == 1


@pytest.mark.parametrize("door", Door)
@pytest.mark.parametrize("field", WRITES)
async def test_the_attempt_is_written_down_where_it_came_from(
    strangers: Strangers, ledger: Ledger, door: Door, field: tuple[str, str, str]
) -> None:
    before = await ledger.everything(strangers.pair.b.id)
    answer = await strangers.send(door, field, strangers.theirs[field[2]])
    (line,) = await ledger.audit(strangers.pair.a.id)
    assert (line["action"], line["outcome"], line["code"]) == (field[0], "denied", FIELDS[field])
    assert line["request_id"] == answer.error["request_id"]
    assert await ledger.everything(strangers.pair.b.id) == before
