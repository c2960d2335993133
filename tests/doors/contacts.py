"""A debtor in whose contact points tests do things, and what they do."""

from dataclasses import dataclass
from typing import Any, Final

from domain.dunning.debtors import Debtor
from tests.builders import a_debtor
from tests.doors.firms import Ledger, Pair
from tests.doors.house import Answer, Caller, Door, House
from tests.doors.requests import a_new_contact_point

CREATE: Final = "dunning_contact_points_create"
UPDATE: Final = "dunning_contact_points_update"
DELETE: Final = "dunning_contact_points_delete"
LETTERS: Final = {
    "street": "Rua das Acácias",
    "number": "120",
    "district": "Centro",
    "city": "São Paulo",
    "uf": "SP",
    "zipcode": "01001-000",
}


@dataclass(frozen=True, slots=True)
class Room:
    """A debtor of each firm with nothing but a name, as `a` sees them."""

    house: House
    ledger: Ledger
    pair: Pair
    debtor: Debtor
    stranger: Debtor

    async def add(self, door: Door = Door.REST, **fields: Any) -> Answer:
        arguments = a_new_contact_point(self.debtor.id, **fields)
        return await self.house.call(door, self.pair.a.owner, CREATE, arguments)

    async def added(self, **fields: Any) -> str:
        answer = await self.add(**fields)
        assert answer.status == 201, answer.body
        point_id: str = answer.data["id"]
        return point_id

    async def change(
        self, point_id: str, door: Door = Door.REST, caller: Caller | None = None, **fields: Any
    ) -> Answer:
        arguments = {"id": self.debtor.id, "cp_id": point_id, **fields}
        return await self.house.call(door, caller or self.pair.a.owner, UPDATE, arguments)

    async def delete(self, point_id: str, door: Door = Door.REST) -> Answer:
        arguments = {"id": self.debtor.id, "cp_id": point_id}
        return await self.house.call(door, self.pair.a.owner, DELETE, arguments)

    async def rows(self) -> list[dict[str, Any]]:
        return await self.ledger.rows(self.pair.a.id, "contact_points")

    async def primaries(self) -> dict[str, bool]:
        return {row["id"]: row["is_primary"] for row in await self.rows()}


async def a_room(house: House, ledger: Ledger, pair: Pair) -> Room:
    debtor, stranger = a_debtor(pair.a.creditor), a_debtor(pair.b.creditor)
    await ledger.keep(pair.a, debtor)
    await ledger.keep(pair.b, stranger)
    return Room(house, ledger, pair, debtor, stranger)
