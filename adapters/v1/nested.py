"""Objects and lists inside arguments, which models also send as a string of JSON."""

from typing import Any

from adapters.v1 import details
from adapters.v1.scalars import ABSENT_TEXTS
from application.strict_json import strict_json


def object_in(value: object, at: str) -> dict[str, Any] | None:
    """The object that `value` is or spells; None when it counts as absent.

    Raises:
        ValidationError: `wrong_type`, or `invalid_json` for a string that spells nothing.
    """
    found = _spelled(value, at)
    if found is None or isinstance(found, dict):
        return found
    raise details.not_expected(at, details.OBJECT)


def list_in(value: object, at: str) -> list[Any] | None:
    """The list that `value` is or spells; None when it counts as absent.

    Raises:
        ValidationError: `wrong_type`, or `invalid_json` for a string that spells nothing.
    """
    found = _spelled(value, at)
    if found is None or isinstance(found, list):
        return found
    raise details.not_expected(at, details.LIST)


def _spelled(value: object, at: str) -> object:
    if not isinstance(value, str):
        return value
    if value in ABSENT_TEXTS:
        return None
    try:
        return strict_json(value.encode())
    except (ValueError, ArithmeticError):
        raise details.not_expected(at, details.JSON, "invalid_json") from None
