"""Who the caller is and what they may do."""

from datetime import date, datetime

from application.dunning.settings_view import RoleCeilingView, ceiling_view
from application.operations.call import Call
from application.operations.declaration import operation
from application.operations.fields import NoInput, One, View
from domain.access.grant import Grant
from domain.access.scopes import scope_of
from domain.dunning.calendar import NATIONAL_WIDE
from domain.dunning.ceilings import ceiling_of
from domain.dunning.organization_settings import RoleLimits


class OrganizationOfMe(View):
    """The organisation that the token names."""

    id: str
    name: str
    environment: str
    timezone: str


class PrincipalOfMe(View):
    """The person or API client. `portfolio` is `assigned` when only own debtors are seen."""

    type: str
    id: str
    name: str
    role: str
    portfolio: str


class Me(View):
    """The token's bearer: `missing_scopes` are the ones that the role would allow to use."""

    organization: OrganizationOfMe
    principal: PrincipalOfMe
    scopes: list[str]
    missing_scopes: list[str]
    permissions: list[str]
    limits: RoleCeilingView | None
    today: date
    server_time: datetime
    business_day: bool


@operation(
    "me",
    "GET /me",
    title="Who am I",
    description=(
        "Who the token belongs to: organisation, person or API client, role, scopes, permissions, "
        "limits, business date and environment. Takes no arguments."
    ),
    permission=None,
    resource="me",
    always_listed=True,
)
async def me(call: Call, _: NoInput) -> One[Me]:
    """Answer from the grant, and its ceilings from the settings."""
    grant = call.grant
    organization = await call.work.organization()
    wanted = {scope_of(permission) for permission in grant.permissions}
    return One(
        Me(
            organization=OrganizationOfMe(
                id=grant.tenant.id,
                name=grant.tenant.name,
                environment=grant.tenant.environment,
                timezone=grant.tenant.timezone,
            ),
            principal=PrincipalOfMe(
                type=grant.actor.type,
                id=grant.actor.id,
                name=grant.actor.name,
                role=grant.role,
                portfolio="all" if grant.assigned_to is None else "assigned",
            ),
            scopes=sorted(grant.scopes),
            missing_scopes=sorted(wanted - grant.scopes),
            permissions=sorted(grant.permissions),
            limits=_limits(grant, organization.settings.role_limits),
            today=call.today,
            server_time=call.system_now,
            business_day=NATIONAL_WIDE.is_business_day(call.today),
        )
    )


def _limits(grant: Grant, limits: RoleLimits) -> RoleCeilingView | None:
    ceiling = ceiling_of(grant, limits)
    return None if ceiling is None else ceiling_view(ceiling)
