"""Whether a debtor may be contacted by a channel at an instant, why not, and when they may be."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from domain.dunning.calendar import Calendar
from domain.dunning.contact_book import place_of
from domain.dunning.contact_points import ContactKind, ContactPoint, ContactStatus, Relation
from domain.dunning.contact_windows import LegalWindow, Window, legal_window
from domain.dunning.debtors import Debtor, DebtorStatus
from domain.dunning.documents import PersonType
from domain.dunning.holds import Blocks, Hold, HoldCode, blocking
from domain.dunning.interactions import InteractionChannel
from domain.dunning.organization_settings import Settings
from domain.dunning.restrictions import Channel

ROLLING_DAYS: Final = 7
"""The days over which the weekly cap counts, the day of the contact included."""


class ContactReason(StrEnum):
    """Why a contact is not allowed, in the order in which reasons are told."""

    OUTSIDE_WINDOW = "outside_window"
    HOLIDAY = "holiday"
    DAILY_CAP = "daily_cap"
    WEEKLY_CAP = "weekly_cap"
    VOICE_CAP = "voice_cap"
    OPTED_OUT = "opted_out"
    DO_NOT_CONTACT = "do_not_contact"
    NO_CONTACT_POINT = "no_contact_point"
    CONTACT_INVALID = "contact_invalid"
    THIRD_PARTY_CONTACT = "third_party_contact"
    DECEASED = "deceased"
    MINOR = "minor"
    LAWYER = "lawyer"
    JUDICIAL_RECOVERY = "judicial_recovery"
    BANKRUPT = "bankrupt"
    OVER_INDEBTED_PLAN = "over_indebted_plan"
    PRESCRIBED = "prescribed"
    MANUAL = "manual"
    TOLERANCE = "tolerance"
    ARCHIVED = "archived"


class PastContact(NamedTuple):
    """An outbound contact that took place."""

    at: datetime
    channel: InteractionChannel


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """All that decides. `calendar` is the wide one of the debtor's place.

    `holds_on` gives the holds that stand on a day; `contacts` are the outbound ones of at least
    the seven days before any instant that is asked about.
    """

    debtor: Debtor
    points: Sequence[ContactPoint]
    holds_on: Callable[[date], Sequence[Hold]]
    settings: Settings
    calendar: Calendar
    contacts: Sequence[PastContact]

    @property
    def zone(self) -> ZoneInfo:
        """The debtor's time zone."""
        return ZoneInfo(self.debtor.timezone)

    @property
    def uf(self) -> str | None:
        """The state whose law binds: that of the address, else that of the first active phone."""
        return place_of(self.debtor, self.points).uf

    def law_on(self, day: date) -> LegalWindow:
        """The law on contact hours on a local day."""
        return legal_window(self.uf, day)

    def hours_on(self, day: date) -> Window | None:
        """The hours of a local day; None on Sundays, holidays, and wherever there are none."""
        return None if self.calendar.is_holiday(day) else self.weekly_hours_on(day)

    def weekly_hours_on(self, day: date) -> Window | None:
        """The same, holidays aside: the legal hours, narrowed by the creditor's own."""
        legal = self.law_on(day).on(day)
        return None if legal is None else self.settings.contact_windows.narrowed(legal, day)

    def used_on(self, day: date) -> "Used":
        """The contacts that count towards the caps on a local day."""
        days = [(past.at.astimezone(self.zone).date(), past.channel) for past in self.contacts]
        first = day - timedelta(days=ROLLING_DAYS - 1)
        return Used(
            per_day=sum(on == day for on, _ in days),
            per_7_days=sum(first <= on <= day for on, _ in days),
            voice_per_day=sum(on == day and by is InteractionChannel.VOICE for on, by in days),
        )


class Used(NamedTuple):
    """How much of the frequency caps is used up."""

    per_day: int
    per_7_days: int
    voice_per_day: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """`reasons` is empty where the contact is allowed.

    `next_allowed_at`, in UTC, is there where waiting is enough.
    """

    reasons: tuple[ContactReason, ...]
    next_allowed_at: datetime | None = None

    @property
    def is_allowed(self) -> bool:
        """Whether nothing speaks against it."""
        return not self.reasons


def check_contact(situation: Situation, channel: Channel, at: datetime) -> Verdict:
    """Decide on one contact of the debtor; every policy, message and check asks here."""
    found = set(_reasons(situation, channel, at))
    reasons = tuple(reason for reason in ContactReason if reason in found)
    return Verdict(reasons, _next_allowed(situation, channel, at) if reasons else None)


def _reasons(situation: Situation, channel: Channel, at: datetime) -> Iterator[ContactReason]:
    local = at.astimezone(situation.zone)
    day = local.date()
    if channel is not Channel.LETTER:
        window = situation.weekly_hours_on(day)
        if window is None or not window.start <= local.time() < window.end:
            yield ContactReason.OUTSIDE_WINDOW
        if situation.calendar.is_holiday(day):
            yield ContactReason.HOLIDAY
    yield from _caps(situation, channel, day)
    yield from _standing(situation, channel)
    for hold in blocking(situation.holds_on(day), Blocks.OUTBOUND):
        yield _REASON_OF[hold.code]


