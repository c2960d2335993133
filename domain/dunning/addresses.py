"""A postal address in Brazil."""

import re
from dataclasses import dataclass
from typing import Final

from domain.dunning.brazil import UFS
from domain.dunning.free_text import trimmed, trimmed_or_none
from domain.dunning.money import Bounds
from domain.errors import Detail, ValidationError
from domain.texts import Text

_LINE: Final = Bounds(1, 120)
_NUMBER: Final = Bounds(1, 20)
_ZIPCODE: Final = re.compile(r"[0-9]{8}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where a debtor or a creditor receives letters; `zipcode` is eight digits."""

    street: str
    number: str
    district: str
    city: str
    uf: str
    zipcode: str
    complement: str | None = None


def checked_address(address: Address) -> Address:
    """The address trimmed, its UF in capitals, its zip code without hyphen.

    Raises:
        ValidationError: `invalid_uf`, `invalid_zipcode`, or a line that is no text.
    """
    zipcode = address.zipcode.strip().replace("-", "")
    if not _ZIPCODE.fullmatch(zipcode):
        text = Text("O CEP tem 8 dígitos.", "A zip code has 8 digits.")
        raise ValidationError(Detail("address.zipcode", "invalid_zipcode", text))
    return Address(
        street=trimmed(address.street, "address.street", _LINE),
        number=trimmed(address.number, "address.number", _NUMBER),
        district=trimmed(address.district, "address.district", _LINE),
        city=trimmed(address.city, "address.city", _LINE),
        uf=checked_uf(address.uf, "address.uf"),
        zipcode=zipcode,
        complement=trimmed_or_none(address.complement, "address.complement", _LINE),
    )


def checked_uf(uf: str, field: str) -> str:
    """The two capitals of a federative unit. Raises `ValidationError` with `invalid_uf`."""
    capitals = uf.strip().upper()
    if capitals not in UFS:
        text = Text("Informe a sigla de uma UF.", "Give the two letters of a state.")
        raise ValidationError(Detail(field, "invalid_uf", text))
    return capitals
