"""`dunning org`: the creditors of this installation."""

import re
from dataclasses import dataclass
from typing import Annotated, Final

from cyclopts import Parameter

from adapters.persistence.admin import Administration, OrganizationLine
from domain.access.grant import Environment
from domain.dunning.addresses import Address
from domain.dunning.moment import Moment
from domain.dunning.organizations import NewOrganization, Organization
from entrypoints.cli.connections import as_owner, settings_from_environment
from entrypoints.cli.failures import CommandError, MisuseError
from entrypoints.cli.output import ABSENT, day, line, note, table

_ID: Final = re.compile(r"org_[0-9a-z]{26}")


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class Creditor:
    """The creditor as its collection documents name it (CDC 42-A)."""

    name: Annotated[str, Parameter(help="What people call it.")]
    legal_name: Annotated[str, Parameter(help="The registered name.")]
    document: Annotated[str, Parameter(help="CNPJ or CPF, with or without punctuation.")]
    street: Annotated[str, Parameter(help="Street of its address.")]
    number: Annotated[str, Parameter(help="House number.")]
    district: Annotated[str, Parameter(help="District (bairro) of its address.")]
    city: Annotated[str, Parameter(help="City of its address.")]
    uf: Annotated[str, Parameter(help="State, two letters.")]
    zipcode: Annotated[str, Parameter(help="CEP, eight digits.")]
    complement: Annotated[str | None, Parameter(help="Rest of the address.")] = None

    def described(self, environment: Environment, timezone: str) -> NewOrganization:
        """The same in the words of the rules, which check it."""
        return NewOrganization(
            name=self.name,
            legal_name=self.legal_name,
            document=self.document,
            environment=environment,
            uf=self.uf,
            city=self.city,
            timezone=timezone,
            address=Address(
                street=self.street,
                number=self.number,
                district=self.district,
                city=self.city,
                uf=self.uf,
                zipcode=self.zipcode,
                complement=self.complement,
            ),
        )


async def create_org(
    *,
    creditor: Creditor,
    live: bool = False,
    claim: str | None = None,
    timezone: str = "America/Sao_Paulo",
) -> None:
    """Create an organisation and print its id. Its settings are the defaults.

    Tokens name an organisation by this id, or by the value of --claim, in the claim that
    AUTH_ORGANIZATION_CLAIM names. Its first person comes next: dunning member add --role owner.

    Parameters
    ----------
    live
        Real debts of real people. Without it a sandbox is made; this never changes afterwards.
    claim
        The value by which the issuer's tokens name the organisation, where it is not the id.
    timezone
        What decides its business date.
    """
    _refuse_bad_claim(claim)
    environment = Environment.LIVE if live else Environment.SANDBOX
    async with as_owner(settings_from_environment()) as container:
        # Before there is an organisation: opening the engine is what maps it to its tables.
        administration = Administration(container.engine())
        now = container.clock().now()
        moment = Moment(now, now.date())
        organization = Organization.register(
            container.ids().new("org"), creditor.described(environment, timezone), moment
        )
        await administration.add_organization(organization, claim=claim)
    line(organization.id)
    note(
        f"{organization.name} was created as a {environment} organisation. Next: its owner, with "
        f"dunning member add --organization {organization.id} --role owner"
    )


async def suspend_org(organization: str) -> None:
    """Let nobody of an organisation in any more; nothing is deleted. Known within five seconds.

    Parameters
    ----------
    organization
        Its id or claim value; `dunning org list` shows both.
    """
    await _set_suspended(organization, suspended=True)


async def resume_org(organization: str) -> None:
    """Let the people of a suspended organisation in again.

    Parameters
    ----------
    organization
        Its id or claim value; `dunning org list` shows both.
    """
    await _set_suspended(organization, suspended=False)


async def list_orgs() -> None:
    """List every organisation, by name."""
    async with as_owner(settings_from_environment()) as container:
        found = await Administration(container.engine()).organizations()
    rows = [
        (one.id, one.name, one.environment, one.status, one.claim or ABSENT, day(one.created_at))
        for one in found
    ]
    table(("id", "name", "environment", "status", "claim", "created"), rows)


async def organization_called(administration: Administration, wanted: str) -> OrganizationLine:
    """The organisation with this id or claim value. Raises CommandError where there is none."""
    known = await administration.organizations()
    for name in ("id", "claim"):
        for one in known:
            if getattr(one, name) == wanted:
                return one
    raise CommandError("No organisation has this id or claim; `dunning org list` shows them")


def _refuse_bad_claim(claim: str | None) -> None:
    if claim is None:
        return
    if not claim.strip():
        raise MisuseError("--claim: is empty; leave it out where tokens name the id")
    if _ID.fullmatch(claim):
        raise MisuseError("--claim: looks like the id of an organisation; it is the issuer's name")


async def _set_suspended(wanted: str, *, suspended: bool) -> None:
    async with as_owner(settings_from_environment()) as container:
        administration = Administration(container.engine())
        organization = await organization_called(administration, wanted)
        await administration.set_suspended(organization.id, suspended=suspended)
    line(f"{organization.name} is {'suspended' if suspended else 'active'}.")
