"""CPF and CNPJ: read, checked, masked for display, and completed with check digits."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from stdnum.br import cnpj, cpf

from domain.errors import Detail, ValidationError
from domain.texts import Text

_CPF_LENGTH: Final = 11
_CPF: Final = re.compile(rf"[0-9]{{{_CPF_LENGTH}}}")
_CNPJ: Final = re.compile(r"[0-9A-Z]{12}[0-9]{2}")
_ERASED: Final = "#"
_NOTHING_LEFT: Final = "***"


class PersonType(StrEnum):
    """A natural person, who has a CPF, or a legal entity, which has a CNPJ."""

    INDIVIDUAL = "individual"
    COMPANY = "company"


@dataclass(frozen=True, slots=True)
class Document:
    """A valid CPF or CNPJ, upper case and without mask. Build it with `parse_document`."""

    number: str

    @classmethod
    def erased(cls, owner_id: str) -> "Document":
        """What stands in place of a document that is forgotten: its owner's alone, and nobody's."""
        return cls(f"{_ERASED}{owner_id}")

    @property
    def person_type(self) -> PersonType:
        """Whose document this is."""
        return PersonType.INDIVIDUAL if len(self.number) == _CPF_LENGTH else PersonType.COMPANY

    @property
    def masked(self) -> str:
        """What may be shown: the middle of a CPF, the whole of a CNPJ (public company data)."""
        if self.number.startswith(_ERASED):
            return _NOTHING_LEFT
        if self.person_type is PersonType.INDIVIDUAL:
            return f"***.{self.number[3:6]}.{self.number[6:9]}-**"
        return self.formatted

    @property
    def formatted(self) -> str:
        """The whole number with its punctuation, for a caller who may see it."""
        if self.number.startswith(_ERASED):
            return _NOTHING_LEFT
        if self.person_type is PersonType.INDIVIDUAL:
            return cpf.format(self.number)
        return cnpj.format(self.number)

    def __repr__(self) -> str:
        return f"Document({self.masked})"


def parse_document(text: str, field: str = "document") -> Document:
    """Read a CPF or an alphanumeric CNPJ; the mask is ignored.

    A CNPJ's letters count as ASCII minus 48 and its check digits stay numeric (IN RFB 2.229/2024).

    Raises:
        ValidationError: `invalid_document`.
    """
    number = cnpj.compact(text)
    if is_cpf(number) or (_CNPJ.fullmatch(number) and cnpj.is_valid(number)):
        return Document(number)
    raise ValidationError(
        Detail(
            field,
            "invalid_document",
            Text(
                "Informe um CPF ou CNPJ válido; confira os dígitos verificadores.",
                "Give a valid CPF or CNPJ; check its check digits.",
            ),
        )
    )


def is_cpf(text: str) -> bool:
    """Whether the text is a CPF that `parse_document` takes, with or without its mask."""
    number = cnpj.compact(text)
    return bool(_CPF.fullmatch(number)) and _is_valid_cpf(number)


def cpf_with_check_digits(nine: str) -> Document:
    """The CPF whose first nine digits are `nine`, which are not all equal."""
    digits = [int(digit) for digit in nine]
    for _ in range(2):
        weighted = sum(weight * digit for weight, digit in enumerate(reversed(digits), start=2))
        digits.append(-weighted % 11 % 10)
    return parse_document("".join(map(str, digits)))


def cnpj_with_check_digits(twelve: str) -> Document:
    """The CNPJ whose first twelve digits or capital letters are `twelve`, not all zero."""
    return parse_document(twelve + cnpj.calc_check_digits(twelve))


def _is_valid_cpf(number: str) -> bool:
    # The check digits of 111.111.111-11 match; nobody has it.
    return len(set(number)) > 1 and cpf.is_valid(number)
