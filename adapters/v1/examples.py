"""One value per declared field that its operation reads, for examples of calls."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

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
    NumberShape,
    ObjectShape,
    SeveralShape,
    Shape,
    TextShape,
    TimestampShape,
)
from domain.dunning.money import Bounds

EXAMPLE_KEY: Final = "8f2b6c1e-4d07-4a53-9e1f-2c7a90d4b615"
"""An `Idempotency-Key` as a client would make one."""

_ID_TAIL: Final = "01jqx3k8m4e7v9z2c5t6r1w0ab"
_CENTS: Final = 1_284_58
_TWO_PERCENT: Final = 2_0000
# Either these or an object has to be given, so neither is required; these say it in one line.
_ALWAYS_SHOWN: Final = frozenset({"debtor_id", "value"})
# Only somebody who has read a row knows its version, and revealing takes a scope of its own.
_NEVER_VOLUNTEERED: Final = frozenset({"version", "reveal"})
_UNDERSTOOD_BY_ALL: Final = ("description", "notes", "label", "language", "status")


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """What examples speak of.

    `day` and `instant` are now. `ids` are by prefix, `days`, `words` and `numbers` by the field's
    name; a word stands in texts, and in enums that have it.
    """

    day: str
    instant: str
    ids: Mapping[str, str] = field(default_factory=dict)
    days: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    numbers: Mapping[str, int] = field(default_factory=dict)


# A debt is due on its issue date or up to ten years later, and it is issued today unless said.
INVENTED: Final = World(
    day="2030-01-15",
    instant="2030-01-15T14:30:00-03:00",
    words={"description": "Monthly fee, January 2030"},
    numbers={"year": 2029},
)
"""Nobody's data, for a document that every installation publishes."""


def example_object(fields: Iterable[FieldShape], world: World = INVENTED) -> dict[str, Any]:
    """An object with its required members, or with one of them where none is required."""
    return {field.name: _member(field, world) for field in _shown(tuple(fields))}


def example_value(field: FieldShape, world: World = INVENTED) -> object:
    """A value as a caller would write it; a list for several values separated by commas."""
    return _value(field.name, field.shape, world)


def _shown(fields: tuple[FieldShape, ...]) -> list[FieldShape]:
    shown = [field for field in fields if field.required or field.name in _ALWAYS_SHOWN]
    if shown:
        return shown
    offered = [field for field in fields if field.name not in _NEVER_VOLUNTEERED]
    return [min(offered, key=_strangeness)] if offered else []


def _strangeness(field: FieldShape) -> int:
    known = _UNDERSTOOD_BY_ALL
    return known.index(field.name) if field.name in known else len(known)


def _member(field: FieldShape, world: World) -> object:
    value = _value(field.name, field.shape, world)
    if isinstance(field.shape, SeveralShape) and isinstance(value, list):
        return ",".join(value)
    return value


def _value(name: str, shape: Shape, world: World) -> object:
    match shape:
        case ObjectShape(fields=fields):
            return example_object(fields, world)
        case MapShape(names=names, value=value):
            return {names[0]: _value(name, value, world)}
        case ArrayShape(item=item) | SeveralShape(item=item):
            return [_value(name, item, world)]
        case _:
            return _scalar(name, shape, world)


def _scalar(name: str, shape: Shape, world: World) -> object:
    match shape:
        case IdShape(prefix=prefix):
            return world.ids.get(prefix, f"{prefix}_{_ID_TAIL}")
        case TextShape():
            return _text(name, shape, world)
        case EnumShape(values=values):
            word = world.words.get(name)
            return word if word in values else values[0]
        case DateShape():
            return world.days.get(name, world.day)
        case TimestampShape():
            return world.instant
        case _:
            return _plain(name, shape, world)


def _plain(name: str, shape: Shape, world: World) -> object:
    match shape:
        case IntegerShape(bounds=bounds):
            return _within(bounds, world.numbers.get(name, 1))
        case AmountShape(unit="money", bounds=bounds):
            return _within(bounds, _CENTS) / 10**shape.places
        case AmountShape(bounds=bounds):
            return _within(bounds, _TWO_PERCENT) / 10**shape.places
        case _:
            return _FIXED[type(shape)]


def _text(name: str, shape: TextShape, world: World) -> str:
    text = world.words.get(name, f"Example {name.replace('_', ' ')}")
    return text[: shape.max_length].ljust(shape.min_length, "x")


def _within(bounds: Bounds, wanted: int) -> int:
    return max(bounds.low, min(bounds.high, wanted))


_FIXED: Final[dict[type[Shape], object]] = {
    BooleanShape: True,
    FreeFormShape: {},
    NumberShape: 5,
}
