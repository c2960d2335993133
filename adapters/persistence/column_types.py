"""Column types that carry the domain's values: enums, texts in order, and JSON of a known shape."""

from collections.abc import Callable, Iterable
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final, Generic, TypeVar

import msgspec
from sqlalchemy import ARRAY, Dialect, Text, TypeDecorator
from sqlalchemy.dialects.postgresql import JSONB

from domain.dunning.documents import Document

E = TypeVar("E", bound=StrEnum)
T = TypeVar("T")


class Id(Text):
    """Text that is compared byte by byte, whatever the server's locale."""

    def __init__(self) -> None:
        super().__init__(collation="C")


class EnumText(TypeDecorator[E], Generic[E]):
    """A member of `kind` by its value."""

    impl = Text
    cache_ok = True

    def __init__(self, kind: type[E]) -> None:
        super().__init__(collation="C")
        self.kind = kind

    def process_bind_param(self, value: E | None, _dialect: Dialect) -> str | None:
        """The text of a member."""
        return None if value is None else str(value)

    def process_result_value(self, value: str | None, _dialect: Dialect) -> E | None:
        """The member of a text."""
        return None if value is None else self.kind(value)


class DocumentText(TypeDecorator[Document]):
    """A CPF or CNPJ by its number."""

    impl = Text
    cache_ok = True

    def __init__(self) -> None:
        super().__init__(collation="C")

    def process_bind_param(self, value: Document | None, _dialect: Dialect) -> str | None:
        """The number of a document."""
        return None if value is None else value.number

    def process_result_value(self, value: str | None, _dialect: Dialect) -> Document | None:
        """A number that was checked before it was stored, as a document."""
        return None if value is None else Document(value)


class Texts(TypeDecorator[Any]):
    """An array of texts, read as `gather` of each one made by `item`."""

    impl = ARRAY
    cache_ok = True

    def __init__(
        self, item: Callable[[str], Any] = str, gather: Callable[[Iterable[Any]], Any] = tuple
    ) -> None:
        super().__init__(Text)
        self.item = item
        self.gather = gather

    def process_bind_param(self, value: Iterable[str] | None, _dialect: Dialect) -> object:
        """A list, for the driver; sets in order, so that equal ones are stored alike."""
        if value is None:
            return None
        texts = [str(text) for text in value]
        return sorted(texts) if self.gather is frozenset else texts

    def process_result_value(self, value: Iterable[str] | None, _dialect: Dialect) -> object:
        """What the domain holds."""
        return None if value is None else self.gather(map(self.item, value))


class JsonOf(TypeDecorator[T], Generic[T]):
    """JSON that is read as `shape`."""

    impl = JSONB
    cache_ok = True

    def __init__(self, shape: object) -> None:
        super().__init__()
        self.shape = shape
        self._decoder = msgspec.json.Decoder(shape, dec_hook=_read_fraction)

    def bind_processor(self, _dialect: Dialect) -> Callable[[T | None], str | None]:
        """Writes the value."""
        return lambda value: None if value is None else json_text(value)

    def result_processor(
        self, _dialect: Dialect, _coltype: object
    ) -> Callable[[str | None], T | None]:
        """Reads the value."""
        decode = self._decoder.decode
        return lambda value: None if value is None else decode(value)


def _written_fraction(value: object) -> str:
    if isinstance(value, Fraction):
        return str(value)
    raise NotImplementedError(f"{type(value).__name__} has no JSON form")


_JSON: Final = msgspec.json.Encoder(decimal_format="number", enc_hook=_written_fraction)


def json_text(value: object) -> str:
    """`value` as JSON; decimals are numbers, fractions are texts such as `1/3`."""
    return _JSON.encode(value).decode()


def _read_fraction(kind: type, value: object) -> Fraction:
    if kind is Fraction:
        return Fraction(str(value))
    raise NotImplementedError(f"{kind.__name__} has no JSON form")
