"""Reading JSON that somebody else wrote, with nothing left to interpretation (RFC 8259, 7493)."""

import json
import re
from decimal import Decimal
from typing import Any, Final, NoReturn

DEEPEST: Final = 64
_OPENING: Final = re.compile(rb'"(?:[^"\\]|\\.)*"|([\[{])|([\]}])')
_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")


class NotJsonError(ValueError):
    """Not UTF-8, not JSON, a name twice in one object, NaN or Infinity, or nested too deeply."""


def strict_json(raw: bytes) -> Any:  # noqa: ANN401 -- any JSON value
    """The value of `raw`; integers are `int`, every other number is an exact `Decimal`.

    Raises:
        NotJsonError: for everything it could be read in two ways, or not at all.
    """
    try:
        text = raw.decode()
        if raw.count(b"[") + raw.count(b"{") > DEEPEST:
            _refuse_depth(raw)
        value = _DECODER.decode(text)
    except (ValueError, ArithmeticError, RecursionError):
        raise NotJsonError from None
    if "\\ud" in text or "\\uD" in text:
        _refuse_lone_surrogates(value)
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise NotJsonError
    return value


def _refuse(_: str) -> NoReturn:
    raise NotJsonError


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_object, parse_float=Decimal, parse_constant=_refuse
)


def _refuse_depth(raw: bytes) -> None:
    depth = 0
    for found in _OPENING.finditer(raw):
        depth += 1 if found[1] else -1 if found[2] else 0
        if depth > DEEPEST:
            raise NotJsonError


def _refuse_lone_surrogates(value: object) -> None:
    if isinstance(value, str):
        if _LONE_SURROGATE.search(value):
            raise NotJsonError
    elif isinstance(value, dict):
        for name, member in value.items():
            _refuse_lone_surrogates(name)
            _refuse_lone_surrogates(member)
    elif isinstance(value, list):
        for member in value:
            _refuse_lone_surrogates(member)
