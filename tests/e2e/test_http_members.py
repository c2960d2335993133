"""Whose token lets somebody in: only that of an active member of an active organisation."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.auth.embedded.tokens import Bearer
from adapters.persistence import tables
from adapters.persistence.admin import Administration
from adapters.persistence.transaction import open_pinned
from domain.access.members import Identity
from domain.access.roles import Role
from domain.access.scopes import ALL
from tests.auth.clock import FakeSystemClock
from tests.auth.issuer import FakeIssuer
from tests.builders import NOW, Creditor, a_creditor
from tests.e2e.service import Demo, Service, running
from tests.protocol.fixtures import modern
from tests.protocol.requirements import proves

pytestmark = pytest.mark.anyio

ME = modern("tools/call", {"name": "dunning_me", "arguments": {}})


@pytest.fixture
async def creditor(demo: Demo, owner: AsyncEngine) -> Creditor:
    """An organisation of this test alone, whose manager can sign in."""
    stored = a_creditor("Colégio Aurora")
    async with open_pinned(owner, stored.id) as transaction:
        transaction.session.add_all([stored.organization, *stored.people])
        await transaction.flush()
        await transaction.commit()
    manager = stored.members[Role.MANAGER]
    identity = Identity(f"{demo.public_url}/issuer", f"subject-{manager.id}")
    await Administration(owner).bind_member(manager, identity, NOW)
    return stored


@pytest.fixture
async def fresh(demo: Demo) -> AsyncIterator[Service]:
    """A service that remembers nobody yet."""
    async with running(demo) as service:
        yield service


def manager_of(creditor: Creditor, **changes: Any) -> Bearer:
    said = {
        "subject": f"subject-{creditor.members[Role.MANAGER].id}",
        "client_id": "test-client",
        "organization_id": creditor.id,
        "scopes": (ALL,),
    }
    return Bearer(**{**said, **changes})


def assert_no_member(refused: httpx.Response) -> None:
    assert refused.status_code == 403
    assert refused.json()["error"]["code"] == "PERMISSION_DENIED"
    assert "www-authenticate" not in refused.headers


@proves("auth.membership", "http.plain")
async def test_a_suspended_organisation_lets_nobody_in_until_it_is_resumed(
    fresh: Service, creditor: Creditor, owner: AsyncEngine
) -> None:
    token = await fresh.mint(manager_of(creditor))
    administration = Administration(owner)
    await administration.set_suspended(creditor.id, suspended=True)
    assert_no_member(await fresh.post(ME, token))
    await administration.set_suspended(creditor.id, suspended=False)

    # What became of a token is known for five seconds; this one was not seen before.
    other = await fresh.mint(manager_of(creditor, scopes=("dunning.read",)))
    assert (await fresh.post(ME, other)).status_code == 200


@proves("auth.membership")
@pytest.mark.parametrize("status", ["suspended", "removed"])
async def test_a_member_who_is_suspended_or_removed_is_403_without_a_challenge(
    fresh: Service, creditor: Creditor, owner: AsyncEngine, status: str
) -> None:
    member = tables.members.c
    async with owner.begin() as connection:
        await connection.execute(
            update(tables.members)
            .where(member.id == creditor.members[Role.MANAGER].id)
            .values(status=status)
        )

    assert_no_member(await fresh.post(ME, await fresh.mint(manager_of(creditor))))


@proves("auth.membership")
@pytest.mark.parametrize("claim", ["org_nobody", "", None, "'; DROP TABLE members; --"])
async def test_an_organisation_that_is_not_or_is_not_named_is_403(
    fresh: Service, creditor: Creditor, claim: str | None
) -> None:
    token = await fresh.mint(manager_of(creditor, organization_id=claim))

    assert_no_member(await fresh.post(ME, token))


@proves("auth.membership")
async def test_i10_a_member_of_one_organisation_is_nobody_in_another(
    fresh: Service, creditor: Creditor
) -> None:
    theirs = fresh.demo.person("Vera").organization_id
    token = await fresh.mint(manager_of(creditor, organization_id=theirs))

    assert_no_member(await fresh.post(ME, token))


@proves("auth.passthrough")
async def test_b19_the_token_of_a_caller_goes_nowhere_else(
    demo: Demo, creditor: Creditor, owner: AsyncEngine
) -> None:
    clock = FakeSystemClock()
    issuer = FakeIssuer(clock)
    sent: list[httpx.Request] = []

    async def note(request: httpx.Request) -> None:
        sent.append(request)

    issuer.http.event_hooks = {"request": [note]}
    manager = creditor.members[Role.MANAGER]
    person = Identity(issuer.issuer, f"person-{manager.id}")
    await Administration(owner).bind_member(manager, person, NOW)
    audience = f"{demo.public_url}/mcp"
    token = issuer.token(aud=audience, org_id=creditor.id, sub=person.subject)
    settings = {"AUTH_PROVIDER": "oidc", "AUTH_ISSUER": issuer.issuer}
    async with running(demo, settings, clock=clock, issuer_client=issuer.http) as service:
        for name in ("dunning_me", "dunning_charges_list", "dunning_debtors_list"):
            called = modern("tools/call", {"name": name, "arguments": {}})
            assert "isError" not in (await service.post(called, token)).json()["result"]

    assert sent
    for request in sent:
        assert token not in f"{request.url}{request.headers}{request.content!r}"
