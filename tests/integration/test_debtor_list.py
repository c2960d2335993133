"""The debtor list: filters, sorts and what each debtor owes; of one organisation and portfolio."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest

from adapters.persistence.work import OpenSqlWork
from domain.access.grant import Grant
from domain.access.roles import Role
from domain.dunning.charges import CancelReason
from domain.dunning.debtors import Debtor, DebtorFlag
from domain.dunning.documents import PersonType, cnpj_with_check_digits
from domain.dunning.moment import Moment
from domain.ports.storage import DebtorQuery, DebtorRow, Page, Span, Window
from tests.builders import ADDRESS, MOMENT, NOW, ORIGIN, Creditor, a_charge, a_debtor, a_grant
from tests.conftest import Organisations
from tests.integration.conftest import Store

pytestmark = pytest.mark.anyio

LATE = Moment(NOW, date(2026, 12, 1))


def a_window(
    sort_by: str = "name", *, descending: bool = False, page: int = 1, per_page: int = 25
) -> Window:
    return Window(page=page, per_page=per_page, sort_by=sort_by, descending=descending)


@pytest.fixture
def listed(open_work: OpenSqlWork) -> Callable[..., Any]:
    async def page(grant: Grant, window: Window | None = None, **filters: Any) -> Page[DebtorRow]:
        async with open_work(grant, ORIGIN, read_only=True) as work:
            return await work.debtors.page(DebtorQuery(window=window or a_window(), **filters))

    return page


def some_debtors(creditor: Creditor) -> dict[str, Debtor]:
    later = creditor.members[Role.COLLECTOR].id
    debtors = {
        "alvaro": a_debtor(creditor, name="Álvaro Zimbro", tags=("vip",), external_id="CLI-1"),
        "ana": a_debtor(creditor, name="ana lima", assigned_member_id=later, address=ADDRESS),
        "padaria": a_debtor(
            creditor,
            name="Padaria Sol",
            trade_name="Pão Quente",
            document=cnpj_with_check_digits("12ABC3450001").number,
        ),
    }
    debtors["alvaro"].flags = (DebtorFlag.MINOR,)
    debtors["padaria"].created_at = debtors["padaria"].updated_at = NOW + timedelta(days=1)
    return debtors


@pytest.fixture
async def stored(organisations: Organisations, store: Store) -> dict[str, Debtor]:
    """Three debtors, the same in both organisations: one owes late, one on time, one nothing."""
    await keep_in(organisations.b, store)
    return await keep_in(organisations.a, store)


async def keep_in(creditor: Creditor, store: Store) -> dict[str, Debtor]:
    debtors = some_debtors(creditor)
    alvaro = debtors["alvaro"]
    issued = date(2026, 9, 1)
    canceled = a_charge(debtors["padaria"])
    canceled.cancel(CancelReason.DUPLICATE, None, MOMENT)
    without_contract = a_charge(
        alvaro,
        LATE,
        issue_date=issued,
        due_date=date(2026, 11, 10),
        amount=50_00,
        contract_reference=None,
    )
    await store(
        creditor,
        *debtors.values(),
        a_charge(alvaro, LATE, issue_date=issued, amount=100_00),
        without_contract,
        a_charge(alvaro, amount=7_00),
        a_charge(debtors["ana"], amount=30_00),
        canceled,
    )
    return debtors


EVERYBODY = ["alvaro", "ana", "padaria"]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, EVERYBODY),
        ({"text": "alv"}, ["alvaro"]),
        ({"text": "PAO padaria"}, ["padaria"]),
        ({"text": "cli-1"}, ["alvaro"]),
        ({"text": "%"}, []),
        ({"status": ("active",)}, EVERYBODY),
        ({"status": ("archived", "anonymized")}, []),
        ({"person_type": (PersonType.COMPANY,)}, ["padaria"]),
        ({"uf": ("SP", "RJ")}, ["ana"]),
        ({"tags": ("vip", "x")}, ["alvaro"]),
        ({"flag": ("minor",)}, ["alvaro"]),
        ({"external_id": "CLI-1"}, ["alvaro"]),
        ({"has_overdue": True}, ["alvaro"]),
        ({"has_overdue": False}, ["ana", "padaria"]),
        ({"min_overdue_amount": 150_00}, ["alvaro"]),
        ({"min_overdue_amount": 500_00}, []),
        ({"min_overdue_amount": 0}, EVERYBODY),
        ({"created": Span(start=NOW + timedelta(days=1))}, ["padaria"]),
        ({"updated": Span(end=NOW + timedelta(days=1))}, ["alvaro", "ana"]),
    ],
)
async def test_each_filter_narrows_the_list(
    organisations: Organisations,
    stored: dict[str, Debtor],
    listed: Callable[..., Any],
    filters: dict[str, Any],
    expected: list[str],
) -> None:
    page = await listed(a_grant(organisations.a), **filters)

    names = {debtor.id: name for name, debtor in stored.items()}
    assert [names[row.debtor.id] for row in page.rows] == expected
    assert page.total == len(expected)


@pytest.mark.parametrize(
    ("sort_by", "ascending"),
    [
        ("name", ["alvaro", "ana", "padaria"]),
        ("created_at", ["alvaro", "ana", "padaria"]),
        ("overdue_amount", ["ana", "padaria", "alvaro"]),
        ("days_late_max", ["padaria", "ana", "alvaro"]),
    ],
)
async def test_each_sort_goes_both_ways(
    organisations: Organisations,
    stored: dict[str, Debtor],
    listed: Callable[..., Any],
    sort_by: str,
    ascending: list[str],
) -> None:
    grant = a_grant(organisations.a)
    names = {debtor.id: name for name, debtor in stored.items()}

    up = await listed(grant, a_window(sort_by))
    down = await listed(grant, a_window(sort_by, descending=True))

    assert [names[row.debtor.id] for row in up.rows] == ascending
    assert [names[row.debtor.id] for row in down.rows] == ascending[::-1]


async def test_a_row_sums_what_its_debtor_owes(
    organisations: Organisations, stored: dict[str, Debtor], listed: Callable[..., Any]
) -> None:
    rows = {row.debtor.id: row for row in (await listed(a_grant(organisations.a))).rows}

    owes_late = rows[stored["alvaro"].id]
    fine_and_interest = 2_00 + 1_77  # 2 % and 53 days of 1 % a month, of R$ 100
    overdue = 100_00 + fine_and_interest + 50_00
    assert owes_late[1:] == (overdue + 7_00, overdue, 0, 0, date(2026, 10, 9))
    assert rows[stored["ana"].id][1:] == (30_00, 0, 0, 0, None)
    assert rows[stored["padaria"].id][1:] == (0, 0, 0, 0, None)


async def test_a_page_past_the_end_is_empty_and_still_counts(
    organisations: Organisations, stored: dict[str, Debtor], listed: Callable[..., Any]
) -> None:
    windows = [a_window(page=page, per_page=2) for page in (1, 2, 3)]

    pages = [await listed(a_grant(organisations.a), window) for window in windows]

    assert [len(page.rows) for page in pages] == [2, 1, 0]
    assert [page.total for page in pages] == [len(stored)] * 3


@pytest.mark.parametrize("sort_by", ["name", "created_at", "overdue_amount", "days_late_max"])
async def test_pages_of_ties_neither_repeat_nor_skip_a_debtor(
    organisations: Organisations, store: Store, listed: Callable[..., Any], sort_by: str
) -> None:
    debtors = [a_debtor(organisations.a) for _ in range(5)]
    await store(organisations.a, *debtors)
    windows = [a_window(sort_by, page=page, per_page=2) for page in (1, 2, 3)]

    pages = [await listed(a_grant(organisations.a), window) for window in windows]

    together = [row.debtor.id for page in pages for row in page.rows]
    assert together in ([d.id for d in debtors], [d.id for d in reversed(debtors)])


async def test_a_narrowed_grant_lists_its_own_debtors_only(
    organisations: Organisations, stored: dict[str, Debtor], listed: Callable[..., Any]
) -> None:
    collector = organisations.a.members[Role.COLLECTOR]
    narrowed = a_grant(organisations.a, Role.COLLECTOR, assigned_to=collector.id)

    of_the_grant = await listed(narrowed)
    of_the_filter = await listed(a_grant(organisations.a), assigned_member_id=collector.id)

    for page in (of_the_grant, of_the_filter):
        assert [row.debtor.id for row in page.rows] == [stored["ana"].id]
        assert page.total == 1
