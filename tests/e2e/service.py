"""The whole service as the tests reach it: its settings, its tokens, its two doors."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import httpx

from adapters.auth.embedded.tokens import Bearer
from domain.access.scopes import ALL
from domain.ports.issuer import DemoPerson
from entrypoints.app import build_app
from entrypoints.container import Container
from entrypoints.seed.plant import Planted
from entrypoints.settings import Settings, read_settings
from tests.database import Database
from tests.protocol.fixtures import Sent

OUR_PAGE = "https://app.example.com"
"""A web origin that the default service of these tests lets call."""

UNLIMITED: Mapping[str, str] = dict.fromkeys(
    ("RATE_READ", "RATE_WRITE", "RATE_DESTRUCTIVE", "FLOOD_ANONYMOUS", "FLOOD_UNVERIFIED"), "0"
)


@dataclass(frozen=True, slots=True)
class Demo:
    """A database with the two invented organisations in it, as people of one address."""

    public_url: str
    database: Database
    planted: Planted

    def person(self, first_name: str) -> DemoPerson:
        (found,) = (one for one in self.planted.people if one.name.startswith(f"{first_name} "))
        return found

    def bearer(self, first_name: str, **changes: Any) -> Bearer:
        """What a token of this person says by default: everything, at the MCP server."""
        person = self.person(first_name)
        said = {
            "subject": person.subject,
            "client_id": "test-client",
            "organization_id": person.organization_id,
            "scopes": (ALL,),
            "email": person.email,
        }
        return Bearer(**{**said, **changes})

    def program(self, name: str, **changes: Any) -> Bearer:
        """What a token of the first organisation's API client says."""
        client = next(one for one in self.planted.api_clients if one.name == name)
        said = {
            "subject": client.subject,
            "client_id": client.client_id,
            "organization_id": client.organization_id,
            "scopes": tuple(client.scopes),
        }
        return Bearer(**{**said, **changes})


@dataclass(frozen=True, slots=True)
class Service:
    """A running service and a way to call it."""

    demo: Demo
    container: Container
    http: httpx.AsyncClient

    async def mint(self, bearer: Bearer) -> str:
        return await self.container.issuer().mint(bearer)

    async def token(self, first_name: str = "Helena", *, door: str = "mcp", **changes: Any) -> str:
        """A token of this person for one of the doors."""
        resource = f"{self.container.settings().public_url}/{door}"
        return await self.mint(self.demo.bearer(first_name, resource=resource, **changes))

    async def mint_for(self, organization_id: str) -> str:
        """A token of somebody nobody knows."""
        return await self.mint(
            Bearer(
                subject="nobody",
                client_id="test-client",
                organization_id=organization_id,
                scopes=(ALL,),
            )
        )

    async def expired_token(self) -> str:
        return await self.token(lifetime=timedelta(hours=-1))

    async def rest_headers(self, first_name: str = "Helena") -> dict[str, str]:
        """What a request of this person to `/v1` carries."""
        return {"Authorization": f"Bearer {await self.token(first_name, door='v1')}"}

    async def post(
        self, sent: Sent, token: str | None = None, *, path: str = "/mcp", **headers: str
    ) -> httpx.Response:
        """The message over HTTP; further headers by their name with `_` for `-`."""
        bearer = [] if token is None else [("Authorization", f"Bearer {token}")]
        further = [(name.replace("_", "-"), value) for name, value in headers.items()]
        return await self.http.post(
            path, json=sent.message, headers=[*sent.headers, *bearer, *further]
        )


def environment_of(demo: Demo, environ: Mapping[str, str]) -> dict[str, str]:
    """The environment of a service over the demo's database; `environ` says what is special."""
    usual = {
        "DATABASE_URL": demo.database.app,
        "PUBLIC_URL": demo.public_url,
        "ALLOWED_ORIGINS": OUR_PAGE,
    }
    return {**usual, **UNLIMITED, **environ}


def settings_for(demo: Demo, environ: Mapping[str, str]) -> Settings:
    """What the service reads there."""
    return read_settings(environment_of(demo, environ))


@asynccontextmanager
async def running(
    demo: Demo, environ: Mapping[str, str] | None = None, **replaced: object
) -> AsyncGenerator[Service]:
    """The service over the demo's database, without a socket; `replaced` are collaborators."""
    container = Container(settings=settings_for(demo, environ or {}), **replaced)
    app = build_app(container)
    # Litestar's ASGI types are narrower than httpx's; a failure has to be an answer, not raised.
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    client = httpx.AsyncClient(transport=transport, base_url=demo.public_url)
    # Sent where a test says so, and only there.
    del client.headers["accept"]
    async with app.lifespan(), client as http:
        yield Service(demo, container, http)
