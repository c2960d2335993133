"""The object graph: one flat container of synchronous providers, made anew for each process.

A collaborator is replaced in tests by keyword: `Container(settings=…, clock=…)`.
"""

from datetime import timedelta
from importlib.metadata import version

import httpx
from dependency_injector import containers, providers

import application.dunning
from adapters.auth.embedded.issuer import EmbeddedIssuer
from adapters.auth.embedded.settings import EmbeddedSettings
from adapters.auth.embedded.transport import EmbeddedIssuerTransport
from adapters.auth.key_ring import KeyRing
from adapters.auth.remembered import RememberedVerifier
from adapters.auth.settings import OidcSettings
from adapters.auth.verifier import OidcVerifier
from adapters.http.admission import Admission
from adapters.http.buckets import InProcessBuckets
from adapters.http.callers import CallerLimits
from adapters.http.deadline import Deadlines
from adapters.http.edge import Edge
from adapters.http.gate import Gate
from adapters.http.origins import Origins
from adapters.persistence.database import open_engine
from adapters.persistence.directory import SqlDirectory
from adapters.persistence.entrance import OpenSqlEntrance
from adapters.persistence.issuer_store import SqlIssuerStore
from adapters.persistence.work import OpenSqlWork
from adapters.system.clock import UtcClock
from adapters.system.ids import UlidIds
from adapters.v1.catalogue import V1Catalogue
from adapters.v1.tools import V1Tools
from application.access.enter import Enter, RememberedEnter
from application.dunning.server_profile import server_profile
from application.mcp.server import McpServer
from application.operations.discover import declared_in
from application.operations.run import RunOperation
from entrypoints.logs import note_failure, note_tool_failure
from entrypoints.resources import audiences_of, protected_resources
from entrypoints.settings import Settings


def _oidc_settings(settings: Settings) -> OidcSettings:
    return OidcSettings(
        issuer=settings.issuer,
        algorithms=settings.auth_algorithms,
        organization_claim=settings.auth_organization_claim,
        timeout=timedelta(seconds=settings.issuer_timeout),
        cool_down=timedelta(seconds=settings.key_cooldown),
    )


def _embedded_settings(settings: Settings) -> EmbeddedSettings:
    return EmbeddedSettings(
        public_url=settings.public_url,
        resources=tuple(resource.identifier for resource in protected_resources(settings)),
        product=settings.server_title,
    )


def _issuer_client(settings: Settings, issuer: EmbeddedIssuer) -> httpx.AsyncClient:
    """Speaks to the issuer; the embedded one is asked in this process, without a socket."""
    if settings.auth_provider == "oidc":
        return httpx.AsyncClient()
    return httpx.AsyncClient(transport=EmbeddedIssuerTransport(issuer))


def _buckets(settings: Settings, clock: UtcClock) -> InProcessBuckets:
    return InProcessBuckets(
        {
            "read": settings.rate_read,
            "write": settings.rate_write,
            "destructive": settings.rate_destructive,
            "anonymous": settings.flood_anonymous,
            "unverified": settings.flood_unverified,
        },
        clock,
    )


def _verify(verifier: OidcVerifier, clock: UtcClock, keys: KeyRing) -> RememberedVerifier:
    return RememberedVerifier(verifier, clock, lambda: keys.version)


class Container(containers.DeclarativeContainer):
    """Everything the service is made of."""

    settings = providers.Dependency(instance_of=Settings)
    operation_rooms = providers.Object((application.dunning,))

    clock = providers.Singleton(UtcClock)
    ids = providers.Singleton(UlidIds)

    engine = providers.Singleton(
        open_engine,
        settings.provided.database_url,
        pool_size=settings.provided.database_pool_size,
        statement_timeout=settings.provided.deadline,
    )
    open_work = providers.Singleton(OpenSqlWork, engine, clock, ids)
    directory = providers.Singleton(SqlDirectory, engine)
    open_entrance = providers.Singleton(OpenSqlEntrance, engine)
    issuer_store = providers.Singleton(SqlIssuerStore, engine, clock)

    embedded_settings = providers.Singleton(_embedded_settings, settings)
    issuer = providers.Singleton(EmbeddedIssuer, embedded_settings, issuer_store, clock)
    issuer_client = providers.Singleton(_issuer_client, settings, issuer)
    oidc_settings = providers.Singleton(_oidc_settings, settings)
    keys = providers.Singleton(KeyRing, oidc_settings, issuer_client, clock)
    verifier = providers.Singleton(
        OidcVerifier, oidc_settings, keys, clock, providers.Callable(audiences_of, settings)
    )
    verify = providers.Singleton(_verify, verifier, clock, keys)

    enter = providers.Singleton(
        RememberedEnter, providers.Singleton(Enter, directory, open_entrance, clock), clock
    )

    catalogue = providers.Singleton(
        V1Catalogue, providers.Callable(lambda rooms: declared_in(*rooms), operation_rooms)
    )
    run = providers.Singleton(RunOperation, open_work, clock, ids)
    tools = providers.Singleton(V1Tools, catalogue, run)

    buckets = providers.Singleton(_buckets, settings, clock)
    callers = providers.Singleton(CallerLimits, buckets)
    gate = providers.Singleton(Gate, verify, enter, buckets, settings.provided.trusted_proxies)
    edge = providers.Singleton(
        Edge,
        origins=providers.Singleton(
            Origins, settings.provided.public_url, settings.provided.allowed_origins
        ),
        gate=gate,
        callers=callers,
        admission=providers.Singleton(Admission, settings.provided.max_concurrent),
        gathering=providers.Singleton(Admission, settings.provided.max_concurrent),
        deadlines=providers.Singleton(Deadlines, settings.provided.deadline),
        ids=ids,
        on_failure=providers.Object(note_failure),
    )

    profile = providers.Singleton(
        server_profile,
        settings.provided.server_name,
        settings.provided.server_title,
        providers.Callable(version, "dunning"),
    )
    mcp_server = providers.Singleton(
        McpServer, profile, tools, callers, providers.Object(note_tool_failure)
    )
