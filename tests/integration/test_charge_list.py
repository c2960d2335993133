"""The charge list: filters, sorts, pages, totals; of one organisation and one portfolio."""

from collections.abc import Callable
from dataclasses import fields
from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.persistence.work import OpenSqlWork
from domain.access.grant import Grant
from domain.access.roles import Role
from domain.dunning.charge_acts import CancelReason
from domain.dunning.charge_kinds import ChargeKind
from domain.dunning.charges import Charge
from domain.dunning.debtors import Debtor
from domain.dunning.moment import Moment
from domain.dunning.new_charges import NO_PAYMENT_METHODS, PaymentMethods
from domain.ports.charges import ChargeQuery, ChargeRow
from domain.ports.lists import Span, SummedPage, Window
from tests.builders import MOMENT, NOW, ORIGIN, TODAY, Creditor, a_charge, a_debtor, a_grant
from tests.conftest import Organisations
from tests.integration.conftest import Store
from tests.integration.many import copy_charge

pytestmark = pytest.mark.anyio

LATE = Moment(NOW + timedelta(days=1), date(2026, 12, 1))


def a_window(
    sort_by: str = "due_date", *, descending: bool = False, page: int = 1, per_page: int = 25
) -> Window:
    return Window(page=page, per_page=per_page, sort_by=sort_by, descending=descending)


@pytest.fixture
def listed(open_work: OpenSqlWork) -> Callable[..., Any]:
    async def page(
        grant: Grant, window: Window | None = None, **filters: Any
    ) -> SummedPage[ChargeRow]:
        async with open_work(grant, ORIGIN, read_only=True) as work:
            return await work.charges.page(ChargeQuery(window=window or a_window(), **filters))

    return page


def two_debtors(creditor: Creditor) -> tuple[Debtor, Debtor]:
    collector = creditor.members[Role.COLLECTOR]
    return (
        a_debtor(creditor, name="Álvaro Zimbro", assigned_member_id=collector.id),
        a_debtor(creditor, name="beatriz Amaral"),
    )


def some_charges(first: Debtor, second: Debtor) -> dict[str, Charge]:
    collector = first.assigned_member_id
    return {
        "early": a_charge(
            first,
            LATE,
            description="Mensalidade 100% de março",
            amount=300_00,
            issue_date=TODAY,
            due_date=date(2026, 10, 9),
            kind=ChargeKind.TUITION,
            tags=("escola", "3a"),
            document_number="NF-1",
            external_id="EXT-1",
        ),
        "middle": a_charge(
            second,
            amount=100_00,
            description="Aluguel",
            due_date=date(2026, 11, 10),
            tags=("casa",),
            document_number="NF-2",
        ),
        "late": a_charge(
            second,
            amount=200_00,
            description="Mensalidade_b de abril",
            due_date=date(2026, 12, 10),
            assigned_member_id=collector,
            external_id="EXT-2",
        ),
    }


@pytest.fixture
async def stored(organisations: Organisations, store: Store) -> dict[str, Charge]:
    """Three charges of two debtors in one organisation, and the same three in the other."""
    await keep_in(organisations.b, store)
    return await keep_in(organisations.a, store)


async def keep_in(creditor: Creditor, store: Store) -> dict[str, Charge]:
    debtors = two_debtors(creditor)
    charges = some_charges(*debtors)
    await store(creditor, *debtors, *charges.values())
    return charges


