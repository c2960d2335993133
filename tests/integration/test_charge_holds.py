"""The filter by holds finds what the rules hold up, in one organisation and one portfolio."""

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import product
from typing import Final

import pytest

from adapters.persistence.work import OpenSqlWork
from domain.access.roles import Role
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.charges import Charge
from domain.dunning.debtors import Debtor
from domain.dunning.holds import Blocks, HoldCode, ManualHold, holds_of
from domain.dunning.restrictions import DebtorFlag, DoNotContact, DoNotContactReason
from domain.ports.charges import ChargeQuery, ChargeRow
from domain.ports.lists import Window
from tests.builders import ORIGIN, TODAY, Creditor, a_charge, a_debtor, a_grant
from tests.conftest import Organisations
from tests.integration.conftest import Store

pytestmark = pytest.mark.anyio

ENDS: Final = (None, TODAY - timedelta(days=1), TODAY, TODAY + timedelta(days=1))
DAYS: Final = (TODAY - timedelta(days=1), TODAY, TODAY + timedelta(days=1))


def restrictions() -> Iterator[tuple[DoNotContact, tuple[DebtorFlag, ...]]]:
    yield DoNotContact(), ()
    yield DoNotContact(), (DebtorFlag.MINOR, DebtorFlag.BANKRUPT)
    for flag in DebtorFlag:
        yield DoNotContact(), (flag,)
    for until in ENDS:
        ban = DoNotContact(active=True, reason=DoNotContactReason.REQUEST, since=TODAY, until=until)
        yield ban, ()
        yield ban, (DebtorFlag.DECEASED,)


def manual_holds() -> Iterator[ManualHold | None]:
    yield None
    for until in ENDS:
        hold = ManualHold(reason="Em análise", since=TODAY, until=until, blocks=(Blocks.OUTBOUND,))
        yield hold
        yield hold.released(None, TODAY)


def variants(debtor: Debtor) -> Iterator[Charge]:
    for hold, due, status in product(manual_holds(), (5, 6), ChargeStatus):
        charge = a_charge(debtor, amount=due)
        charge.manual_hold, charge.status = hold, status
        yield charge
    for prescription in DAYS:
        charge = a_charge(debtor)
        charge.prescription_date = prescription
        yield charge


async def keep_in(creditor: Creditor, store: Store) -> list[tuple[Charge, Debtor]]:
    """Every kind of debtor with an ordinary charge, one of them with every kind of charge."""
    kept = []
    collector = creditor.members[Role.COLLECTOR].id
    for index, (ban, flags) in enumerate(restrictions()):
        debtor = a_debtor(creditor, assigned_member_id=collector if index % 2 else None)
        debtor.do_not_contact, debtor.flags = ban, flags
        charges = [a_charge(debtor)] if index else list(variants(debtor))
        await store(creditor, debtor, *charges)
        kept += [(charge, debtor) for charge in charges]
    return kept


def expected(kept: list[tuple[Charge, Debtor]], codes: set[HoldCode], today: date) -> set[str]:
    return {
        charge.id
        for charge, debtor in kept
        if codes & {hold.code for hold in holds_of(charge, debtor, today)}
    }


async def found(
    open_work: OpenSqlWork, creditor: Creditor, *codes: HoldCode, today: date, mine: bool = False
) -> list[ChargeRow]:
    collector = creditor.members[Role.COLLECTOR].id
    grant = a_grant(creditor, Role.COLLECTOR, assigned_to=collector if mine else None)
    window = Window(page=1, per_page=500, sort_by="due_date", descending=False)
    async with open_work(grant, ORIGIN, read_only=True) as work:
        query = ChargeQuery(window=window, hold=codes, holds_on=today)
        return list((await work.charges.page(query)).rows)


WANTED: Final = [
    *((code,) for code in HoldCode),
    (HoldCode.MANUAL, HoldCode.MINOR),
    tuple(HoldCode),
]


async def test_what_is_found_is_what_the_rules_hold_up(
    organisations: Organisations, store: Store, open_work: OpenSqlWork
) -> None:
    await keep_in(organisations.b, store)
    kept = await keep_in(organisations.a, store)
    for codes, today in product(WANTED, DAYS):
        rows = await found(open_work, organisations.a, *codes, today=today)

        assert {row.id for row in rows} == expected(kept, set(codes), today), (codes, today)


async def test_a_narrowed_grant_finds_its_own_debtors_only(
    organisations: Organisations, store: Store, open_work: OpenSqlWork
) -> None:
    kept = await keep_in(organisations.a, store)
    own = [one for one in kept if one[1].assigned_member_id is not None]

    rows = await found(open_work, organisations.a, *HoldCode, today=TODAY, mine=True)

    assert rows
    assert {row.id for row in rows} == expected(own, set(HoldCode), TODAY)


async def test_a_row_is_held_up_by_what_holds_its_charge_up(
    organisations: Organisations, store: Store, open_work: OpenSqlWork
) -> None:
    kept = {charge.id: (charge, debtor) for charge, debtor in await keep_in(organisations.a, store)}
    for today in DAYS:
        rows = await found(open_work, organisations.a, today=today)

        assert len(rows) == len(kept)
        for row in rows:
            assert row.holds(today) == holds_of(*kept[row.id], today)
