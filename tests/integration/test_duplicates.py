"""A taken value is refused by its field's name, with the row that has it when it may be known."""

from typing import Any

import pytest

from domain.access.roles import Role
from domain.errors import DuplicateError
from tests.builders import a_charge, a_debtor, a_grant
from tests.conftest import Organisations
from tests.integration.conftest import Store

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("field", ["document", "external_id"])
async def test_a_debtors_value_is_taken_once_in_an_organisation_and_free_in_another(
    organisations: Organisations, store: Store, field: str
) -> None:
    first = a_debtor(organisations.a, external_id="CLI-1")
    taken: dict[str, Any] = {field: getattr(first, field)}
    if field == "document":
        taken = {"document": first.document.number}
    await store(organisations.a, first)
    await store(organisations.b, a_debtor(organisations.b, **taken))

    with pytest.raises(DuplicateError) as refused:
        await store(organisations.a, a_debtor(organisations.a, **taken))

    assert [detail.field for detail in refused.value.details] == [field]
    assert refused.value.existing_id == first.id


async def test_a_charges_external_id_is_taken_once(
    organisations: Organisations, store: Store
) -> None:
    debtor = a_debtor(organisations.a, external_id="EXT-1")
    charge = a_charge(debtor, external_id="EXT-1")
    await store(organisations.a, debtor, charge)

    with pytest.raises(DuplicateError) as refused:
        await store(organisations.a, a_charge(debtor), a_charge(debtor, external_id="EXT-1"))

    assert refused.value.existing_id == charge.id


async def test_two_new_rows_that_want_one_value_have_no_existing_one(
    organisations: Organisations, store: Store
) -> None:
    debtor = a_debtor(organisations.a)

    with pytest.raises(DuplicateError) as refused:
        await store(
            organisations.a,
            debtor,
            a_charge(debtor, external_id="EXT-1"),
            a_charge(debtor, external_id="EXT-1"),
        )

    assert refused.value.existing_id is None


async def test_a_narrowed_grant_is_not_told_of_a_debtor_it_may_not_see(
    organisations: Organisations, store: Store
) -> None:
    collector = organisations.a.members[Role.COLLECTOR]
    first = a_debtor(organisations.a, external_id="CLI-1")
    await store(organisations.a, first)
    grant = a_grant(organisations.a, Role.COLLECTOR, assigned_to=collector.id)

    taken = a_debtor(organisations.a, external_id="CLI-1")

    with pytest.raises(DuplicateError) as refused:
        await store(organisations.a, taken, grant=grant)

    assert refused.value.existing_id is None
