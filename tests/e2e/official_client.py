"""The official Python client, and the browser of the person who signs it in."""

import html
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from urllib.parse import parse_qsl, urlsplit

import httpx
import httpx2
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.session import ElicitationFnT
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)
from pydantic import AnyUrl

from domain.ports.issuer import DemoPerson

_RETURN = "http://127.0.0.1:41999/callback"
_SEALED = re.compile(r'name="request" value="([^"]*)"')


class Memory:
    """What the client remembers between its steps."""

    def __init__(self) -> None:
        self.tokens: OAuthToken | None = None
        self.client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


class Browser:
    """Opens the sign-in page, chooses `person` there, and comes back with what it was given."""

    def __init__(self, person: DemoPerson) -> None:
        self._person = person
        self._given: dict[str, str] = {}

    async def open(self, address: str) -> None:
        async with httpx.AsyncClient() as http:
            page = await http.get(address)
            sealed = _SEALED.search(page.text)
            assert sealed is not None, page.text
            form = {
                "request": html.unescape(sealed[1]),
                "person": f"{self._person.organization_id} {self._person.subject}",
                "umbrella": "dunning.all",
                "action": "allow",
            }
            answer = await http.post(address.partition("?")[0], data=form)
        location = answer.headers["location"]
        assert location.startswith(_RETURN)
        self._given = dict(parse_qsl(urlsplit(location).query))

    async def returns(self) -> AuthorizationCodeResult:
        return AuthorizationCodeResult(
            code=self._given["code"], state=self._given["state"], iss=self._given["iss"]
        )


@asynccontextmanager
async def signed_in(
    address: str,
    person: DemoPerson,
    mode: str,
    steps: list[str],
    asks: ElicitationFnT | None = None,
) -> AsyncGenerator[Client]:
    """The client, connected to `address` as `person`; each answer it gets is noted in `steps`.

    `asks` is how it asks the person something; without it, it says that it cannot.
    """

    async def note(response: httpx2.Response) -> None:
        request = response.request
        steps.append(f"{request.method} {request.url.path} {response.status_code}")

    browser = Browser(person)
    provider = OAuthClientProvider(
        server_url=address,
        client_metadata=OAuthClientMetadata(
            client_name="Official client", redirect_uris=[AnyUrl(_RETURN)]
        ),
        storage=Memory(),
        redirect_handler=browser.open,
        callback_handler=browser.returns,
    )
    async with httpx2.AsyncClient(auth=provider, event_hooks={"response": [note]}) as http:
        transport = streamable_http_client(address, http_client=http)
        async with Client(
            transport, mode=mode, read_timeout_seconds=10, elicitation_callback=asks
        ) as client:
            yield client
