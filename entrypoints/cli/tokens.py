"""`dunning token`: an access token of the embedded issuer, with no browser."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Annotated, Final, Literal, TypeVar, get_args

from cyclopts import Parameter
from cyclopts.validators import Number

from adapters.auth.embedded.tokens import Bearer
from adapters.persistence.admin import Administration
from domain.access.members import ApiClient
from domain.access.scopes import ALL
from domain.ports.issuer import DemoPerson
from entrypoints.cli.connections import as_owner, settings_from_environment
from entrypoints.cli.failures import CommandError, MisuseError
from entrypoints.cli.output import line, note
from entrypoints.cli.scopes import known_scopes
from entrypoints.container import Container
from entrypoints.resources import protected_resources
from entrypoints.settings import Settings

T = TypeVar("T")

Surface = Literal["mcp", "v1"]
SURFACES: Final[tuple[Surface, ...]] = get_args(Surface)

_LONGEST: Final = 7 * 24 * 60
_COMMAND_LINE: Final = "command-line"


async def token(
    *,
    person: str | None = None,
    client: str | None = None,
    scopes: Annotated[tuple[str, ...], Parameter(consume_multiple=True, show_default=False)] = (),
    surface: Surface = "mcp",
    minutes: Annotated[int, Parameter(validator=Number(gte=1, lte=_LONGEST))] = 60,
) -> None:
    """Print an access token of the embedded issuer; for development only.

    The token is the only thing on standard output, so that a shell can keep it in a variable.

    Parameters
    ----------
    person
        Somebody whom the sign-in page offers, by e-mail or by the `sub` of their tokens.
    client
        An API client instead: its id here, or its client id at the issuer.
    scopes
        What the token allows, separated by blanks; dunning.all, or all that the client has.
    surface
        Where it counts: at the MCP server or at /v1, never at both.
    minutes
        How long it counts.
    """
    settings = settings_from_environment()
    if settings.auth_provider != "embedded":
        raise MisuseError("AUTH_PROVIDER: is not `embedded`; ask your own issuer for a token")
    if (person is None) == (client is None):
        raise MisuseError("Give one of --person and --client")
    resource = resource_of(settings, surface)
    async with as_owner(settings) as container:
        if client is not None:
            bearer = of_client(await _client(container, client))
        else:
            bearer = of_person(await _person(container, person or ""))
        wanted = replace(
            bearer,
            scopes=sorted(known_scopes(scopes) if scopes else bearer.scopes),
            resource=resource,
            lifetime=timedelta(minutes=minutes),
        )
        line(await container.issuer().mint(wanted))
    note(f"It counts for {minutes} minutes at {resource}.")


def resource_of(settings: Settings, surface: Surface) -> str:
    """The resource that a token for `surface` names."""
    return next(
        resource.identifier
        for resource in protected_resources(settings)
        if resource.surface == surface
    )


def of_person(person: DemoPerson) -> Bearer:
    """A token with which a person may do all that their role allows."""
    return Bearer(
        subject=person.subject,
        client_id=_COMMAND_LINE,
        organization_id=person.organization_id,
        scopes=(ALL,),
        email=person.email,
    )


def of_client(client: ApiClient) -> Bearer:
    """A token with which a program may do all that it was given."""
    return Bearer(
        subject=client.subject,
        client_id=client.client_id,
        organization_id=client.organization_id,
        scopes=tuple(sorted(client.scopes)),
    )


async def _person(container: Container, wanted: str) -> DemoPerson:
    people = await container.issuer_store().people()
    found = [
        person
        for person in people
        if wanted == person.subject or wanted.casefold() == person.email.casefold()
    ]
    if not found:
        raise CommandError(
            "--person: nobody on the sign-in page is called so; `dunning seed` plants people, and "
            "`dunning member add` adds one"
        )
    return _only(found, "--person: has this e-mail in several organisations; give the `sub`")


async def _client(container: Container, wanted: str) -> ApiClient:
    administration = Administration(container.engine())
    found = [
        client
        for organization in await administration.organizations()
        for client in await administration.api_clients(organization.id)
        if wanted in {client.id, client.client_id}
    ]
    if not found:
        raise CommandError("--client: no API client has this id; `dunning client list` shows them")
    return _only(found, "--client: several organisations have this client id; give its id here")


def _only(found: Sequence[T], ambiguity: str) -> T:
    if len(found) > 1:
        raise CommandError(ambiguity)
    return found[0]
