"""How far the person or program of a grant may go, by the ceilings of their organisation."""

from collections.abc import Callable
from typing import Final

from domain.access.grant import Grant
from domain.access.roles import Role
from domain.dunning.organization_settings import RoleCeiling, RoleLimits
from domain.errors import Detail, RoleLimitError

_RISING: Final = (Role.COLLECTOR, Role.MANAGER, Role.ADMIN)


def refuse_above_ceiling(
    grant: Grant,
    limits: RoleLimits,
    allows: Callable[[RoleCeiling], bool],
    detail_of: Callable[[RoleCeiling, Role | None], Detail],
) -> None:
    """Refuse what the ceiling of the grant does not allow; the service's own jobs have none.

    `detail_of` is told the ceiling, and the next role that may; None where no role may.

    Raises:
        RoleLimitError: names the next role that may, else the admin, who may move the ceilings.
    """
    role = _ceiling_role(grant)
    if role is None or allows(ceiling := _ceiling(role, limits)):
        return
    above = _RISING[_RISING.index(role) + 1 :]
    able = next((other for other in above if allows(_ceiling(other, limits))), None)
    raise RoleLimitError((able or Role.ADMIN).value, detail_of(ceiling, able))


def ceiling_of(grant: Grant, limits: RoleLimits) -> RoleCeiling | None:
    """How far the grant may go; None for the service's own jobs, which no ceiling holds."""
    role = _ceiling_role(grant)
    return None if role is None else _ceiling(role, limits)


def _ceiling_role(grant: Grant) -> Role | None:
    """Whose ceiling holds: an owner's is the admin's, and a viewer's the collector's."""
    if grant.actor.type == "system":
        return None
    match grant.role:
        case Role.OWNER:
            return Role.ADMIN
        case Role.VIEWER:
            return Role.COLLECTOR
        case role:
            return role


def _ceiling(role: Role, limits: RoleLimits) -> RoleCeiling:
    ceilings = {
        Role.COLLECTOR: limits.collector,
        Role.MANAGER: limits.manager,
        Role.ADMIN: limits.admin,
    }
    return ceilings[role]
