"""An assistant that is told where a person can confirm, and that person's browser."""

import html
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx

from tests.auth.embedded.browser import sealed_in
from tests.e2e.service import Service
from tests.protocol.fixtures import modern

TOLD = "tests-assistant"
"""What the assistant says its name is."""

_ADDRESS = re.compile(r"https?://[^\s\"\\]+/confirm/[A-Za-z0-9_-]+")
_MARK = re.compile(r'name="form" value="([^"]*)"')
_NUMBERS = count(1)


@dataclass(frozen=True, slots=True)
class Assistant:
    """An MCP client that cannot ask a person, with a charge that nobody else touches."""

    service: Service
    charge_id: str
    name: str = TOLD

    async def cancel(self, first_name: str = "Helena") -> dict[str, Any]:
        """Ask to cancel the charge: the result of the tool."""
        arguments = {"id": self.charge_id, "reason": "issued_in_error"}
        call = modern("tools/call", {"name": "dunning_charges_cancel", "arguments": arguments})
        sent = call.with_meta(client={"name": self.name, "version": "1"})
        answer = await self.service.post(sent, await self.service.token(first_name))
        result: dict[str, Any] = answer.json()["result"]
        return result

    async def link(self, first_name: str = "Helena") -> str:
        """The address that the person is sent to, as a path."""
        return address_in(await self.cancel(first_name))


async def new_assistant(service: Service, name: str = TOLD) -> Assistant:
    """An assistant of Colégio Aurora with a fresh charge of its own."""
    headers = await service.rest_headers()
    listed = await service.http.get("/v1/charges?status=pending&per_page=1", headers=headers)
    charge = {
        "debtor_id": listed.json()["data"][0]["debtor_id"],
        "description": f"Livro {next(_NUMBERS)}",
        "amount": 10,
        "due_date": "2031-01-10",
    }
    key = {"Idempotency-Key": f"visitor-{next(_NUMBERS)}"}
    made = await service.http.post("/v1/charges", json=charge, headers={**headers, **key})
    assert made.status_code == 201, made.text
    return Assistant(service, made.json()["data"]["id"], name)


@dataclass(frozen=True, slots=True)
class Visitor:
    """A browser with cookies of its own; it follows no redirect unless a test says so."""

    service: Service
    http: httpx.AsyncClient

    async def open(self, path: str, **headers: str) -> httpx.Response:
        further = {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.http.get(path, headers=further)

    async def at_issuer(self, sent_there: httpx.Response, first_name: str = "Helena") -> str:
        """Sign in at the issuer; the address that it sends the browser back to."""
        assert sent_there.status_code == 303, sent_there.text
        page = await self.http.get(sent_there.headers["location"])
        person = self.service.demo.person(first_name)
        form = {
            "request": sealed_in(page),
            "person": f"{person.organization_id} {person.subject}",
            "umbrella": "dunning.read",
            "action": "allow",
        }
        answer = await self.http.post("/issuer/authorize", data=form)
        back: str = answer.headers["location"]
        return back

    async def signed_in(self, path: str, first_name: str = "Helena") -> httpx.Response:
        """The page of a link after signing in for it."""
        back = await self.at_issuer(await self.open(path), first_name)
        returned = await self.open(back)
        assert returned.status_code == 303, returned.text
        return await self.open(returned.headers["location"])

    async def answer(
        self, path: str, mark: str | None, action: str = "confirm", **headers: str
    ) -> httpx.Response:
        """Send the form; without a mark, without its field."""
        form = {"action": action} | ({} if mark is None else {"form": mark})
        further = {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.http.post(path, data=form, headers=further)


@asynccontextmanager
async def visiting(service: Service) -> AsyncGenerator[Visitor]:
    """A browser that has never been here."""
    transport = service.http._transport
    async with httpx.AsyncClient(transport=transport, base_url=service.demo.public_url) as client:
        yield Visitor(service, client)


def address_in(result: dict[str, Any]) -> str:
    """The address of the page that a tool's result tells of, as a path."""
    found = _ADDRESS.search(result["content"][0]["text"])
    assert found is not None, result
    return urlsplit(found[0]).path


def mark_in(page: httpx.Response) -> str:
    """What the form of a page is marked with."""
    found = _MARK.search(page.text)
    assert found is not None, page.text
    return html.unescape(found[1])


def query_of(address: str) -> dict[str, str]:
    """The parameters of an address."""
    return dict(parse_qsl(urlsplit(address).query, strict_parsing=True))
