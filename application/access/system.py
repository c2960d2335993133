"""The grant of the service itself, when a job acts in an organisation."""

from domain.access.grant import Actor, Grant, Tenant
from domain.access.roles import PERMISSIONS, Role
from domain.access.scopes import SCOPES


def system_grant(tenant: Tenant, job: str) -> Grant:
    """Everything in one organisation, in the name of `job`; no token leads here."""
    return Grant(
        tenant=tenant,
        actor=Actor(type="system", id=job, name=job),
        role=Role.OWNER,
        permissions=PERMISSIONS,
        scopes=SCOPES,
    )
