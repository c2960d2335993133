"""One value per declared field that its operation reads, for the examples of the document."""

from collections.abc import Iterable
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
# A debt is due on its issue date or up to ten years later, and it is issued today unless said.
_DATE: Final = "2030-01-15"
_TIMESTAMP: Final = "2030-01-15T14:30:00-03:00"
_TEXTS: Final = {"description": "Monthly fee, January 2030"}


def example_object(fields: Iterable[FieldShape]) -> dict[str, Any]:
    """An object with its required members, or with the first one where none is required."""
    members = tuple(fields)
    shown = [field for field in members if field.required] or members[:1]
    return {field.name: example_value(field) for field in shown}


def example_value(field: FieldShape) -> object:
    """A value as a caller would write it."""
    if isinstance(field.shape, TextShape):
        return _text(field.name, field.shape)
    return _value(field.shape)


def _value(shape: Shape) -> object:
    match shape:
        case ObjectShape(fields=fields):
            return example_object(fields)
        case ArrayShape(item=item) | SeveralShape(item=item):
            return [_value(item)]
        case TextShape():
            return _text("text", shape)
        case _:
            return _scalar(shape)


def _scalar(shape: Shape) -> object:
    match shape:
        case IdShape(prefix=prefix):
            return f"{prefix}_{_ID_TAIL}"
        case EnumShape(values=values):
            return values[0]
        case IntegerShape(bounds=bounds):
            return _within(bounds, 1)
        case AmountShape(unit="money", bounds=bounds):
            return _within(bounds, _CENTS) / 10**shape.places
        case AmountShape(bounds=bounds):
            return _within(bounds, _TWO_PERCENT) / 10**shape.places
        case _:
            return _FIXED[type(shape)]


def _text(name: str, shape: TextShape) -> str:
    text = _TEXTS.get(name, f"Example {name.replace('_', ' ')}")
    return text[: shape.max_length].ljust(shape.min_length, "x")


def _within(bounds: Bounds, wanted: int) -> int:
    return max(bounds.low, min(bounds.high, wanted))


_FIXED: Final[dict[type[Shape], object]] = {
    BooleanShape: True,
    DateShape: _DATE,
    FreeFormShape: {},
    NumberShape: 5,
    TimestampShape: _TIMESTAMP,
}
