"""What the examples of the page are about: rows, days and words of the demo's school."""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from datetime import timedelta
from functools import cache
from typing import Any, Final

from adapters.persistence.demo import DemoOrganization
from adapters.v1.bound import BoundV1
from adapters.v1.examples import INVENTED, World
from adapters.v1.route import Route
from adapters.v1.shapes import IdShape
from domain.ports.operations import OperationInfo
from entrypoints.seed.growth import grown
from entrypoints.seed.stories import ON_HOLD
from entrypoints.seed.timeline import STARTS_AT, TODAY
from entrypoints.seed.traps import INVOICE, MARINA_CPF

# Where not any row will do: by entity and act, the external id of one that is in the right state.
_ROWS: Final = {
    "chg": {
        "cancel": "A-18-3",
        "delete": INVOICE,
        "pdf": "A-20-01",
        "release": ON_HOLD,
        "write_off": "A-09",
    },
    "dbt": {"anonymize": "ALU-021", "archive": "A-20", "pdf": "A-20"},
}
_NUMBERS: Final = {"year": TODAY.year - 1}
_DAYS: Final = {
    "birth_date": "1984-05-17",
    "due_date": (TODAY + timedelta(days=20)).isoformat(),
    "until": (TODAY + timedelta(days=30)).isoformat(),
}
_WORDS: Final = {
    **INVENTED.words,
    "description": "Mensalidade 12/2026",
    "direction": "outbound",
    "label": "Trabalho",
    "name": "Clara Nogueira Vidal",
    "note": "Combinado por telefone.",
    "notes": "Prefere ser contatado à tarde.",
    "reason": "A pedido do devedor.",
    "request_reference": "LGPD 12/2026",
    "status": "overdue",
    "value": "paulo.trabalho@example.com",
}
# What is looked for exists; what is created does not exist yet.
_SOUGHT: Final = {"document": MARINA_CPF}
_NEW: Final = {"document": "390.533.447-05"}


def world_of(bound: BoundV1) -> World:
    """The demo as the example of this operation sees it.

    A call about one row takes the first of its kind, and a destructive one the last, so that
    pasting it spoils no other example. A row brings in the rows that it refers to.
    """
    ids = {prefix: rows[0].id for prefix, rows in _rows().items()}
    words = _WORDS | (_SOUGHT if bound.operation.info.read_only else _NEW)
    row = _row_of(bound.operation.info, _innermost(bound.route))
    if row is not None:
        ids |= {_prefix(found): found for found in _ids_in(row)}
        words |= {"confirm_name": getattr(row, "name", "")}
    return World(
        day=TODAY.isoformat(),
        instant=STARTS_AT.isoformat(),
        ids=ids,
        days=_DAYS,
        words=words,
        numbers=_NUMBERS,
    )


def _row_of(info: OperationInfo, prefix: str) -> Any:  # noqa: ANN401 -- of any entity
    rows = _rows().get(prefix, [])
    wanted = _ROWS.get(prefix, {}).get(_act(info))
    if wanted is not None:
        return next(row for row in rows if row.external_id == wanted)
    return None if not rows else rows[-1 if info.destructive else 0]


@cache
def _rows() -> dict[str, list[Any]]:
    """Everything that the organisation has, by the prefix of its ids, in the order of the seed."""
    first, *_ = grown(issuer="", system_now=STARTS_AT)
    found: dict[str, list[Any]] = {}
    for row in _rows_in(first):
        found.setdefault(_prefix(row.id), []).append(row)
    return found


def _rows_in(demo: DemoOrganization) -> Iterator[Any]:
    for field in fields(demo):
        value = getattr(demo, field.name)
        rows = value if isinstance(value, Sequence) else (value,)
        yield from (row for row in rows if hasattr(row, "id"))


def _ids_in(row: Any) -> Iterator[str]:  # noqa: ANN401 -- of any entity
    """Its own id, after those of the rows that it refers to."""
    for field in fields(row):
        value = getattr(row, field.name)
        if field.name.endswith("_id") and isinstance(value, str) and "_" in value:
            yield value
    yield row.id


def _innermost(route: Route) -> str:
    """The prefix of the last id in the path; empty where there is none."""
    shapes = [field.shape for field in route.path_params]
    return next((shape.prefix for shape in reversed(shapes) if isinstance(shape, IdShape)), "")


def _act(info: OperationInfo) -> str:
    """What is done to a row: `cancel` in `POST /charges/{id}/cancel`, else the method."""
    last = info.path.rpartition("/")[2]
    return info.method.lower() if last.startswith("{") else last


def _prefix(identifier: str) -> str:
    return identifier.partition("_")[0]
