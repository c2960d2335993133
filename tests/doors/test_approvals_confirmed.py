"""Four eyes over MCP: each of the two people is asked first, and about what they really do."""

from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from application.access.enter import REMEMBERED
from tests.doors.assistants import YES, Assistant
from tests.doors.desk import APPROVE, REJECT, WRITE_OFF, Desk, a_desk
from tests.doors.firms import Ledger
from tests.doors.house import House
from tests.doors.requests import a_write_off

pytestmark = pytest.mark.anyio


@pytest.fixture
async def desk(house: House, ledger: Ledger, doors_owner: AsyncEngine) -> Desk:
    return await a_desk(house, ledger, doors_owner)


async def test_who_asks_confirms_the_request_and_nothing_else(desk: Desk) -> None:
    others = await desk.ledger.everything(desk.other.id)
    manager = Assistant(house=desk.house, caller=desk.manager)
    wanted = a_write_off(desk.charge.id)

    asked = await manager.call(WRITE_OFF, wanted)

    message = asked.question["message"]
    assert message.startswith(
        "Pedir a aprovação de outra pessoa para o seguinte: baixar como perda ("
    )
    assert "O que se confirma agora é somente o pedido" in message
    assert await desk.listed() == []
    said = await manager.answer(WRITE_OFF, wanted, asked, YES)
    assert (said.code, said.document["data"]["status"]) == (None, "pending")
    assert await desk.listed() == [said.document["data"]]
    assert (await desk.read())["status"] == "overdue"
    assert await desk.ledger.everything(desk.other.id) == others


async def test_a_yes_to_the_request_is_none_to_the_act_itself(desk: Desk) -> None:
    owner = Assistant(house=desk.house, caller=desk.owner)
    wanted = a_write_off(desk.charge.id)
    asked = await owner.call(WRITE_OFF, wanted)
    changed: dict[str, Any] = {"approval_required_for": []}
    await desk.house.rest(desk.owner, "dunning_settings_update", changed)

    said = await owner.answer(WRITE_OFF, wanted, asked, YES)

    assert said.asks
    assert said.question["message"].startswith("Baixar como perda (sem pagamento) a cobrança chg_")
    assert (await desk.read())["status"] == "overdue"


async def test_who_approves_confirms_the_act_itself_and_sees_who_asked(desk: Desk) -> None:
    others = await desk.ledger.everything(desk.other.id)
    approval_id = await desk.asked()
    owner = Assistant(house=desk.house, caller=desk.owner)
    wanted = {"id": approval_id}

    asked = await owner.call(APPROVE, wanted)

    assert asked.question["message"].startswith(
        "Aprovar e executar agora o que “Ana Manager” pediu em 01/09/2026 às 10:00: baixar como "
    )
    said = await owner.answer(APPROVE, wanted, asked, YES)
    assert said.document["data"]["status"] == "approved"
    assert said.document["data"]["result"]["status"] == "written_off"
    assert (await desk.read())["status"] == "written_off"
    assert await desk.ledger.everything(desk.other.id) == others


async def test_a_charge_that_changed_after_the_question_is_asked_about_anew(desk: Desk) -> None:
    approval_id = await desk.asked()
    owner = Assistant(house=desk.house, caller=desk.owner)
    asked = await owner.call(APPROVE, {"id": approval_id})
    tagged = {"id": desk.charge.id, "tags": ["a"]}
    await desk.house.rest(desk.owner, "dunning_charges_update", tagged)

    said = await owner.answer(APPROVE, {"id": approval_id}, asked, YES)

    assert said.asks
    assert await desk.status(approval_id) == "pending"


async def test_a_request_that_was_decided_after_the_question_is_not_decided_again(
    desk: Desk,
) -> None:
    approval_id = await desk.asked()
    owner = Assistant(house=desk.house, caller=desk.owner)
    wanted = {"id": approval_id, "note": "Ainda responde."}
    asked = await owner.call(REJECT, wanted)
    assert asked.question["message"].startswith(
        "Rejeitar o pedido de “Ana Manager”, feito em 01/09/2026"
    )
    await desk.approve(approval_id, desk.firm.caller("admin"))

    said = await owner.answer(REJECT, wanted, asked, YES)

    assert said.code == "STATE_CONFLICT"
    assert await desk.status(approval_id) == "approved"


async def test_who_asked_is_refused_before_they_are_asked_anything(desk: Desk) -> None:
    approval_id = await desk.asked()
    manager = Assistant(house=desk.house, caller=desk.manager)
    for operation, fields in ((APPROVE, {}), (REJECT, {"note": "Ainda responde."})):
        said = await manager.call(operation, {"id": approval_id, **fields})
        assert (said.asks, said.code) == (False, "PERMISSION_DENIED")


@pytest.mark.parametrize("operation", [APPROVE, REJECT])
async def test_a_time_that_reads_differently_by_now_is_asked_about_anew(
    desk: Desk, operation: str
) -> None:
    wanted = {"id": await desk.asked(), "note": "Conforme combinado."}
    owner = Assistant(house=desk.house, caller=desk.owner)
    asked = await owner.call(operation, wanted)
    moved = {"timezone": "America/Rio_Branco"}
    assert (await desk.house.rest(desk.owner, "dunning_settings_update", moved)).status == 200
    desk.house.clock.time += REMEMBERED

    said = await owner.answer(operation, wanted, asked, YES)

    assert said.asks
    assert (await desk.read())["status"] == "overdue"
