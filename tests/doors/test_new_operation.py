"""An operation is one module: both doors, schema, role table and audit find it by themselves."""

from collections.abc import AsyncIterator
from typing import Final

import msgspec
import pytest

import application.dunning
from entrypoints.container import Container
from tests.builders import NOW, StoppedClock, a_charge, a_debtor
from tests.database import Database
from tests.doors import extra_operation
from tests.doors.firms import Ledger, Pair
from tests.doors.house import Door, House, open_house, settings_for
from tests.doors.requests import COLUMNS, OPERATIONS

pytestmark = pytest.mark.anyio

STAR: Final = "dunning_charges_star"
MAY_STAR: Final = {"owner", "admin", "manager", "collector", "integration"}


@pytest.fixture(scope="module")
async def larger(doors_database: Database) -> AsyncIterator[House]:
    """The service with one more module to look for operations in."""
    clock = StoppedClock(NOW)
    container = Container(
        settings=settings_for(doors_database),
        clock=clock,
        operation_rooms=(application.dunning, extra_operation),
    )
    async with open_house(container, clock) as house:
        yield house


async def a_kept_charge(ledger: Ledger, pair: Pair) -> str:
    debtor = a_debtor(pair.a.creditor)
    charge = a_charge(debtor, tags=("médio",))
    await ledger.keep(pair.a, debtor, charge)
    return charge.id


@pytest.mark.parametrize("door", Door)
async def test_it_answers_at_both_doors_and_is_written_down(
    larger: House, ledger: Ledger, pair: Pair, door: Door
) -> None:
    charge_id = await a_kept_charge(ledger, pair)
    arguments = {"id": charge_id, "with_moon": "true", "idempotency_key": "k-1"}
    first = await larger.call(door, pair.a.owner, STAR, arguments)
    assert first.data["tags"] == ["médio", "starred", "moon"]
    again = await larger.call(door, pair.a.owner, STAR, arguments)
    assert again.body == first.body
    (line,) = await ledger.audit(pair.a.id)
    assert (line["action"], line["outcome"], line["resource"]) == (STAR, "ok", charge_id)
    assert line["scopes_used"] == ["dunning.charges:write"]


@pytest.mark.parametrize("column", COLUMNS)
async def test_its_permission_decides_who_sees_and_calls_it(
    larger: House, ledger: Ledger, pair: Pair, column: str
) -> None:
    charge_id = await a_kept_charge(ledger, pair)
    caller = pair.a.caller(column)
    listed = {tool["name"] for tool in await larger.tools(caller)}
    answers = {door: await larger.call(door, caller, STAR, {"id": charge_id}) for door in Door}
    if column in MAY_STAR:
        assert STAR in listed
        assert {answer.code for answer in answers.values()} == {None}
    else:
        assert STAR not in listed
        assert answers[Door.REST].code == "PERMISSION_DENIED"
        assert answers[Door.MCP].code == -32602
        lines = await ledger.audit(pair.a.id)
        assert [line["outcome"] for line in lines] == ["denied", "denied"]


async def test_its_schema_stands_in_the_list_and_in_the_document(larger: House, pair: Pair) -> None:
    (tool,) = (one for one in await larger.tools(pair.a.owner) if one["name"] == STAR)
    assert tool["inputSchema"]["required"] == ["id"]
    assert tool["inputSchema"]["properties"]["with_moon"]["type"] == "boolean"
    assert tool["annotations"] == {
        "readOnlyHint": False,
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": False,
    }
    document = (await larger.http.get("/v1/openapi.json")).json()
    described = document["paths"]["/v1/charges/{id}/star"]["post"]
    assert described["operationId"] == STAR
    assert described["x-permission"] == "charges.write"
    assert described["x-roles"] == ["owner", "admin", "manager", "collector"]
    assert "/v1/charges/{id}/star" in (await larger.http.get("/v1/docs")).text


async def test_the_catalogue_has_it_beside_the_others(larger: House) -> None:
    catalogue = larger.container.catalogue()
    infos = {info.name: info for info in catalogue.infos}
    assert set(infos) == {*OPERATIONS, STAR}
    assert infos[STAR].scopes == {"dunning.charges:write"}
    assert msgspec.json.decode(catalogue.tool_definition(STAR))["title"] == "Star a charge"


@pytest.mark.parametrize("door", Door)
async def test_a_portfolio_and_an_organisation_bound_it_too(
    larger: House, ledger: Ledger, pair: Pair, door: Door
) -> None:
    charge_id = await a_kept_charge(ledger, pair)
    for caller in (pair.a.person(pair.a.narrowed), pair.b.owner):
        answer = await larger.call(door, caller, STAR, {"id": charge_id})
        assert answer.code == "NOT_FOUND"
    mine = a_debtor(pair.a.creditor, assigned_member_id=pair.a.narrowed.id)
    charge = a_charge(mine)
    await ledger.keep(pair.a, mine, charge)
    caller = pair.a.person(pair.a.narrowed)
    assert (await larger.call(door, caller, STAR, {"id": charge.id})).code is None


async def test_without_its_module_nothing_is_left_of_it(house: House, pair: Pair) -> None:
    assert STAR not in {tool["name"] for tool in await house.tools(pair.a.owner)}
    assert "star" not in str((await house.http.get("/v1/openapi.json")).json()["paths"].keys())
