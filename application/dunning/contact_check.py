"""Whether, how and when a debtor may be contacted."""

from collections.abc import Callable, Sequence
from datetime import date, datetime, time, timedelta
from typing import Annotated, Final

from application.dunning.charge_input import DebtorId
from application.dunning.charges import ChargeId
from application.operations.call import Call
from application.operations.declaration import operation
from application.operations.fields import Input, One, View, about
from domain.dunning.charges import Charge
from domain.dunning.contact_book import place_of
from domain.dunning.contact_rules import (
    ROLLING_DAYS,
    ContactReason,
    Situation,
    Verdict,
    check_contact,
)
from domain.dunning.debtors import Debtor
from domain.dunning.holds import Hold, debtor_holds, holds_of
from domain.dunning.holidays import wide_calendar
from domain.dunning.restrictions import Channel
from domain.errors import Detail, NotFoundError, ValidationError, not_found
from domain.texts import Text

_BEHIND: Final = timedelta(days=1)
_AHEAD: Final = timedelta(days=60)


class ChannelCheck(View):
    """Whether one channel may be used."""

    channel: Annotated[Channel, about("The channel.")]
    allowed: Annotated[bool, about("Whether nothing speaks against it.")]
    reasons: Annotated[list[ContactReason], about("Everything that speaks against it.")]
    next_allowed_at: Annotated[
        datetime | None, about("When it will be allowed, where waiting is enough.")
    ]


class WindowOfDay(View):
    """The contact hours of the debtor's day; null hours when there are none."""

    date: Annotated[date, about("The day where the debtor is.")]
    timezone: Annotated[str, about("The debtor's IANA time zone.")]
    uf: Annotated[str | None, about("The state whose law holds; null is the general rule.")]
    start: Annotated[str | None, about("From, as HH:MM local time.")]
    end: Annotated[str | None, about("Up to, as HH:MM local time; that minute is outside.")]
    source: Annotated[str, about("The law.")]


class CapUse(View):
    """One frequency cap."""

    used: Annotated[int, about("Outbound contacts that count.")]
    limit: Annotated[int, about("So many are allowed.")]


class CapsUsed(View):
    """How far the frequency caps are used up on that day, over all channels and charges."""

    per_day: Annotated[CapUse, about("On the day.")]
    per_7_days: Annotated[CapUse, about("On the day and the six before it.")]
    voice_per_day: Annotated[CapUse, about("Calls on the day.")]


class ContactCheck(View):
    """Whether, how and when a debtor may be contacted."""

    allowed: Annotated[bool, about("Whether any of the channels may be used.")]
    channels: Annotated[list[ChannelCheck], about("Each channel that was asked about.")]
    window: Annotated[WindowOfDay, about("Contact hours of that day.")]
    caps_used: Annotated[CapsUsed, about("Frequency caps.")]


class DebtorsContactCheck(Input):
    """Whom, how, when and about what one would contact."""

    id: Annotated[DebtorId, about("The debtor.")]
    channel: Annotated[Channel | None, about("Only this channel; all of them unless given.")] = None
    at: Annotated[
        datetime | None, about("When; now unless given, from yesterday to 60 days ahead.")
    ] = None
    charge_id: Annotated[ChargeId | None, about("The debtor's charge it would be about.")] = None


@operation(
    "debtors_contact_check",
    "GET /debtors/{id}/contact_check",
    title="Check whether contact is allowed",
    description=(
        "Whether the debtor may be contacted now or at another time, by which channel, why not, "
        "and from when on. Nobody is contacted by this."
    ),
    permission="debtors.read",
)
async def debtors_contact_check(call: Call, wanted: DebtorsContactCheck) -> One[ContactCheck]:
    """Ask the contact rules; nothing is changed."""
    debtor = await call.work.debtors.find(wanted.id)
    if debtor is None:
        raise NotFoundError
    at = _instant(call, wanted.at)
    situation = await situation_of(call, debtor, wanted.charge_id, at)
    channels = tuple(Channel) if wanted.channel is None else (wanted.channel,)
    checks = [_check(channel, check_contact(situation, channel, at)) for channel in channels]
    day = at.astimezone(situation.zone).date()
    return One(
        ContactCheck(
            allowed=any(check.allowed for check in checks),
            channels=checks,
            window=_window(situation, day),
            caps_used=_caps(situation, day),
        )
    )


def _instant(call: Call, wanted: datetime | None) -> datetime:
    now = call.business_now
    at = wanted or now
    if not now - _BEHIND <= at <= now + _AHEAD:
        text = Text(
            "Informe um momento entre ontem e 60 dias à frente.",
            "Give an instant between yesterday and 60 days ahead.",
        )
        raise ValidationError(Detail("at", "out_of_range", text))
    return at


async def situation_of(
    call: Call, debtor: Debtor, charge_id: str | None, at: datetime
) -> Situation:
    """What decides on a contact about one of the debtor's charges, or about none."""
    charge = await _charge_of(call, debtor, charge_id)
    organization = await call.work.organization()
    points = await call.work.contact_points.of_debtor(debtor.id)
    # A local day may begin up to a day before the instant's own date begins elsewhere.
    since = datetime.combine(at.date(), time(), at.tzinfo) - timedelta(days=ROLLING_DAYS)
    return Situation(
        debtor=debtor,
        points=points,
        holds_on=_holds_on(debtor, charge),
        settings=organization.settings,
        calendar=wide_calendar(await call.work.holidays.all(), place_of(debtor, points)),
        contacts=await call.work.interactions.outbound_since(debtor.id, since),
    )


async def _charge_of(call: Call, debtor: Debtor, charge_id: str | None) -> Charge | None:
    if charge_id is None:
        return None
    charge = await call.work.charges.find(charge_id)
    if charge is None or charge.debtor_id != debtor.id:
        raise ValidationError(not_found("charge_id"))
    return charge


def _holds_on(debtor: Debtor, charge: Charge | None) -> Callable[[date], Sequence[Hold]]:
    def holds_on(day: date) -> Sequence[Hold]:
        if charge is None:
            return debtor_holds(debtor, day)
        # A charge that is not owed has no holds, while those of the debtor stand.
        return holds_of(charge, debtor, day) or debtor_holds(debtor, day)

    return holds_on


def _check(channel: Channel, verdict: Verdict) -> ChannelCheck:
    return ChannelCheck(
        channel=channel,
        allowed=verdict.is_allowed,
        reasons=list(verdict.reasons),
        next_allowed_at=verdict.next_allowed_at,
    )


def _window(situation: Situation, day: date) -> WindowOfDay:
    law, hours = situation.law_on(day), situation.hours_on(day)
    return WindowOfDay(
        date=day,
        timezone=situation.debtor.timezone,
        uf=law.uf,
        start=None if hours is None else f"{hours.start:%H:%M}",
        end=None if hours is None else f"{hours.end:%H:%M}",
        source=law.source,
    )


def _caps(situation: Situation, day: date) -> CapsUsed:
    caps, used = situation.settings.frequency_caps, situation.used_on(day)
    return CapsUsed(
        per_day=CapUse(used=used.per_day, limit=caps.per_day),
        per_7_days=CapUse(used=used.per_7_days, limit=caps.per_7_days),
        voice_per_day=CapUse(used=used.voice_per_day, limit=caps.voice_per_day),
    )
