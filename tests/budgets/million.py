"""A million charges in one of ten organisations: its list waits little longer than another's."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from typing import Final

import pytest
import uvloop

from adapters.persistence.database import open_engine
from domain.access.grant import Grant
from tests.budgets.charges import OPERATION, creditor_with_charges
from tests.budgets.load import waits
from tests.budgets.real import app_with_charges
from tests.budgets.report import Line
from tests.budgets.requests import Call, mcp_request
from tests.budgets.serving import Served, served
from tests.database import begin_run, end_run, migrated_database

_MANY: Final = 1_000_000
_FEW: Final = 10_000
_OF_OTHERS: Final = 1_000
_OTHERS: Final = 8
_BUDGET: Final = 1.5
_TURNS: Final = 15
_REQUESTS: Final = 20

_ASKED: Final[dict[str, dict[str, object]]] = {
    "1M charges: the list": {},
    "1M charges: one status": {"status": "pending"},
    "1M charges: by total due": {"sort_by": "total_due", "sort_order": "desc"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """Where the organisations are: one with many charges, one with few."""

    url: str
    many: Grant
    few: Grant


def waiting_lines() -> list[Line]:
    """The medians of how long a caller of each organisation waits, in microseconds."""
    with (
        _filled() as filled,
        served(app_with_charges, filled.url, filled.few) as few,
        served(app_with_charges, filled.url, filled.many) as many,
    ):
        return [
            _line(what, mcp_request("/mcp", Call("tools/call", OPERATION, arguments)), few, many)
            for what, arguments in _ASKED.items()
        ]


def _line(what: str, request: bytes, few: Served, many: Served) -> Line:
    ports = (few.port, many.port)
    turns: list[list[float]] = [[], []]
    for _ in range(_TURNS):
        for port, waited in zip(ports, turns, strict=True):
            waited.extend(uvloop.run(waits(port, request, _REQUESTS)))
    few_wait, many_wait = (median(waited) for waited in turns)
    return Line(what=what, bare=few_wait, ours=many_wait, budget=_BUDGET)


@contextmanager
def _filled() -> Generator[Filled]:
    config = pytest.Config.fromdictargs({}, ["--assert=plain"])
    begin_run(config)
    try:
        with migrated_database("million") as database:
            yield uvloop.run(_fill(database.owner, database.app))
    finally:
        end_run(config)


async def _fill(owner_url: str, app_url: str) -> Filled:
    owner = open_engine(owner_url)
    many = await creditor_with_charges(owner, "Colégio Aurora", _MANY)
    few = await creditor_with_charges(owner, "Pampa Distribuidora", _FEW)
    for number in range(_OTHERS):
        await creditor_with_charges(owner, f"Clínica {number}", _OF_OTHERS)
    async with owner.connect() as connection:
        await connection.exec_driver_sql("VACUUM ANALYZE charges, debtors")
    await owner.dispose()
    return Filled(url=app_url, many=many, few=few)
