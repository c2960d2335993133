"""One operation that the product does not have, in the one file that an operation takes."""

from typing import Annotated

from application.dunning.charge_lookup import charge_and_debtor
from application.dunning.charge_view import ChargeView, charge_view
from application.dunning.charges import ChargeId
from application.operations.call import Call
from application.operations.declaration import operation
from application.operations.fields import Input, One, about

STAR = "starred"


class ChargesStar(Input):
    """Which charge to find again."""

    id: Annotated[ChargeId, about("The charge.")]
    with_moon: Annotated[bool, about("Whether a moon is wanted as well.")] = False


@operation(
    "charges_star",
    "POST /charges/{id}/star",
    title="Star a charge",
    description="Mark a charge with a tag, to find it again.",
    permission="charges.write",
    idempotent=True,
)
async def charges_star(call: Call, wanted: ChargesStar) -> One[ChargeView]:
    """Add the tags that are not there yet."""
    charge, debtor = await charge_and_debtor(call, wanted.id)
    tags = [STAR, "moon"] if wanted.with_moon else [STAR]
    charge.tags = tuple(dict.fromkeys([*charge.tags, *tags]))
    return One(charge_view(charge, debtor, call.today))
