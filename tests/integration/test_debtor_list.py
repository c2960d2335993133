"""The debtor list: filters, sorts and what each debtor owes; of one organisation and portfolio."""

import random
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest

from adapters.persistence.work import OpenSqlWork
from domain.access.grant import Grant
from domain.access.roles import Role
from domain.dunning.charge_acts import CancelReason
from domain.dunning.contact_points import ContactKind, ContactPoint, ContactStatus
from domain.dunning.debtors import Debtor, DebtorStatus
from domain.dunning.documents import PersonType, cnpj_with_check_digits
from domain.dunning.moment import Moment
from domain.dunning.restrictions import Channel, DebtorFlag, DoNotContact, DoNotContactReason
from domain.dunning.risk import risk_score
from domain.ports.debtors import DebtorQuery, DebtorRow, Standing
from domain.ports.lists import Page, Span, Window
from tests.builders import (
    ADDRESS,
    MOMENT,
    NOW,
    ORIGIN,
    Creditor,
    a_charge,
    a_contact_point,
    a_debtor,
    a_grant,
)
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
            query = DebtorQuery(window=window or a_window(), today=LATE.today, **filters)
            return await work.debtors.page(query)

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
        ("risk_score", ["ana", "padaria", "alvaro"]),
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
    assert owes_late.standing == Standing(
        open_amount=overdue + 7_00, overdue_amount=overdue, oldest_overdue=date(2026, 10, 9)
    )
    assert rows[stored["ana"].id].standing == Standing(open_amount=30_00)
    assert rows[stored["padaria"].id].standing == Standing()


async def test_a_page_past_the_end_is_empty_and_still_counts(
    organisations: Organisations, stored: dict[str, Debtor], listed: Callable[..., Any]
) -> None:
    windows = [a_window(page=page, per_page=2) for page in (1, 2, 3)]

    pages = [await listed(a_grant(organisations.a), window) for window in windows]

    assert [len(page.rows) for page in pages] == [2, 1, 0]
    assert [page.total for page in pages] == [len(stored)] * 3


@pytest.mark.parametrize(
    "sort_by", ["name", "created_at", "overdue_amount", "days_late_max", "risk_score"]
)
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


REACHED: dict[str, dict[str, Any]] = {
    "an e-mail": {},
    "a mobile that may not be called": {"opted_out_channels": (Channel.VOICE, Channel.EMAIL)},
    "a ban that ran out": {
        "do_not_contact": DoNotContact(
            active=True, reason=DoNotContactReason.REQUEST, until=date(2026, 11, 30)
        )
    },
}
NOT_REACHED: dict[str, dict[str, Any]] = {
    "refused channel": {"opted_out_channels": tuple(Channel)},
    "flag": {"flags": (DebtorFlag.REPRESENTED_BY_LAWYER,)},
    "ban": {"do_not_contact": DoNotContact(active=True, reason=DoNotContactReason.REQUEST)},
    "ban of today": {
        "do_not_contact": DoNotContact(
            active=True, reason=DoNotContactReason.REQUEST, until=LATE.today
        )
    },
    "archived": {"status": DebtorStatus.ARCHIVED},
}


def an_email(debtor: Debtor, value: str) -> ContactPoint:
    return a_contact_point(debtor, kind=ContactKind.EMAIL, value=value)


async def test_who_may_be_contacted_has_a_way_that_nothing_closes(
    organisations: Organisations, store: Store, listed: Callable[..., Any]
) -> None:
    found: dict[str, Debtor] = {}
    for name, fields in {**REACHED, **NOT_REACHED}.items():
        found[name] = a_debtor(organisations.a, name=name)
        for field, value in fields.items():
            setattr(found[name], field, value)
        points = [a_contact_point(found[name]), an_email(found[name], "p@example.com")]
        await store(organisations.a, found[name], *points)
    for status in (None, ContactStatus.INVALID, ContactStatus.OPTED_OUT, ContactStatus.DELETED):
        alone = found[f"{status}"] = a_debtor(organisations.a, name=f"{status}")
        await store(organisations.a, alone)
        if status is not None:
            point = a_contact_point(alone)
            point.status = status
            await store(organisations.a, point)
    grant = a_grant(organisations.a)

    can_be = {row.debtor.name for row in (await listed(grant, contactable=True)).rows}
    cannot = {row.debtor.name for row in (await listed(grant, contactable=False)).rows}

    assert can_be == set(REACHED)
    assert cannot == set(found) - set(REACHED)


async def test_the_risk_that_lists_are_sorted_by_is_the_one_that_is_shown(
    organisations: Organisations, store: Store, listed: Callable[..., Any]
) -> None:
    draws = random.Random(20261201)  # noqa: S311 -- the same rows every time
    for number in range(40):
        debtor = a_debtor(organisations.a, name=f"Devedor {number}")
        due = LATE.today - timedelta(days=draws.choice([0, 1, 2, 4, 5, 89, 179, 181, 400]))
        charge = a_charge(debtor, LATE, issue_date=date(2025, 1, 2), due_date=due)
        points = [an_email(debtor, f"d{number}.{n}@example.com") for n in range(3)]
        for point in points:
            point.failure_count = draws.randrange(3)
        points[2].status = draws.choice([ContactStatus.ACTIVE, ContactStatus.DELETED])
        await store(organisations.a, debtor, *draws.sample([charge, *points], draws.randrange(5)))
    await store(organisations.b, a_debtor(organisations.b))

    window = a_window("risk_score", descending=True, per_page=100)
    rows = (await listed(a_grant(organisations.a), window)).rows

    shown = [risk_of(row) for row in rows]
    assert len(set(shown)) > 10
    assert [(score, row.debtor.id) for score, row in zip(shown, rows, strict=True)] == sorted(
        ((score, row.debtor.id) for score, row in zip(shown, rows, strict=True)), reverse=True
    )


def risk_of(row: DebtorRow) -> int:
    oldest = row.standing.oldest_overdue
    days_late = 0 if oldest is None else max(0, (LATE.today - oldest).days)
    return risk_score(days_late=days_late, bounces=row.standing.bounces)
