"""Reading JSON that somebody else wrote, with nothing left to interpretation (RFC 8259, 7493)."""

import json
import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any, Final

import msgspec

DEEPEST: Final = 64
"""Levels of nesting that are read."""

_ESCAPED_COLON: Final = re.compile(rb"\\u003[aA]")
_DECODER: Final = msgspec.json.Decoder(float_hook=Decimal)
_ENCODER: Final = msgspec.json.Encoder()


class NotJsonError(ValueError):
    """Not UTF-8, not JSON, a name twice in one object, NaN or Infinity, or nested too deeply."""


def strict_json(raw: bytes) -> Any:  # noqa: ANN401 -- any JSON value
    """The value of `raw`; integers are `int` and others `Decimal`, so `1.0` stays apart from `1`.

    The decoder refuses what is not UTF-8, lone surrogates, NaN and infinities.

    Raises:
        NotJsonError: whatever can be read in two ways, or not at all.
    """
    try:
        value = _DECODER.decode(raw)
        _refuse_depth(raw, value)
        _refuse_duplicates(raw, value)
    except (ValueError, ArithmeticError, RecursionError):
        raise NotJsonError from None
    return value


def _refuse_depth(raw: bytes, value: object) -> None:
    """Levels are counted only where there are enough brackets to go too deep."""
    if raw.count(b"[") + raw.count(b"{") <= DEEPEST:
        return
    level: list[Any] = [value]
    for _ in range(DEEPEST):
        level = [inner for outer in level for inner in _inner(outer) if _is_container(inner)]
        if not level:
            return
    raise NotJsonError


def _inner(container: dict[str, Any] | list[Any]) -> Iterable[Any]:
    return container.values() if isinstance(container, dict) else container


def _is_container(value: object) -> bool:
    return value.__class__ is dict or value.__class__ is list


def _refuse_duplicates(raw: bytes, value: object) -> None:
    """A decoded object keeps one of the members of a name, so its colons are fewer than sent.

    Only an escaped colon could make up for one that is missing; then members are compared.
    """
    if b"\\" in raw and _ESCAPED_COLON.search(raw):
        json.loads(raw, object_pairs_hook=_without_duplicates)
    elif _ENCODER.encode(value).count(b":") != raw.count(b":"):
        raise NotJsonError


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise NotJsonError
    return members
