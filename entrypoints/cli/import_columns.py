"""Columns of an import file: each named like the field that it fills, and how its cells are read.

They are taken from what the operation takes, so that a new field is a new column.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

from adapters.v1.shapes import (
    AmountShape,
    ArrayShape,
    DateShape,
    EnumShape,
    FieldShape,
    IdShape,
    MapShape,
    NumberShape,
    ObjectShape,
    Shape,
    TextShape,
)

SEPARATOR: Final = "|"
"""Between the values of one cell."""

_ISO_DAY: Final = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_BRAZILIAN_DAY: Final = re.compile(r"([0-9]{2})/([0-9]{2})/([0-9]{4})")
_PLAIN_AMOUNT: Final = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,2})?")
_BRAZILIAN_AMOUNT: Final = re.compile(r"(?:[0-9]{1,12}|[0-9]{1,3}(?:\.[0-9]{3}){1,3}),[0-9]{1,2}")
_AMBIGUOUS: Final = re.compile(r"[0-9]{1,3}(?:[.,][0-9]{3})+")
_PERCENT: Final = re.compile(r"[0-9]{1,3}(?:[.,][0-9]{1,4})?")

_DAY_FIX: Final = "give a day such as 2026-10-09 or 09/10/2026"
_AMOUNT_FIX: Final = "give an amount such as 1234.56 or 1.234,56, without a currency sign"
_AMBIGUOUS_FIX: Final = "may be one or a thousand; write both decimals, such as 1234.00 or 1.234,00"
_PERCENT_FIX: Final = "give a percentage such as 2 or 1,5, without the percent sign"


class CellError(ValueError):
    """A cell that cannot be read; its text is the fix."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column that may be there; `read` raises CellError."""

    name: str
    read: Callable[[str], object]
    required: bool


def columns_of(fields: Iterable[FieldShape]) -> Mapping[str, Column]:
    """The columns that fill `fields`; what no cell can hold has none."""
    return {column.name: column for column in _columns(fields, "", required=True)}


def put(raw: dict[str, object], name: str, value: object) -> None:
    """Set the member that a column names: `address.street` is inside `address`."""
    outer, dot, rest = name.partition(".")
    if not dot:
        raw[name] = value
        return
    inner = raw.setdefault(outer, {})
    assert isinstance(inner, dict)  # noqa: S101 -- a column with a dot is inside an object
    put(inner, rest, value)


def _columns(fields: Iterable[FieldShape], prefix: str, *, required: bool) -> Iterator[Column]:
    for one in fields:
        name, needed = f"{prefix}{one.name}", required and one.required
        if isinstance(one.shape, ObjectShape):
            yield from _columns(one.shape.fields, f"{name}.", required=needed)
        elif (read := _reader(one.shape)) is not None:
            yield Column(name, read, needed)


def _reader(shape: Shape) -> Callable[[str], object] | None:
    match shape:
        case DateShape():
            return _day
        case AmountShape(unit="money"):
            return _amount
        case AmountShape() | NumberShape():
            return _percent
        case ArrayShape(item=TextShape() | IdShape() | EnumShape()):
            return _several
        case ArrayShape() | MapShape():
            return None
        case _:
            return str


def _day(cell: str) -> str:
    if found := _ISO_DAY.fullmatch(cell):
        year, month, day = found.groups()
    elif found := _BRAZILIAN_DAY.fullmatch(cell):
        day, month, year = found.groups()
    else:
        raise CellError(_DAY_FIX)
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        raise CellError(_DAY_FIX) from None


def _amount(cell: str) -> str:
    if _PLAIN_AMOUNT.fullmatch(cell):
        return cell
    if _BRAZILIAN_AMOUNT.fullmatch(cell):
        return cell.replace(".", "").replace(",", ".")
    raise CellError(_AMBIGUOUS_FIX if _AMBIGUOUS.fullmatch(cell) else _AMOUNT_FIX)


def _percent(cell: str) -> str:
    if not _PERCENT.fullmatch(cell):
        raise CellError(_PERCENT_FIX)
    return cell.replace(",", ".")


def _several(cell: str) -> list[str]:
    return [part.strip() for part in cell.split(SEPARATOR) if part.strip()]
