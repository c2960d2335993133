"""Walks through the confirmation page of a demo that runs already, and takes pictures of it."""

import os
import sys
from itertools import count
from pathlib import Path
from typing import Any

import httpx

from tests.auth.embedded.browser import CHALLENGE, VERIFIER, sealed_in
from tests.e2e.visitor import address_in
from tests.manual.chromium import Tab, new_tab
from tests.protocol.fixtures import modern

BASE = os.environ.get("BASE", "http://127.0.0.1:8000")
BACK = "http://127.0.0.1:5555/callback"
HOSTILE = "\u202eAcme\u2069” <b>ok</b> مساعد " + "W" * 500
EMAIL = {"owner": "helena@aurora.example.com", "other": "bianca@aurora.example.com"}

_NUMBERS = count(1)


class Client:
    """An assistant of the demo's owner, and their access to `/v1`."""

    def __init__(self, http: httpx.Client) -> None:
        self._http = http
        registered = http.post(
            "/issuer/register", json={"client_name": "Pictures", "redirect_uris": [BACK]}
        )
        self._client_id = registered.json()["client_id"]
        self._mcp, self._v1 = self._token("mcp"), self._token("v1")

    def language(self, language: str) -> None:
        """What the organisation is written to in."""
        self._rest("PATCH", "/v1/settings", {"language": language})

    def link(self, name: str) -> str:
        """Where the person can confirm that a new charge is cancelled."""
        arguments = {"id": self._charge(), "reason": "issued_in_error"}
        call = modern("tools/call", {"name": "dunning_charges_cancel", "arguments": arguments})
        sent = call.with_meta(client={"name": name, "version": "1"})
        bearer = ("Authorization", f"Bearer {self._mcp}")
        answer = self._http.post("/mcp", json=sent.message, headers=[*sent.headers, bearer])
        return BASE + address_in(answer.json()["result"])

    def _charge(self) -> str:
        listed = self._rest("GET", "/v1/charges?status=overdue&per_page=1")
        charge = {
            "debtor_id": listed["data"][0]["debtor_id"],
            "description": f"Material didático {next(_NUMBERS)}",
            "amount": 1284.58,
            "due_date": "2031-01-10",
        }
        made: str = self._rest("POST", "/v1/charges", charge)["data"]["id"]
        return made

    def _rest(self, method: str, path: str, body: object = None) -> Any:
        key = {"Idempotency-Key": f"{self._client_id}-{next(_NUMBERS)}"}
        headers = {"Authorization": f"Bearer {self._v1}", **key}
        answer = self._http.request(method, path, json=body, headers=headers)
        assert answer.is_success, answer.text
        return answer.json()

    def _token(self, door: str) -> str:
        asked = {
            "response_type": "code",
            "client_id": self._client_id,
            "redirect_uri": BACK,
            "state": "x",
            "scope": "dunning.all",
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
            "resource": f"{BASE}/{door}",
        }
        page = self._http.get("/issuer/authorize", params=asked)
        form = {
            "request": sealed_in(page),
            "person": _choice(page.text, EMAIL["owner"]),
            "umbrella": "dunning.all",
            "action": "allow",
        }
        back = self._http.post("/issuer/authorize", data=form)
        redeemed = {
            "grant_type": "authorization_code",
            "client_id": self._client_id,
            "code": httpx.URL(back.headers["location"]).params["code"],
            "redirect_uri": BACK,
            "code_verifier": VERIFIER,
        }
        token: str = self._http.post("/issuer/token", data=redeemed).json()["access_token"]
        return token


def _choice(page: str, email: str) -> str:
    """The value of the person's radio button: the last one before their address."""
    before = page.partition(f">{email}<")[0]
    return before.rpartition('name="person" value="')[2].partition('"')[0]


def sign_in(tab: Tab, who: str) -> None:
    """Choose a person at the issuer and allow."""
    email = EMAIL[who]
    tab.run(
        "[...document.querySelectorAll('.person')]"
        f".find(one => one.textContent.includes('{email}')).click()"
    )
    tab.press("button.main")


def main(folder: Path) -> int:
    """Take the pictures; gives how many complaints there were."""
    folder.mkdir(parents=True, exist_ok=True)
    with httpx.Client(base_url=BASE, timeout=30) as http, new_tab() as tab:
        client = Client(http)
        for language in ("pt-BR", "es", "en"):
            client.language(language)
            _walk(tab, client, folder, language)
        client.language("pt-BR")
        _refusals(tab, client, folder)
        complaints = tab.complaints
    for complaint in complaints:
        print(complaint)
    print(f"{len(list(folder.glob('*.png')))} pictures in {folder}")
    return len(complaints)


def _walk(tab: Tab, client: Client, folder: Path, language: str) -> None:
    name = HOSTILE if language == "en" else "Claude"
    address = client.link(name)
    tab.look(width=1280)
    tab.open(address)
    if "/issuer/" in tab.run("location.href"):
        tab.picture(folder / "sign-in.png")
        sign_in(tab, "owner")
    _picture(tab, folder, f"asking-{language}")
    tab.press("button.danger")
    assert tab.run("location.href") == address, tab.run("document.body.innerText")
    _picture(tab, folder, f"confirmed-{language}")
    tab.open(client.link(name))
    tab.press("button.quiet")
    _picture(tab, folder, f"refused-{language}")


def _refusals(tab: Tab, client: Client, folder: Path) -> None:
    address = client.link("Claude")
    tab.look(width=1280)
    tab.open(f"{address}?sign_in=again")
    sign_in(tab, "other")
    _expected(tab)
    _picture(tab, folder, "not-for-them")
    tab.open(f"{BASE}/confirm/nothing")
    _expected(tab)
    _picture(tab, folder, "dead")


def _expected(tab: Tab) -> None:
    """A refusal has its status, which the browser's log tells of."""
    tab.complaints = [one for one in tab.complaints if "Failed to load resource" not in one]


def _picture(tab: Tab, folder: Path, name: str) -> None:
    for width in (1280, 360):
        for scheme in ("light", "dark"):
            tab.look(width=width, scheme=scheme)
            tab.picture(folder / f"{name}-{width}-{scheme}.png")
    tab.look(width=1280)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
