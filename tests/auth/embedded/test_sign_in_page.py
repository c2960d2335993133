"""What the person in front of the sign-in page sees, and what their browser is told."""

import pytest

from tests.auth.embedded.browser import MCP, Browser, sealed_in
from tests.auth.issuer_store import FakeIssuerStore

pytestmark = pytest.mark.anyio


async def test_pages_run_no_script_load_nothing_foreign_and_cannot_be_framed(
    browser: Browser,
) -> None:
    good = await browser.ask(await browser.register())
    for page in (good, await browser.ask("nobody")):
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "style-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert page.headers["referrer-policy"] == "no-referrer"
        assert page.headers["cache-control"] == "no-store"
        assert "<script" not in page.text
        assert "style=" not in page.text
        assert "://" not in page.text.replace(MCP, "")
    style = await browser.http.get("/issuer/style.css")
    assert style.headers["content-type"].startswith("text/css")
    assert "url(" not in style.text


async def test_the_cookie_is_for_this_issuer_and_not_for_scripts_or_other_sites(
    browser: Browser,
) -> None:
    page = await browser.ask(await browser.register())

    assert page.headers["set-cookie"].endswith("; Path=/issuer; HttpOnly; SameSite=Lax")


async def test_the_page_names_the_client_and_where_the_person_returns_to(browser: Browser) -> None:
    client_id = await browser.register(client_name="Claude <b>Desktop</b>\u202e\n")
    page = await browser.ask(client_id)

    assert "“Claude &lt;b&gt;Desktop&lt;/b&gt;”" in page.text
    assert "127.0.0.1:41999" in page.text
    assert MCP in page.text


async def test_the_page_offers_everybody_by_organisation_with_their_role(browser: Browser) -> None:
    page = (await browser.ask(await browser.register())).text

    aurora, pampa = page.index("Colégio Aurora Ltda."), page.index("Pampa Distribuidora S.A.")
    assert aurora < page.index("otto@aurora.example.com") < pampa < page.index("Vera")
    assert page.count('name="person"') == 10
    assert page.count("Cobrança") == 3


async def test_the_page_says_when_there_is_nobody_to_choose(
    browser: Browser, store: FakeIssuerStore
) -> None:
    store.folk = []

    assert "Carregue os dados de demonstração" in (await browser.ask(await browser.register())).text


@pytest.mark.parametrize(
    ("accepted", "heading"),
    [("en-GB,en;q=0.9", "Who is signing in?"), ("pt-BR", "Quem está entrando?"), ("de", "Quem")],
)
async def test_the_page_speaks_the_language_of_the_browser(
    browser: Browser, accepted: str, heading: str
) -> None:
    browser.http.headers["Accept-Language"] = accepted

    assert heading in (await browser.ask(await browser.register())).text


async def test_a_sealed_request_does_not_show_the_cookie(browser: Browser) -> None:
    page = await browser.ask(await browser.register())
    (cookie,) = browser.http.cookies.values()

    assert cookie not in page.text
    assert sealed_in(page)
