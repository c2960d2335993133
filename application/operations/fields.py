"""Kinds of fields that operations take and give, for one reading of both doors.

A kind rides along as `Meta(extra={"kind": …})`; `adapters.v1` turns it into schema and coercion.
Inputs hold cents and 1/10 000 percent as integers; answers hold JSON numbers.
"""

from collections.abc import Iterable
from typing import Annotated, Final, Generic, Literal, TypeAlias, TypeVar

from msgspec import Meta, Struct

T = TypeVar("T")

Money = Annotated[int, Meta(extra={"kind": "money"})]
"""BRL in the request, cents in the operation."""

Percent = Annotated[int, Meta(extra={"kind": "percent"})]
"""Percent in the request, 1/10 000 percent in the operation."""

MoneyOut = Annotated[float, Meta(extra={"kind": "money"})]
"""BRL with at most two decimals."""

PercentOut = Annotated[float, Meta(extra={"kind": "percent"})]
"""Percent with at most four decimals."""

SEVERAL: Final = Meta(extra={"kind": "several"})
"""On a tuple: the caller sends one string with values separated by commas, meaning any of them."""


def id_of(prefix: str) -> Meta:
    """On a string: an id with this prefix, so that another entity's id is told apart."""
    return Meta(extra={"kind": "id", "prefix": prefix})


def one_of(values: Iterable[str]) -> Meta:
    """On a string or the names of a dict: one of `values`, which a table knows and no enum."""
    return Meta(extra={"kind": "one_of", "values": tuple(sorted(values))})


def about(text: str) -> Meta:
    """The description that a model and an API reader see."""
    return Meta(description=text)


Revealed: TypeAlias = Literal["document", "contacts"]
"""What may be shown unmasked."""

Reveal = Annotated[
    tuple[Revealed, ...],
    SEVERAL,
    about(
        "Show unmasked: `document` with the birth date, `contacts` with the address; needs the "
        "scope dunning.debtors:reveal and is written down."
    ),
]
"""The type of a read's field `reveal`, which `RunOperation` guards and writes down."""


class Input(Struct, kw_only=True, forbid_unknown_fields=True):
    """What an operation takes: path, query and body side by side."""


class NoInput(Input):
    """Nothing."""


class ListInput(Input):
    """What every list takes besides its filters."""

    page: Annotated[int, Meta(ge=1), about("Page number, from 1.")] = 1
    per_page: Annotated[int, Meta(ge=1, le=100), about("Rows per page, 1 to 100.")] = 25
    sort_order: Annotated[Literal["asc", "desc"] | None, about("Direction of the sort.")] = None


class View(Struct, kw_only=True):
    """What an operation gives."""


class One(Struct, Generic[T], frozen=True):
    """One object."""

    data: T


class ListMeta(Struct, kw_only=True, omit_defaults=True):
    """How much there is, and where this page stands in it."""

    total: int
    page: int
    per_page: int
    total_pages: int
    total_is_lower_bound: bool = False


class Listing(Struct, Generic[T], frozen=True):
    """A page of objects."""

    data: list[T]
    meta: ListMeta