EVERYTHING = ["early", "late", "middle"]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, EVERYTHING),
        ({"status": ("overdue",)}, ["early"]),
        ({"status": ("overdue", "pending")}, EVERYTHING),
        ({"status": ("canceled",)}, []),
        ({"kind": ("tuition", "loan")}, ["early"]),
        ({"text": "MENSALIDADE"}, ["early", "late"]),
        ({"text": "mens marco"}, ["early"]),
        ({"text": "nf-2"}, ["middle"]),
        ({"text": "ext"}, ["early", "late"]),
        ({"text": "arco"}, []),
        ({"text": "100%"}, ["early"]),
        ({"text": "%"}, []),
        ({"text": "mensalidade_"}, ["late"]),
        ({"text": "\\"}, []),
        ({"due_from": date(2026, 11, 10)}, ["late", "middle"]),
        ({"due_to": date(2026, 11, 10)}, ["early", "middle"]),
        ({"effective_due": ((None, date(2026, 10, 9)),)}, ["early"]),
        ({"effective_due": ((date(2026, 12, 10), None),)}, ["late"]),
        (
            {"effective_due": ((None, date(2026, 10, 9)), (date(2026, 12, 10), None))},
            ["early", "late"],
        ),
        ({"min_amount": 200_00}, ["early", "late"]),
        ({"max_amount": 200_00}, ["late", "middle"]),
        ({"tags": ("casa", "3a")}, ["early", "middle"]),
        ({"external_id": "EXT-2"}, ["late"]),
        ({"document_number": "NF-1"}, ["early"]),
        ({"created": Span(start=NOW + timedelta(days=1))}, ["early"]),
        ({"created": Span(end=NOW + timedelta(days=1))}, ["late", "middle"]),
        ({"updated": Span(start=NOW, end=NOW + timedelta(days=1))}, ["late", "middle"]),
        ({"status": ("pending",), "min_amount": 150_00, "text": "abril"}, ["late"]),
    ],
)
async def test_each_filter_narrows_the_list_and_its_sums(
    organisations: Organisations,
    stored: dict[str, Charge],
    listed: Callable[..., Any],
    filters: dict[str, Any],
    expected: list[str],
) -> None:
    page = await listed(a_grant(organisations.a), **filters)

    names = {charge.id: name for name, charge in stored.items()}
    assert sorted(names[row.id] for row in page.rows) == expected
    assert page.total == len(expected)
    assert page.sum == sum(stored[name].total_due for name in expected)


async def test_the_debtor_and_member_filters_take_ids(
    organisations: Organisations, stored: dict[str, Charge], listed: Callable[..., Any]
) -> None:
    grant, late = a_grant(organisations.a), stored["late"]

    of_debtor = await listed(grant, debtor_id=late.debtor_id)
    of_member = await listed(grant, assigned_member_id=late.assigned_member_id)

    assert {row.id for row in of_debtor.rows} == {late.id, stored["middle"].id}
    assert [row.id for row in of_member.rows] == [late.id]


async def test_a_row_has_the_columns_of_its_charge_and_the_name_of_its_debtor(
    organisations: Organisations, stored: dict[str, Charge], listed: Callable[..., Any]
) -> None:
    (row,) = (await listed(a_grant(organisations.a), external_id="EXT-1")).rows

    charge = stored["early"]
    names = [field.name for field in fields(ChargeRow)]
    expected = {name: getattr(charge, name, None) for name in names}
    expected |= {"debtor_name": "Álvaro Zimbro", "debtor_flags": []}
    expected |= {"tags": list(charge.tags), "guarantors": list(charge.guarantors)}
    assert {name: getattr(row, name) for name in names} == expected


@pytest.mark.parametrize(
    ("sort_by", "ascending"),
    [
        ("due_date", ["early", "middle", "late"]),
        ("amount", ["middle", "late", "early"]),
        ("total_due", ["middle", "late", "early"]),
        ("days_late", ["late", "middle", "early"]),
        ("debtor_name", ["early", "middle", "late"]),
    ],
)
async def test_each_sort_goes_both_ways(
    organisations: Organisations,
    stored: dict[str, Charge],
    listed: Callable[..., Any],
    sort_by: str,
    ascending: list[str],
) -> None:
    grant = a_grant(organisations.a)
    names = {charge.id: name for name, charge in stored.items()}

    up = await listed(grant, a_window(sort_by))
    down = await listed(grant, a_window(sort_by, descending=True))

    assert [names[row.id] for row in up.rows] == ascending
    assert [names[row.id] for row in down.rows] == ascending[::-1]


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize(
    "sort_by", ["due_date", "amount", "total_due", "days_late", "created_at", "debtor_name"]
)
async def test_pages_of_ties_neither_repeat_nor_skip_a_row(
    organisations: Organisations,
    store: Store,
    listed: Callable[..., Any],
    sort_by: str,
    descending: bool,  # noqa: FBT001 -- a parameter of the test
) -> None:
    debtor = a_debtor(organisations.a)
    charges = [a_charge(debtor) for _ in range(7)]
    await store(organisations.a, debtor, *charges)
    windows = [
        a_window(sort_by, descending=descending, page=page, per_page=3) for page in range(1, 5)
    ]

    pages = [await listed(a_grant(organisations.a), window) for window in windows]

    together = [row.id for page in pages for row in page.rows]
    assert together in ([c.id for c in charges], [c.id for c in reversed(charges)])
    assert [len(page.rows) for page in pages] == [3, 3, 1, 0]
    assert {page.total for page in pages} == {7}
    assert {page.sum for page in pages} == {7 * 1_250_00}


