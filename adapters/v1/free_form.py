"""Objects that belong to the caller, such as `custom_data`: kept whole, as far as storable."""

import math
from decimal import Decimal
from typing import Final

import msgspec

from adapters.v1 import details
from adapters.v1.nested import object_in
from adapters.v1.scalars import storable
from domain.texts import Text

KILOBYTES: Final = 8
"""Most that one object may have as JSON."""

_DEEPEST: Final = 8
_LONGEST_INTEGER: Final = 2**53 - 1
_MOST_DECIMALS: Final = 30
_SHORT_NUMBER: Final = Text(
    f"números com no máximo {_MOST_DECIMALS} casas decimais",
    f"numbers with at most {_MOST_DECIMALS} decimals",
)


def read_free_form(value: object, at: str) -> object:
    """Read a free-form object; its numbers become plain JSON numbers, its nulls stay.

    Raises:
        ValidationError: `too_large`, `invalid_characters`, `out_of_range`,
            `too_many_decimals` or `wrong_type`.
    """
    members = object_in(value, at)
    if members is None:
        return None
    plain = _plain(members, at, _DEEPEST)
    if len(msgspec.json.encode(plain)) > KILOBYTES * 1024:
        raise details.too_large(at, KILOBYTES)
    return plain


def _plain(value: object, at: str, levels: int) -> object:
    if isinstance(value, str):
        return storable(value, at)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return _within(value, at, fits=abs(value) <= _LONGEST_INTEGER)
    if isinstance(value, Decimal):
        number = float(value) if value.is_finite() else math.inf
        return _written_short(_within(number, at, fits=abs(number) <= _LONGEST_INTEGER), at)
    if levels == 0:
        raise details.too_large(at, KILOBYTES)
    if isinstance(value, list):
        return [_plain(item, at, levels - 1) for item in value]
    if isinstance(value, dict):
        return {storable(k, at): _plain(v, at, levels - 1) for k, v in value.items()}
    raise details.not_expected(at, details.JSON)


def _written_short(number: float, at: str) -> float:
    # PostgreSQL writes all decimals: 1e-300 would come back with three hundred of them.
    if int(Decimal(repr(number)).as_tuple().exponent) < -_MOST_DECIMALS:
        raise details.not_expected(at, _SHORT_NUMBER, "too_many_decimals")
    return number


def _within(number: float, at: str, *, fits: bool) -> float:
    if not fits:
        raise details.out_of_range(at, -_LONGEST_INTEGER, _LONGEST_INTEGER)
    return number
