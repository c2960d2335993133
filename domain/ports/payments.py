"""What can be asked of the payments of one organisation."""

from datetime import date
from typing import NamedTuple, Protocol

from domain.dunning.payments import Payment
from domain.ports.lists import ALWAYS, Span, SummedPage, Window


class PaymentQuery(NamedTuple):
    """Filters of the payment list; None and empty mean unfiltered. Money in cents."""

    window: Window
    created: Span = ALWAYS
    updated: Span = ALWAYS
    debtor_id: str | None = None
    charge_id: str | None = None
    status: tuple[str, ...] = ()
    method: tuple[str, ...] = ()
    paid_from: date | None = None
    paid_to: date | None = None
    min_amount: int | None = None
    max_amount: int | None = None
    external_id: str | None = None
    unallocated: bool | None = None


class Payments(Protocol):
    """Payments of debtors within the portfolio."""

    async def find(self, payment_id: str, /, *, lock: bool = False) -> Payment | None:
        """The payment, if the grant may see it; `lock` holds its row."""
        ...

    async def page(self, query: PaymentQuery, /) -> SummedPage[Payment]:
        """One page of the payments that match, with the sum of what was received."""
        ...

    async def of_debtor(self, debtor_id: str, /) -> tuple[Payment, ...]:
        """Every payment of a debtor, in the order of the days on which they were made."""
        ...

    def add(self, payment: Payment, /) -> None:
        """Keep a new payment. A taken external id is a DuplicateError at commit."""
        ...
