"""From a shape to JSON Schema (2020-12): inlined, in the keywords that every client understands.

`multipleOf` is not used: validators divide binary floats and refuse one good amount in nine.
"""

from collections.abc import Mapping
from typing import Any, Final

from adapters.v1.shapes import (
    ANY_NUMBER,
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

Schema = dict[str, Any]

ID_TAIL: Final = "[0-9a-hjkmnp-tv-z]{26}"
"""A ULID in lower case, as ids have it after the prefix."""


def object_schema(shape: ObjectShape, *, closed: bool) -> Schema:
    """The schema of an object; `closed` says that other members are refused."""
    schema: Schema = {
        "type": "object",
        "properties": {field.name: property_schema(field, closed=closed) for field in shape.fields},
    }
    if required := [field.name for field in shape.fields if field.required]:
        schema["required"] = required
    if closed:
        schema["additionalProperties"] = False
    return schema


def property_schema(field: FieldShape, *, closed: bool) -> Schema:
    """The schema of one member, described, with its default."""
    schema = value_schema(field.shape, closed=closed)
    schema["description"] = f"{field.description}{_remark(field.shape)}{_NULL[field.null]}"
    if field.default is not None:
        schema["default"] = field.default
    return schema


def value_schema(shape: Shape, *, closed: bool) -> Schema:
    """The schema of a value, before it is described."""
    if isinstance(shape, ObjectShape):
        return object_schema(shape, closed=closed)
    if isinstance(shape, ArrayShape):
        return _sized(shape, {"type": "array", "items": value_schema(shape.item, closed=closed)})
    if isinstance(shape, MapShape):
        return _map(shape, closed=closed)
    return _scalar(shape)


def or_null(schema: Schema) -> Schema:
    """The schema of a value of one type that may be null; for what a document may say."""
    nullable = {**schema, "type": [schema["type"], "null"]}
    if "enum" in schema:
        nullable["enum"] = [*schema["enum"], None]
    return nullable


def _map(shape: MapShape, *, closed: bool) -> Schema:
    # Few clients understand the words for named values, so an open schema leaves them out.
    if not closed:
        return {"type": "object"}
    return {
        "type": "object",
        "propertyNames": {"enum": list(shape.names)},
        "additionalProperties": value_schema(shape.value, closed=closed),
    }


def _sized(shape: ArrayShape, schema: Schema) -> Schema:
    if shape.min_items:
        schema["minItems"] = shape.min_items
    schema["maxItems"] = shape.max_items
    return schema


def _scalar(shape: Shape) -> Schema:
    match shape:
        case TextShape():
            return _text(shape)
        case IdShape(prefix=prefix):
            return {"type": "string", "pattern": f"^{prefix}_{ID_TAIL}$"}
        case IntegerShape(bounds=bounds):
            return {"type": "integer", "minimum": bounds.low, "maximum": bounds.high}
        case AmountShape(bounds=bounds):
            unit = 10**shape.places
            low, high = bounds.low / unit, bounds.high / unit
            return {"type": "number", "minimum": low, "maximum": high}
        case EnumShape(values=values):
            return {"type": "string", "enum": list(values)}
        case _:
            return dict(_FIXED[type(shape)])


def _text(shape: TextShape) -> Schema:
    schema: Schema = {"type": "string"}
    if shape.min_length:
        schema["minLength"] = shape.min_length
    schema["maxLength"] = shape.max_length
    if shape.pattern is not None:
        schema["pattern"] = shape.pattern
    return schema


def _remark(shape: Shape) -> str:
    match shape:
        case AmountShape(unit="money"):
            return " In BRL, at most 2 decimals."
        case AmountShape():
            return " In percent, at most 4 decimals."
        case SeveralShape(item=EnumShape(values=values)):
            return f" One or more, separated by commas: {', '.join(values)}."
        case SeveralShape():
            return " One or more, separated by commas."
        case MapShape(names=names):
            return f" Any of the names {', '.join(names)}."
        case _:
            return ""


_NULL: Final[Mapping[NullMeans, str]] = {
    NullMeans.NOT_SENT: "",
    NullMeans.EMPTY: " Null empties it.",
    NullMeans.NOTHING_ALLOWED: "",
}

_FIXED: Final[Mapping[type[Shape], Schema]] = {
    NumberShape: {"type": "number", "minimum": ANY_NUMBER.low, "maximum": ANY_NUMBER.high},
    BooleanShape: {"type": "boolean"},
    DateShape: {"type": "string", "format": "date"},
    TimestampShape: {"type": "string", "format": "date-time"},
    SeveralShape: {"type": "string"},
    FreeFormShape: {"type": "object"},
}
