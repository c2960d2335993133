"""The shape of an input: a small frozen tree, read by schema, coercion and OpenAPI alike."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Final, Literal, TypeAlias

from domain.dunning.money import CENT_PLACES, PERCENT_PLACES, Bounds

MOST_ITEMS: Final = 100
"""For a list that declares no length."""

ANY_INTEGER: Final = Bounds(-(2**31), 2**31 - 1)
"""What a PostgreSQL `integer` column holds; for an integer that declares no range."""

ANY_NUMBER: Final = Bounds(-9_999_999_999, 9_999_999_999)
"""For a number whose meaning another field decides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextShape:
    """Text; lengths count code points after trimming, `pattern` is searched for."""

    min_length: int = 0
    max_length: int
    pattern: str | None = None


@dataclass(frozen=True, slots=True)
class IdShape:
    """An id with this prefix."""

    prefix: str


@dataclass(frozen=True, slots=True)
class IntegerShape:
    """A whole number within `bounds`."""

    bounds: Bounds


@dataclass(frozen=True, slots=True)
class AmountShape:
    """BRL or percent; `bounds` are in cents or in 1/10 000 percent."""

    unit: Literal["money", "percent"]
    bounds: Bounds

    @property
    def places(self) -> int:
        """Decimals that a caller may write."""
        return CENT_PLACES if self.unit == "money" else PERCENT_PLACES


@dataclass(frozen=True, slots=True)
class NumberShape:
    """A decimal number whose meaning another field decides, kept as written."""


@dataclass(frozen=True, slots=True)
class BooleanShape:
    """True or false."""


@dataclass(frozen=True, slots=True)
class DateShape:
    """A day, `YYYY-MM-DD`."""


@dataclass(frozen=True, slots=True)
class TimestampShape:
    """An instant, RFC 3339 with offset."""


@dataclass(frozen=True, slots=True)
class EnumShape:
    """One of these texts."""

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeveralShape:
    """One text with values separated by commas."""

    item: "EnumShape | TextShape | IdShape"
    max_items: int = MOST_ITEMS


@dataclass(frozen=True, slots=True)
class ArrayShape:
    """A list."""

    item: "Shape"
    min_items: int = 0
    max_items: int = MOST_ITEMS


@dataclass(frozen=True, slots=True)
class ObjectShape:
    """An object with these members and no others."""

    fields: "tuple[FieldShape, ...]"


@dataclass(frozen=True, slots=True)
class MapShape:
    """An object whose members are named by data: these names, and a value of one shape each."""

    names: tuple[str, ...]
    value: "Shape"


@dataclass(frozen=True, slots=True)
class FreeFormShape:
    """An object that belongs to the caller: any members."""


Shape: TypeAlias = (
    TextShape
    | IdShape
    | IntegerShape
    | AmountShape
    | NumberShape
    | BooleanShape
    | DateShape
    | TimestampShape
    | EnumShape
    | SeveralShape
    | ArrayShape
    | ObjectShape
    | MapShape
    | FreeFormShape
)


class NullMeans(Enum):
    """What it says when a caller sends null for a field."""

    NOT_SENT = auto()
    """The same as leaving the field out."""

    EMPTY = auto()
    """The field is to be emptied; leaving it out keeps it."""

    NOTHING_ALLOWED = auto()
    """Nothing that can be: the field always has a value, and leaving it out keeps it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldShape:
    """One member of an object; `default` is as a caller would write it, None shows none.

    `null` is what null says; a text that stands for nothing always counts as not sent.
    """

    name: str
    shape: Shape
    description: str
    required: bool
    default: Any = None
    null: NullMeans = NullMeans.NOT_SENT
