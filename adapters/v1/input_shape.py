"""From a declared input type to its shape: one walk over what msgspec knows of the type."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import Enum
from typing import Any, Final

import msgspec
from msgspec import inspect

from adapters.v1.entity_names import ENTITY_NAMES
from adapters.v1.shapes import (
    ANY_INTEGER,
    MOST_ITEMS,
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
from application.operations.declaration_error import DeclarationError
from application.operations.fields import Input
from domain.dunning.money import CHARGE_AMOUNT, PERCENTAGE, Bounds


def shape_of(operation: str, takes: type[Input]) -> ObjectShape:
    """The shape of what `operation` takes.

    Raises:
        DeclarationError: a field that has no description, or that no caller could send.
    """
    try:
        found = inspect.type_info(takes)
    except TypeError as error:
        raise _fault(operation, str(error)) from error
    return _object(_Found(found, f"{operation}: "))


@dataclass(frozen=True, slots=True)
class _Found:
    """A type met on the walk, without its wrappers; `where` names operation and field."""

    type: inspect.Type
    where: str
    description: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)
    nullable: bool = False


def _fault(where: str, reason: str) -> DeclarationError:
    return DeclarationError([f"{where.removesuffix('.')}: {reason}"])


def _unwrapped(found: inspect.Type, where: str) -> _Found:
    description, nullable = "", False
    extra: dict[str, Any] = {}
    while True:
        if isinstance(found, inspect.Metadata):
            description = description or (found.extra_json_schema or {}).get("description", "")
            extra = {**(found.extra or {}), **extra}
            found = found.type
        elif isinstance(found, inspect.UnionType) and not nullable:
            found, nullable = _without_none(found, where), True
        else:
            return _Found(found, where, description, extra, nullable)


def _without_none(union: inspect.UnionType, where: str) -> inspect.Type:
    match [member for member in union.types if not isinstance(member, inspect.NoneType)]:
        case [member] if len(union.types) > 1:
            return member
        case _:
            raise _fault(where, "of several types, only `T | None` can be declared")


def _shape(found: _Found) -> Shape:
    kind = found.extra.get("kind")
    make = _BY_TYPE.get(type(found.type)) if kind is None else _BY_KIND.get(kind)
    if make is None:
        raise _fault(found.where, f"{kind or type(found.type).__name__} cannot be a field's kind")
    return make(found)


def _bounds(found: _Found, undeclared: Bounds) -> Bounds:
    typ = found.type
    if not isinstance(typ, inspect.IntType):
        raise _fault(found.where, "is declared as an integer in its unit")
    if not (typ.gt is typ.lt is typ.multiple_of is None):
        raise _fault(found.where, "limits are written with ge and le")
    return Bounds(
        undeclared.low if typ.ge is None else typ.ge,
        undeclared.high if typ.le is None else typ.le,
    )


def _text(found: _Found) -> TextShape:
    typ = found.type
    if not isinstance(typ, inspect.StrType):
        raise _fault(found.where, "is declared as a string")
    if typ.max_length is None:
        raise _fault(found.where, "has no greatest length")
    return TextShape(min_length=typ.min_length or 0, max_length=typ.max_length, pattern=typ.pattern)


def _id(found: _Found) -> IdShape:
    if not isinstance(found.type, inspect.StrType):
        raise _fault(found.where, "is declared as a string")
    prefix = found.extra["prefix"]
    if prefix not in ENTITY_NAMES:
        raise _fault(found.where, "the prefix of the id stands for nothing")
    return IdShape(prefix)


def _enum(found: _Found) -> EnumShape:
    typ = found.type
    members = typ.cls if isinstance(typ, inspect.EnumType) else ()
    return _texts_of(found, tuple(member.value for member in members))


def _literal(found: _Found) -> EnumShape:
    typ = found.type
    return _texts_of(found, typ.values if isinstance(typ, inspect.LiteralType) else ())


def _texts_of(found: _Found, values: tuple[object, ...]) -> EnumShape:
    texts = tuple(value for value in values if isinstance(value, str) and "," not in value)
    if not texts or len(texts) < len(values):
        raise _fault(found.where, "an enum's values are texts without commas")
    return EnumShape(texts)


def _item(found: _Found) -> tuple[Shape, int, int]:
    typ = found.type
    if not isinstance(typ, inspect.ListType | inspect.VarTupleType):
        raise _fault(found.where, "is declared as a list or as tuple[T, ...]")
    item = _unwrapped(typ.item_type, f"{found.where}[]")
    if item.nullable:
        raise _fault(item.where, "an item cannot be absent")
    most = MOST_ITEMS if typ.max_length is None else typ.max_length
    return _shape(item), typ.min_length or 0, most


def _several(found: _Found) -> SeveralShape:
    item, _, most = _item(found)
    if not isinstance(item, EnumShape | TextShape | IdShape):
        raise _fault(found.where, "several values are texts, ids or an enum")
    return SeveralShape(item, most)


def _array(found: _Found) -> ArrayShape:
    return ArrayShape(*_item(found))


def _dict(found: _Found) -> FreeFormShape | MapShape:
    typ = found.type
    if not isinstance(typ, inspect.DictType):
        raise _fault(found.where, "is declared as a dict")
    names = _unwrapped(typ.key_type, f"{found.where} name")
    if names.extra.get("kind") == "one_of":
        return MapShape(_one_of(names).values, _value(typ.value_type, found.where))
    if typ.value_type not in _ANYTHING:
        raise _fault(
            found.where,
            "a free-form object is declared as dict[str, object], a map has names of one_of",
        )
    return FreeFormShape()


def _value(declared: inspect.Type, where: str) -> Shape:
    value = _unwrapped(declared, f"{where}{{}}")
    if value.nullable:
        raise _fault(value.where, "a value cannot be absent")
    return _shape(value)


def _one_of(found: _Found) -> EnumShape:
    if not isinstance(found.type, inspect.StrType):
        raise _fault(found.where, "is declared as a string")
    return _texts_of(found, found.extra["values"])


def _object(found: _Found) -> ObjectShape:
    if found.where.count(".") > _DEEPEST or not isinstance(found.type, inspect.StructType):
        raise _fault(found.where, "objects are nested too deeply")
    prefix = found.where if found.where.endswith(" ") else f"{found.where}."
    return ObjectShape(tuple(_field(member, prefix) for member in found.type.fields))


def _field(member: inspect.Field, prefix: str) -> FieldShape:
    found = _unwrapped(member.type, f"{prefix}{member.encode_name}")
    if not found.description:
        raise _fault(found.where, "has no description")
    if found.nullable and member.required:
        raise _fault(found.where, "may be absent and has no default")
    shape = _shape(found)
    return FieldShape(
        name=member.encode_name,
        shape=shape,
        description=found.description,
        required=member.required,
        default=_shown(member.default, shape),
        null=_null(member, found),
    )


def _null(member: inspect.Field, found: _Found) -> NullMeans:
    # msgspec tells of UNSET only that the field may be left out and has no default.
    is_unset = member.default is msgspec.NODEFAULT and member.default_factory is msgspec.NODEFAULT
    if member.required or not is_unset:
        return NullMeans.NOT_SENT
    return NullMeans.EMPTY if found.nullable else NullMeans.NOTHING_ALLOWED


def _shown(default: object, shape: Shape) -> object:
    """A default as a caller would write it; None for the ones with nothing to show."""
    if default is msgspec.NODEFAULT or default is None:
        return None
    if isinstance(shape, AmountShape) and isinstance(default, int):
        return default / 10**shape.places
    if isinstance(shape, SeveralShape) and isinstance(default, tuple):
        return ",".join(default) or None
    if isinstance(default, Enum):
        return default.value
    if isinstance(default, date):
        return default.isoformat()
    return default if isinstance(default, str | int) else None


_DEEPEST: Final = 5
_ANYTHING: Final = (inspect.AnyType(), inspect.CustomType(object))

_BY_TYPE: Final[Mapping[type[inspect.Type], Callable[[_Found], Shape]]] = {
    inspect.StrType: _text,
    inspect.IntType: lambda found: IntegerShape(_bounds(found, ANY_INTEGER)),
    inspect.BoolType: lambda _: BooleanShape(),
    inspect.DecimalType: lambda _: NumberShape(),
    inspect.DateType: lambda _: DateShape(),
    inspect.DateTimeType: lambda _: TimestampShape(),
    inspect.EnumType: _enum,
    inspect.LiteralType: _literal,
    inspect.ListType: _array,
    inspect.VarTupleType: _array,
    inspect.StructType: _object,
    inspect.DictType: _dict,
}

_BY_KIND: Final[Mapping[str, Callable[[_Found], Shape]]] = {
    "money": lambda found: AmountShape("money", _bounds(found, CHARGE_AMOUNT)),
    "percent": lambda found: AmountShape("percent", _bounds(found, PERCENTAGE)),
    "several": _several,
    "id": _id,
    "one_of": _one_of,
}
