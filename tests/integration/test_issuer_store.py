"""What the embedded issuer keeps: clients, codes that are taken once, one key, invented people."""

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.persistence.admin import Administration
from adapters.persistence.issuer_store import SqlIssuerStore
from domain.access.roles import Role
from domain.ports.issuer import DemoPerson, IssuedCode, RegisteredClient
from tests.builders import IDS, NOW, Creditor, StoppedClock
from tests.conftest import Organisations

pytestmark = pytest.mark.anyio


@pytest.fixture
def issuer_store(app_engine: AsyncEngine, system_clock: StoppedClock) -> SqlIssuerStore:
    return SqlIssuerStore(app_engine, system_clock)


def a_code(**fields: object) -> IssuedCode:
    values = {
        "digest": IDS.new("digest"),
        "client_id": "client-1",
        "redirect_uri": None,
        "code_challenge": "challenge",
        "resource": "https://mcp.example.com/mcp",
        "scopes": ("dunning.read",),
        "subject": "demo-helena",
        "organization_id": "org_1",
        "expires_at": NOW + timedelta(seconds=60),
    }
    return IssuedCode(**(values | fields))  # type: ignore[arg-type]  # the fields of the type


def a_person(creditor: Creditor, name: str, role: Role) -> DemoPerson:
    return DemoPerson(
        subject=f"demo-{name.lower()}",
        name=name,
        email=f"{name.lower()}@example.com",
        role=role,
        organization_id=creditor.id,
        organization_name=creditor.organization.name,
    )


async def test_a_registered_client_is_found_again(issuer_store: SqlIssuerStore) -> None:
    client = RegisteredClient(
        client_id=IDS.new("client"),
        name="Inspector",
        redirect_uris=("http://127.0.0.1:1234/callback", "https://app.example.com/callback"),
        created_at=NOW,
    )
    await issuer_store.save_client(client)

    assert await issuer_store.client(client.client_id) == client
    assert await issuer_store.client("nobody") is None


async def test_of_many_who_take_a_code_at_once_one_gets_it(issuer_store: SqlIssuerStore) -> None:
    code = a_code()
    await issuer_store.save_code(code)

    taken = await asyncio.gather(*(issuer_store.take_code(code.digest) for _ in range(5)))

    assert [one for one in taken if one is not None] == [code]
    assert await issuer_store.take_code(code.digest) is None


async def test_expired_codes_are_dropped_when_another_is_saved(
    issuer_store: SqlIssuerStore,
) -> None:
    expired, fresh = a_code(expires_at=NOW), a_code()
    await issuer_store.save_code(expired)
    await issuer_store.save_code(fresh)

    assert await issuer_store.take_code(expired.digest) is None
    assert await issuer_store.take_code(fresh.digest) == fresh


async def test_the_first_signing_key_stays(issuer_store: SqlIssuerStore) -> None:
    first = await issuer_store.signing_key('{"kid":"1"}')

    assert await issuer_store.signing_key('{"kid":"2"}') == first


async def test_people_are_listed_by_organisation_and_rank(
    organisations: Organisations, administration: Administration, issuer_store: SqlIssuerStore
) -> None:
    a, b = organisations.a, organisations.b
    people = [
        a_person(b, "Vera", Role.OWNER),
        a_person(a, "Otto", Role.VIEWER),
        a_person(a, "Helena", Role.OWNER),
        a_person(a, "Bianca", Role.MANAGER),
    ]
    for person in people:
        await administration.add_demo_person(person)

    listed = [one for one in await issuer_store.people() if one.organization_id in (a.id, b.id)]

    assert [one.name for one in listed] == ["Helena", "Bianca", "Otto", "Vera"]
    assert set(listed) == set(people)
