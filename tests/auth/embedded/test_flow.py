"""From registration to a token that counts, and every way not to get one."""

import asyncio
import logging
from typing import Any

import httpx
import pytest

from adapters.auth.verifier import OidcVerifier
from domain.access.principal import Principal
from domain.errors import UnauthenticatedError
from tests.auth.clock import FakeSystemClock
from tests.auth.embedded.browser import ISSUER, MCP, PUBLIC, V1, Browser, sent_back
from tests.auth.issuer_store import HELENA, VERA, FakeIssuerStore

pytestmark = pytest.mark.anyio

REVEAL = "dunning.debtors:reveal"


def error_of(response: httpx.Response) -> str:
    assert response.status_code == 400, response.text
    assert response.headers["content-type"] == "application/json"
    assert response.headers["cache-control"] == "no-store"
    error: str = response.json()["error"]
    return error


async def test_a_client_registers_and_its_person_gets_a_token_that_counts(
    browser: Browser, verify_embedded: OidcVerifier, clock: FakeSystemClock
) -> None:
    client_id = await browser.register()
    page = await browser.ask(client_id)
    back = sent_back(await browser.choose(page))
    assert (back["state"], back["iss"]) == ("s-1", ISSUER)

    response = await browser.redeem(client_id, back["code"])

    assert response.status_code == 200
    assert response.headers["cache-control"] == "no-store"
    token = response.json()
    assert token["token_type"] == "Bearer"
    assert (token["expires_in"], token["scope"]) == (3600, "dunning.all")
    assert "refresh_token" not in token
    assert await verify_embedded(token["access_token"], "mcp") == Principal(
        issuer=ISSUER,
        subject=HELENA.subject,
        client_id=client_id,
        organization="org_aurora",
        scopes=frozenset({"dunning.all"}),
        expires_at=clock.timestamp() + 3600,
        email="helena@aurora.example.com",
        email_verified=True,
    )


async def test_no_log_has_a_token_or_a_code_in_it(
    browser: Browser, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    client_id = await browser.register()
    code = await browser.code(client_id)
    token = (await browser.redeem(client_id, code)).json()["access_token"]

    assert token.rpartition(".")[2] not in caplog.text
    assert code not in caplog.text


async def test_the_person_chosen_decides_the_organisation(
    browser: Browser, verify_embedded: OidcVerifier
) -> None:
    client_id = await browser.register()
    back = sent_back(await browser.choose(await browser.ask(client_id), VERA))
    token = (await browser.redeem(client_id, back["code"])).json()["access_token"]

    principal = await verify_embedded(token, "mcp")
    assert (principal.subject, principal.organization) == (VERA.subject, "org_pampa")


async def test_a_code_is_used_up_by_the_first_who_redeems_it(browser: Browser) -> None:
    client_id = await browser.register()
    code = await browser.code(client_id)

    answers = await asyncio.gather(*(browser.redeem(client_id, code) for _ in range(3)))

    assert sorted(answer.status_code for answer in answers) == [200, 400, 400]
    assert error_of(await browser.redeem(client_id, code)) == "invalid_grant"


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"code_verifier": "w" * 43}, "invalid_grant"),
        ({"code_verifier": ...}, "invalid_request"),
        ({"code_verifier": "short"}, "invalid_request"),
        ({"redirect_uri": "http://127.0.0.1:41998/callback"}, "invalid_grant"),
        ({"redirect_uri": ...}, "invalid_grant"),
        ({"resource": V1}, "invalid_target"),
        ({"resource": [MCP, V1]}, "invalid_target"),
        ({"resource": "https://elsewhere.example.com"}, "invalid_target"),
        ({"client_id": "nobody"}, "invalid_client"),
        ({"client_id": "\0"}, "invalid_client"),
        ({"client_id": ...}, "invalid_client"),
        ({"client_secret": "x"}, "invalid_client"),
        ({"grant_type": "refresh_token"}, "unsupported_grant_type"),
        ({"grant_type": "client_credentials"}, "unsupported_grant_type"),
        ({"grant_type": "“é”"}, "unsupported_grant_type"),
        ({"grant_type": ...}, "invalid_request"),
        ({"code": ...}, "invalid_request"),
        ({"code": "other"}, "invalid_grant"),
    ],
)
async def test_a_code_is_bound_to_client_address_verifier_and_resource(
    browser: Browser, wrong: dict[str, Any], error: str
) -> None:
    client_id = await browser.register()
    code = await browser.code(client_id)

    assert error_of(await browser.redeem(client_id, code, **wrong)) == error