def _caps(situation: Situation, channel: Channel, day: date) -> Iterator[ContactReason]:
    caps, used = situation.settings.frequency_caps, situation.used_on(day)
    if used.per_day >= caps.per_day:
        yield ContactReason.DAILY_CAP
    if used.per_7_days >= caps.per_7_days:
        yield ContactReason.WEEKLY_CAP
    if channel is Channel.VOICE and used.voice_per_day >= caps.voice_per_day:
        yield ContactReason.VOICE_CAP


def _standing(situation: Situation, channel: Channel) -> Iterator[ContactReason]:
    """What no time heals."""
    debtor = situation.debtor
    if debtor.status is not DebtorStatus.ACTIVE:
        yield ContactReason.ARCHIVED
    if channel in debtor.opted_out_channels:
        yield ContactReason.OPTED_OUT
    missing = _missing_point(debtor, _points_for(channel, situation.points))
    if channel is Channel.LETTER and debtor.address is not None:
        # A letter needs no contact point: it goes to the debtor's own address.
        missing &= {ContactReason.OPTED_OUT}
    yield from missing


def _points_for(channel: Channel, points: Sequence[ContactPoint]) -> list[ContactPoint]:
    if channel is Channel.WHATSAPP and any(p.kind is ContactKind.WHATSAPP for p in points):
        return [point for point in points if point.kind is ContactKind.WHATSAPP]
    return [point for point in points if point.kind in KINDS_OF[channel]]


def _missing_point(debtor: Debtor, points: Sequence[ContactPoint]) -> set[ContactReason]:
    """Why none of `points` can be used; empty where one can."""
    own = [point for point in points if not _is_third_party(debtor, point)]
    if any(point.is_active for point in own):
        return set()
    if not own:
        return {ContactReason.THIRD_PARTY_CONTACT if points else ContactReason.NO_CONTACT_POINT}
    return {_REASON_OF_STATUS[point.status] for point in own}


def _is_third_party(debtor: Debtor, point: ContactPoint) -> bool:
    """Whose number it is matters: an individual's company is an employer (CDC art. 42)."""
    if point.relation is Relation.COMPANY_CONTACT:
        return debtor.person_type is PersonType.INDIVIDUAL
    return point.relation is Relation.GUARANTOR


def _next_allowed(situation: Situation, channel: Channel, at: datetime) -> datetime | None:
    if any(_standing(situation, channel)):
        return None
    day = at.astimezone(situation.zone).date()
    for _ in range(_FURTHEST_DAYS):
        held = blocking(situation.holds_on(day), Blocks.OUTBOUND)
        if any(hold.until is None for hold in held):
            return None
        opening = None if held else _opening(situation, channel, day, at)
        if opening is not None:
            return opening.astimezone(UTC)
        day = max((hold.until for hold in held if hold.until), default=day) + _ONE_DAY
    return None


def _opening(
    situation: Situation, channel: Channel, day: date, earliest: datetime
) -> datetime | None:
    """The first instant of a local day, not before `earliest`, that hours and caps allow."""
    if any(_caps(situation, channel, day)):
        return None
    if channel is Channel.LETTER:
        return max(earliest, datetime.combine(day, time(), situation.zone))
    hours = situation.hours_on(day)
    if hours is None:
        return None
    opens = datetime.combine(day, hours.start, situation.zone)
    closes = datetime.combine(day, hours.end, situation.zone)
    first = max(earliest, opens)
    return first if first < closes else None


_ONE_DAY: Final = timedelta(days=1)
# Hours that are narrowed to nothing on every day never come.
_FURTHEST_DAYS: Final = 60

KINDS_OF: Final[Mapping[Channel, frozenset[ContactKind]]] = {
    Channel.EMAIL: frozenset({ContactKind.EMAIL}),
    Channel.SMS: frozenset({ContactKind.MOBILE}),
    Channel.WHATSAPP: frozenset({ContactKind.MOBILE}),
    Channel.VOICE: frozenset({ContactKind.MOBILE, ContactKind.PHONE}),
    Channel.LETTER: frozenset({ContactKind.POSTAL}),
}
"""Which contact points a channel reaches."""

_REASON_OF_STATUS: Final = {
    ContactStatus.INVALID: ContactReason.CONTACT_INVALID,
    ContactStatus.OPTED_OUT: ContactReason.OPTED_OUT,
}
_REASON_OF: Final[Mapping[HoldCode, ContactReason]] = {
    HoldCode.MANUAL: ContactReason.MANUAL,
    HoldCode.DO_NOT_CONTACT: ContactReason.DO_NOT_CONTACT,
    HoldCode.DECEASED: ContactReason.DECEASED,
    HoldCode.MINOR: ContactReason.MINOR,
    HoldCode.REPRESENTED_BY_LAWYER: ContactReason.LAWYER,
    HoldCode.JUDICIAL_RECOVERY: ContactReason.JUDICIAL_RECOVERY,
    HoldCode.BANKRUPT: ContactReason.BANKRUPT,
    HoldCode.OVER_INDEBTED_PLAN: ContactReason.OVER_INDEBTED_PLAN,
    HoldCode.PRESCRIBED: ContactReason.PRESCRIBED,
    HoldCode.TOLERANCE: ContactReason.TOLERANCE,
}
