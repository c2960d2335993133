"""Every operation that MCP runs says the same at both doors."""

import re
from typing import Any, Final

import pytest

from tests.doors.firms import Ledger, Pair, things
from tests.doors.house import Door, House
from tests.doors.requests import FILES, ROWS

pytestmark = pytest.mark.anyio

_ID: Final = re.compile(r"([a-z]{3})_[0-9a-z]{26}")
_MASKED: Final = re.compile(r"\*{3}\.\d{3}\.\d{3}-\*{2}")
RUN_BY_MCP: Final = tuple(
    name for name, row in ROWS.items() if row.kind != "confirmed" and name not in FILES
)


def without_names(value: Any) -> Any:
    """What is said, whoever it is about: two calls that write are about two things."""
    if isinstance(value, str):
        return _MASKED.sub("***", _ID.sub(r"\1", value))
    if isinstance(value, dict):
        return {key: without_names(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [without_names(inner) for inner in value]
    return value


@pytest.mark.parametrize("operation", RUN_BY_MCP)
async def test_both_doors_give_the_same_body(
    house: House, ledger: Ledger, pair: Pair, operation: str
) -> None:
    row = ROWS[operation]
    bodies = {}
    known = await things(ledger, pair.a)
    for door in Door:
        if row.kind == "write":
            known = await things(ledger, pair.a)
        answer = await house.call(door, pair.a.owner, operation, row.arguments(known))
        assert answer.code is None
        bodies[door] = answer.body

    if row.kind == "read":
        assert bodies[Door.REST] == bodies[Door.MCP]
    assert without_names(bodies[Door.REST]) == without_names(bodies[Door.MCP])
