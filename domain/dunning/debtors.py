"""The debtor: who owes, whether consumer law protects them, and how they may be approached."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Final

from domain.dunning.addresses import Address, checked_address
from domain.dunning.brazil import UF_TIMEZONES
from domain.dunning.documents import Document, PersonType, parse_document
from domain.dunning.events import Event, EventSource
from domain.dunning.free_text import (
    EXTERNAL_ID,
    NAME,
    bounded_object,
    distinct_tags,
    trimmed,
    trimmed_lines_or_none,
    trimmed_or_none,
)
from domain.dunning.languages import Language
from domain.dunning.moment import Moment
from domain.dunning.money import Bounds
from domain.dunning.organizations import Organization
from domain.dunning.text_search import search_text
from domain.errors import Detail, ValidationError
from domain.texts import Text

_NOTES: Final = Bounds(1, 2000)
_REASON: Final = Bounds(5, 500)


class DebtorStatus(StrEnum):
    """Whether a debtor can have new charges; `anonymized` is final."""

    ACTIVE = "active"
    ARCHIVED = "archived"
    ANONYMIZED = "anonymized"


class DebtorFlag(StrEnum):
    """A fact about the person that limits collection."""

    DECEASED = "deceased"
    REPRESENTED_BY_LAWYER = "represented_by_lawyer"
    JUDICIAL_RECOVERY = "judicial_recovery"
    BANKRUPT = "bankrupt"
    OVER_INDEBTED_PLAN = "over_indebted_plan"
    MINOR = "minor"


class Channel(StrEnum):
    """A way to reach a debtor."""

    EMAIL = "email"
    SMS = "sms"
    WHATSAPP = "whatsapp"
    VOICE = "voice"
    LETTER = "letter"


class DoNotContactReason(StrEnum):
    """Why nobody may contact a debtor."""

    REQUEST = "request"
    LAWYER = "lawyer"
    DECEASED = "deceased"
    COURT_ORDER = "court_order"
    VULNERABLE = "vulnerable"


@dataclass(frozen=True, slots=True, kw_only=True)
class DoNotContact:
    """A ban on every outbound contact except legal notices by letter."""

    active: bool = False
    reason: DoNotContactReason | None = None
    since: date | None = None
    until: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDebtor:
    """What a caller says of a debtor; the document decides the kind of person."""

    name: str
    document: str
    person_type: PersonType | None = None
    trade_name: str | None = None
    is_consumer: bool | None = None
    is_consumer_reason: str | None = None
    birth_date: date | None = None
    address: Address | None = None
    language: Language = Language.PORTUGUESE
    tags: tuple[str, ...] = ()
    external_id: str | None = None
    notes: str | None = None
    custom_data: Mapping[str, object] | None = None
    assigned_member_id: str | None = None


@dataclass(kw_only=True, eq=False)
class Debtor(EventSource):
    """A person or company that owes; one per document and organisation.

    `search_text` is the folded shadow of name, trade name and external id.
    """

    id: str
    organization_id: str
    name: str
    trade_name: str | None
    document: Document
    person_type: PersonType
    is_consumer: bool
    is_consumer_reason: str | None
    birth_date: date | None
    address: Address | None
    uf: str | None
    timezone: str
    language: Language
    tags: tuple[str, ...]
    external_id: str | None
    notes: str | None
    custom_data: Mapping[str, object] | None
    assigned_member_id: str | None
    status: DebtorStatus
    do_not_contact: DoNotContact
    opted_out_channels: tuple[Channel, ...]
    flags: tuple[DebtorFlag, ...]
    search_text: str
    version: int
    created_at: datetime
    updated_at: datetime

    @classmethod
    def register(
        cls, debtor_id: str, new: NewDebtor, organization: Organization, moment: Moment
    ) -> "Debtor":
        """A new active debtor.

        Raises:
            ValidationError: an invalid document or field, a person type that contradicts the
                document, or an individual without consumer protection and without a reason.
        """
        document = parse_document(new.document)
        _refuse_contradiction(new.person_type, document)
        _refuse_birth_date(new.birth_date, moment.today)
        name = trimmed(new.name, "name", NAME)
        trade_name = trimmed_or_none(new.trade_name, "trade_name", NAME)
        external_id = trimmed_or_none(new.external_id, "external_id", EXTERNAL_ID)
        address = None if new.address is None else checked_address(new.address)
        uf = None if address is None else address.uf
        is_consumer, reason = _consumer(new, document.person_type)
        debtor = cls(
            id=debtor_id,
            organization_id=organization.id,
            name=name,
            trade_name=trade_name,
            document=document,
            person_type=document.person_type,
            is_consumer=is_consumer,
            is_consumer_reason=reason,
            birth_date=new.birth_date,
            address=address,
            uf=uf,
            timezone=organization.timezone if uf is None else UF_TIMEZONES[uf],
            language=new.language,
            tags=distinct_tags(new.tags),
            external_id=external_id,
            notes=trimmed_lines_or_none(new.notes, "notes", _NOTES),
            custom_data=_custom_data(new.custom_data),
            assigned_member_id=new.assigned_member_id,
            status=DebtorStatus.ACTIVE,
            do_not_contact=DoNotContact(),
            opted_out_channels=(),
            flags=(),
            search_text=search_text([name, trade_name, external_id]),
            version=1,
            created_at=moment.instant,
            updated_at=moment.instant,
        )
        debtor.events.append(_created(debtor))
        return debtor


def _created(debtor: Debtor) -> Event:
    data = {
        "id": debtor.id,
        "external_id": debtor.external_id,
        "person_type": debtor.person_type.value,
        "is_consumer": debtor.is_consumer,
        "uf": debtor.uf,
        "status": debtor.status.value,
    }
    return Event(type="debtor.created", resource_type="debtor", resource_id=debtor.id, data=data)


def _custom_data(value: Mapping[str, object] | None) -> Mapping[str, object] | None:
    return None if value is None else bounded_object(value, "custom_data")


def _consumer(new: NewDebtor, person_type: PersonType) -> tuple[bool, str | None]:
    is_individual = person_type is PersonType.INDIVIDUAL
    is_consumer = is_individual if new.is_consumer is None else new.is_consumer
    reason = trimmed_or_none(new.is_consumer_reason, "is_consumer_reason", _REASON)
    if is_individual and not is_consumer and reason is None:
        text = Text(
            "Diga por que esta pessoa física não é consumidora.",
            "Say why this individual is no consumer.",
        )
        raise ValidationError(Detail("is_consumer_reason", "required_with", text))
    return is_consumer, reason


def _refuse_contradiction(person_type: PersonType | None, document: Document) -> None:
    if person_type not in (None, document.person_type):
        text = Text(
            "O tipo de pessoa contradiz o documento.", "The person type contradicts the document."
        )
        raise ValidationError(Detail("person_type", "conflicts_with", text))


def _refuse_birth_date(birth_date: date | None, today: date) -> None:
    if birth_date is not None and birth_date >= today:
        text = Text("Informe uma data anterior a hoje.", "Give a date before today.")
        raise ValidationError(Detail("birth_date", "out_of_range", text))
