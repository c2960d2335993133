"""A new contact point as a caller states it, and the check that gives it its normal form."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from domain.dunning.addresses import Address, checked_address
from domain.dunning.contact_points import (
    CheckedContactPoint,
    ContactKind,
    ContactSource,
    Relation,
    contact_label,
)
from domain.dunning.emails import email_address
from domain.dunning.phones import landline_number, mobile_number
from domain.dunning.text_search import fold
from domain.errors import Detail, ValidationError
from domain.texts import Text

_ELECTRONIC: Final = frozenset({ContactKind.EMAIL, ContactKind.MOBILE, ContactKind.WHATSAPP})


@dataclass(frozen=True, slots=True, kw_only=True)
class NewContactPoint:
    """What a caller says of a contact point: an `address` where it is postal, else a `value`."""

    kind: ContactKind
    source: ContactSource
    value: str | None = None
    address: Address | None = None
    relation: Relation = Relation.SELF
    label: str | None = None
    is_primary: bool = False
    usable_as_legal_notice: bool = False


def checked_contact_point(new: NewContactPoint) -> CheckedContactPoint:
    """The contact point with value, address and label in their normal form.

    Raises:
        ValidationError: `required_with` or `conflicts_with` between kind, value, address, source
            and legal notice; an e-mail, phone number, address or label that is none.
    """
    if details := (*_mismatches(new), *_no_legal_notice(new)):
        raise ValidationError(*details)
    address = None if new.address is None else checked_address(new.address)
    return CheckedContactPoint(
        kind=new.kind,
        source=new.source,
        value=_normal_value(new.kind, new.value or "") if address is None else _one_line(address),
        address=address,
        relation=new.relation,
        label=contact_label(new.label),
        is_primary=new.is_primary,
        usable_as_legal_notice=new.usable_as_legal_notice,
    )


def _normal_value(kind: ContactKind, value: str) -> str:
    return _NORMAL[kind](value, "value")


def _one_line(address: Address) -> str:
    parts = (
        address.street,
        address.number,
        address.complement,
        address.district,
        address.city,
        address.uf,
        address.zipcode,
    )
    return fold(", ".join(part for part in parts if part))


def _mismatches(new: NewContactPoint) -> Iterator[Detail]:
    is_postal = new.kind is ContactKind.POSTAL
    needed, excluded = ("address", "value") if is_postal else ("value", "address")
    if getattr(new, needed) is None:
        yield Detail(needed, "required_with", _ADDRESS_NEEDED if is_postal else _VALUE_NEEDED)
    if getattr(new, excluded) is not None:
        yield Detail(excluded, "conflicts_with", _ADDRESS_NEEDED if is_postal else _VALUE_NEEDED)


def _no_legal_notice(new: NewContactPoint) -> Iterator[Detail]:
    """An electronic prior notice counts where the debtor gave the address (STJ, Tema 1.315)."""
    if new.usable_as_legal_notice and not (
        new.kind in _ELECTRONIC and new.source is ContactSource.DEBTOR
    ):
        yield Detail("usable_as_legal_notice", "conflicts_with", _NO_LEGAL_NOTICE)


_NORMAL: Final[Mapping[ContactKind, Callable[[str, str], str]]] = {
    ContactKind.EMAIL: email_address,
    ContactKind.MOBILE: mobile_number,
    ContactKind.WHATSAPP: mobile_number,
    ContactKind.PHONE: landline_number,
}
_ADDRESS_NEEDED: Final = Text(
    "Um contato postal tem address e não value.",
    "A postal contact point has an address and no value.",
)
_VALUE_NEEDED: Final = Text(
    "Só um contato postal tem address; informe value.",
    "Only a postal contact point has an address; give a value.",
)
_NO_LEGAL_NOTICE: Final = Text(
    "Só vale como notificação um e-mail, celular ou WhatsApp informado pelo devedor.",
    "Only an e-mail, mobile or WhatsApp that the debtor gave counts for legal notices.",
)
