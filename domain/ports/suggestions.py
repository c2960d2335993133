"""What may stand in a field that is being filled in."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from domain.dunning.charge_states import ChargeStatus


@dataclass(frozen=True, slots=True)
class Hits:
    """Ids, the best first; `total` is how many match, None where not all could be looked at."""

    ids: Sequence[str]
    total: int | None


class Suggestions(Protocol):
    """Looks in the names of debtors and charges, within the portfolio.

    What was typed counts without case and accents, and each sign of it for itself. The beginning of
    a text comes before that of a word, and that before anything inside.
    """

    async def debtors(self, typed: str, /, *, limit: int) -> Hits:
        """By name, trade name and external id; active ones before others."""
        ...

    async def charges(
        self, typed: str, debtor_id: str | None, status: ChargeStatus | None, /, *, limit: int
    ) -> Hits:
        """By description, document number and external id; open ones before others.

        `debtor_id` narrows to the charges of one debtor, `status` to those that have it.
        """
        ...

    async def years(self, debtor_id: str | None, first: int, last: int, /) -> Sequence[int]:
        """The calendar years from `first` to `last` with charges due, the newest first."""
        ...
