"""The federative units of Brazil and the time zone of each (IANA tz database)."""

from typing import Final

_SAO_PAULO: Final = "America/Sao_Paulo"
_FORTALEZA: Final = "America/Fortaleza"
_MACEIO: Final = "America/Maceio"

# The zone of the state's capital; Fernando de Noronha and the west of Amazonas differ by an hour.
UF_TIMEZONES: Final = {
    "AC": "America/Rio_Branco",
    "AL": _MACEIO,
    "AM": "America/Manaus",
    "AP": "America/Belem",
    "BA": "America/Bahia",
    "CE": _FORTALEZA,
    "DF": _SAO_PAULO,
    "ES": _SAO_PAULO,
    "GO": _SAO_PAULO,
    "MA": _FORTALEZA,
    "MG": _SAO_PAULO,
    "MS": "America/Campo_Grande",
    "MT": "America/Cuiaba",
    "PA": "America/Belem",
    "PB": _FORTALEZA,
    "PE": "America/Recife",
    "PI": _FORTALEZA,
    "PR": _SAO_PAULO,
    "RJ": _SAO_PAULO,
    "RN": _FORTALEZA,
    "RO": "America/Porto_Velho",
    "RR": "America/Boa_Vista",
    "RS": _SAO_PAULO,
    "SC": _SAO_PAULO,
    "SE": _MACEIO,
    "SP": _SAO_PAULO,
    "TO": "America/Araguaina",
}
UFS: Final = frozenset(UF_TIMEZONES)
