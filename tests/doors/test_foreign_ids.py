"""An id of another organisation is an id that does not exist, wherever it is sent."""

import re
from dataclasses import dataclass
from typing import Final

import pytest

from tests.doors.firms import Ledger, Pair, things
from tests.doors.house import Answer, Door, House
from tests.doors.requests import ROWS, Known

pytestmark = pytest.mark.anyio

_ID: Final = re.compile(r"\^([a-z]{3})_")

# Every field that takes an id, and what an id that does not exist gives there.
NOTHING_FOUND: Final = "an empty list"
FIELDS: Final = {
    ("dunning_approvals_approve", "id", "apr"): "NOT_FOUND",
    ("dunning_approvals_list", "debtor_id", "dbt"): NOTHING_FOUND,
    ("dunning_approvals_reject", "id", "apr"): "NOT_FOUND",
    ("dunning_charges_amount_due", "id", "chg"): "NOT_FOUND",
    ("dunning_charges_cancel", "id", "chg"): "NOT_FOUND",
    ("dunning_charges_create", "assigned_member_id", "mbr"): "VALIDATION_ERROR",
    ("dunning_charges_create", "debtor_id", "dbt"): "VALIDATION_ERROR",
    ("dunning_charges_delete", "id", "chg"): "NOT_FOUND",
    ("dunning_charges_eligibility", "id", "chg"): "NOT_FOUND",
    ("dunning_charges_get", "id", "chg"): "NOT_FOUND",
    ("dunning_charges_hold", "id", "chg"): "NOT_FOUND",
    ("dunning_charges_list", "assigned_member_id", "mbr"): NOTHING_FOUND,
    ("dunning_charges_list", "debtor_id", "dbt"): NOTHING_FOUND,
    ("dunning_charges_release", "id", "chg"): "NOT_FOUND",
    ("dunning_charges_settlement_letter_pdf", "id", "chg"): "NOT_FOUND",
    ("dunning_charges_update", "assigned_member_id", "mbr"): "VALIDATION_ERROR",
    ("dunning_charges_update", "id", "chg"): "NOT_FOUND",
    ("dunning_charges_write_off", "id", "chg"): "NOT_FOUND",
    ("dunning_contact_points_create", "id", "dbt"): "NOT_FOUND",
    ("dunning_contact_points_delete", "cp_id", "cpt"): "NOT_FOUND",
    ("dunning_contact_points_delete", "id", "dbt"): "NOT_FOUND",
    ("dunning_contact_points_update", "cp_id", "cpt"): "NOT_FOUND",
    ("dunning_contact_points_update", "id", "dbt"): "NOT_FOUND",
    ("dunning_debtors_annual_clearance_pdf", "id", "dbt"): "NOT_FOUND",
    ("dunning_debtors_anonymize", "id", "dbt"): "NOT_FOUND",
    ("dunning_debtors_archive", "id", "dbt"): "NOT_FOUND",
    ("dunning_debtors_contact_check", "charge_id", "chg"): "VALIDATION_ERROR",
    ("dunning_debtors_contact_check", "id", "dbt"): "NOT_FOUND",
    ("dunning_debtors_create", "assigned_member_id", "mbr"): "VALIDATION_ERROR",
    ("dunning_debtors_get", "id", "dbt"): "NOT_FOUND",
    ("dunning_debtors_list", "assigned_member_id", "mbr"): NOTHING_FOUND,
    ("dunning_debtors_statement", "id", "dbt"): "NOT_FOUND",
    ("dunning_debtors_statement_pdf", "id", "dbt"): "NOT_FOUND",
    ("dunning_debtors_timeline", "charge_id", "chg"): NOTHING_FOUND,
    ("dunning_debtors_timeline", "id", "dbt"): "NOT_FOUND",
    ("dunning_debtors_update", "assigned_member_id", "mbr"): "VALIDATION_ERROR",
    ("dunning_debtors_update", "id", "dbt"): "NOT_FOUND",
    ("dunning_interactions_create", "contact_point_id", "cpt"): "VALIDATION_ERROR",
    ("dunning_interactions_create", "id", "dbt"): "NOT_FOUND",
    ("dunning_payments_create", "debtor_id", "dbt"): "VALIDATION_ERROR",
    ("dunning_payments_get", "id", "pay"): "NOT_FOUND",
    ("dunning_payments_list", "charge_id", "chg"): NOTHING_FOUND,
    ("dunning_payments_list", "debtor_id", "dbt"): NOTHING_FOUND,
    ("dunning_payments_preview", "debtor_id", "dbt"): "VALIDATION_ERROR",
    ("dunning_payments_reverse", "id", "pay"): "NOT_FOUND",
}
WRITES: Final = tuple(field for field, outcome in FIELDS.items() if outcome != NOTHING_FOUND)


@dataclass(frozen=True, slots=True)
class Strangers:
    """Ids that exist in the other organisation, and one of A's own for everything else."""

    house: House
    pair: Pair
    known: Known
    theirs: dict[str, str]
    mine: dict[str, str]

    async def send(self, door: Door, field: tuple[str, str, str], value: str) -> Answer:
        operation, name, _ = field
        arguments = {**ROWS[operation].arguments(self.known), name: value}
        return await self.house.call(door, self.pair.a.owner, operation, arguments)

    async def hold(self) -> None:
        """Let something happen to A's charge."""
        wanted = {"id": self.mine["chg"], "reason": "Aguardando a secretaria"}
        await self.house.rest(self.pair.a.owner, "dunning_charges_hold", wanted)


@pytest.fixture
async def strangers(house: House, ledger: Ledger, pair: Pair) -> Strangers:
    found, known = {}, {}
    for firm in (pair.a, pair.b):
        member = firm.creditor.other_collector.id
        known[firm.id] = one = await things(ledger, firm, assigned_member_id=member)
        found[firm.id] = {
            "dbt": one.debtor_id,
            "chg": one.charge_id,
            "cpt": one.contact_point_id,
            "pay": one.payment_id,
            "apr": one.approval_id,
            "mbr": member,
        }
    return Strangers(house, pair, known[pair.a.id], found[pair.b.id], found[pair.a.id])


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
    operation, name, prefix = field
    good = ROWS[operation].arguments(strangers.known)
    if operation == "dunning_debtors_timeline":
        await strangers.hold()
    own = await strangers.send(door, field, good.get(name, strangers.mine[prefix]))
    confirmed = ROWS[operation].kind == "confirmed" and door is Door.MCP
    assert own.code == ("confirmation_required" if confirmed else None)
    if FIELDS[field] == NOTHING_FOUND:
        assert own.data != []


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
