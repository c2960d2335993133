"""Refusals as the caller reads them, the same behind every door."""

import re
from collections.abc import Mapping
from typing import Final, TypeVar

from domain.errors import Detail, DomainError
from domain.texts import DEFAULT_LANGUAGE, Language

T = TypeVar("T")

_LANGUAGES: Final[Mapping[str, Language]] = {"pt": "pt-BR", "en": "en", "*": DEFAULT_LANGUAGE}
_WEIGHT: Final = re.compile(r"\s*[qQ]=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)\s*")


def error_body(
    error: DomainError, language: Language, request_id: str
) -> dict[str, dict[str, object]]:
    """What a refusal says: a code that never changes, and sentences in `language`."""
    return {
        "error": {
            "code": error.code,
            "message": error.message.in_language(language),
            "details": [_detail(detail, language) for detail in error.details],
            "request_id": request_id,
            **error.extras(),
        }
    }


def language_of(accept_language: str | None) -> Language:
    """The best language that errors are written in for an `Accept-Language`."""
    return best_language(accept_language, _LANGUAGES, DEFAULT_LANGUAGE)


def best_language(accept_language: str | None, known: Mapping[str, T], default: T) -> T:
    """The best of `known`, by primary subtag, for an `Accept-Language` (RFC 9110 section 12.5.4).

    Of languages that are equally welcome the first named is taken; a caller who wants none of them
    gets the default.
    """
    best, best_weight = default, 0.0
    if not accept_language:
        return best
    for language_range in accept_language.split(","):
        tag, _, parameter = language_range.partition(";")
        language = known.get(tag.strip().lower().partition("-")[0])
        weight = _weight(parameter)
        if language is not None and weight > best_weight:
            best, best_weight = language, weight
    return best


def _detail(detail: Detail, language: Language) -> dict[str, str]:
    return {
        "field": detail.field,
        "code": detail.code,
        "message": detail.message.in_language(language),
    }


def _weight(parameter: str) -> float:
    """The q value; 1 where none is given, 0 for one that cannot be read."""
    if not parameter.strip():
        return 1.0
    read = _WEIGHT.fullmatch(parameter)
    return float(read[1]) if read else 0.0
