"""The object graph: one flat container of synchronous providers, made anew for each process.

A collaborator is replaced in tests by keyword: `Container(settings=…, clock=…)`.
"""

from datetime import timedelta
from importlib.metadata import version

import httpx
from dependency_injector import containers, providers

import application.dunning
from adapters.auth.embedded.issuer import EmbeddedIssuer
from adapters.auth.embedded.settings import (
    CONFIRMATION_CLIENT,
    EmbeddedSettings,
    confirmation_client,
)
from adapters.auth.embedded.transport import EmbeddedIssuerTransport
from adapters.auth.key_ring import KeyRing
from adapters.auth.remembered import RememberedVerifier
from adapters.auth.seal_keys import SealingRing
from adapters.auth.sealing import JweSeal, SteadySeal
from adapters.auth.settings import OidcSettings
from adapters.auth.sign_in import IssuerSignIn, SignInSettings
from adapters.auth.verifier import OidcVerifier
from adapters.documents.typst_documents import TypstDocuments
from adapters.http.admission import Admission
from adapters.http.buckets import InProcessBuckets
from adapters.http.callers import CallerLimits
from adapters.http.confirm.attempts import Attempts
from adapters.http.confirm.cookies import Cookies
from adapters.http.confirm.pages import Pages
from adapters.http.confirm.sessions import Sessions
from adapters.http.confirm.visit import Visits
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
from adapters.v1.addresses import Addresses
from adapters.v1.catalogue import V1Catalogue
from adapters.v1.completer import V1Completer
from adapters.v1.error_codes import error_codes
from adapters.v1.files import Files
from adapters.v1.library import V1Shelf
from adapters.v1.scripts import V1Scripts
from adapters.v1.tools import V1Tools
from application.access.enter import Enter, RememberedEnter
from application.confirmation.confirm import PATIENCE, Confirm
from application.confirmation.links import Links
from application.confirmation.page import ConfirmationPage
from application.dunning.guides.event_types import event_types
from application.dunning.guides.guide import Guide
from application.dunning.guides.legal_limits import legal_limits
from application.dunning.guides.status_and_holds import status_and_holds
from application.dunning.prompts.table import PROMPTS
from application.dunning.server_profile import server_profile
from application.mcp.exchange import Services
from application.mcp.server import McpServer
from application.operations.discover import declared_in
from application.operations.run import RunOperation
from entrypoints.logs import note_failure, note_tool_failure
from entrypoints.resources import (
    audiences_of,
    confirmation_root,
    origin_of,
    protected_resources,
    signed_in_address,
)
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
        own_client=confirmation_client(settings.server_title, signed_in_address(settings)),
    )


def _sign_in_settings(settings: Settings) -> SignInSettings:
    is_embedded = settings.auth_provider == "embedded"
    return SignInSettings(
        issuer=settings.issuer,
        client_id=CONFIRMATION_CLIENT if is_embedded else settings.confirm_client_id,
        client_secret="" if is_embedded else settings.confirm_client_secret,
        redirect_uri=signed_in_address(settings),
        resource=protected_resources(settings)[0].identifier,
        timeout=timedelta(seconds=settings.issuer_timeout),
    )


def _issuer_client(settings: Settings, issuer: EmbeddedIssuer) -> httpx.AsyncClient:
    """Speaks to the issuer; the embedded one is asked in this process, without a socket."""
    if settings.auth_provider == "oidc":
        return httpx.AsyncClient()
    return httpx.AsyncClient(transport=EmbeddedIssuerTransport(issuer))


def _sealing_ring(settings: Settings) -> SealingRing:
    """The keys of all processes; in development, where none are set, this one's own."""
    return SealingRing.read(settings.sealing_keys) if settings.sealing_keys else SealingRing.fresh()


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


def _guides(root: str) -> tuple[Guide, ...]:
    return legal_limits(root), status_and_holds(), event_types(), error_codes()


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

    sealing_ring = providers.Singleton(_sealing_ring, settings)
    state_seal = providers.Singleton(JweSeal, sealing_ring, "requestState")
    link_seal = providers.Singleton(SteadySeal, sealing_ring, "confirmation link")
    session_seal = providers.Singleton(JweSeal, sealing_ring, "page session")

    enter = providers.Singleton(
        RememberedEnter, providers.Singleton(Enter, directory, open_entrance, clock), clock
    )

    catalogue = providers.Singleton(
        V1Catalogue, providers.Callable(lambda rooms: declared_in(*rooms), operation_rooms)
    )
    documents = providers.Singleton(TypstDocuments)
    run = providers.Singleton(RunOperation, open_work, clock, ids, documents)
    links = providers.Singleton(Links, link_seal, clock, settings.provided.public_url)
    patience = providers.Object(PATIENCE)
    confirm = providers.Singleton(Confirm, run, links, patience)
    confirmation_page = providers.Singleton(
        ConfirmationPage,
        run=run,
        links=links,
        operations=catalogue,
        enter=enter,
        open_entrance=open_entrance,
        open_work=open_work,
        clock=clock,
    )
    addresses = providers.Singleton(
        Addresses, settings.provided.resource_root, catalogue.provided.infos
    )
    files = providers.Singleton(Files, addresses, links=settings.provided.resource_links)
    tools = providers.Singleton(V1Tools, catalogue, run, confirm, files)
    guides = providers.Callable(_guides, settings.provided.resource_root)
    shelf = providers.Singleton(V1Shelf, catalogue, addresses, run, guides)
    prompts = providers.Object(PROMPTS)
    scripts = providers.Singleton(V1Scripts, prompts, catalogue, addresses, shelf)
    completer = providers.Singleton(V1Completer, catalogue, addresses, scripts, open_work, clock)

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
        clock=clock,
        on_failure=providers.Object(note_failure),
    )

    profile = providers.Singleton(
        server_profile,
        settings.provided.server_name,
        settings.provided.server_title,
        providers.Callable(version, "dunning"),
    )
    mcp_server = providers.Singleton(
        McpServer,
        providers.Singleton(
            Services,
            profile=profile,
            catalogue=tools,
            limits=callers,
            seal=state_seal,
            clock=clock,
            shelf=shelf,
            scripts=scripts,
            completer=completer,
        ),
        providers.Object(note_tool_failure),
    )

    cookies = providers.Singleton(Cookies, settings.provided.public_url)
    pages = providers.Singleton(
        Pages, settings.provided.server_title, providers.Callable(confirmation_root, settings)
    )
    visits = providers.Singleton(
        Visits,
        page=confirmation_page,
        sign_in=providers.Singleton(
            IssuerSignIn, providers.Callable(_sign_in_settings, settings), issuer_client, verify
        ),
        gate=gate,
        attempts=providers.Singleton(Attempts, session_seal, cookies, clock),
        sessions=providers.Singleton(Sessions, session_seal, cookies, clock),
        cookies=cookies,
        pages=pages,
        own_origin=providers.Callable(origin_of, settings),
        root=providers.Callable(confirmation_root, settings),
    )
