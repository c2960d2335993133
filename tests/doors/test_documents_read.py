"""A document is read from one moment, and leaves only once that is written down."""

from typing import Any

import pytest

from application.operations.call import Call
from application.operations.declaration import operation
from application.operations.fields import NoInput
from application.operations.request import Arguments, Bound, Request
from domain.dunning.charges import Charge
from domain.errors import UnavailableError
from domain.ports.documents import Document, File
from tests.builders import NOW, ORIGIN, a_charge, a_debtor, a_grant
from tests.doors.firms import Ledger, Pair
from tests.doors.house import House

pytestmark = pytest.mark.anyio


class Press:
    """Keeps what it is given, or has no place for it."""

    def __init__(self, *, is_full: bool = False) -> None:
        self.is_full = is_full
        self.given: list[tuple[Document, str]] = []

    async def render(self, document: Document, /, *, whose: str) -> File:
        self.given.append((document, whose))
        if self.is_full:
            raise UnavailableError
        return File(content_type="application/pdf", name=document.name, content=b"%PDF")


def counting(ledger: Ledger, pair: Pair, debtor: Any) -> Bound:
    """A document of how many charges there are, before and after somebody adds one."""

    async def count(call: Call) -> int:
        counts = await call.work.debtors.charge_counts(debtor.id)
        return sum(counts.values())

    @operation(
        "counts_pdf", "GET /counts", title="Count", description="Counts.", permission="charges.read"
    )
    async def counts_pdf(call: Call, _wanted: NoInput) -> Document:
        before = await count(call)
        added: Charge = a_charge(debtor)
        await ledger.keep(pair.a, added)
        values = {"before": before, "after": await count(call)}
        return Document(kind="counts", name="counts.pdf", at=NOW, values=values)

    return Bound(counts_pdf, lambda _raw: Arguments(values=NoInput()))


@pytest.mark.parametrize("is_full", [False, True])
async def test_what_changes_meanwhile_is_not_on_it_and_what_did_not_leave_is_not_in_the_trail(
    house: House, ledger: Ledger, pair: Pair, *, is_full: bool
) -> None:
    debtor = a_debtor(pair.a.creditor)
    await ledger.keep(pair.a, debtor, a_charge(debtor))
    press = Press(is_full=is_full)
    run = type(house.container.run())(
        house.container.open_work(), house.clock, house.container.ids(), press
    )
    request = Request(raw={}, grant=a_grant(pair.a.creditor), origin=ORIGIN)
    answer = None
    try:
        answer = await run(counting(ledger, pair, debtor), request)
    except UnavailableError:
        assert is_full
    ((document, whose),) = press.given
    assert document.values == {"before": 1, "after": 1}
    assert whose == pair.a.id
    lines = [line["action"] for line in await ledger.audit(pair.a.id)]
    assert lines == ([] if is_full else ["dunning_counts_pdf"])
    assert (answer is None) is is_full
    assert await ledger.audit(pair.b.id) == []
