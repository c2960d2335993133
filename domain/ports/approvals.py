"""What can be asked of the requests for a second person in one organisation."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple, Protocol

from domain.dunning.approvals import Approval, Subject
from domain.dunning.organization_settings import ApprovalAct
from domain.ports.lists import ALWAYS, Page, Span, Window


class ApprovalQuery(NamedTuple):
    """Filters of the list; None and empty mean unfiltered.

    `now` is the business time that decides whether what is pending has run out. `requested_by` is
    the id of a member or an API client.
    """

    window: Window
    now: datetime
    created: Span = ALWAYS
    updated: Span = ALWAYS
    status: tuple[str, ...] = ()
    kind: tuple[str, ...] = ()
    requested_by: str | None = None
    debtor_id: str | None = None


class ApprovalRow(NamedTuple):
    """A request as a list shows it."""

    approval: Approval
    debtor_name: str


class Approvals(Protocol):
    """Requests about debtors within the portfolio."""

    async def find(self, approval_id: str, /, *, lock: bool = False) -> Approval | None:
        """The request, if the grant may see it; `lock` holds its row."""
        ...

    async def undecided(
        self, kind: ApprovalAct, subject: Subject, /, *, lock: bool = False
    ) -> Approval | None:
        """The request that stands as pending, also one whose time is over unnoticed."""
        ...

    async def page(self, query: ApprovalQuery, /) -> Page[ApprovalRow]:
        """One page of the requests that match."""
        ...

    async def overdue(self, now: datetime, /, *, limit: int) -> Sequence[Approval]:
        """At most `limit` requests that stand as pending after their time, locked."""
        ...

    async def add(self, approval: Approval, /) -> None:
        """Keep a new request, in place of one that has just expired.

        A pending one of the same kind and subject is a DuplicateError at commit.
        """
        ...