async def test_a_code_of_one_client_is_worth_nothing_to_another(browser: Browser) -> None:
    code = await browser.code(await browser.register())

    assert error_of(await browser.redeem(await browser.register(), code)) == "invalid_grant"


async def test_a_code_that_was_tried_with_the_wrong_verifier_is_gone(browser: Browser) -> None:
    client_id = await browser.register()
    code = await browser.code(client_id)
    await browser.redeem(client_id, code, code_verifier="w" * 43)

    assert error_of(await browser.redeem(client_id, code)) == "invalid_grant"


async def test_a_code_lives_for_a_minute(browser: Browser, clock: FakeSystemClock) -> None:
    client_id = await browser.register()
    in_time, too_late = await browser.code(client_id), await browser.code(client_id)
    clock.advance(59)
    assert (await browser.redeem(client_id, in_time)).status_code == 200
    clock.advance(1)

    assert error_of(await browser.redeem(client_id, too_late)) == "invalid_grant"


async def test_a_code_of_somebody_who_is_gone_is_worth_nothing(
    browser: Browser, store: FakeIssuerStore
) -> None:
    client_id = await browser.register()
    code = await browser.code(client_id)
    store.folk = [VERA]

    assert error_of(await browser.redeem(client_id, code)) == "invalid_grant"


async def test_codes_are_kept_as_digests_only(browser: Browser, store: FakeIssuerStore) -> None:
    code = await browser.code(await browser.register())

    assert code not in repr(store.codes)


@pytest.mark.parametrize(
    ("asked", "audience"),
    [(MCP, MCP), (f"{MCP}/", MCP), (V1, V1), (f"{PUBLIC}/", PUBLIC), (..., MCP), ([V1, V1], V1)],
)
async def test_the_resource_becomes_the_audience_and_the_first_is_the_default(
    browser: Browser, verify_embedded: OidcVerifier, asked: object, audience: str
) -> None:
    client_id = await browser.register()
    code = await browser.code(client_id, resource=asked)
    token = (await browser.redeem(client_id, code)).json()["access_token"]

    surface, other = ("v1", "mcp") if audience == V1 else ("mcp", "v1")
    assert (await verify_embedded(token, surface)).subject == HELENA.subject
    with pytest.raises(UnauthenticatedError):
        await verify_embedded(token, other)


@pytest.mark.parametrize("resource", ["https://elsewhere.example.com", f"{MCP}/x", [MCP, V1]])
async def test_an_unknown_resource_is_refused_at_the_address_of_the_client(
    browser: Browser, resource: object
) -> None:
    back = sent_back(await browser.ask(await browser.register(), resource=resource))

    assert (back["error"], back["state"], back["iss"]) == ("invalid_target", "s-1", ISSUER)


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"code_challenge": ...}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge_method": ...}, "invalid_request"),
        ({"code_challenge": "short"}, "invalid_request"),
        ({"code_challenge": ["a" * 43, "b" * 43]}, "invalid_request"),
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_type": "“é”"}, "unsupported_response_type"),
        ({"response_type": ...}, "invalid_request"),
        ({"scope": "openid offline_access"}, "invalid_scope"),
    ],
)
async def test_other_faults_go_back_to_the_client_too(
    browser: Browser, wrong: dict[str, Any], error: str
) -> None:
    back = sent_back(await browser.ask(await browser.register(), **wrong))

    assert (back["error"], back["state"], back["iss"]) == (error, "s-1", ISSUER)
    assert "code" not in back


@pytest.mark.parametrize(
    "wrong",
    [
        {"client_id": "nobody"},
        {"client_id": ...},
        {"client_id": "\0"},
        {"client_id": "“é”"},
        {"redirect_uri": "http://127.0.0.1:41999/other"},
        {"redirect_uri": "https://attacker.example.com/callback"},
        {"redirect_uri": "http://127.0.0.1:41999@attacker.example.com/callback"},
        {"redirect_uri": "http://localhost:41999/callback"},
        {"redirect_uri": "https://127.0.0.1:41999/callback"},
        {"redirect_uri": "http://127.0.0.1:99999/callback"},
        {"redirect_uri": "http://127.0.0.1:x/callback"},
        {"redirect_uri": "http://[/callback"},
        {"redirect_uri": "javascript:alert(1)"},
        {"redirect_uri": "http://127.0.0.1/callback#part"},
        {"redirect_uri": "“é”"},
        {"redirect_uri": "https://attacker.example.com", "response_type": "token"},
        {"state": ["a", "b"]},
        {"redirect_uri": ["http://127.0.0.1:41999/callback"] * 2},
    ],
)
async def test_a_wrong_client_or_address_is_told_to_the_person_and_never_redirected(
    browser: Browser, wrong: dict[str, Any]
) -> None:
    page = await browser.ask(await browser.register(), **wrong)

    assert page.status_code == 400
    assert "location" not in page.headers
    assert page.headers["content-type"].startswith("text/html")
    assert "attacker" not in page.text
    assert "Não é possível" in page.text


