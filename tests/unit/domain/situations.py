"""Situations in which somebody would contact a debtor in São Paulo who has everything."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from domain.dunning.calendar import NATIONAL_WIDE
from domain.dunning.contact_book import ContactBook
from domain.dunning.contact_points import ContactKind, ContactSource
from domain.dunning.contact_rules import PastContact, Situation, check_contact
from domain.dunning.debtors import Debtor
from domain.dunning.holds import debtor_holds
from domain.dunning.interactions import InteractionChannel
from domain.dunning.new_contact_points import NewContactPoint
from domain.dunning.organization_settings import Settings
from domain.dunning.restrictions import Channel
from tests.unit.domain.builders import ADDRESS, NOW, a_debtor

SAO_PAULO: Final = ZoneInfo("America/Sao_Paulo")
MANAUS: Final = ZoneInfo("America/Manaus")
EMAIL: Final = NewContactPoint(
    kind=ContactKind.EMAIL, source=ContactSource.DEBTOR, value="paulo@example.com"
)
MOBILE: Final = NewContactPoint(
    kind=ContactKind.MOBILE, source=ContactSource.DEBTOR, value="+5511912345678"
)
WHATSAPP: Final = replace(MOBILE, kind=ContactKind.WHATSAPP)
ALL_KINDS: Final = (EMAIL, MOBILE, WHATSAPP)


def at(day: str, time: str, zone: ZoneInfo = SAO_PAULO) -> datetime:
    return datetime.fromisoformat(f"{day}T{time}").replace(tzinfo=zone)


def in_uf(uf: str, **fields: Any) -> Debtor:
    return a_debtor(address=replace(ADDRESS, uf=uf), **fields)


def a_situation(
    debtor: Debtor | None = None, points: Sequence[NewContactPoint] = ALL_KINDS, **fields: Any
) -> Situation:
    debtor = debtor or in_uf("SP")
    book = ContactBook(debtor, [])
    for number, new in enumerate(points):
        book.add(f"cpt_{number}", new, NOW)
    situation = Situation(
        debtor=debtor,
        points=book.points,
        holds_on=lambda day: debtor_holds(debtor, day),
        settings=Settings(),
        calendar=NATIONAL_WIDE,
        contacts=(),
    )
    return replace(situation, **fields)


def reasons(situation: Situation, channel: Channel, instant: datetime) -> list[str]:
    return [reason.value for reason in check_contact(situation, channel, instant).reasons]


def next_allowed(situation: Situation, channel: Channel, instant: datetime) -> datetime | None:
    return check_contact(situation, channel, instant).next_allowed_at


def contacts(
    *instants: datetime, by: InteractionChannel = InteractionChannel.EMAIL
) -> tuple[PastContact, ...]:
    return tuple(PastContact(instant, by) for instant in instants)
