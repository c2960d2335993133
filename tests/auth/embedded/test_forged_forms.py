"""A sign-in form counts for the browser it was made for, and not for long."""

import pytest

from adapters.auth.embedded.issuer import EmbeddedIssuer
from tests.auth.clock import FakeSystemClock
from tests.auth.embedded.browser import Browser, sealed_in, sent_back
from tests.auth.embedded.conftest import new_browser
from tests.auth.issuer_store import FakeIssuerStore

pytestmark = pytest.mark.anyio


async def test_a_form_of_another_browser_is_not_accepted(
    browser: Browser, embedded: EmbeddedIssuer, store: FakeIssuerStore
) -> None:
    client_id = await browser.register()
    async with new_browser(embedded) as attacker:
        lure = sealed_in(await Browser(attacker).ask(client_id))
    page = await browser.ask(client_id)
    answer = await browser.choose(page, request=lure)

    assert answer.status_code == 400
    assert "outro navegador" in answer.text
    assert store.codes == {}


async def test_a_form_without_the_cookie_is_not_accepted(
    browser: Browser, store: FakeIssuerStore
) -> None:
    page = await browser.ask(await browser.register())
    browser.http.cookies.clear()

    assert (await browser.choose(page)).status_code == 400
    assert store.codes == {}


@pytest.mark.parametrize("forged", ["", "x", "a.b.c", "é", "x" * 20_000, ...])
async def test_a_form_with_a_forged_request_is_not_accepted(
    browser: Browser, store: FakeIssuerStore, forged: object
) -> None:
    page = await browser.ask(await browser.register())

    assert (await browser.choose(page, request=forged)).status_code == 400
    assert store.codes == {}


async def test_an_access_token_is_no_seal(browser: Browser) -> None:
    client_id = await browser.register()
    token = (await browser.redeem(client_id, await browser.code(client_id))).json()["access_token"]
    page = await browser.ask(client_id)

    assert (await browser.choose(page, request=token)).status_code == 400


async def test_a_form_is_good_for_ten_minutes(browser: Browser, clock: FakeSystemClock) -> None:
    page = await browser.ask(await browser.register())
    clock.advance(599)
    sent_back(await browser.choose(page))
    clock.advance(1)

    assert (await browser.choose(page)).status_code == 400


async def test_two_tabs_of_one_browser_are_both_good(browser: Browser) -> None:
    client_id = await browser.register()
    pages = [await browser.ask(client_id, state=state) for state in ("one", "two")]
    states = [sent_back(await browser.choose(page))["state"] for page in pages]

    assert states == ["one", "two"]


async def test_another_process_with_the_same_store_finishes_what_this_one_began(
    browser: Browser, embedded: EmbeddedIssuer, store: FakeIssuerStore, clock: FakeSystemClock
) -> None:
    client_id = await browser.register()
    page = await browser.ask(client_id)
    sibling = EmbeddedIssuer(embedded.settings, store, clock)
    async with new_browser(sibling) as http:
        http.cookies = browser.http.cookies
        code = sent_back(await Browser(http).choose(page))["code"]

    assert (await browser.redeem(client_id, code)).status_code == 200
    assert await sibling.key_set() == await embedded.key_set()


async def test_what_is_no_form_is_not_accepted(browser: Browser) -> None:
    sealed = sealed_in(await browser.ask(await browser.register()))
    answer = await browser.http.post("/issuer/authorize", json={"request": sealed})

    assert answer.status_code == 400
    assert answer.headers["content-type"].startswith("text/html")


async def test_a_client_that_is_gone_since_gets_nothing(
    browser: Browser, store: FakeIssuerStore
) -> None:
    page = await browser.ask(await browser.register())
    store.clients.clear()
    answer = await browser.choose(page)

    assert answer.status_code == 400
    assert "location" not in answer.headers
