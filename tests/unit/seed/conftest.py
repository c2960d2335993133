"""The demo's two organisations as they are planted, in memory."""

from datetime import UTC, datetime

import pytest

from adapters.persistence.demo import DemoOrganization
from entrypoints.seed.growth import grown

ISSUER = "http://127.0.0.1:8000/issuer"
SYSTEM_NOW = datetime(2026, 9, 1, 13, 0, tzinfo=UTC)


@pytest.fixture(scope="session")
def demo() -> tuple[DemoOrganization, ...]:
    return grown(issuer=ISSUER, system_now=SYSTEM_NOW)


@pytest.fixture(scope="session")
def aurora(demo: tuple[DemoOrganization, ...]) -> DemoOrganization:
    return demo[0]


@pytest.fixture(scope="session")
def pampa(demo: tuple[DemoOrganization, ...]) -> DemoOrganization:
    return demo[1]
