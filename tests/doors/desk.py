"""A desk where two people have to agree: requests to write a charge off, and words on them."""

from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from sqlalchemy.ext.asyncio import AsyncEngine

from domain.dunning.charges import Charge
from domain.dunning.organization_settings import ApprovalAct, Settings
from tests.builders import a_charge, a_debtor
from tests.doors.firms import Firm, Ledger, found_firm
from tests.doors.house import Answer, Caller, House, both
from tests.doors.requests import a_write_off

WRITE_OFF: Final = "dunning_charges_write_off"
LIST: Final = "dunning_approvals_list"
APPROVE: Final = "dunning_approvals_approve"
REJECT: Final = "dunning_approvals_reject"
LAST_MONTH: Final = date(2026, 8, 3)
# In 29 days a fine of 2 % and interest of 1 % a month make 308.90 of 300.00.
AMOUNT: Final = 300_00
FOUR_EYES: Final = Settings(approval_required_for=frozenset({ApprovalAct.WRITE_OFF}))


@dataclass(frozen=True, slots=True)
class Desk:
    """A firm that wants four eyes for a write-off, with an overdue charge, and its twin."""

    house: House
    ledger: Ledger
    firm: Firm
    other: Firm
    charge: Charge

    @property
    def manager(self) -> Caller:
        return self.firm.caller("manager")

    @property
    def owner(self) -> Caller:
        return self.firm.owner

    async def ask(
        self, caller: Caller | None = None, charge: Charge | None = None, **fields: Any
    ) -> Answer:
        wanted = a_write_off((charge or self.charge).id, **fields)
        return await self.house.rest(caller or self.manager, WRITE_OFF, wanted)

    async def asked(self, caller: Caller | None = None, charge: Charge | None = None) -> str:
        """The id of a request."""
        answer = await self.ask(caller, charge)
        assert answer.status == 202, answer.body
        return str(answer.data["id"])

    async def approve(
        self, approval_id: str, caller: Caller | None = None, **fields: Any
    ) -> Answer:
        return await self.house.rest(caller or self.owner, APPROVE, {"id": approval_id, **fields})

    async def reject(self, approval_id: str, caller: Caller | None = None, **fields: Any) -> Answer:
        wanted = {"id": approval_id, "note": "Ainda responde.", **fields}
        return await self.house.rest(caller or self.owner, REJECT, wanted)

    async def listed(self, caller: Caller | None = None, **filters: Any) -> list[dict[str, Any]]:
        rest, mcp = await both(self.house, caller or self.owner, LIST, filters)
        assert rest.body == mcp.body
        return list(rest.data)

    async def ids(self, caller: Caller | None = None, **filters: Any) -> list[str]:
        return [one["id"] for one in await self.listed(caller, **filters)]

    async def status(self, approval_id: str) -> str:
        everything = await self.listed(status="pending,approved,rejected,expired")
        (found,) = [one["status"] for one in everything if one["id"] == approval_id]
        return str(found)

    async def events(self) -> list[str]:
        found = await self.ledger.events(self.firm.id)
        return [one["type"] for one in sorted(found, key=lambda one: one["occurred_at"])]

    async def read(self) -> dict[str, Any]:
        answer = await self.house.rest(self.owner, "dunning_charges_get", {"id": self.charge.id})
        return dict(answer.data)


async def an_overdue_charge(
    ledger: Ledger, firm: Firm, amount: int = AMOUNT, **fields: Any
) -> Charge:
    """A charge of a new debtor, 29 days late."""
    debtor = a_debtor(firm.creditor, **fields)
    charge = a_charge(debtor, amount=amount, due_date=LAST_MONTH, issue_date=LAST_MONTH)
    await ledger.keep(firm, debtor, charge)
    return charge


async def a_desk(house: House, ledger: Ledger, owner: AsyncEngine) -> Desk:
    """One with an overdue charge; in the other firm a request waits already."""
    firm = await found_firm(owner, "Clínica Ipê", FOUR_EYES)
    other = await found_firm(owner, "Pampa Distribuidora", FOUR_EYES)
    twin = await an_overdue_charge(ledger, other)
    asked = await house.rest(other.caller("manager"), WRITE_OFF, a_write_off(twin.id))
    assert asked.status == 202
    return Desk(house, ledger, firm, other, await an_overdue_charge(ledger, firm))
