"""What is stated of a debtor, and what of it can be kept."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

from domain.dunning.addresses import Address, checked_address
from domain.dunning.documents import Document, PersonType, parse_document
from domain.dunning.free_text import (
    NAME,
    bounded_object,
    distinct_tags,
    external_id_or_none,
    trimmed,
    trimmed_lines_or_none,
    trimmed_or_none,
)
from domain.dunning.languages import Language
from domain.dunning.money import Bounds
from domain.errors import Detail, ValidationError
from domain.texts import Text

_REASON: Final = Bounds(5, 500)
_NOTES: Final = Bounds(1, 2000)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDebtor:
    """What a caller says of a debtor; the document decides the kind of person.

    `is_consumer` None is what the kind of person says.
    """

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Particulars:
    """The same, checked and in the form in which a debtor holds it."""

    name: str
    trade_name: str | None
    document: Document
    person_type: PersonType
    is_consumer: bool
    is_consumer_reason: str | None
    birth_date: date | None
    address: Address | None
    uf: str | None
    language: Language
    tags: tuple[str, ...]
    external_id: str | None
    notes: str | None
    custom_data: Mapping[str, object] | None
    assigned_member_id: str | None


def checked(new: NewDebtor, today: date) -> Particulars:
    """What is stated, as it will be held.

    Raises:
        ValidationError: an invalid document or field, a person type that contradicts the
            document, or an individual without consumer protection and without a reason.
    """
    document = parse_document(new.document)
    _refuse_contradiction(new.person_type, document)
    _refuse_birth_date(new.birth_date, today)
    address = None if new.address is None else checked_address(new.address)
    is_consumer, reason = _consumer(new, document.person_type)
    return Particulars(
        name=trimmed(new.name, "name", NAME),
        trade_name=trimmed_or_none(new.trade_name, "trade_name", NAME),
        document=document,
        person_type=document.person_type,
        is_consumer=is_consumer,
        is_consumer_reason=reason,
        birth_date=new.birth_date,
        address=address,
        uf=None if address is None else address.uf,
        language=new.language,
        tags=distinct_tags(new.tags),
        external_id=external_id_or_none(new.external_id),
        notes=trimmed_lines_or_none(new.notes, "notes", _NOTES),
        custom_data=_custom_data(new.custom_data),
        assigned_member_id=new.assigned_member_id,
    )


def checked_reason(reason: str | None) -> str | None:
    """Why a restriction ends or a debtor is archived, trimmed: 5 to 500 characters.

    Raises:
        ValidationError: no such text.
    """
    return trimmed_lines_or_none(reason, "reason", _REASON)


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
            "O tipo de pessoa contradiz o documento; omita-o.",
            "The person type contradicts the document; leave it out.",
        )
        raise ValidationError(Detail("person_type", "conflicts_with", text))


def _refuse_birth_date(birth_date: date | None, today: date) -> None:
    if birth_date is not None and birth_date >= today:
        text = Text("Informe uma data anterior a hoje.", "Give a date before today.")
        raise ValidationError(Detail("birth_date", "out_of_range", text))
