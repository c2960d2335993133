"""People and programs: added by the operator, let in by their tokens."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from domain.access.grant import Grant
from domain.access.members import Identity
from domain.access.principal import Principal
from domain.errors import UnauthenticatedError
from entrypoints.container import Container
from entrypoints.settings import Settings
from tests.command_line import Ran
from tests.integration.cli.conftest import Command

Create = Callable[..., str]


@pytest.fixture
def organization(create: Create) -> str:
    create("Mercado Vizinho")
    return create("Colégio Imbuia")


def test_an_invited_person_gets_in_with_a_token_of_the_embedded_issuer(
    run: Command, organization: str, settings: Settings
) -> None:
    added = add(run, organization, "caio@imbuia.example.com", "collector")

    token = run("token", "--person", "Caio@imbuia.example.com").out.strip()

    grant = entered(settings, token, "mcp")
    assert (grant.actor.id, grant.role) == (added.first_line, "collector")
    assert grant.organization_id == organization
    (row,) = rows_with(run("member", "list", "--organization", organization), "caio@")
    assert row[-2] == "active"


def test_a_token_counts_at_one_surface_and_with_its_scopes_only(
    run: Command, organization: str, settings: Settings
) -> None:
    add(run, organization, "lia@imbuia.example.com", "owner")

    token = run(
        "token",
        "--person=lia@imbuia.example.com",
        "--surface=v1",
        "--scopes",
        "dunning.charges:read dunning.debtors:read",
    ).out.strip()

    assert entered(settings, token, "v1").scopes == {
        "dunning.charges:read",
        "dunning.debtors:read",
    }
    with pytest.raises(UnauthenticatedError):
        entered(settings, token, "mcp")


def test_a_scope_that_does_not_exist_is_refused(run: Command, organization: str) -> None:
    add(run, organization, "nilo@imbuia.example.com", "viewer")

    ran = run("token", "--person=nilo@imbuia.example.com", "--scopes=dunning.everything")

    assert ran.exit_code == 2
    assert ran.err.startswith("dunning: --scopes: ")
    assert ran.out == ""


def test_one_address_in_two_organisations_has_to_be_told_apart(
    run: Command, create: Create, settings: Settings
) -> None:
    one, other = create("Colégio Sucupira"), create("Colégio Mogno")
    add(run, one, "ana@example.com", "owner")
    second = add(run, other, "ana@example.com", "viewer").first_line

    ambiguous = run("token", "--person=ana@example.com")
    token = run("token", "--person", second).out.strip()

    assert (ambiguous.exit_code, ambiguous.out) == (1, "")
    assert entered(settings, token, "mcp").organization_id == other


def test_an_address_is_invited_once(run: Command, organization: str) -> None:
    add(run, organization, "vera@imbuia.example.com", "owner")

    ran = add(run, organization, "Vera@imbuia.example.com", "viewer")

    assert ran.exit_code == 1
    assert ran.err.startswith("dunning: --email: ")


def test_nobody_is_stored_with_an_issuer_that_was_not_chosen(
    run: Command, organization: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(run, organization, "ivo@imbuia.example.com", "viewer")
    where = f"--organization={organization}"
    monkeypatch.delenv("AUTH_PROVIDER")

    refused = [
        add(run, organization, "rui@imbuia.example.com", "owner"),
        run("member", "bind", where, "--member=ivo@imbuia.example.com", "--subject=auth|ivo"),
        run("client", "create", where, "--name=erp", "--client-id=imbuia-erp-2"),
    ]

    for ran in refused:
        assert (ran.exit_code, ran.out) == (2, "")
        assert ran.err.startswith("dunning: AUTH_PROVIDER: is not set")
    assert not rows_with(run("member", "list", where), "rui@")
    assert not rows_with(run("client", "list", where), "imbuia-erp-2")
    (row,) = rows_with(run("member", "list", where), "ivo@")
    assert row[-2] == "invited"


def test_what_is_no_address_is_refused(run: Command, organization: str) -> None:
    ran = add(run, organization, "vera", "owner")

    assert ran.exit_code == 2
    assert ran.err.startswith("dunning: --email: ")


def test_a_bound_person_needs_no_address(
    run: Command, organization: str, settings: Settings
) -> None:
    member = add(run, organization, "otto@imbuia.example.com", "viewer").first_line
    issuer = "https://issuer.example.com"

    ran = run(
        "member",
        "bind",
        f"--organization={organization}",
        "--member=otto@imbuia.example.com",
        "--subject=auth|otto",
        f"--issuer={issuer}",
    )

    assert ran.exit_code == 0
    principal = principal_of(Identity(issuer, "auth|otto"), organization)
    assert entered_as(settings, principal).actor.id == member


def test_a_program_is_let_in_until_it_is_revoked(
    run: Command, organization: str, settings: Settings
) -> None:
    created = run(
        "client",
        "create",
        f"--organization={organization}",
        "--name=erp-sync",
        "--client-id=imbuia-erp",
    )
    token = run("token", "--client", created.first_line, "--surface=v1").out.strip()
    grant = entered(settings, token, "v1")

    revoked = run("client", "revoke", created.first_line, f"--organization={organization}")

    assert (grant.actor.id, grant.role) == (created.first_line, "manager")
    assert revoked.exit_code == 0
    (row,) = rows_with(run("client", "list", "--organization", organization), "imbuia-erp")
    assert row[-2] == "revoked"
    with pytest.raises(UnauthenticatedError):
        entered(settings, token, "v1")


def test_creating_a_program_says_what_the_issuer_has_to_know(run: Command, create: Create) -> None:
    create("Colégio Jacarandá", "--claim=jacaranda")

    ran = run(
        "client",
        "create",
        "--organization=jacaranda",
        "--name=painel",
        "--client-id=jacaranda-painel",
        "--ceiling=viewer",
        "--scopes=dunning.read",
    )

    told = dict(line.split(maxsplit=1) for line in ran.out.splitlines() if "  " in line)
    assert "jacaranda-painel" in told["client"]
    assert told["scopes"] == "dunning.read"
    assert told["claim"].split() == ["org_id", "jacaranda"]


def test_a_program_of_another_organisation_is_not_revoked(
    run: Command, organization: str, create: Create
) -> None:
    other = create("Colégio Canela")
    created = run(
        "client", "create", f"--organization={other}", "--name=erp", "--client-id=canela-erp"
    )

    ran = run("client", "revoke", created.first_line, f"--organization={organization}")

    assert ran.exit_code == 1
    (row,) = rows_with(run("client", "list", "--organization", other), "canela-erp")
    assert row[-2] == "active"


def add(run: Command, organization: str, email: str, role: str) -> Ran:
    return run(
        "member", "add", f"--organization={organization}", "--name=Ana Lima", "--email", email,
        "--role", role,
    )  # fmt: skip


def rows_with(ran: Ran, text: str) -> list[list[str]]:
    return [line.split() for line in ran.out.splitlines() if text in line]


def principal_of(identity: Identity, organization: str) -> Principal:
    return Principal(
        issuer=identity.issuer,
        subject=identity.subject,
        client_id="some-client",
        organization=organization,
        scopes=frozenset({"dunning.all"}),
        expires_at=0.0,
    )


def entered(settings: Settings, token: str, surface: str) -> Grant:
    """The grant that the running service would give for a token."""

    async def verified(container: Container) -> Principal:
        return await container.verify()(token, surface)

    return asyncio.run(_entered(settings, verified))


def entered_as(settings: Settings, principal: Principal) -> Grant:
    async def given(_: Container) -> Principal:
        return principal

    return asyncio.run(_entered(settings, given))


async def _entered(
    settings: Settings, principal_in: Callable[[Container], Awaitable[Principal]]
) -> Grant:
    container = Container(settings=settings)
    try:
        return await container.enter()(await principal_in(container))
    finally:
        await container.issuer_client().aclose()
        await container.engine().dispose()
