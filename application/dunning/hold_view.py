"""A hold as answers show it."""

from datetime import date
from typing import Annotated

from application.operations.fields import View, about
from domain.dunning.holds import Blocks, Hold, HoldCode


class HoldView(View):
    """Why something may not be done now."""

    code: Annotated[HoldCode, about("What holds it up.")]
    since: Annotated[date | None, about("From this date, where it is known.")]
    until: Annotated[date | None, about("Up to and including this date; null has no end.")]
    source: Annotated[str, about("The id of the debtor or charge that raises it.")]
    blocks: Annotated[list[Blocks], about("What may not be done.")]


def hold_view(hold: Hold) -> HoldView:
    """A hold."""
    return HoldView(
        code=hold.code,
        since=hold.since,
        until=hold.until,
        source=hold.source,
        blocks=list(hold.blocks),
    )
