"""A debtor as a caller states them, new or changed."""

from dataclasses import fields, replace
from datetime import date
from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import asdict

from application.dunning.charge_input import Code, DebtorId, MemberId
from application.dunning.contact_point_input import ContactPointInput
from application.dunning.lists import Tag
from application.dunning.settings_input import AddressInput, DocumentText, Line
from application.operations.fields import Input, about
from domain.dunning.addresses import Address
from domain.dunning.debtors import Debtor, DebtorChange, DebtorStatus
from domain.dunning.documents import PersonType
from domain.dunning.languages import Language
from domain.dunning.new_debtors import NewDebtor
from domain.dunning.restrictions import Channel, DebtorFlag, DoNotContact, DoNotContactReason

Reason = Annotated[str, Meta(min_length=5, max_length=500)]
Notes = Annotated[str, Meta(min_length=1, max_length=2000)]
Tags = Annotated[tuple[Tag, ...], Meta(max_length=20)]
CustomData = dict[str, object]


class DebtorFields(Input):
    """What is stated of a new debtor."""

    name: Annotated[Line, about("Name of the person or company.")]
    document: Annotated[DocumentText, about("CPF or CNPJ, with or without punctuation.")]
    person_type: Annotated[
        PersonType | None, about("Follows from the document; a contradiction is refused.")
    ] = None
    trade_name: Annotated[Line | None, about("Trade name.")] = None
    birth_date: Annotated[date | None, about("Date of birth.")] = None
    is_consumer: Annotated[
        bool | None, about("Whether consumer law protects the debtor; people are unless said.")
    ] = None
    is_consumer_reason: Annotated[
        Reason | None, about("Needed for a person who is no consumer.")
    ] = None
    address: Annotated[AddressInput | None, about("Where letters go; decides the time zone.")] = (
        None
    )
    language: Annotated[Language, about("Language in which the debtor is written to.")] = (
        Language.PORTUGUESE
    )
    tags: Annotated[Tags, about("Up to 20 tags.")] = ()
    external_id: Annotated[
        Code | None, about("Your own id of the debtor, unique in the organisation; never a CPF.")
    ] = None
    notes: Annotated[Notes | None, about("Notes for your own team.")] = None
    custom_data: Annotated[CustomData | None, about("Your own JSON object, at most 8 KB.")] = None
    assigned_member_id: Annotated[
        MemberId | None, about("The member who works with the debtor.")
    ] = None


class DebtorsCreate(DebtorFields, kw_only=True):
    """A new debtor, and how they can be reached."""

    contact_points: Annotated[
        Annotated[tuple[ContactPointInput, ...], Meta(max_length=10)],
        about("Up to 10 e-mails, phones and addresses."),
    ] = ()


class DoNotContactInput(Struct, kw_only=True, forbid_unknown_fields=True):
    """A ban on contact, whole."""

    active: Annotated[bool, about("Whether nobody may contact the debtor; letters of law may.")]
    reason: Annotated[DoNotContactReason | None, about("Why; needed while it is active.")] = None
    since: Annotated[date | None, about("From this date; today unless given.")] = None
    until: Annotated[date | None, about("Up to and including this date; no end unless given.")] = (
        None
    )


class DebtorsUpdate(Input):
    """What is to be different of a debtor; what is left out stays."""

    id: Annotated[DebtorId, about("The debtor.")]
    version: Annotated[
        Annotated[int, Meta(ge=1)] | None, about("The version you have read, to lose no change.")
    ] = None
    name: Annotated[Line | UnsetType, about("Name of the person or company.")] = UNSET
    document: Annotated[
        DocumentText | UnsetType, about("CPF or CNPJ; fixed from the first charge on.")
    ] = UNSET
    person_type: Annotated[
        PersonType | UnsetType, about("Follows from the document; a contradiction is refused.")
    ] = UNSET
    trade_name: Annotated[Line | UnsetType | None, about("Trade name.")] = UNSET
    birth_date: Annotated[date | UnsetType | None, about("Date of birth.")] = UNSET
    is_consumer: Annotated[bool | UnsetType, about("Whether consumer law protects the debtor.")] = (
        UNSET
    )
    is_consumer_reason: Annotated[
        Reason | UnsetType | None, about("Needed for a person who is no consumer.")
    ] = UNSET
    address: Annotated[
        AddressInput | UnsetType | None,
        about("Where letters go, whole; moves the time zone and no charge's dates."),
    ] = UNSET
    language: Annotated[Language | UnsetType, about("Language of messages.")] = UNSET
    tags: Annotated[Tags | UnsetType, about("All tags, up to 20.")] = UNSET
    external_id: Annotated[
        Code | UnsetType | None, about("Your own id of the debtor; never a CPF.")
    ] = UNSET
    notes: Annotated[Notes | UnsetType | None, about("Notes for your own team.")] = UNSET
    custom_data: Annotated[CustomData | UnsetType | None, about("Your own JSON object, whole.")] = (
        UNSET
    )
    assigned_member_id: Annotated[
        MemberId | UnsetType | None, about("The member who works with the debtor.")
    ] = UNSET
    status: Annotated[
        Literal["active"] | UnsetType,
        about("Brings an archived debtor back; debtors_archive and debtors_anonymize do the rest."),
    ] = UNSET
    flags: Annotated[
        tuple[DebtorFlag, ...] | UnsetType, about("All facts that limit collection.")
    ] = UNSET
    do_not_contact: Annotated[DoNotContactInput | UnsetType, about("The ban on contact.")] = UNSET
    opted_out_channels: Annotated[
        tuple[Channel, ...] | UnsetType, about("All channels that the debtor refuses.")
    ] = UNSET
    reason: Annotated[
        Reason | None, about("Why; needed to remove a flag, a refused channel or the ban.")
    ] = None


def new_debtor(wanted: DebtorFields) -> NewDebtor:
    """What the caller states, in the words of the rules."""
    return NewDebtor(**{name: _in_rules(getattr(wanted, name)) for name in _STATED})


def wanted_debtor(wanted: DebtorsUpdate, debtor: Debtor) -> DebtorChange:
    """All of the debtor as the caller wants it."""
    sent: dict[str, Any] = {
        name: _in_rules(value)
        for name in (*_STATED, *_LIMITING)
        if (value := getattr(wanted, name)) is not UNSET
    }
    stated = {name: sent.pop(name) for name in _STATED if name in sent}
    return replace(
        DebtorChange(
            stated=replace(debtor.stated, **stated),
            status=debtor.status if wanted.status is UNSET else DebtorStatus.ACTIVE,
            flags=debtor.flags,
            do_not_contact=debtor.do_not_contact,
            opted_out_channels=debtor.opted_out_channels,
            reason=wanted.reason,
            version=wanted.version,
        ),
        **sent,
    )


def _in_rules(value: Any) -> Any:  # noqa: ANN401 -- a field of any type
    if isinstance(value, AddressInput):
        return Address(**asdict(value))
    return DoNotContact(**asdict(value)) if isinstance(value, DoNotContactInput) else value


_STATED: Final = tuple(one.name for one in fields(NewDebtor))
_LIMITING: Final = ("flags", "do_not_contact", "opted_out_channels")
