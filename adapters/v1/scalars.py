"""Reading one value by its shape. A string counts as the JSON value that it spells, nothing more.

A reader takes the raw value and its place (`terms.fine_percent`) and gives the typed value, or None
for one that counts as absent; it raises ValidationError.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Final, TypeAlias

from adapters.v1 import details
from adapters.v1.shapes import (
    ANY_NUMBER,
    AmountShape,
    EnumShape,
    IdShape,
    IntegerShape,
    SeveralShape,
    TextShape,
)
from adapters.v1.tool_schema import ID_TAIL
from domain.dunning.money import CENT_PLACES, cents_from, percent_from
from domain.errors import ValidationError
from domain.texts import Text

Reader: TypeAlias = Callable[[object, str], object]

ABSENT_TEXTS: Final = frozenset({"", "null"})
"""What clients send in place of nothing, where a value is not text."""

_JSON_NUMBER: Final = re.compile(
    r"-?(?:0|[1-9][0-9]{0,30})(?:\.[0-9]{1,30})?(?:[eE][+-]?[0-9]{1,3})?"
)
_BOOLEANS: Final = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class _Form:
    """How something is written."""

    pattern: re.Pattern[str]
    described: Text
    code: str

    def refusal(self, at: str) -> ValidationError:
        return details.not_expected(at, self.described, self.code)


_DAY: Final = r"(?:19|2[01])[0-9]{2}-[0-9]{2}-[0-9]{2}"
_TIME: Final = r"[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?(?:[Zz]|[+-][0-9]{2}:[0-9]{2})"
_DATE: Final = _Form(re.compile(_DAY), details.DATE, "invalid_date")
_TIMESTAMP: Final = _Form(re.compile(_DAY + _TIME), details.TIMESTAMP, "invalid_timestamp")


def text_reader(shape: TextShape) -> Reader:
    """Reads text: trimmed, then measured."""
    least, most = shape.min_length, shape.max_length
    matches = None if shape.pattern is None else re.compile(shape.pattern).search

    def read(value: object, at: str) -> object:
        if not isinstance(value, str):
            raise details.not_expected(at, details.TEXT)
        text = storable(value, at).strip()
        if len(text) < least:
            raise details.too_short(at, least)
        if len(text) > most:
            raise details.too_long(at, most)
        if matches is not None and not matches(text):
            raise details.bad_form(at)
        return text

    return read


def id_reader(shape: IdShape) -> Reader:
    """Reads an id; another entity's is told apart."""
    prefix = shape.prefix
    is_id = re.compile(f"{prefix}_{ID_TAIL}").fullmatch

    def read(value: object, at: str) -> object:
        if isinstance(value, str) and is_id(value):
            return value
        text = _word(value, at, details.TEXT)
        if text is None or is_id(text):
            return text
        raise details.bad_id(at, prefix, text.partition("_")[0])

    return read


def enum_reader(shape: EnumShape) -> Reader:
    """Reads one of the allowed values."""
    allowed = frozenset(shape.values)

    def read(value: object, at: str) -> object:
        if isinstance(value, str) and value in allowed:
            return value
        text = _word(value, at, details.TEXT)
        if text is None or text in allowed:
            return text
        raise details.not_allowed(at, shape.values)

    return read


def several_reader(shape: SeveralShape, read_item: Reader) -> Reader:
    """Reads values separated by commas, each once."""
    most = shape.max_items
    allowed = frozenset(shape.item.values if isinstance(shape.item, EnumShape) else ())

    def read(value: object, at: str) -> object:
        if isinstance(value, str) and allowed.issuperset(known := value.split(",")):
            return tuple(dict.fromkeys(_counted(known, at, most)))
        text = _word(value, at, details.SEVERAL)
        if text is None:
            return None
        parts = _counted(text.split(","), at, most)
        return tuple(dict.fromkeys(_item(part, at, read_item) for part in parts))

    return read


def _item(part: str, at: str, read_item: Reader) -> object:
    value = read_item(part, at) if part.strip() else None
    if value is None:
        raise details.not_expected(at, details.SEVERAL, "too_short")
    return value


def _counted(parts: list[str], at: str, most: int) -> list[str]:
    if len(parts) > most:
        raise details.too_many(at, most)
    return parts


def integer_reader(shape: IntegerShape) -> Reader:
    """Reads a whole number: 50, 50.0 and "50" are the same."""
    low, high = shape.bounds.low, shape.bounds.high

    def read(value: object, at: str) -> object:
        number = value if type(value) is int else _number(value, at, details.INTEGER)
        if number is None:
            return None
        if not low <= number <= high:
            raise details.out_of_range(at, low, high)
        if number != int(number):
            raise details.not_expected(at, details.INTEGER)
        return int(number)

    return read


def amount_reader(shape: AmountShape) -> Reader:
    """Reads BRL into cents, or percent into 1/10 000 percent, from the digits as written."""
    units_from = cents_from if shape.places == CENT_PLACES else percent_from
    bounds = shape.bounds

    def read(value: object, at: str) -> object:
        number = _number(value, at, details.NUMBER)
        return None if number is None else units_from(number, at, bounds)

    return read


def read_number(value: object, at: str) -> object:
    """Read a decimal number, kept as written."""
    number = _number(value, at, details.NUMBER)
    if number is not None and not ANY_NUMBER.low <= number <= ANY_NUMBER.high:
        raise details.out_of_range(at, ANY_NUMBER.low, ANY_NUMBER.high)
    return number


def read_boolean(value: object, at: str) -> object:
    """Read true or false; a number is neither."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value in _BOOLEANS:
        return _BOOLEANS[value]
    if not _counts_as_absent(value):
        raise details.not_expected(at, details.BOOLEAN)
    return None


def read_date(value: object, at: str) -> object:
    """Read `YYYY-MM-DD`, in years for which sums of days stay within the calendar."""
    text = _written(value, at, _DATE)
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError:
        raise _DATE.refusal(at) from None


def read_timestamp(value: object, at: str) -> object:
    """Read RFC 3339 into UTC; its offset has to be there."""
    text = _written(value, at, _TIMESTAMP)
    try:
        return None if text is None else datetime.fromisoformat(text.upper()).astimezone(UTC)
    except ValueError:
        raise _TIMESTAMP.refusal(at) from None


def storable(text: str, at: str) -> str:
    """Give back text that PostgreSQL can hold.

    Raises:
        ValidationError: `invalid_characters`.
    """
    if "\x00" in text or not (text.isascii() or _is_unicode(text)):
        raise details.bad_characters(at)
    return text


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _word(value: object, at: str, expected: Text) -> str | None:
    if not isinstance(value, str):
        raise details.not_expected(at, expected)
    text = storable(value, at).strip()
    return None if text in ABSENT_TEXTS else text


def _written(value: object, at: str, form: _Form) -> str | None:
    is_written_so = form.pattern.fullmatch
    if isinstance(value, str) and is_written_so(value):
        return value
    text = _word(value, at, form.described)
    if text is None or is_written_so(text):
        return text
    raise form.refusal(at)


def _number(value: object, at: str, expected: Text) -> Decimal | None:
    if isinstance(value, Decimal) and value.is_finite():
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return Decimal(value)
    if isinstance(value, str) and _JSON_NUMBER.fullmatch(value):
        return Decimal(value)
    if not _counts_as_absent(value):
        raise details.not_expected(at, expected)
    return None


def _counts_as_absent(value: object) -> bool:
    return isinstance(value, str) and value in ABSENT_TEXTS
