"""A client and the browser of the person in front of it, both without a socket."""

import base64
import hashlib
import html
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx

from domain.ports.issuer import DemoPerson
from tests.auth.issuer_store import HELENA

PUBLIC = "http://localhost:8000"
ISSUER = f"{PUBLIC}/issuer"
MCP = f"{PUBLIC}/mcp"
V1 = f"{PUBLIC}/v1"
BACK = "http://127.0.0.1/callback"
VERIFIER = "v" * 43
CHALLENGE = (
    base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
)

_HIDDEN = re.compile(r'name="request" value="([^"]*)"')


@dataclass
class Browser:
    """Walks the code flow step by step; each step can be done wrongly."""

    http: httpx.AsyncClient

    async def register(self, **changes: Any) -> str:
        metadata = {"client_name": "Claude", "redirect_uris": [BACK], **changes}
        response = await self.http.post("/issuer/register", json=metadata)
        assert response.status_code == 201, response.text
        client_id: str = response.json()["client_id"]
        return client_id

    async def ask(self, client_id: str, /, **changes: Any) -> httpx.Response:
        """The authorization request; a parameter changed to `...` is left out."""
        sent: dict[str, Any] = {
            "response_type": "code",
            "client_id": client_id,
            "redirect_uri": "http://127.0.0.1:41999/callback",
            "scope": "dunning.all",
            "state": "s-1",
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
            "resource": MCP,
            **changes,
        }
        query = {name: value for name, value in sent.items() if value is not ...}
        return await self.http.get("/issuer/authorize", params=query)

    async def choose(
        self, page: httpx.Response, person: DemoPerson = HELENA, /, **changes: Any
    ) -> httpx.Response:
        """Submit the form of `page`; a field changed to `...` is left out."""
        assert page.status_code == 200, page.text
        sent: dict[str, Any] = {
            "request": sealed_in(page),
            "person": f"{person.organization_id} {person.subject}",
            "umbrella": "dunning.all",
            "action": "allow",
            **changes,
        }
        form = {name: value for name, value in sent.items() if value is not ...}
        return await self.http.post("/issuer/authorize", data=form)

    async def code(self, client_id: str, /, **changes: Any) -> str:
        answer = await self.choose(await self.ask(client_id, **changes))
        return sent_back(answer)["code"]

    async def redeem(self, client_id: str, code: str, /, **changes: Any) -> httpx.Response:
        sent: dict[str, Any] = {
            "grant_type": "authorization_code",
            "client_id": client_id,
            "code": code,
            "redirect_uri": "http://127.0.0.1:41999/callback",
            "code_verifier": VERIFIER,
            **changes,
        }
        form = {name: value for name, value in sent.items() if value is not ...}
        return await self.http.post("/issuer/token", data=form)


def sealed_in(page: httpx.Response) -> str:
    found = _HIDDEN.search(page.text)
    assert found is not None
    return html.unescape(found[1])


def sent_back(answer: httpx.Response) -> dict[str, str]:
    """The parameters with which the browser returns to the client."""
    assert answer.status_code == 303, answer.text
    address = urlsplit(answer.headers["location"])
    assert f"{address.scheme}://{address.netloc}{address.path}" == "http://127.0.0.1:41999/callback"
    return dict(parse_qsl(address.query))
