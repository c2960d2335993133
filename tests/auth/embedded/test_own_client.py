"""The confirmation page as a client of the embedded issuer: known, and bound to one address."""

from dataclasses import replace

import httpx
import pytest

from adapters.auth.embedded.issuer import EmbeddedIssuer
from adapters.auth.embedded.settings import CONFIRMATION_CLIENT, confirmation_client
from adapters.auth.embedded.transport import EmbeddedIssuerTransport
from tests.auth.clock import FakeSystemClock
from tests.auth.embedded.browser import PUBLIC, VERIFIER, Browser
from tests.auth.embedded.conftest import new_browser
from tests.auth.issuer_store import FakeIssuerStore

pytestmark = pytest.mark.anyio

BACK = f"{PUBLIC}/confirm/signed-in"


@pytest.fixture
def embedded(
    embedded: EmbeddedIssuer, store: FakeIssuerStore, clock: FakeSystemClock
) -> EmbeddedIssuer:
    own = confirmation_client("Kobana Dunning", BACK)
    return EmbeddedIssuer(replace(embedded.settings, own_client=own), store, clock)


async def test_it_is_known_without_a_row_and_asks_a_person_in_for_no_app(
    browser: Browser, store: FakeIssuerStore
) -> None:
    page = await browser.ask(CONFIRMATION_CLIENT, redirect_uri=BACK)

    assert page.status_code == 200
    assert "Entre para confirmar ou recusar um pedido." in page.text
    assert "Entrar e ver o pedido" in page.text
    for said_to_apps in ("escolheu este nome", "pede acesso", "pode fazer?", "Permitir"):
        assert said_to_apps not in page.text
    assert store.clients == {}


async def test_its_form_leaves_no_scope_to_choose_and_sends_the_narrowest(
    browser: Browser,
) -> None:
    page = await browser.ask(CONFIRMATION_CLIENT, redirect_uri=BACK)

    assert page.text.count('name="umbrella"') == 1
    assert '<input type="hidden" name="umbrella" value="dunning.read">' in page.text
    assert (await browser.choose(page, umbrella="dunning.read")).status_code == 303


@pytest.mark.parametrize(
    "elsewhere", [f"{BACK}/", f"{BACK}?x=1", "http://localhost:8001/confirm/signed-in",
                  "http://localhost/confirm/signed-in", "https://evil.example.com/"]
)  # fmt: skip
async def test_it_returns_to_its_own_address_only(browser: Browser, elsewhere: str) -> None:
    assert (await browser.ask(CONFIRMATION_CLIENT, redirect_uri=elsewhere)).status_code == 400


async def test_its_codes_are_redeemed_without_a_socket(embedded: EmbeddedIssuer) -> None:
    async with (
        new_browser(embedded) as http,
        httpx.AsyncClient(transport=EmbeddedIssuerTransport(embedded)) as inside,
    ):
        browser = Browser(http)
        answer = await browser.choose(await browser.ask(CONFIRMATION_CLIENT, redirect_uri=BACK))
        form = {
            "grant_type": "authorization_code",
            "client_id": CONFIRMATION_CLIENT,
            "code": httpx.URL(answer.headers["location"]).params["code"],
            "redirect_uri": BACK,
            "code_verifier": VERIFIER,
        }
        given, again = [
            await inside.post(f"{embedded.settings.issuer}/token", data=form) for _ in range(2)
        ]
        other = await inside.post(f"{embedded.settings.issuer}/register", json={})

    assert (given.status_code, again.status_code, other.status_code) == (200, 400, 404)
    assert given.json()["access_token"]