async def test_a_request_of_endless_length_is_refused(browser: Browser) -> None:
    page = await browser.ask(await browser.register(), state="s" * 9_000)

    assert page.status_code == 400
    assert "longo demais" in page.text


async def test_the_only_registered_address_may_be_left_out(browser: Browser) -> None:
    client_id = await browser.register(redirect_uris=["https://app.example.com/back?tab=1"])
    answer = await browser.choose(await browser.ask(client_id, redirect_uri=...))
    address = answer.headers["location"]

    assert address.startswith("https://app.example.com/back?tab=1&code=")
    code = address.partition("code=")[2].partition("&")[0]
    assert (await browser.redeem(client_id, code, redirect_uri=...)).status_code == 200


async def test_one_of_several_registered_addresses_has_to_be_named(browser: Browser) -> None:
    uris = ["https://app.example.com/a", "https://app.example.com/b"]
    client_id = await browser.register(redirect_uris=uris)

    assert (await browser.ask(client_id, redirect_uri=...)).status_code == 400
    assert (await browser.ask(client_id, redirect_uri=uris[1])).status_code == 200


@pytest.mark.parametrize(
    ("asked", "choice", "granted"),
    [
        ("dunning.all", {"umbrella": "dunning.read"}, "dunning.read"),
        ("dunning.all", {"umbrella": "dunning.write"}, "dunning.write"),
        ("dunning.write dunning.read", {"umbrella": "dunning.write"}, "dunning.write"),
        (
            "dunning.charges:read",
            {"umbrella": ..., "extra.dunning.charges:read": "on"},
            "dunning.charges:read",
        ),
        (f"dunning.all {REVEAL}", {}, "dunning.all"),
        (f"dunning.all {REVEAL}", {f"extra.{REVEAL}": "on"}, f"dunning.all {REVEAL}"),
        ("dunning.all openid offline_access", {}, "dunning.all"),
        (..., {}, "dunning.all"),
    ],
)
async def test_the_person_narrows_what_the_client_asked_for(
    browser: Browser,
    verify_embedded: OidcVerifier,
    asked: object,
    choice: dict[str, Any],
    granted: str,
) -> None:
    client_id = await browser.register()
    page = await browser.ask(client_id, scope=asked)
    back = sent_back(await browser.choose(page, **choice))
    token = (await browser.redeem(client_id, back["code"])).json()

    assert token["scope"] == granted
    principal = await verify_embedded(token["access_token"], "mcp")
    assert principal.scopes == frozenset(granted.split(" "))


@pytest.mark.parametrize(
    "choice",
    [
        {"umbrella": "dunning.all"},
        {"umbrella": "dunning.write"},
        {"umbrella": ...},
        {"umbrella": "dunning.charges:write"},
        {"person": "org_pampa demo-helena"},
        {"person": ...},
    ],
)
async def test_a_choice_that_was_not_offered_gives_nothing(
    browser: Browser, store: FakeIssuerStore, choice: dict[str, Any]
) -> None:
    page = await browser.ask(await browser.register(), scope="dunning.read")
    sent: dict[str, Any] = {"umbrella": "dunning.read", **choice}
    answer = await browser.choose(page, **sent)

    assert answer.status_code == 400
    assert store.codes == {}


@pytest.mark.parametrize(
    "choice",
    [
        {"umbrella": "dunning.all"},
        {"umbrella": "dunning.charges:write"},
        {"umbrella": ..., "extra.dunning.charges:write": "on"},
        {"umbrella": ...},
    ],
)
async def test_a_client_that_asked_for_single_scopes_gets_no_other(
    browser: Browser, store: FakeIssuerStore, choice: dict[str, Any]
) -> None:
    page = await browser.ask(await browser.register(), scope="dunning.charges:read")

    assert (await browser.choose(page, **choice)).status_code == 400
    assert store.codes == {}


async def test_cancelling_goes_back_with_access_denied(
    browser: Browser, store: FakeIssuerStore
) -> None:
    page = await browser.ask(await browser.register())
    back = sent_back(await browser.choose(page, action="cancel", person=...))

    assert (back["error"], back["state"], back["iss"]) == ("access_denied", "s-1", ISSUER)
    assert store.codes == {}
