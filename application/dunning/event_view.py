"""What events tell, in the units of answers: the store has cents and 1/10 000 percent."""

from collections.abc import Mapping
from typing import Final

from application.operations.numbers import percent, reais
from domain.dunning.terms import DiscountType

MONEY: Final = frozenset(
    {
        "amount",
        "paid",
        "principal_outstanding",
        "settlement_tolerance",
        "total_due",
        "unallocated_amount",
        "written_off_amount",
    }
)
"""Names of amounts, wherever in an event they stand."""

PERCENT: Final = frozenset({"fine_percent", "interest_percent_month"})
"""Names of percentages."""


def event_values(told: Mapping[str, object]) -> dict[str, object]:
    """`data` or `changes` of an event, as an answer shows it; old and new stay a pair."""
    return {name: _value(name, value) for name, value in told.items()}


def _value(name: str, value: object) -> object:
    if isinstance(value, list | tuple):
        return [_value(name, one) for one in value]
    if isinstance(value, dict):
        return _discount(value) if value.keys() >= {"type", "value"} else event_values(value)
    if not isinstance(value, int):
        return value
    if name in MONEY:
        return reais(value)
    return percent(value) if name in PERCENT else value


def _discount(told: dict[str, object]) -> dict[str, object]:
    """A discount of terms, whose type says what its value is."""
    value = told["value"]
    if not isinstance(value, int):
        return told
    is_percent = told["type"] == DiscountType.PERCENT
    return {**told, "value": percent(value) if is_percent else reais(value)}
