"""What can be asked of everything that happened with a debtor."""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple, Protocol

from domain.dunning.interactions import Direction, InteractionChannel, InteractionOutcome
from domain.ports.lists import ALWAYS, Page, Span, Window


class TimelineQuery(NamedTuple):
    """Filters of one debtor's timeline; None and empty mean unfiltered. `types` are whole ones."""

    window: Window
    debtor_id: str
    happened: Span = ALWAYS
    types: tuple[str, ...] = ()
    charge_id: str | None = None


class TimelineRow(NamedTuple):
    """An event as it was stored, money in cents; of an interaction also what was noted of it.

    `actor_name` is known of members and API clients that there are.
    """

    id: str
    occurred_at: datetime
    type: str
    resource_type: str
    resource_id: str
    data: Mapping[str, object]
    changes: Mapping[str, object]
    actor_type: str
    actor_id: str
    actor_name: str | None
    request_id: str
    direction: Direction | None
    channel: InteractionChannel | None
    outcome: InteractionOutcome | None
    note: str | None
    took_place_at: datetime | None


class Timeline(Protocol):
    """What happened with debtors within the portfolio."""

    async def page(self, query: TimelineQuery, /) -> Page[TimelineRow]:
        """One page of what happened, in the order in which it was recorded."""
        ...
