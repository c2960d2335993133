"""What a debtor list is narrowed by, as conditions on a debtor's row and what hangs on it."""

from collections.abc import Iterable
from datetime import date
from typing import Any, Final

from sqlalchemy import (
    ARRAY,
    Boolean,
    ColumnElement,
    Text,
    and_,
    any_,
    bindparam,
    case,
    cast,
    exists,
    literal,
    or_,
)
from sqlalchemy.dialects.postgresql import JSONB

from adapters.persistence.spans import within
from adapters.persistence.tables import contact_points, debtors
from adapters.persistence.text_filter import has_words, word_patterns
from domain.dunning.contact_points import ContactKind, ContactStatus
from domain.dunning.contact_rules import KINDS_OF
from domain.dunning.debtors import DebtorStatus
from domain.dunning.restrictions import Channel
from domain.ports.debtors import DebtorQuery

_D: Final = debtors.c
_P: Final = contact_points.c


def conditions(query: DebtorQuery) -> Iterable[ColumnElement[bool]]:
    """Everything that is asked of a debtor, but for what they owe."""
    yield from within(_D.created_at, query.created)
    yield from within(_D.updated_at, query.updated)
    yield from _one_of_several(query)
    if query.text is not None:
        yield has_words(_D.search_text, word_patterns(query.text))
    if query.assigned_member_id is not None:
        yield _D.assigned_member_id == query.assigned_member_id
    if query.external_id is not None:
        yield _D.external_id == query.external_id
    if query.contactable is not None:
        can_be = _is_contactable(query.today)
        yield can_be if query.contactable else ~can_be


def _one_of_several(query: DebtorQuery) -> Iterable[ColumnElement[bool]]:
    for column, wanted in (
        (_D.status, query.status),
        (_D.person_type, query.person_type),
        (_D.uf, query.uf),
    ):
        if wanted:
            yield column == any_(_bound(column.name, wanted))
    for column, wanted in ((_D.tags, query.tags), (_D.flags, query.flag)):
        if wanted:
            yield column.bool_op("&&")(_bound(column.name, wanted))


def _bound(name: str, wanted: tuple[str, ...]) -> ColumnElement[Any]:
    return bindparam(f"wanted_{name}", list(wanted), type_=ARRAY(Text))


def _is_contactable(today: date) -> ColumnElement[bool]:
    """Whether anybody may be written to or called at all, by some channel; never null."""
    ban = cast(_D.do_not_contact, JSONB)
    until = ban["until"].astext
    is_banned = and_(
        cast(ban["active"].astext, Boolean), or_(until.is_(None), until >= today.isoformat())
    )
    reachable = exists().where(
        _P.organization_id == _D.organization_id,
        _P.debtor_id == _D.id,
        _P.status == ContactStatus.ACTIVE,
        ~_channels_of_the_kind().bool_op("<@")(cast(_D.opted_out_channels, ARRAY(Text))),
    )
    # Every flag raises a hold on outbound contact.
    return and_(_D.status == DebtorStatus.ACTIVE, _D.flags == [], ~is_banned, reachable)


def _channels_of_the_kind() -> ColumnElement[Any]:
    return case(
        *((_P.kind == kind, literal(_channels(kind), ARRAY(Text))) for kind in ContactKind),
    )


def _channels(kind: ContactKind) -> list[str]:
    # WhatsApp goes to its own contact points where there are some, else to a mobile number.
    own = [Channel.WHATSAPP] if kind is ContactKind.WHATSAPP else []
    return [
        channel.value
        for channel in (*own, *KINDS_OF)
        if channel in own or kind in KINDS_OF[channel]
    ]
