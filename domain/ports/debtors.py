"""What can be asked of the debtors of one organisation."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple, Protocol

from domain.dunning.charge_states import ChargeStatus
from domain.dunning.debtors import Debtor
from domain.dunning.documents import Document
from domain.ports.lists import ALWAYS, Page, Span, Window


class DebtorQuery(NamedTuple):
    """Filters of the debtor list; None and empty mean unfiltered. Money in cents.

    `today` is the business date that lateness and bans are measured by.
    """

    window: Window
    today: date
    created: Span = ALWAYS
    updated: Span = ALWAYS
    text: str | None = None
    status: tuple[str, ...] = ()
    person_type: tuple[str, ...] = ()
    uf: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    assigned_member_id: str | None = None
    has_overdue: bool | None = None
    min_overdue_amount: int | None = None
    flag: tuple[str, ...] = ()
    contactable: bool | None = None
    external_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DebtorNames:
    """Several debtors, by whatever each is known by."""

    ids: Collection[str] = ()
    documents: Collection[Document] = ()
    external_ids: Collection[str] = ()


class Standing(NamedTuple):
    """What a debtor owes as stored, in cents, and how it went.

    `oldest_overdue` is the earliest effective due date among the overdue charges; `bounces` are the
    hard failures of the contact points that there are.
    """

    open_amount: int = 0
    overdue_amount: int = 0
    renegotiated_amount: int = 0
    written_off_amount: int = 0
    oldest_overdue: date | None = None
    bounces: int = 0


class DebtorRow(NamedTuple):
    """A debtor as a list shows it."""

    debtor: Debtor
    standing: Standing


class Debtors(Protocol):
    """The organisation's debtors, within the portfolio."""

    async def find(self, debtor_id: str, /, *, lock: bool = False) -> Debtor | None:
        """The debtor, if the grant may see them; `lock` holds the row until the transaction ends.

        Who creates or reopens a charge locks as well, or a debtor could be archived meanwhile.
        """
        ...

    async def find_by_document(self, document: Document, /) -> Debtor | None:
        """The debtor who has this document, if the grant may see them."""
        ...

    async def among(self, named: DebtorNames, /, *, lock: bool = False) -> Sequence[Debtor]:
        """The debtors named in any of these ways whom the grant may see, in the order of ids."""
        ...

    async def page(self, query: DebtorQuery, /) -> Page[DebtorRow]:
        """One page of the debtors that match."""
        ...

    async def standing(self, debtor_id: str, /) -> Standing:
        """What one debtor owes."""
        ...

    async def charge_counts(self, debtor_id: str, /) -> Mapping[ChargeStatus, int]:
        """How many charges the debtor has in each status that there is one in."""
        ...

    async def guaranteed_counts(self, debtor_id: str, /) -> Mapping[ChargeStatus, int]:
        """The same of the charges of others that the debtor guarantees."""
        ...

    async def last_movement(self, debtor_id: str, timezone: str, /) -> date:
        """The last day in `timezone` on which anything happened with the debtor.

        That is a change of the debtor, of a charge owed or guaranteed or of a contact point, a
        payment, a reversal, or an interaction.
        """
        ...

    async def erase_traces(self, debtor_id: str, document: Document, at: datetime, /) -> None:
        """Empty what names an anonymised debtor outside of their own row; amounts and dates stay.

        Free text and foreign keys of charges, payers, notes of interactions, contact points, and
        stored answers of writes; also where the debtor, who had `document`, paid for another one.
        `at` is the instant of the change.
        """
        ...

    def add(self, debtor: Debtor, /) -> None:
        """Keep a new debtor. A taken document or external id is a DuplicateError at commit."""
        ...
