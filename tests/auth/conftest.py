"""A provider, its keys and a verifier that trusts it, all on one clock."""

import pytest

from adapters.auth.key_ring import KeyRing
from adapters.auth.settings import OidcSettings
from adapters.auth.verifier import OidcVerifier
from tests.auth.clock import FakeSystemClock
from tests.auth.issuer import AUDIENCE, ISSUER, FakeIssuer


@pytest.fixture
def clock() -> FakeSystemClock:
    return FakeSystemClock()


@pytest.fixture
def issuer(clock: FakeSystemClock) -> FakeIssuer:
    return FakeIssuer(clock)


@pytest.fixture
def settings() -> OidcSettings:
    return OidcSettings(issuer=ISSUER)


@pytest.fixture
def keys(settings: OidcSettings, issuer: FakeIssuer, clock: FakeSystemClock) -> KeyRing:
    return KeyRing(settings, issuer.http, clock)


@pytest.fixture
def verify(settings: OidcSettings, keys: KeyRing, clock: FakeSystemClock) -> OidcVerifier:
    accepted = {
        "mcp": frozenset({AUDIENCE, f"{AUDIENCE}/", "api://0d1e", "0d1e"}),
        "v1": frozenset({"https://dunning.example.com/v1"}),
    }
    return OidcVerifier(settings, keys, clock, accepted)
