"""API clients may do what a person of their `role_ceiling` may, and no more."""

from dataclasses import replace
from typing import Any, Final

import pytest

from domain.access.roles import Role
from domain.dunning.organization_settings import RoleLimits, Settings
from tests.builders import a_charge, a_debtor
from tests.doors.firms import Firm, Ledger, Pair, a_program, found_firm
from tests.doors.house import Door, House
from tests.doors.requests import a_key

pytestmark = pytest.mark.anyio

OF_THE_DEBT: Final[dict[str, Any]] = {
    "amount": 900,
    "due_date": "2026-11-10",
    "terms": {"fine_percent": 1},
    "guarantors": [],
    "assigned_member_id": None,
}


async def kept(ledger: Ledger, firm: Firm) -> tuple[str, str]:
    """The ids of a debtor and of a charge that is not due yet."""
    debtor = a_debtor(firm.creditor)
    charge = a_charge(debtor)
    await ledger.keep(firm, debtor, charge)
    return debtor.id, charge.id


async def test_with_a_collectors_ceiling_a_program_leaves_the_debt_itself_alone(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    _, charge_id = await kept(ledger, pair.a)
    await kept(ledger, pair.b)
    program = await a_program(ledger, pair.a, Role.COLLECTOR)

    rest, mcp = [
        await house.call(door, program, "dunning_charges_update", {"id": charge_id, **OF_THE_DEBT})
        for door in Door
    ]
    words = await house.rest(
        program, "dunning_charges_update", {"id": charge_id, "tags": ["integral"]}
    )

    assert (rest.code, rest.error["required_role"]) == ("ROLE_LIMIT_EXCEEDED", "manager")
    assert sorted(rest.details) == sorted((name, "role_limit") for name in OF_THE_DEBT)
    assert mcp.refusal == rest.refusal
    assert words.status == 200
    (event,) = await ledger.events(pair.a.id)
    assert list(event["changes"]) == ["tags"]
    assert await ledger.events(pair.b.id) == []


@pytest.mark.parametrize(
    ("ceiling", "is_refused"), [(Role.MANAGER, True), (Role.ADMIN, False), (Role.OWNER, False)]
)
async def test_the_ceiling_of_a_program_is_that_of_its_role(
    house: House, ledger: Ledger, *, ceiling: Role, is_refused: bool
) -> None:
    limits = RoleLimits()
    one = replace(limits.manager, bulk_charges_per_call=1)
    settings = Settings(role_limits=replace(limits, manager=one))
    firm = await found_firm(ledger.owner, "Colégio Ipê", settings)
    debtor_id, _ = await kept(ledger, firm)
    item = {"debtor_id": debtor_id, "description": "Taxa", "amount": 10, "due_date": "2026-10-09"}

    answer = await house.rest(
        await a_program(ledger, firm, ceiling),
        "dunning_charges_bulk_create",
        {"items": [item, item], "idempotency_key": a_key()},
    )

    assert (answer.code == "ROLE_LIMIT_EXCEEDED") is is_refused
    assert (answer.status == 201) is not is_refused
