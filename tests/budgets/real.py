"""The service as it is, over fixture operations, limits off."""

import time
from typing import Any, Final

from adapters.http.messages import Scope
from adapters.v1.catalogue import V1Catalogue
from application.access.enter import RememberedEnter
from domain.access.grant import Actor, Environment, Grant, Tenant
from domain.access.principal import Principal
from domain.access.roles import Role, permissions_of
from domain.access.scopes import SCOPES
from entrypoints.app import build_app
from entrypoints.container import Container
from entrypoints.settings import Settings
from tests.budgets.catalogue import a_hundred_operations, open_nothing

_HOUR: Final = 3600

GRANT: Final = Grant(
    tenant=Tenant(
        id="org_00000000000000000000000001",
        name="Colégio Aurora",
        environment=Environment.SANDBOX,
        timezone="America/Sao_Paulo",
    ),
    actor=Actor(
        type="member",
        id="mbr_00000000000000000000000001",
        name="Ana Gestora",
        issuer="https://issuer.example.com",
        subject="person-1",
        client_id="client-1",
    ),
    role=Role.MANAGER,
    permissions=permissions_of(Role.MANAGER),
    scopes=SCOPES,
)


class OpenGate:
    """Lets everybody in with one grant and asks for nothing."""

    async def admit(self, _scope: Scope, _surface: str) -> Grant:
        return GRANT

    def address(self, scope: Scope) -> str:
        return str(scope["client"][0])


class TrustingVerifier:
    """Takes any token for a good one, when it is first seen."""

    async def __call__(self, _token: str, _surface: str, /) -> Principal:
        return Principal(
            issuer=GRANT.actor.issuer,
            subject=GRANT.actor.subject,
            client_id=GRANT.actor.client_id,
            organization=GRANT.tenant.id,
            scopes=frozenset({"dunning.all"}),
            expires_at=time.clock_gettime(time.CLOCK_REALTIME) + _HOUR,
            email="ana@example.com",
            email_verified=True,
        )

    def recall(self, _token: str, _surface: str, /) -> Principal | None:
        return None


def settings_without_limits(database_url: str = "postgresql://nobody@127.0.0.1:1/none") -> Settings:
    """As the service is run, with every bucket switched off."""
    return Settings(
        database_url=database_url,
        rate_read=0,
        rate_write=0,
        rate_destructive=0,
        flood_anonymous=0,
        flood_unverified=0,
    )


def app_without_tokens() -> Any:
    """The hundred operations behind an open gate."""
    return build_app(_container(gate=OpenGate()))


def app_with_tokens() -> Any:
    """The same behind the real gate, whose tokens are remembered after the first request."""
    return build_app(_with_tokens(_container()))


def _container(**replaced: object) -> Container:
    return Container(
        settings=settings_without_limits(),
        catalogue=V1Catalogue(a_hundred_operations()),
        open_work=open_nothing,
        **replaced,
    )


async def _enter(_principal: Principal) -> Grant:
    return GRANT


def _with_tokens(container: Container) -> Container:
    container.verifier.override(TrustingVerifier())
    container.enter.override(RememberedEnter(_enter, container.clock()))
    return container
