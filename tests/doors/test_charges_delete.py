"""Erasing a charge: only one that nothing has touched, and over MCP not without a person's yes."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import pytest

from domain.dunning.charges import Charge
from domain.dunning.debtors import Debtor
from tests.builders import a_charge, a_debtor, a_payment
from tests.doors.firms import Ledger, Pair
from tests.doors.house import Answer, Door, House
from tests.doors.requests import an_interaction

pytestmark = pytest.mark.anyio

DELETE: Final = "dunning_charges_delete"


@pytest.fixture
async def debtor(ledger: Ledger, pair: Pair) -> Debtor:
    debtor = a_debtor(pair.a.creditor)
    await ledger.keep(pair.a, debtor)
    return debtor


@pytest.fixture
async def charge(ledger: Ledger, pair: Pair, debtor: Debtor) -> Charge:
    """One of the first firm; the other has one like it."""
    other = a_debtor(pair.b.creditor)
    await ledger.keep(pair.b, other, a_charge(other))
    charge = a_charge(debtor, external_id="NF-17")
    await ledger.keep(pair.a, charge)
    return charge


async def delete(house: House, pair: Pair, charge: Charge, door: Door = Door.REST) -> Answer:
    return await house.call(door, pair.a.caller("manager"), DELETE, {"id": charge.id})


async def test_it_is_gone_and_its_deletion_is_written_down(
    house: House, ledger: Ledger, pair: Pair, charge: Charge
) -> None:
    others = await ledger.everything(pair.b.id)
    answer = await delete(house, pair, charge)
    assert (answer.status, answer.raw) == (204, b"")
    assert await ledger.rows(pair.a.id, "charges") == []
    (event,) = await ledger.events(pair.a.id)
    (line,) = await ledger.audit(pair.a.id)
    assert (event["type"], event["resource_id"]) == ("charge.deleted", charge.id)
    assert (event["debtor_id"], event["data"]["amount"]) == (charge.debtor_id, 1_250_00)
    assert (line["action"], line["outcome"], line["resource"]) == (DELETE, "ok", charge.id)
    assert await ledger.everything(pair.b.id) == others
    read = await house.rest(pair.a.owner, "dunning_charges_get", {"id": charge.id})
    assert read.code == "NOT_FOUND"


async def test_its_external_id_is_free_again(
    house: House, ledger: Ledger, pair: Pair, charge: Charge, debtor: Debtor
) -> None:
    await delete(house, pair, charge)
    await ledger.keep(pair.a, a_charge(debtor, external_id="NF-17"))
    assert len(await ledger.rows(pair.a.id, "charges")) == 1


async def test_of_two_at_once_the_second_finds_nothing(
    house: House, ledger: Ledger, pair: Pair, charge: Charge
) -> None:
    answers = await asyncio.gather(*(delete(house, pair, charge) for _ in range(3)))
    assert sorted(answer.status for answer in answers) == [204, 404, 404]
    assert len(await ledger.events(pair.a.id)) == 1


async def test_the_same_key_answers_the_same_without_a_charge(
    house: House, pair: Pair, charge: Charge
) -> None:
    named = {"id": charge.id}
    first, again = [
        await house.rest(pair.a.owner, DELETE, named, idempotency_key="k-1") for _ in range(2)
    ]
    assert (first.status, again.status, again.raw) == (204, 204, b"")
    assert again.headers["idempotency-replayed"] == "true"
    over_mcp = await house.tool(pair.a.owner, DELETE, {**named, "idempotency_key": "k-1"})
    assert (over_mcp.code, over_mcp.body) == (None, {"status": 204})


Touch = Callable[[House, Ledger, Pair, Charge, Debtor], Awaitable[None]]


async def tagged(house: House, _: Ledger, pair: Pair, charge: Charge, __: Debtor) -> None:
    arguments = {"id": charge.id, "tags": ["a"]}
    await house.rest(pair.a.owner, "dunning_charges_update", arguments)


async def held(house: House, _: Ledger, pair: Pair, charge: Charge, __: Debtor) -> None:
    arguments = {"id": charge.id, "reason": "Em análise"}
    await house.rest(pair.a.owner, "dunning_charges_hold", arguments)


async def spoken_of(house: House, _: Ledger, pair: Pair, charge: Charge, debtor: Debtor) -> None:
    arguments = an_interaction(debtor.id, charge_ids=[charge.id])
    answer = await house.rest(pair.a.owner, "dunning_interactions_create", arguments)
    assert answer.status == 201


@pytest.mark.parametrize("touch", [tagged, held, spoken_of])
async def test_what_something_has_touched_is_canceled_instead(
    house: House, ledger: Ledger, pair: Pair, charge: Charge, debtor: Debtor, *, touch: Touch
) -> None:
    await touch(house, ledger, pair, charge, debtor)
    before = await ledger.rows(pair.a.id, "charges")
    rest, mcp = [await delete(house, pair, charge, door) for door in Door]
    assert (rest.status, rest.code) == (409, "STATE_CONFLICT")
    assert "use cancel" in rest.error["message"]
    assert rest.error["allowed_actions"] == ["cancel"]
    assert mcp.refusal == rest.refusal
    assert await ledger.rows(pair.a.id, "charges") == before


async def test_a_charge_with_a_payment_is_not_deleted(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    debtor = a_debtor(pair.a.creditor)
    charge = a_charge(debtor)
    payment = a_payment(debtor, charge, amount=100_00)
    await ledger.keep(pair.a, debtor, charge, payment)
    assert (await delete(house, pair, charge)).code == "STATE_CONFLICT"


async def test_what_another_charge_is_spoken_of_does_not_count(
    house: House, ledger: Ledger, pair: Pair, charge: Charge, debtor: Debtor
) -> None:
    other = a_charge(debtor)
    await ledger.keep(pair.a, other)
    await spoken_of(house, ledger, pair, other, debtor)
    assert (await delete(house, pair, charge)).status == 204


async def test_over_mcp_a_person_has_to_say_yes_first(
    house: House, ledger: Ledger, pair: Pair, charge: Charge
) -> None:
    before = await ledger.rows(pair.a.id, "charges")
    assert (await delete(house, pair, charge, Door.MCP)).code == "confirmation_required"
    assert await ledger.rows(pair.a.id, "charges") == before
    assert await ledger.events(pair.a.id) == []


@pytest.mark.parametrize("column", ["collector", "integration"])
async def test_neither_collectors_nor_programs_delete(
    house: House, pair: Pair, charge: Charge, column: str
) -> None:
    answer = await house.rest(pair.a.caller(column), DELETE, {"id": charge.id})
    assert answer.code == "PERMISSION_DENIED"
