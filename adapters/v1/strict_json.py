"""JSON text as exactly what it says: decimals as written, no duplicate keys, no NaN (RFC 8259)."""

import json
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from typing import Final

DEEPEST: Final = 64
"""Levels of nesting that are read."""


def decode(text: str | bytes) -> object:
    """Read JSON; integers become `int`, other numbers `Decimal`.

    Raises:
        ValueError: not JSON in UTF-8, a duplicate key, NaN or Infinity, a number beyond all
            bounds, or nested more than 64 levels deep. Its text may quote the input.
    """
    try:
        value = _decoder.decode(text if isinstance(text, str) else text.decode())
    except (RecursionError, InvalidOperation):
        raise ValueError from None
    if _depth(value) > DEEPEST:
        raise ValueError
    return value


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError
    return members


def _constant(_: str) -> object:
    raise ValueError


def _depth(value: object) -> int:
    depth = 0
    level = _nested([value])
    while level:
        depth += 1
        level = _nested(child for parent in level for child in _children(parent))
    return depth


def _nested(values: Iterable[object]) -> list[dict[str, object] | list[object]]:
    return [value for value in values if isinstance(value, dict | list)]


def _children(parent: dict[str, object] | list[object]) -> Iterable[object]:
    return parent.values() if isinstance(parent, dict) else parent


_decoder: Final = json.JSONDecoder(
    object_pairs_hook=_object, parse_float=Decimal, parse_constant=_constant
)
