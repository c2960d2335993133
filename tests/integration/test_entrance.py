"""From an organisation's claim and a token's bearer to what the stored rows know of them."""

from datetime import timedelta

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.persistence.admin import Administration
from adapters.persistence.directory import SqlDirectory
from adapters.persistence.entrance import OpenSqlEntrance
from domain.access.members import ApiClient, Identity, MemberStatus
from domain.access.roles import Role
from domain.errors import DuplicateError, NotFoundError
from tests.builders import IDS, NOW, Creditor, a_grant, a_member, an_organization
from tests.conftest import Organisations

pytestmark = pytest.mark.anyio

ANA = Identity("https://issuer.example.com", "person-ana")


@pytest.fixture
def open_entrance(app_engine: AsyncEngine) -> OpenSqlEntrance:
    return OpenSqlEntrance(app_engine)


@pytest.fixture
def directory(app_engine: AsyncEngine) -> SqlDirectory:
    return SqlDirectory(app_engine)


def an_api_client(creditor: Creditor) -> ApiClient:
    return ApiClient(
        organization_id=creditor.id,
        id=IDS.new("cli"),
        name="ERP",
        issuer=ANA.issuer,
        client_id="erp",
        subject="service-erp",
        scopes=frozenset({"dunning.read"}),
        role_ceiling=Role.MANAGER,
        status="active",
        expires_at=NOW + timedelta(days=365),
        created_at=NOW,
        updated_at=NOW,
    )


async def test_an_organisation_is_known_by_its_id_and_by_its_claim_until_it_is_suspended(
    organisations: Organisations, administration: Administration, directory: SqlDirectory
) -> None:
    organization = an_organization()
    claim = f"aurora-{organization.id}"
    await administration.add_organization(organization, claim=claim)

    assert await directory.active_organization(claim) == organization.id
    assert await directory.active_organization(organization.id) == organization.id
    assert await directory.active_organization("nobody") is None

    await administration.set_suspended(organization.id, suspended=True)
    assert await directory.active_organization(claim) is None
    assert await directory.active_organization(organisations.a.id) == organisations.a.id

    await administration.set_suspended(organization.id, suspended=False)
    assert await directory.active_organization(claim) == organization.id


async def test_a_claim_belongs_to_one_organisation(administration: Administration) -> None:
    claim = IDS.new("claim")
    await administration.add_organization(an_organization(), claim=claim)

    with pytest.raises(DuplicateError):
        await administration.add_organization(an_organization(), claim=claim)


async def test_an_organisation_that_does_not_exist_cannot_be_suspended(
    administration: Administration,
) -> None:
    with pytest.raises(NotFoundError):
        await administration.set_suspended(IDS.new("org"), suspended=True)


async def test_the_tenant_has_what_every_request_needs(
    organisations: Organisations, administration: Administration, open_entrance: OpenSqlEntrance
) -> None:
    ahead = an_organization(name="Adiantada")
    await administration.add_organization(ahead, clock_offset=timedelta(days=90, seconds=5))

    async with open_entrance(organisations.a.id) as entrance:
        assert await entrance.tenant() == a_grant(organisations.a).tenant
    async with open_entrance(ahead.id) as entrance:
        assert (await entrance.tenant()).clock_offset == timedelta(days=90, seconds=5)


async def test_an_invitation_is_taken_up_by_its_address_and_then_belongs_to_a_person(
    organisations: Organisations, administration: Administration, open_entrance: OpenSqlEntrance
) -> None:
    invited = a_member(
        organisations.a.organization, email="Ana@Example.com", status=MemberStatus.INVITED
    )
    await administration.add_member(invited)

    async with open_entrance(organisations.b.id) as entrance:
        assert await entrance.invited("ana@example.com") is None
    async with open_entrance(organisations.a.id) as entrance:
        assert await entrance.member(ANA) is None
        member = await entrance.invited("ana@EXAMPLE.com")
        assert member is not None
        member.take_up(NOW)
        await entrance.bind(member, ANA)
        await entrance.commit()

    async with open_entrance(organisations.a.id) as entrance:
        found = await entrance.member(ANA)
        assert found is not None
        assert (found.id, found.status, found.version) == (invited.id, MemberStatus.ACTIVE, 2)
        assert await entrance.invited("ana@example.com") is None
    async with open_entrance(organisations.b.id) as entrance:
        assert await entrance.member(ANA) is None


