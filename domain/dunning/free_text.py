"""What people write freely: trimmed, bounded, fit to be stored; always data, never instructions."""

import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from domain.dunning.documents import is_cpf
from domain.dunning.money import Bounds
from domain.errors import Detail, ValidationError
from domain.texts import Text

NAME: Final = Bounds(2, 120)
EXTERNAL_ID: Final = Bounds(1, 64)
TAG: Final = Bounds(1, 30)
MAX_TAGS: Final = 20
MAX_CUSTOM_DATA_BYTES: Final = 8 * 1024

_LINE_SIGNS: Final = frozenset("\n\r\t")
# Letters and a symbol that are drawn as nothing.
_FILLERS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")


def trimmed(value: str, field: str, length: Bounds) -> str:
    """One line of text without the space around it.

    Raises:
        ValidationError: `out_of_range` by its length, `invalid_characters` for control characters
            or where nothing of it can be seen.
    """
    text = trimmed_lines(value, field, length)
    if not _LINE_SIGNS.isdisjoint(text):
        raise ValidationError(Detail(field, "invalid_characters", _CHARACTERS))
    return text


def trimmed_or_none(value: str | None, field: str, length: Bounds) -> str | None:
    """The same for a field that may be absent."""
    return None if value is None else trimmed(value, field, length)


def trimmed_lines(value: str, field: str, length: Bounds) -> str:
    """The same for a text of several lines."""
    text = value.strip()
    if len(text) not in length:
        raise ValidationError(Detail(field, "out_of_range", _length_text(length)))
    if not _is_storable(text):
        raise ValidationError(Detail(field, "invalid_characters", _CHARACTERS))
    if not any(_is_seen(sign) for sign in text):
        raise ValidationError(Detail(field, "invalid_characters", _NOTHING_SEEN))
    return text


def trimmed_lines_or_none(value: str | None, field: str, length: Bounds) -> str | None:
    """The same for a text of several lines that may be absent."""
    return None if value is None else trimmed_lines(value, field, length)


def external_id_or_none(value: str | None) -> str | None:
    """The caller's own id, which is shown to everybody and stands in addresses: never a CPF.

    Raises:
        ValidationError: `personal_document` for a CPF, or it is no line of 1 to 64 characters.
    """
    text = trimmed_or_none(value, "external_id", EXTERNAL_ID)
    if text is not None and is_cpf(text):
        raise ValidationError(Detail("external_id", "personal_document", _PERSONAL))
    return text


def distinct_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """The tags trimmed, in their order, each once.

    Raises:
        ValidationError: `too_many_items` above 20, or a tag that is no text of 1 to 30 characters
            without commas, which part the tags of a filter.
    """
    found = [_tag(tag, f"tags[{index}]") for index, tag in enumerate(tags)]
    distinct = tuple(dict.fromkeys(found))
    if len(distinct) > MAX_TAGS:
        text = Text(f"Use no máximo {MAX_TAGS} etiquetas.", f"Use at most {MAX_TAGS} tags.")
        raise ValidationError(Detail("tags", "too_many_items", text))
    return distinct


def bounded_object(value: Mapping[str, object], field: str) -> dict[str, object]:
    """A free JSON object of at most 8 KB.

    Raises:
        ValidationError: `too_large` or `invalid_characters`.
    """
    if not all(_is_storable(text) for text in _texts_in(value)):
        raise ValidationError(Detail(field, "invalid_characters", _CHARACTERS))
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
    if len(written.encode()) > MAX_CUSTOM_DATA_BYTES:
        text = Text("O objeto pode ter até 8 KB.", "The object may have up to 8 KB.")
        raise ValidationError(Detail(field, "too_large", text))
    return dict(value)


def _tag(tag: str, field: str) -> str:
    text = trimmed(tag, field, TAG)
    if "," in text:
        raise ValidationError(Detail(field, "invalid_characters", _COMMA))
    return text


_CHARACTERS: Final = Text("Remova os caracteres de controle.", "Remove the control characters.")
_NOTHING_SEEN: Final = Text("Use algum caractere visível.", "Use some visible character.")
_PERSONAL: Final = Text(
    "Use um código seu: um CPF aqui apareceria sem máscara.",
    "Use an id of your own: a CPF would be shown here without its mask.",
)
_COMMA: Final = Text("Uma etiqueta não tem vírgulas.", "A tag has no commas.")


def _length_text(length: Bounds) -> Text:
    return Text(
        f"Use de {length.low} a {length.high} caracteres.",
        f"Use {length.low} to {length.high} characters.",
    )


def _is_storable(text: str) -> bool:
    # PostgreSQL keeps neither NUL nor lone surrogates; other controls break logs and exports.
    return all(
        sign in _LINE_SIGNS or unicodedata.category(sign) not in {"Cc", "Cs"} for sign in text
    )


def _is_seen(sign: str) -> bool:
    # A mark is seen on a letter only.
    return unicodedata.category(sign)[0] not in "CMZ" and sign not in _FILLERS


def _texts_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, member in value.items():
            yield from _texts_in(key)
            yield from _texts_in(member)
    elif isinstance(value, list | tuple):
        for member in value:
            yield from _texts_in(member)
