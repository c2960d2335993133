"""The service as it is, over fixture operations, limits off."""

from datetime import timedelta
from typing import Any, Final

from adapters.http.messages import Incoming
from adapters.system.clock import UtcClock
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

_AN_HOUR: Final = timedelta(hours=1)

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

    async def admit(self, _incoming: Incoming, _surface: str) -> Grant:
        return GRANT

    def address(self, incoming: Incoming) -> str:
        return str(incoming.scope["client"][0])


class TrustingVerifier:
    """Takes any token for a good one, when it is first seen."""

    def __init__(self, grant: Grant) -> None:
        self._principal = Principal(
            issuer=grant.actor.issuer,
            subject=grant.actor.subject,
            client_id=grant.actor.client_id,
            organization=grant.tenant.id,
            scopes=frozenset({"dunning.all"}),
            expires_at=(UtcClock().now() + _AN_HOUR).timestamp(),
            email="ana@example.com",
            email_verified=True,
        )

    async def __call__(self, _token: str, _surface: str, /) -> Principal:
        return self._principal

    def recall(self, _token: str, _surface: str, /) -> Principal | None:
        return None


def app_without_tokens() -> Any:
    """The hundred operations behind an open gate."""
    return build_app(_over_nothing(gate=OpenGate()))


def app_with_tokens() -> Any:
    """The same behind the real gate, whose tokens are remembered after the first request."""
    return build_app(_remembering(_over_nothing(), GRANT))


def app_with_charges(database_url: str, grant: Grant) -> Any:
    """The service as it is run, over its own operations and a database, with remembered tokens."""
    return build_app(_remembering(Container(settings=_settings(database_url)), grant))


def _over_nothing(**replaced: object) -> Container:
    return Container(
        settings=_settings("postgresql://nobody@127.0.0.1:1/none"),
        catalogue=V1Catalogue(a_hundred_operations()),
        open_work=open_nothing,
        prompts=(),
        **replaced,
    )


def _settings(database_url: str) -> Settings:
    """As the service is run, with every bucket switched off."""
    return Settings(
        database_url=database_url,
        rate_read=0,
        rate_write=0,
        rate_destructive=0,
        flood_anonymous=0,
        flood_unverified=0,
    )


def _remembering(container: Container, grant: Grant) -> Container:
    """Real memories of verdicts and memberships, in front of yes-men."""

    async def enter(_principal: Principal) -> Grant:
        return grant

    container.verifier.override(TrustingVerifier(grant))
    container.enter.override(RememberedEnter(enter, container.clock()))
    return container
