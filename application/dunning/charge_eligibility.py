"""What may be done about a charge: listed, protested, renegotiated, notified, written off."""

from datetime import date
from typing import Annotated
from zoneinfo import ZoneInfo

from application.dunning.charge_lookup import charge_and_debtor
from application.dunning.charges import ChargeId
from application.dunning.contact_check import situation_of
from application.operations.call import Call
from application.operations.declaration import operation
from application.operations.fields import SEVERAL, Input, One, View, about
from domain.dunning.ceilings import ceiling_of
from domain.dunning.charges import Charge
from domain.dunning.contact_book import place_of
from domain.dunning.contact_rules import check_contact
from domain.dunning.debtors import Debtor
from domain.dunning.eligibility import (
    Act,
    Case,
    Eligibility,
    Obstacle,
    eligibility_of,
    obstacles_of_contact,
)
from domain.dunning.restrictions import Channel


class ActView(View):
    """Whether one act is possible today."""

    allowed: Annotated[bool, about("Whether nothing stands in the way.")]
    reasons: Annotated[list[str], about("Codes of everything that does.")]
    earliest_on: Annotated[
        date | None,
        about("The first date on which it is possible, where only time is missing."),
    ]


class EligibilityView(View, omit_defaults=True):
    """The acts that were asked about."""

    negativate: Annotated[ActView | None, about("Listing at a credit bureau.")] = None
    protest: Annotated[ActView | None, about("Protest at a notary.")] = None
    agreement: Annotated[ActView | None, about("A new agreement on the debt.")] = None
    notify: Annotated[ActView | None, about("A message to the debtor, by any channel.")] = None
    write_off: Annotated[ActView | None, about("Giving up collecting, by who asks.")] = None


class ChargesEligibility(Input):
    """Which charge, and what one would do about it."""

    id: Annotated[ChargeId, about("The charge.")]
    actions: Annotated[
        tuple[Act, ...], SEVERAL, about("Only these; all of them unless given.")
    ] = ()


@operation(
    "charges_eligibility",
    "GET /charges/{id}/eligibility",
    title="Check what may be done about a charge",
    description=(
        "Whether a charge can be listed at a bureau, protested, renegotiated, notified about or "
        "written off today, everything that stands in the way, and from when on where only time is "
        "missing. Nothing is done by this."
    ),
    permission="charges.read",
)
async def charges_eligibility(call: Call, wanted: ChargesEligibility) -> One[EligibilityView]:
    """Ask the rules; the amounts of today count and are not stored."""
    charge, debtor = await charge_and_debtor(call, wanted.id)
    charge.reprice(call.today, await call.work.rates.all())
    settings = (await call.work.organization()).settings
    acts = wanted.actions or tuple(Act)
    case = Case(
        charge=charge,
        debtor=debtor,
        place=place_of(debtor, await call.work.contact_points.of_debtor(debtor.id)),
        settings=settings,
        ceiling=ceiling_of(call.grant, settings.role_limits),
        today=call.today,
        contact=await _contact(call, charge, debtor) if Act.NOTIFY in acts else (),
    )
    answer = EligibilityView()
    for act in acts:
        setattr(answer, act.value, _view(eligibility_of(case, act)))
    return One(answer)


async def _contact(call: Call, charge: Charge, debtor: Debtor) -> tuple[Obstacle, ...]:
    now = call.business_now
    situation = await situation_of(call, debtor, charge.id, now)
    verdicts = [check_contact(situation, channel, now) for channel in Channel]
    return obstacles_of_contact(verdicts, ZoneInfo(call.grant.tenant.timezone))


def _view(found: Eligibility) -> ActView:
    return ActView(
        allowed=found.is_allowed, reasons=list(found.reasons), earliest_on=found.earliest_on
    )
