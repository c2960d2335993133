"""What can be wrong with one field of a request, in the caller's words and never the caller's."""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

from adapters.v1.entity_names import ENTITY_NAMES
from domain.errors import Detail, ValidationError
from domain.texts import Text

INTEGER: Final = Text("um número inteiro", "a whole number")
NUMBER: Final = Text("um número", "a number")
BOOLEAN: Final = Text("true ou false", "true or false")
TEXT: Final = Text("um texto", "a text")
SEVERAL: Final = Text(
    "um texto com valores separados por vírgulas", "a text with values separated by commas"
)
DATE: Final = Text(
    "uma data AAAA-MM-DD entre 1900 e 2199", "a date YYYY-MM-DD between 1900 and 2199"
)
TIMESTAMP: Final = Text(
    "um instante RFC 3339 com fuso, como 2026-03-02T09:00:00-03:00",
    "an RFC 3339 instant with its offset, such as 2026-03-02T09:00:00-03:00",
)
LIST: Final = Text("uma lista", "a list")
OBJECT: Final = Text("um objeto", "an object")
JSON: Final = Text("um JSON válido, sem chaves repetidas", "valid JSON without repeated keys")

_NAMEABLE: Final = re.compile(r"[A-Za-z0-9_.-]+")
_LONGEST_NAME: Final = 40
_ALIKE: Final = 0.75


def required(at: str) -> Detail:
    """The field has to be sent."""
    return Detail(at, "required", Text("Campo obrigatório.", "This field is required."))


def null_not_allowed(at: str) -> Detail:
    """The field always has a value."""
    return Detail(
        at,
        "null_not_allowed",
        Text(
            "Não pode ficar sem valor; omita o campo para manter o atual.",
            "It cannot be without a value; leave the field out to keep the present one.",
        ),
    )


def unknown(prefix: str, name: str, known: Sequence[str]) -> Detail:
    """No such field; with the nearest one that there is."""
    nearest = get_close_matches(name[:_LONGEST_NAME], known, n=1, cutoff=_ALIKE)
    hint = Text(f"; seria {nearest[0]}?", f"; did you mean {nearest[0]}?") if nearest else _PERIOD
    shown = nameable(name)
    return Detail(
        f"{prefix}{shown}" if shown else prefix.removesuffix("."),
        "unknown_field",
        Text(f"Campo desconhecido{hint.pt}", f"Unknown field{hint.en}"),
    )


def nameable(name: str) -> str:
    """A name from the caller, cut; empty when it holds more than a name of ours could."""
    short = name[:_LONGEST_NAME]
    return short if _NAMEABLE.fullmatch(short) else ""


def not_expected(at: str, expected: Text, code: str = "wrong_type") -> ValidationError:
    """Not a value of this kind."""
    return _refusal(at, code, f"Informe {expected.pt}.", f"Give {expected.en}.")


def not_allowed(at: str, values: Sequence[str]) -> ValidationError:
    """None of the values that there are."""
    allowed = ", ".join(values)
    return _refusal(
        at, "not_allowed", f"Valores permitidos: {allowed}.", f"Allowed values: {allowed}."
    )


def out_of_range(at: str, low: int, high: int) -> ValidationError:
    """A whole number beyond its limits."""
    return _refusal(
        at,
        "out_of_range",
        f"Informe um valor entre {low} e {high}.",
        f"Give a value between {low} and {high}.",
    )


def too_short(at: str, least: int) -> ValidationError:
    """Less text than needed, after trimming."""
    return _refusal(
        at,
        "too_short",
        f"Mínimo de caracteres: {least}.",
        f"The minimum length is {least}.",
    )


def too_long(at: str, most: int) -> ValidationError:
    """More text than fits, after trimming."""
    return _refusal(
        at, "too_long", f"Máximo de caracteres: {most}.", f"The maximum length is {most}."
    )


def too_few(at: str, least: int) -> ValidationError:
    """Fewer items than needed."""
    return _refusal(
        at,
        "too_few_items",
        f"Mínimo de itens: {least}.",
        f"The minimum number of items is {least}.",
    )


def too_many(at: str, most: int) -> ValidationError:
    """More items than are taken at once."""
    return _refusal(
        at, "too_many_items", f"Máximo de itens: {most}.", f"The maximum number of items is {most}."
    )


def too_large(at: str, kilobytes: int) -> ValidationError:
    """A free-form object beyond its size, or nested too deeply."""
    return _refusal(
        at,
        "too_large",
        f"O objeto pode ter até {kilobytes} KB e poucos níveis.",
        f"The object may have up to {kilobytes} KB and few levels.",
    )


def bad_form(at: str) -> ValidationError:
    """Text that does not match the pattern of its field."""
    return _refusal(
        at, "invalid_format", "O formato não é o deste campo.", "Not in the format of this field."
    )


def bad_characters(at: str) -> ValidationError:
    """Characters that cannot be stored: NUL, or half of a surrogate pair."""
    return _refusal(
        at,
        "invalid_characters",
        "O texto contém caracteres inválidos.",
        "The text contains invalid characters.",
    )


def bad_id(at: str, prefix: str, sent_prefix: str) -> ValidationError:
    """Another entity's id, which is told apart, or no id at all."""
    wanted, sent = ENTITY_NAMES[prefix], ENTITY_NAMES.get(sent_prefix)
    if sent is None or sent_prefix == prefix:
        return _refusal(
            at,
            "invalid_id",
            f"Informe um id de {wanted.pt}: {prefix}_ e 26 caracteres.",
            f"Give {_an(wanted.en)} id: {prefix}_ and 26 characters.",
        )
    return _refusal(
        at,
        "wrong_id_type",
        f"Esperado um id de {wanted.pt}, recebido um id de {sent.pt}.",
        f"Expected {_an(wanted.en)} id, got {_an(sent.en)} id.",
    )


_PERIOD: Final = Text(".", ".")


def _refusal(at: str, code: str, pt: str, en: str) -> ValidationError:
    return ValidationError(Detail(at, code, Text(pt, en)))


def _an(name: str) -> str:
    return f"{'an' if name[0] in 'aeioAEIO' else 'a'} {name}"
