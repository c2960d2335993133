"""A debtor with charges to be paid, and a second firm where nothing may change."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from domain.dunning.charges import Charge
from domain.dunning.debtors import Debtor
from domain.dunning.moment import Moment
from tests.builders import a_charge, a_debtor
from tests.doors.firms import Ledger, Pair
from tests.doors.house import Answer, Caller, Door, House
from tests.doors.requests import a_new_payment, a_reversal

CREATE: Final = "dunning_payments_create"
REVERSE: Final = "dunning_payments_reverse"
CHARGES: Final = "dunning_charges_list"


@dataclass(frozen=True, slots=True)
class Book:
    """A debtor of firm A with the charges of a test, and a firm B where nothing may change."""

    house: House
    ledger: Ledger
    pair: Pair
    debtor: Debtor

    @property
    def owner(self) -> Caller:
        return self.pair.a.owner

    async def owes(self, due: date, amount: int, **fields: Any) -> Charge:
        """A charge that fell due on a day, recorded a week after it."""
        seen = due + timedelta(days=7)
        moment = Moment(datetime(seen.year, seen.month, seen.day, 12, tzinfo=UTC), seen)
        issued = min(date(2026, 6, 1), due)
        charge = a_charge(
            self.debtor, moment, due_date=due, amount=amount, issue_date=issued, **fields
        )
        await self.ledger.keep(self.pair.a, charge)
        return charge

    def today(self, day: date) -> None:
        self.house.clock.time = datetime(day.year, day.month, day.day, 13, tzinfo=UTC)

    async def pay(
        self, amount: float, paid_at: date, door: Door = Door.REST, **fields: Any
    ) -> Answer:
        wanted = a_new_payment(self.debtor.id, amount=amount, paid_at=paid_at.isoformat(), **fields)
        return await self.house.call(door, self.owner, CREATE, wanted)

    async def reverse(self, payment: Answer, **fields: Any) -> Answer:
        wanted = a_reversal(payment.data["id"], **fields)
        return await self.house.rest(self.owner, REVERSE, wanted)

    async def charge(self, charge: Charge) -> dict[str, Any]:
        listed = await self.house.rest(self.owner, CHARGES, {"debtor_id": self.debtor.id})
        (found,) = (one for one in listed.data if one["id"] == charge.id)
        return dict(found)

    async def credit(self) -> int:
        (row,) = await self.ledger.rows(self.pair.a.id, "debtors")
        return int(row["credit"])


async def a_book(house: House, ledger: Ledger, pair: Pair) -> Book:
    """A debtor of firm A without charges yet, and one of firm B with one."""
    debtor, theirs = a_debtor(pair.a.creditor), a_debtor(pair.b.creditor)
    await ledger.keep(pair.a, debtor)
    await ledger.keep(pair.b, theirs, a_charge(theirs))
    return Book(house, ledger, pair, debtor)