async def test_a_narrowed_grant_lists_and_finds_its_own_debtors_charges_only(
    organisations: Organisations,
    stored: dict[str, Charge],
    open_work: OpenSqlWork,
    listed: Callable[..., Any],
) -> None:
    collector = organisations.a.members[Role.COLLECTOR]
    grant = a_grant(organisations.a, Role.COLLECTOR, assigned_to=collector.id)

    page = await listed(grant)
    by_name = await listed(grant, a_window("debtor_name"), text="mensalidade")

    assert [row.id for row in page.rows] == [row.id for row in by_name.rows] == [stored["early"].id]
    assert (page.total, page.sum) == (1, stored["early"].total_due)
    async with open_work(grant, ORIGIN) as work:
        assert await work.charges.find(stored["early"].id, lock=True) is not None
        assert await work.charges.find(stored["late"].id, lock=True) is None
        assert await work.debtors.find(stored["late"].debtor_id) is None


async def test_above_ten_thousand_the_total_stops_and_there_is_no_sum(
    organisations: Organisations,
    store: Store,
    owner_engine: AsyncEngine,
    listed: Callable[..., Any],
) -> None:
    debtor = a_debtor(organisations.a)
    charge = a_charge(debtor, amount=1)
    await store(organisations.a, debtor, charge)
    await copy_charge(owner_engine, charge, 9_999)
    grant = a_grant(organisations.a)

    exact = await listed(grant)
    await store(organisations.a, a_charge(debtor, amount=1))
    above = await listed(grant)

    assert (exact.total, exact.sum) == (10_000, 10_000)
    assert (above.total, above.sum) == (10_001, None)
    assert len(above.rows) == 25


async def keep_of_both_days(creditor: Creditor, store: Store, tomorrow: Moment) -> list[Charge]:
    """Five owed charges stored for today, which are returned, and two that are not stale."""
    debtor = a_debtor(creditor)
    fresh, canceled = a_charge(debtor, tomorrow), a_charge(debtor)
    canceled.cancel(CancelReason.OTHER, None, MOMENT)
    old = [a_charge(debtor, due_date=TODAY) for _ in range(5)]
    await store(creditor, debtor, fresh, canceled, *old)
    return old


async def test_stale_charges_are_found_until_they_have_the_amounts_of_the_day(
    organisations: Organisations, store: Store, open_work: OpenSqlWork
) -> None:
    tomorrow = Moment(NOW + timedelta(days=1), TODAY + timedelta(days=1))
    await keep_of_both_days(organisations.a, store, tomorrow)
    old = await keep_of_both_days(organisations.b, store, tomorrow)
    stale = {charge.id for charge in old}

    for size in (3, 2):
        async with open_work(a_grant(organisations.b), ORIGIN) as work:
            found = await work.charges.stale(tomorrow.today, limit=3)
            for charge in found:
                stale.remove(charge.id)
                charge.mark_overdue(tomorrow)
                charge.amounts_as_of = tomorrow.today
            assert len(work.pending_events()) == size
            await work.commit()

    assert stale == set()
    async with open_work(a_grant(organisations.b), ORIGIN) as work:
        assert await work.charges.stale(tomorrow.today, limit=3) == []
        kept = await work.charges.find(old[0].id)
        assert kept is not None
        assert (kept.status, kept.version) == ("overdue", 2)


async def test_ways_to_pay_are_read_for_each_page_and_nothing_keeps_them(
    organisations: Organisations, store: Store, listed: Callable[..., Any]
) -> None:
    ways = PaymentMethods(pix_copy_paste="00020126580014br.gov.bcb.pix")
    for creditor, methods in ((organisations.a, ways), (organisations.b, PaymentMethods())):
        debtor = a_debtor(creditor)
        await store(creditor, debtor, a_charge(debtor, payment_methods=methods))

    first, again = [(await listed(a_grant(organisations.a))).rows[0] for _ in range(2)]
    (other,) = (await listed(a_grant(organisations.b))).rows

    assert first.payment_methods == again.payment_methods == ways
    assert first.payment_methods is not again.payment_methods
    # The usual case is known by its text, without reading it.
    assert other.payment_methods is NO_PAYMENT_METHODS
