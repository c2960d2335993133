"""`dunning client`: the programs of an organisation."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Final

from cyclopts import Parameter
from cyclopts.validators import Number

from adapters.persistence.admin import Administration
from domain.access.members import ApiClient
from domain.access.roles import INTEGRATION_PRESET, Role
from domain.access.scopes import scope_of
from domain.dunning.free_text import NAME, trimmed
from entrypoints.cli.connections import as_owner, settings_from_environment, settings_with_issuer
from entrypoints.cli.failures import CommandError
from entrypoints.cli.organizations import organization_called
from entrypoints.cli.output import day, heading, line, table
from entrypoints.cli.scopes import known_scopes
from entrypoints.resources import protected_resources
from entrypoints.settings import Settings

_LONGEST_LIFE: Final = 365
_INTEGRATION: Final = tuple(sorted(map(scope_of, INTEGRATION_PRESET)))


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A program that is about to be let in."""

    name: Annotated[str, Parameter(help="What people call it, such as erp-sync.")]
    client_id: Annotated[str, Parameter(help="Its client id at the issuer.")]
    subject: Annotated[
        str | None, Parameter(help="The `sub` of its tokens; the client id unless given.")
    ] = None
    issuer: Annotated[
        str | None, Parameter(help="The `iss` of its tokens; the service's issuer unless given.")
    ] = None
    ceiling: Annotated[
        Role, Parameter(help="The role whose rights it has at most; those of persons only, never.")
    ] = Role.MANAGER
    scopes: Annotated[
        tuple[str, ...],
        Parameter(
            consume_multiple=True,
            show_default=False,
            help="Scopes it is given; those that an integration with an ERP needs, unless given.",
        ),
    ] = _INTEGRATION
    days: Annotated[
        int,
        Parameter(validator=Number(gte=1, lte=_LONGEST_LIFE), help="It is let in for so long."),
    ] = _LONGEST_LIFE


async def create_client(*, organization: str, program: Program) -> None:
    """Let a program in, and print what has to be registered at the issuer.

    A token is this client's when its issuer, client id and subject are these. What it may do is
    what its token's scopes, the scopes given here and the ceiling's rights have in common. There is
    no secret on our side: the issuer gives the program one. With the embedded issuer,
    `dunning token --client` makes its tokens.

    Parameters
    ----------
    organization
        Id or claim value of the organisation.
    """
    settings = settings_with_issuer()
    scopes = known_scopes(program.scopes)
    async with as_owner(settings) as container:
        administration = Administration(container.engine())
        where = await organization_called(administration, organization)
        now = container.clock().now()
        created = ApiClient(
            organization_id=where.id,
            id=container.ids().new("cli"),
            name=trimmed(program.name, "name", NAME),
            issuer=program.issuer or settings.issuer,
            client_id=program.client_id,
            subject=program.subject or program.client_id,
            scopes=scopes,
            role_ceiling=program.ceiling,
            status="active",
            expires_at=now + timedelta(days=program.days),
            created_at=now,
            updated_at=now,
        )
        await administration.add_api_client(created)
    line(created.id)
    _print_registration(created, settings, where.claim or where.id)


async def revoke_client(client: str, *, organization: str) -> None:
    """Let a program in no more. Known within five seconds.

    Parameters
    ----------
    client
        Our id of it, as `dunning client list` shows it.
    organization
        Id or claim value of the organisation.
    """
    async with as_owner(settings_from_environment()) as container:
        administration = Administration(container.engine())
        where = await organization_called(administration, organization)
        found = {one.id: one for one in await administration.api_clients(where.id)}
        if client not in found:
            raise CommandError(
                "No API client of this organisation; `dunning client list` shows them"
            )
        await administration.revoke_api_client(where.id, client, container.clock().now())
    line(f"{found[client].name} is revoked.")


async def list_clients(*, organization: str) -> None:
    """List the programs of an organisation, by name.

    Parameters
    ----------
    organization
        Id or claim value of the organisation.
    """
    async with as_owner(settings_from_environment()) as container:
        administration = Administration(container.engine())
        where = await organization_called(administration, organization)
        found = await administration.api_clients(where.id)
    rows = [
        (one.id, one.name, one.client_id, one.role_ceiling, one.status, day(one.expires_at))
        for one in found
    ]
    table(("id", "name", "client id", "ceiling", "status", "expires"), rows)


def _print_registration(created: ApiClient, settings: Settings, claim_value: str) -> None:
    audiences = (resource.identifier for resource in protected_resources(settings))
    heading("At the issuer")
    table(
        ("what", "value"),
        [
            ("issuer", created.issuer),
            ("client id", created.client_id),
            ("grant", "client_credentials"),
            ("subject of its tokens", created.subject),
            (f"claim {settings.auth_organization_claim}", claim_value),
            ("audience (one of)", " ".join(audiences)),
            ("scopes", " ".join(sorted(created.scopes))),
        ],
    )
