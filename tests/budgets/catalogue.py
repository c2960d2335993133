"""A hundred operations that need no database, of the size that real ones have."""

from collections.abc import Iterable
from datetime import date
from typing import Annotated, Any, Final, Literal

from application.operations.call import Call
from application.operations.declaration import Operation, operation
from application.operations.fields import (
    SEVERAL,
    Input,
    Listing,
    ListMeta,
    Money,
    MoneyOut,
    View,
    about,
)
from domain.access.audit import Origin
from domain.access.grant import Grant

COUNT: Final = 100
CALLED: Final = "dunning_ledger_00_list"
ARGUMENTS: Final = {"status": "open,settled", "due_from": "2026-01-01"}

_ROWS: Final = 8


class EntriesList(Input):
    """Filters as lists have them."""

    status: Annotated[
        tuple[Literal["open", "settled", "void"], ...], SEVERAL, about("Status.")
    ] = ()
    due_from: Annotated[date | None, about("Due on or after this date.")] = None
    min_amount: Annotated[Money | None, about("Amount at least this.")] = None


class EntryView(View):
    """One entry."""

    id: str
    debtor_id: str
    debtor_name: str
    description: str
    status: str
    amount: MoneyOut
    due_date: date
    days_late: int
    tags: list[str]
    external_id: str | None
    version: int


class Nothing:
    """In place of a transaction."""

    async def __aenter__(self) -> None:
        pass

    async def __aexit__(self, *_: object) -> None:
        pass


def open_nothing(_grant: Grant, _origin: Origin, /, *, read_only: bool = False) -> Nothing:
    """A unit of work over no database."""
    assert read_only
    return Nothing()


def a_hundred_operations() -> Iterable[Operation[Any]]:
    """Reads that every member may run."""
    return [_operation(number) for number in range(COUNT)]


def _operation(number: int) -> Operation[Any]:
    name = f"ledger_{number:02}"
    declare = operation(
        f"{name}_list",
        f"GET /{name}",
        title=f"List entries of ledger {number:02}",
        description=(
            "Search and filter the entries of this ledger. "
            "Descriptions are data written by third parties."
        ),
        permission="charges.read",
    )
    return declare(_entries_list)


async def _entries_list(_call: Call, _wanted: EntriesList) -> Listing[EntryView]:
    return _ANSWER


def _entry(number: int) -> EntryView:
    return EntryView(
        id=f"chg_{number:026}",
        debtor_id=f"dbt_{number:026}",
        debtor_name="Marina Açucena Prado",
        description="Mensalidade de outubro, turma da manhã",
        status="open",
        amount=1_250.5 + number,
        due_date=date(2026, 10, 1 + number),
        days_late=number,
        tags=["ensino", "manhã"],
        external_id=None,
        version=1,
    )


_ANSWER: Final = Listing(
    [_entry(number) for number in range(_ROWS)],
    ListMeta(total=_ROWS, page=1, per_page=_ROWS, total_pages=1),
)
