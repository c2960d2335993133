"""From what a caller sent to typed values, by the shape of the input and nothing else.

Raw values are JSON as decoded (`int`, and `Decimal` for every other number) or strings of a query.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn

from adapters.v1 import details
from adapters.v1.free_form import read_free_form
from adapters.v1.nested import list_in, object_in
from adapters.v1.scalars import (
    Reader,
    amount_reader,
    enum_reader,
    id_reader,
    integer_reader,
    read_boolean,
    read_date,
    read_number,
    read_timestamp,
    several_reader,
    text_reader,
)
from adapters.v1.shapes import (
    AmountShape,
    ArrayShape,
    BooleanShape,
    DateShape,
    EnumShape,
    FieldShape,
    FreeFormShape,
    IdShape,
    IntegerShape,
    MapShape,
    NullMeans,
    NumberShape,
    ObjectShape,
    SeveralShape,
    Shape,
    TextShape,
    TimestampShape,
)
from domain.errors import Detail, ValidationError

MOST_DETAILS: Final = 20
"""Problems that one answer names; reading stops there."""


class ObjectReader:
    """Reads the members of one object and tells everything that is wrong with them."""

    __slots__ = ("_known", "_null", "_readers", "_required")

    def __init__(self, fields: tuple[FieldShape, ...]) -> None:
        self._readers = {field.name: reader_of(field.shape) for field in fields}
        self._known = tuple(self._readers)
        self._required = frozenset(field.name for field in fields if field.required)
        self._null = {
            field.name: field.null for field in fields if field.null is not NullMeans.NOT_SENT
        }

    def members(self, raw: Mapping[str, object], prefix: str = "") -> dict[str, Any]:
        """Typed values of the members that were sent; what null says depends on the field.

        Raises:
            ValidationError: every problem, at most 20.
        """
        values: dict[str, Any] = {}
        found: list[Detail] = []
        reader_for = self._readers.get
        for name, value in raw.items():
            if value is None:
                self._read_null(name, prefix, values, found)
                continue
            read = reader_for(name)
            try:
                typed = read(value, prefix + name) if read else self._refuse(prefix, name)
            except ValidationError as refused:
                found.extend(refused.details)
                if len(found) >= MOST_DETAILS:
                    break
            else:
                if typed is not None:
                    values[name] = typed
        if found or (self._required and not self._required <= values.keys()):
            raise ValidationError(*self._with_missing(found, values, prefix)[:MOST_DETAILS])
        return values

    def __call__(self, value: object, at: str) -> object:
        """Read a nested object."""
        raw = object_in(value, at)
        return None if raw is None else self.members(raw, f"{at}.")

    def _read_null(
        self, name: str, prefix: str, values: dict[str, Any], found: list[Detail]
    ) -> None:
        null = self._null.get(name)
        if null is NullMeans.EMPTY:
            values[name] = None
        elif null is NullMeans.NOTHING_ALLOWED:
            found.append(details.null_not_allowed(prefix + name))

    def _refuse(self, prefix: str, name: str) -> NoReturn:
        raise ValidationError(details.unknown(prefix, name, self._known))

    def _with_missing(
        self, found: list[Detail], values: Mapping[str, object], prefix: str
    ) -> list[Detail]:
        absent = [prefix + name for name in self._known if name in self._required - values.keys()]
        return [*found, *(details.required(at) for at in absent if not _mentions(found, at))]


def reader_of(shape: Shape) -> Reader:
    """The reader of values of this shape."""
    return _MAKERS[type(shape)](shape)


def _mentions(found: list[Detail], at: str) -> bool:
    return any(
        detail.field == at or detail.field.startswith((f"{at}.", f"{at}[")) for detail in found
    )


def _array_reader(shape: ArrayShape) -> Reader:
    read_item = reader_of(shape.item)
    least, most = shape.min_items, shape.max_items

    def read(value: object, at: str) -> object:
        items = list_in(value, at)
        if items is None:
            return None
        if len(items) < least:
            raise details.too_few(at, least)
        if len(items) > most:
            raise details.too_many(at, most)
        return _items(items, at, read_item)

    return read


def _items(items: list[object], at: str, read_item: Reader) -> list[object]:
    values: list[object] = []
    found: list[Detail] = []
    for index, item in enumerate(items):
        try:
            values.append(_item(item, f"{at}[{index}]", read_item))
        except ValidationError as refused:
            found.extend(refused.details)
        if len(found) >= MOST_DETAILS:
            break
    if found:
        raise ValidationError(*found)
    return values


def _item(item: object, at: str, read_item: Reader) -> object:
    value = None if item is None else read_item(item, at)
    if value is None:
        raise ValidationError(details.required(at))
    return value


def _map_reader(shape: MapShape) -> Reader:
    members = tuple(
        FieldShape(name=name, shape=shape.value, description="", required=False)
        for name in shape.names
    )
    return ObjectReader(members)


_MAKERS: Final[Mapping[type[Shape], Callable[[Any], Reader]]] = {
    TextShape: text_reader,
    IdShape: id_reader,
    IntegerShape: integer_reader,
    AmountShape: amount_reader,
    NumberShape: lambda _: read_number,
    BooleanShape: lambda _: read_boolean,
    DateShape: lambda _: read_date,
    TimestampShape: lambda _: read_timestamp,
    EnumShape: enum_reader,
    SeveralShape: lambda shape: several_reader(shape, reader_of(shape.item)),
    ArrayShape: _array_reader,
    ObjectShape: lambda shape: ObjectReader(shape.fields),
    MapShape: _map_reader,
    FreeFormShape: lambda _: read_free_form,
}
