"""A charge that an assistant wants to cancel, and what is left of that in the database."""

from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import text

from adapters.persistence.transaction import open_pinned
from application.access.enter import REMEMBERED
from domain.access.roles import Role
from domain.dunning.charges import Charge
from tests.builders import a_charge, a_debtor
from tests.doors.assistants import Assistant, Said
from tests.doors.firms import Ledger, Pair
from tests.doors.house import House

CANCEL: Final = "dunning_charges_cancel"
PARALLEL: Final = 20


@dataclass(frozen=True, slots=True)
class Room:
    """A charge, the manager's assistant, and a charge like it in the other firm."""

    house: House
    ledger: Ledger
    pair: Pair
    charge: Charge
    assistant: Assistant

    @property
    def arguments(self) -> dict[str, Any]:
        return {"id": self.charge.id, "reason": "issued_in_error"}

    async def call(self, fields: dict[str, Any] | None = None, **round_: Any) -> Said:
        return await self.assistant.call(CANCEL, {**self.arguments, **(fields or {})}, **round_)

    def using(self, capabilities: Any, name: str | None = None) -> "Room":
        assistant = replace(self.assistant, capabilities=capabilities, name=name)
        return replace(self, assistant=assistant)

    async def statuses(self) -> list[str]:
        found = []
        for firm in (self.pair.a, self.pair.b):
            found += [row["status"] for row in await self.ledger.rows(firm.id, "charges")]
        return found

    async def lines(self) -> list[tuple[str, str | None]]:
        """Outcome and code of each line of the trail, in the order of time."""
        lines = await self.ledger.audit(self.pair.a.id)
        assert await self.ledger.audit(self.pair.b.id) == []
        return [(line["outcome"], line["code"]) for line in lines]

    async def effects(self) -> int:
        return len(await self.ledger.events(self.pair.a.id))


async def a_room(house: House, ledger: Ledger, pair: Pair) -> Room:
    charges = []
    for firm in (pair.a, pair.b):
        debtor = a_debtor(firm.creditor, name="Paulo Nogueira")
        charges.append(a_charge(debtor))
        await ledger.keep(firm, debtor, charges[-1])
    assistant = Assistant(house=house, caller=pair.a.caller("manager"))
    return Room(house, ledger, pair, charges[0], assistant)


async def demote(room: Room) -> None:
    """The manager is a viewer from now on, on every process."""
    manager = room.pair.a.creditor.members[Role.MANAGER]
    async with open_pinned(room.ledger.owner, room.pair.a.id) as transaction:
        await transaction.connection.execute(
            text("UPDATE members SET role = 'viewer' WHERE id = :id"), {"id": manager.id}
        )
        await transaction.commit()
    room.house.clock.time += REMEMBERED
