"""Brazilian phone numbers: area codes with their state, and numbers in E.164."""

import re
from typing import Final

from domain.errors import Detail, ValidationError
from domain.texts import Text

# Anatel's national numbering plan (Res. 749/2022); 61 also covers towns of Goiás around Brasília.
_DDDS_OF: Final = {
    "AC": (68,),
    "AL": (82,),
    "AM": (92, 97),
    "AP": (96,),
    "BA": (71, 73, 74, 75, 77),
    "CE": (85, 88),
    "DF": (61,),
    "ES": (27, 28),
    "GO": (62, 64),
    "MA": (98, 99),
    "MG": (31, 32, 33, 34, 35, 37, 38),
    "MS": (67,),
    "MT": (65, 66),
    "PA": (91, 93, 94),
    "PB": (83,),
    "PE": (81, 87),
    "PI": (86, 89),
    "PR": (41, 42, 43, 44, 45, 46),
    "RJ": (21, 22, 24),
    "RN": (84,),
    "RO": (69,),
    "RR": (95,),
    "RS": (51, 53, 54, 55),
    "SC": (47, 48, 49),
    "SE": (79,),
    "SP": (11, 12, 13, 14, 15, 16, 17, 18, 19),
    "TO": (63,),
}
UF_OF_DDD: Final = {str(ddd): uf for uf, ddds in _DDDS_OF.items() for ddd in ddds}

_PUNCTUATION: Final = str.maketrans("", "", " -.()")
_WITH_COUNTRY: Final = re.compile(r"\A(?:\+55|55(?=[0-9]{10,11}\Z))")
_NATIONAL: Final = re.compile(r"([0-9]{2})([0-9]{8,9})")
_MOBILE: Final = re.compile(r"9[0-9]{8}")
_LANDLINE: Final = re.compile(r"[2-5][0-9]{7}")


def mobile_number(text: str, field: str) -> str:
    """A mobile number as `+55DD9XXXXXXXX`, however it was punctuated.

    Raises:
        ValidationError: `invalid_phone`, `invalid_ddd`, or `invalid_mobile` without its ninth
            digit.
    """
    return _number(text, field, _MOBILE, _NO_MOBILE)


def landline_number(text: str, field: str) -> str:
    """A landline number as `+55DDXXXXXXXX`, however it was punctuated.

    Raises:
        ValidationError: `invalid_phone`, `invalid_ddd`, or `invalid_landline`.
    """
    return _number(text, field, _LANDLINE, _NO_LANDLINE)


def uf_of_phone(number: str) -> str:
    """The state of a number in E.164, by its area code."""
    return UF_OF_DDD[number[3:5]]


def masked_phone(number: str) -> str:
    """A number in E.164 without its middle digits: `+55 11 9****-1234`."""
    local = number[5:]
    return f"+55 {number[3:5]} {local[0]}{'*' * (len(local) - 5)}-{local[-4:]}"


def _number(text: str, field: str, form: re.Pattern[str], refusal: tuple[str, Text]) -> str:
    digits = _WITH_COUNTRY.sub("", text.translate(_PUNCTUATION), count=1)
    national = _NATIONAL.fullmatch(digits)
    if national is None:
        raise ValidationError(Detail(field, "invalid_phone", _FORM))
    ddd, local = national.groups()
    if ddd not in UF_OF_DDD:
        raise ValidationError(Detail(field, "invalid_ddd", _DDD))
    if not form.fullmatch(local):
        raise ValidationError(Detail(field, *refusal))
    return f"+55{ddd}{local}"


_FORM: Final = Text(
    "Informe DDD e número, como +5511912345678.",
    "Give area code and number, such as +5511912345678.",
)
_DDD: Final = Text("Este DDD não existe.", "There is no such area code.")
_NO_MOBILE: Final = (
    "invalid_mobile",
    Text("Um celular tem 9 dígitos e começa com 9.", "A mobile has 9 digits, the first one a 9."),
)
_NO_LANDLINE: Final = (
    "invalid_landline",
    Text(
        "Um telefone fixo tem 8 dígitos e começa com 2 a 5.",
        "A landline has 8 digits, the first one 2 to 5.",
    ),
)
