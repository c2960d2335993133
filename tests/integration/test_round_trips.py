"""An aggregate that is stored and loaded is the same, and a change of it is kept."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from adapters.persistence.admin import Administration
from adapters.persistence.work import OpenSqlWork
from domain.access.members import ApiClient
from domain.access.roles import Role
from domain.dunning.charge_acts import CancelReason
from domain.dunning.charges import Charge
from domain.dunning.debtors import Debtor
from domain.dunning.documents import cnpj_with_check_digits
from domain.dunning.languages import Language
from domain.dunning.moment import Moment
from domain.dunning.new_charges import PaymentMethods
from domain.dunning.rates import NO_RATES
from domain.dunning.terms import DiscountType, RequestedDiscount, RequestedTerms
from tests.builders import ADDRESS, NOW, ORIGIN, TODAY, Creditor, a_charge, a_debtor, a_grant
from tests.conftest import Organisations
from tests.integration.conftest import Store

pytestmark = pytest.mark.anyio


def state_of(aggregate: Any) -> dict[str, object]:
    """The fields, without what the session and the events leave beside them."""
    return {name: getattr(aggregate, name) for name in type(aggregate).__dataclass_fields__}


async def loaded_debtor(open_work: OpenSqlWork, creditor: Creditor, debtor_id: str) -> Debtor:
    async with open_work(a_grant(creditor), ORIGIN, read_only=True) as work:
        debtor = await work.debtors.find(debtor_id)
    assert debtor is not None
    return debtor


async def loaded_charge(open_work: OpenSqlWork, creditor: Creditor, charge_id: str) -> Charge:
    async with open_work(a_grant(creditor), ORIGIN, read_only=True) as work:
        charge = await work.charges.find(charge_id)
    assert charge is not None
    return charge


async def test_a_debtor_with_every_field_comes_back_the_same(
    organisations: Organisations, open_work: OpenSqlWork, store: Store
) -> None:
    debtor = a_debtor(
        organisations.a,
        name="Padaria Três Irmãos",
        document=cnpj_with_check_digits("12ABC3450001").number,
        trade_name="Três Irmãos",
        is_consumer=True,
        is_consumer_reason="Compra para uso próprio",
        address=ADDRESS,
        language=Language.ENGLISH,
        tags=("vip", "escola"),
        external_id="CLI-1",
        notes="Prefere e-mail.\nLiga à tarde.",
        custom_data={"turma": "5B", "filhos": 2, "desconto": None, "notas": [1.5, {"x": True}]},
        assigned_member_id=organisations.a.members[Role.COLLECTOR].id,
    )
    await store(organisations.a, debtor)

    found = await loaded_debtor(open_work, organisations.a, debtor.id)

    assert state_of(found) == state_of(debtor)
    assert debtor.name in repr(found)


async def test_a_debtor_with_no_optional_field_comes_back_the_same(
    organisations: Organisations, open_work: OpenSqlWork, store: Store
) -> None:
    debtor = a_debtor(organisations.a)
    await store(organisations.a, debtor)

    found = await loaded_debtor(open_work, organisations.a, debtor.id)

    assert state_of(found) == state_of(debtor)


async def test_a_charge_with_every_field_comes_back_the_same(
    organisations: Organisations, open_work: OpenSqlWork, store: Store
) -> None:
    debtor = a_debtor(organisations.a)
    late = Moment(NOW + timedelta(days=90), TODAY + timedelta(days=90))
    charge = a_charge(
        debtor,
        late,
        issue_date=TODAY,
        document_number="NF-77",
        external_id="EXT-9",
        terms=RequestedTerms(
            discounts=(
                RequestedDiscount(days_before=5, type=DiscountType.PERCENT, value=Decimal(5)),
            )
        ),
        payment_methods=PaymentMethods(payment_url="https://pay.example.com/1"),
        tags=("a", "b"),
        custom_data={"mensalidade": 10},
        assigned_member_id=organisations.a.members[Role.COLLECTOR].id,
    )
    assert charge.amounts_memory
    await store(organisations.a, debtor, charge)

    found = await loaded_charge(open_work, organisations.a, charge.id)

    assert state_of(found) == state_of(charge)
    assert repr(found) == repr(charge)


async def test_changes_of_a_charge_are_kept(
    organisations: Organisations, open_work: OpenSqlWork, store: Store
) -> None:
    debtor = a_debtor(organisations.a)
    charge = a_charge(debtor, due_date=date(2026, 9, 10))
    await store(organisations.a, debtor, charge)
    later = Moment(NOW + timedelta(days=30), date(2026, 10, 1))

    async with open_work(a_grant(organisations.a), ORIGIN) as work:
        changed = await work.charges.find(charge.id, lock=True)
        assert changed is not None
        changed.reprice(later.today, NO_RATES)
        changed.mark_overdue(later)
        await work.commit()
    async with open_work(a_grant(organisations.a), ORIGIN) as work:
        canceled = await work.charges.find(charge.id, lock=True)
        assert canceled is not None
        assert state_of(canceled) == state_of(changed)
        canceled.cancel(CancelReason.DUPLICATE, "Emitida duas vezes", later)
        await work.commit()

    found = await loaded_charge(open_work, organisations.a, charge.id)
    assert state_of(found) == state_of(canceled)
    assert found.version == 3


async def test_an_organisation_comes_back_the_same(
    organisations: Organisations, open_work: OpenSqlWork
) -> None:
    for creditor in (organisations.a, organisations.b):
        async with open_work(a_grant(creditor), ORIGIN, read_only=True) as work:
            found = await work.organization()

        assert state_of(found) == state_of(creditor.organization)
        assert found.name in repr(found)


async def test_members_and_api_clients_come_back_the_same(
    organisations: Organisations, administration: Administration
) -> None:
    creditor = organisations.a
    client = ApiClient(
        organization_id=creditor.id,
        id="cli_1",
        name="ERP",
        issuer="https://issuer.example.com",
        client_id="erp",
        subject="service-erp",
        scopes=frozenset({"dunning.read", "dunning.charges:create"}),
        role_ceiling=Role.MANAGER,
        status="active",
        expires_at=NOW + timedelta(days=365),
        created_at=NOW,
        updated_at=NOW,
    )
    await administration.add_api_client(client)

    (found,) = await administration.api_clients(creditor.id)
    people = await administration.members(creditor.id)

    assert state_of(found) == state_of(client)
    assert sorted(map(repr, people)) == sorted(map(repr, creditor.people))
    assert not await administration.api_clients(organisations.b.id)
