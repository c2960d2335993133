"""`dunning member`: the people of an organisation."""

import re
from dataclasses import dataclass
from typing import Annotated, Final

from cyclopts import Parameter

from adapters.persistence.admin import Administration
from domain.access.members import Identity, Member, MemberStatus, Portfolio
from domain.access.roles import Role
from domain.dunning.free_text import NAME, trimmed
from domain.ports.issuer import DemoPerson
from entrypoints.cli.connections import as_owner, settings_from_environment, settings_with_issuer
from entrypoints.cli.failures import CommandError, MisuseError
from entrypoints.cli.organizations import organization_called
from entrypoints.cli.output import day, line, note, table

_EMAIL: Final = re.compile(r"[^@\s]{1,64}@[^@\s.]+(\.[^@\s.]+)+")


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody who is about to be invited."""

    name: Annotated[str, Parameter(help="Their name.")]
    email: Annotated[str, Parameter(help="Their address, as the issuer verified it.")]
    role: Annotated[Role, Parameter(help="What they may do; `dunning tools` shows it.")]
    portfolio: Annotated[
        Portfolio, Parameter(help="A collector with `assigned` sees only debtors of their own.")
    ] = Portfolio.ALL


async def add_member(*, organization: str, person: Person) -> None:
    """Invite a person and print their id.

    The invitation is taken up by the first token of AUTH_ISSUER that names the organisation and
    carries this e-mail as verified; from then on only issuer and subject count. An issuer that does
    not tell e-mails needs `dunning member bind`. With the embedded issuer the person appears on its
    sign-in page.

    Parameters
    ----------
    organization
        Id or claim value of the organisation.
    """
    settings = settings_with_issuer()
    if not _EMAIL.fullmatch(person.email):
        raise MisuseError("--email: is no address such as ana@example.com")
    async with as_owner(settings) as container:
        administration = Administration(container.engine())
        where = await organization_called(administration, organization)
        now = container.clock().now()
        invited = Member(
            organization_id=where.id,
            id=container.ids().new("mbr"),
            name=trimmed(person.name, "name", NAME),
            email=person.email,
            role=person.role,
            status=MemberStatus.INVITED,
            portfolio=person.portfolio,
            created_at=now,
            updated_at=now,
        )
        await administration.add_member(invited)
        if settings.auth_provider == "embedded":
            await administration.add_demo_person(_at_embedded_issuer(invited, where.name))
    line(invited.id)
    note(f"{invited.name} is invited to {where.name} as {invited.role}.")


async def bind_member(
    *, organization: str, member: str, subject: str, issuer: str | None = None
) -> None:
    """Say which person at an issuer a member is; an invitation counts as taken up.

    For issuers that do not tell verified e-mails, and for people who come from several issuers.

    Parameters
    ----------
    organization
        Id or claim value of the organisation.
    member
        Id or e-mail of the member.
    subject
        The `sub` of their tokens.
    issuer
        The `iss` of their tokens, byte for byte; the service's own issuer unless given.
    """
    settings = settings_with_issuer()
    async with as_owner(settings) as container:
        administration = Administration(container.engine())
        where = await organization_called(administration, organization)
        found = await _member_called(administration, where.id, member)
        identity = Identity(issuer or settings.issuer, subject)
        await administration.bind_member(found, identity, container.clock().now())
    line(f"{found.name} is this person of {identity.issuer} from now on.")


async def list_members(*, organization: str) -> None:
    """List the people of an organisation, by name.

    Parameters
    ----------
    organization
        Id or claim value of the organisation.
    """
    async with as_owner(settings_from_environment()) as container:
        administration = Administration(container.engine())
        where = await organization_called(administration, organization)
        found = await administration.members(where.id)
    rows = [
        (one.id, one.name, one.email, one.role, one.portfolio, one.status, day(one.created_at))
        for one in found
    ]
    table(("id", "name", "e-mail", "role", "portfolio", "status", "created"), rows)


async def _member_called(
    administration: Administration, organization_id: str, wanted: str
) -> Member:
    for one in await administration.members(organization_id):
        if wanted == one.id or wanted.casefold() == one.email.casefold():
            return one
    raise CommandError("--member: nobody of this organisation; `dunning member list` shows them")


def _at_embedded_issuer(invited: Member, organization_name: str) -> DemoPerson:
    return DemoPerson(
        subject=invited.id,
        name=invited.name,
        email=invited.email,
        role=invited.role,
        organization_id=invited.organization_id,
        organization_name=organization_name,
    )
