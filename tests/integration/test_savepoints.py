"""A savepoint undoes what was done inside it, in the database and in what is remembered of it."""

from contextlib import suppress

import pytest

from adapters.persistence.work import OpenSqlWork
from domain.errors import DuplicateError, StateConflictError
from domain.texts import Text
from tests.builders import ORIGIN, a_charge, a_debtor, a_grant
from tests.conftest import Organisations
from tests.integration.conftest import Store

pytestmark = pytest.mark.anyio

NO = Text("Não.", "No.")


async def test_what_is_inside_is_kept_with_its_events(
    open_work: OpenSqlWork, organisations: Organisations
) -> None:
    grant = a_grant(organisations.a)
    debtor = a_debtor(organisations.a)
    charge = a_charge(debtor)

    async with open_work(grant, ORIGIN) as work:
        async with work.savepoint():
            work.debtors.add(debtor)
            work.charges.add(charge)
        happened = [event.type for event in work.pending_events()]
        await work.commit()

    async with open_work(grant, ORIGIN, read_only=True) as work:
        assert await work.charges.find(charge.id) is not None
    assert happened == ["debtor.created", "charge.created"]
    async with open_work(a_grant(organisations.b), ORIGIN, read_only=True) as work:
        assert await work.charges.find(charge.id) is None


async def test_what_raises_is_undone_and_the_rest_is_kept(
    open_work: OpenSqlWork, organisations: Organisations
) -> None:
    grant = a_grant(organisations.a)
    first, refused, last = (a_debtor(organisations.a) for _ in range(3))

    async with open_work(grant, ORIGIN) as work:
        work.debtors.add(first)
        with suppress(StateConflictError):
            async with work.savepoint():
                work.debtors.add(refused)
                raise StateConflictError(NO, current_status="archived")
        async with work.savepoint():
            work.debtors.add(last)
        resources = [event.resource_id for event in work.pending_events()]
        await work.commit()

    async with open_work(grant, ORIGIN, read_only=True) as work:
        found = [await work.debtors.find(one.id) for one in (first, refused, last)]
    assert [one is not None for one in found] == [True, False, True]
    assert resources == [first.id, last.id]


async def test_a_violated_rule_undoes_only_its_own_savepoint(
    open_work: OpenSqlWork, organisations: Organisations, store: Store
) -> None:
    grant = a_grant(organisations.a)
    debtor = a_debtor(organisations.a)
    await store(organisations.a, debtor, a_charge(debtor, external_id="NF-1"))
    good, twin, another = (
        a_charge(debtor, external_id=external_id) for external_id in ("NF-2", "NF-1", "NF-3")
    )

    async with open_work(grant, ORIGIN) as work:
        owner = await work.debtors.find(debtor.id)
        refusals: dict[str, str] = {}
        for charge in (good, twin, another):
            try:
                async with work.savepoint():
                    work.charges.add(charge)
            except DuplicateError as refused:
                refusals[charge.id] = refused.details[0].field
        # What was found before is still there to be read.
        assert owner is not None
        assert owner.name == debtor.name
        resources = [event.resource_id for event in work.pending_events()]
        await work.commit()

    async with open_work(grant, ORIGIN, read_only=True) as work:
        found = [await work.charges.find(one.id) for one in (good, twin, another)]
    assert [one is not None for one in found] == [True, False, True]
    assert refusals == {twin.id: "external_id"}
    assert resources == [good.id, another.id]