async def test_what_an_entrance_does_not_commit_is_undone(
    organisations: Organisations, open_entrance: OpenSqlEntrance
) -> None:
    async with open_entrance(organisations.a.id) as entrance:
        await entrance.bind(organisations.a.members[Role.VIEWER], ANA)

    async with open_entrance(organisations.a.id) as entrance:
        assert await entrance.member(ANA) is None


async def test_one_person_is_one_member_of_an_organisation(
    organisations: Organisations, administration: Administration, open_entrance: OpenSqlEntrance
) -> None:
    for creditor in (organisations.a, organisations.b):
        await administration.bind_member(creditor.members[Role.OWNER], ANA, NOW)

    with pytest.raises(DuplicateError):
        await administration.bind_member(organisations.a.members[Role.ADMIN], ANA, NOW)
    for creditor in (organisations.a, organisations.b):
        async with open_entrance(creditor.id) as entrance:
            member = await entrance.member(ANA)
            assert member is not None
            assert member.id == creditor.members[Role.OWNER].id


async def test_binding_takes_up_an_invitation_and_leaves_an_active_member_as_it_is(
    organisations: Organisations, administration: Administration, open_entrance: OpenSqlEntrance
) -> None:
    invited = a_member(organisations.a.organization, status=MemberStatus.INVITED)
    await administration.add_member(invited)

    await administration.bind_member(invited, ANA, NOW)
    await administration.bind_member(organisations.b.members[Role.OWNER], ANA, NOW)

    for creditor, version in ((organisations.a, 2), (organisations.b, 1)):
        async with open_entrance(creditor.id) as entrance:
            member = await entrance.member(ANA)
            assert member is not None
            assert (member.status, member.version) == (MemberStatus.ACTIVE, version)


async def test_an_address_is_one_members_whatever_its_case_until_they_are_removed(
    organisations: Organisations, administration: Administration
) -> None:
    organization = organisations.a.organization
    removed = a_member(organization, email="rui@example.com", status=MemberStatus.REMOVED)
    await administration.add_member(removed)
    await administration.add_member(a_member(organization, email="Rui@example.com"))
    await administration.add_member(a_member(organisations.b.organization, email="rui@example.com"))

    with pytest.raises(DuplicateError) as refused:
        await administration.add_member(a_member(organization, email="rui@EXAMPLE.com"))

    assert refused.value.details[0].field == "email"


async def test_an_api_client_is_known_at_its_issuer_and_can_be_revoked(
    organisations: Organisations, administration: Administration, open_entrance: OpenSqlEntrance
) -> None:
    client = an_api_client(organisations.a)
    await administration.add_api_client(client)

    async with open_entrance(organisations.a.id) as entrance:
        found = await entrance.api_client(ANA.issuer, "erp")
        assert found is not None
        assert found.is_usable(NOW)
        assert await entrance.api_client("https://other.example.com", "erp") is None
    async with open_entrance(organisations.b.id) as entrance:
        assert await entrance.api_client(ANA.issuer, "erp") is None

    with pytest.raises(NotFoundError):
        await administration.revoke_api_client(organisations.b.id, client.id, NOW)
    await administration.revoke_api_client(organisations.a.id, client.id, NOW)
    async with open_entrance(organisations.a.id) as entrance:
        revoked = await entrance.api_client(ANA.issuer, "erp")
        assert revoked is not None
        assert (revoked.status, revoked.version) == ("revoked", 2)


async def test_an_issuers_client_is_one_client_of_an_organisation(
    organisations: Organisations, administration: Administration
) -> None:
    for creditor in (organisations.a, organisations.b):
        await administration.add_api_client(an_api_client(creditor))

    with pytest.raises(DuplicateError):
        await administration.add_api_client(an_api_client(organisations.a))


async def test_the_operator_sees_every_organisation(
    organisations: Organisations, administration: Administration
) -> None:
    lines = {line.id: line for line in await administration.organizations()}

    for creditor in (organisations.a, organisations.b):
        line = lines[creditor.id]
        assert (line.name, line.status, line.claim) == (creditor.organization.name, "active", None)
