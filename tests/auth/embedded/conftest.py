"""The embedded issuer in a bare application, and a verifier that reads its documents over HTTP."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import httpx
import pytest
from litestar import Litestar

from adapters.auth.embedded.handlers import issuer_handlers
from adapters.auth.embedded.issuer import EmbeddedIssuer
from adapters.auth.embedded.settings import EmbeddedSettings
from adapters.auth.key_ring import KeyRing
from adapters.auth.settings import OidcSettings
from adapters.auth.verifier import OidcVerifier
from tests.auth.clock import FakeSystemClock
from tests.auth.embedded.browser import ISSUER, MCP, PUBLIC, V1, Browser
from tests.auth.issuer_store import FakeIssuerStore


@pytest.fixture
def store() -> FakeIssuerStore:
    return FakeIssuerStore()


@pytest.fixture
def embedded(store: FakeIssuerStore, clock: FakeSystemClock) -> EmbeddedIssuer:
    return EmbeddedIssuer(
        EmbeddedSettings(public_url=PUBLIC, resources=(MCP, PUBLIC, V1)), store, clock
    )


@asynccontextmanager
async def new_browser(issuer: EmbeddedIssuer) -> AsyncGenerator[httpx.AsyncClient]:
    app = Litestar(issuer_handlers(issuer), openapi_config=None)
    transport = httpx.ASGITransport(app)  # type: ignore[arg-type] # Litestar's ASGI types are narrower
    async with httpx.AsyncClient(transport=transport, base_url=PUBLIC) as client:
        yield client


@pytest.fixture
async def http(embedded: EmbeddedIssuer) -> AsyncGenerator[httpx.AsyncClient]:
    async with new_browser(embedded) as client:
        yield client


@pytest.fixture
def browser(http: httpx.AsyncClient) -> Browser:
    return Browser(http)


@pytest.fixture
def verify_embedded(http: httpx.AsyncClient, clock: FakeSystemClock) -> OidcVerifier:
    settings = OidcSettings(issuer=ISSUER, algorithms=("ES256",))
    accepted = {"mcp": frozenset({MCP, PUBLIC}), "v1": frozenset({V1})}
    return OidcVerifier(settings, KeyRing(settings, http, clock), clock, accepted)
