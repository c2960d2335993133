"""Documents for people: laid out from plain values, the same bytes for the same values."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What a document says: the template `kind`, and `values` that are JSON values.

    `name` is the file's, without names of people; `at` is when it says that it was made.
    """

    kind: str
    name: str
    at: datetime
    values: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A document as it is sent."""

    content_type: str
    name: str
    content: bytes


class Documents(Protocol):
    """Lays documents out."""

    async def render(self, document: Document, /, *, whose: str) -> File:
        """The document as a file; `whose` is the organisation that it is made for.

        Raises:
            UnavailableError: it takes too long, or too many are being made.
        """
        ...
