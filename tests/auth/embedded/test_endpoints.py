"""What the issuer says about itself, what it mints, and what bad input is answered with."""

from collections.abc import AsyncGenerator
from datetime import timedelta

import httpx
import pytest
from authlib.oauth2 import rfc8414, rfc9207

from adapters.auth.embedded.issuer import EmbeddedIssuer
from adapters.auth.embedded.settings import EmbeddedSettings
from adapters.auth.embedded.tokens import Bearer
from adapters.auth.embedded.transport import EmbeddedIssuerTransport
from adapters.auth.key_ring import KeyRing
from adapters.auth.settings import OidcSettings
from adapters.auth.verifier import OidcVerifier
from domain.errors import UnauthenticatedError, UnavailableError
from tests.auth.clock import FakeSystemClock
from tests.auth.embedded.browser import ISSUER, MCP, PUBLIC, Browser
from tests.auth.issuer_store import FakeIssuerStore

pytestmark = pytest.mark.anyio

OAUTH = "/.well-known/oauth-authorization-server/issuer"
OPENID = "/issuer/.well-known/openid-configuration"
OPEN_TO_ALL = [(OAUTH, "GET"), (OPENID, "GET"), ("/issuer/jwks", "GET"),
               ("/issuer/register", "POST"), ("/issuer/token", "POST")]  # fmt: skip


async def test_metadata_is_valid_and_names_only_what_there_is(http: httpx.AsyncClient) -> None:
    document = (await http.get(OAUTH)).json()

    assert document["issuer"] == ISSUER
    checked = rfc8414.AuthorizationServerMetadata(document)
    checked.validate([rfc9207.AuthorizationServerMetadata])  # type: ignore[no-untyped-call] # Authlib is not typed
    assert document["authorization_response_iss_parameter_supported"] is True
    assert document["code_challenge_methods_supported"] == ["S256"]
    assert document["grant_types_supported"] == ["authorization_code"]
    assert document["token_endpoint_auth_methods_supported"] == ["none"]
    assert document["scopes_supported"] == ["dunning.read", "dunning.write", "dunning.all"]
    assert "offline_access" not in str(document)
    assert "metadata_document" not in str(document)


async def test_openid_metadata_says_the_same_and_what_its_readers_require(
    http: httpx.AsyncClient,
) -> None:
    oauth, openid = (await http.get(OAUTH)).json(), (await http.get(OPENID)).json()

    assert openid.items() >= oauth.items()
    assert openid["subject_types_supported"] == ["public"]
    assert openid["id_token_signing_alg_values_supported"] == ["ES256"]


async def test_every_address_in_the_metadata_exists(http: httpx.AsyncClient) -> None:
    document = (await http.get(OAUTH)).json()
    names = [name for name in document if name.endswith(("_endpoint", "_uri"))]

    assert len(names) == 4
    for name in names:
        assert (await http.options(document[name])).status_code == 204
    assert (await http.head(OAUTH)).status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/.well-known/oauth-authorization-server",
        "/.well-known/openid-configuration",
        "/.well-known/openid-configuration/issuer",
    ],
)
async def test_the_root_forms_do_not_exist(http: httpx.AsyncClient, path: str) -> None:
    assert (await http.get(path)).status_code == 404


async def test_the_key_set_has_no_private_part(
    http: httpx.AsyncClient, store: FakeIssuerStore
) -> None:
    (key,) = (await http.get("/issuer/jwks")).json()["keys"]

    assert store.key is not None
    assert key.keys() == {"kty", "crv", "x", "y", "kid", "use", "alg"}
    assert (key["alg"], key["use"]) == ("ES256", "sig")


@pytest.mark.parametrize(("path", "method"), OPEN_TO_ALL)
async def test_any_origin_may_ask(http: httpx.AsyncClient, path: str, method: str) -> None:
    preflight = await http.options(
        path,
        headers={
            "Origin": "https://inspector.example.com",
            "Access-Control-Request-Method": method,
            "Access-Control-Request-Headers": "mcp-protocol-version, authorization",
        },
    )
    answer = await http.request(method, path, headers={"Origin": "https://inspector.example.com"})

    assert preflight.status_code == 204
    assert method in preflight.headers["access-control-allow-methods"]
    assert preflight.headers["access-control-allow-headers"] == "*, Authorization"
    for response in (preflight, answer):
        assert response.headers["access-control-allow-origin"] == "*"
        assert "access-control-allow-credentials" not in response.headers


async def test_the_sign_in_page_is_not_for_other_origins(http: httpx.AsyncClient) -> None:
    page = await http.get("/issuer/authorize", headers={"Origin": "https://inspector.example.com"})

    assert "access-control-allow-origin" not in page.headers


@pytest.mark.parametrize("path", ["/issuer/register", "/issuer/token"])
async def test_a_body_over_64_kb_is_not_read(http: httpx.AsyncClient, path: str) -> None:
    async def endless() -> AsyncGenerator[bytes]:
        for _ in range(1_000):
            yield b"x" * 1_024

    for content in (b"x" * 65_537, endless()):
        response = await http.post(path, content=content)
        assert response.status_code == 413
        assert response.json()["error"] == "invalid_request"


FORM = "application/x-www-form-urlencoded"


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("application/json", b'{"grant_type": "authorization_code"}'),
        ("", b"grant_type=authorization_code"),
        (FORM, b""),
        (FORM, b"\xff"),
        (FORM, b"grant_type=%ff"),
        (FORM, b"grant_type=authorization_code&grant_type=authorization_code"),
        (FORM, b"grant_type=authorization_code&code=a&code=b"),
        (FORM, b"a=1&" * 60),
    ],
)
async def test_a_bad_token_request_is_told_so_in_json(
    http: httpx.AsyncClient, content_type: str, body: bytes
) -> None:
    headers = {"Content-Type": content_type}
    response = await http.post("/issuer/token", content=body, headers=headers)

    assert response.status_code == 400
    assert response.json()["error"] == "invalid_request"


async def test_a_client_that_tries_a_password_is_told_401(browser: Browser) -> None:
    client_id = await browser.register()
    response = await browser.http.post(
        "/issuer/token",
        data={"grant_type": "authorization_code", "client_id": client_id, "code": "x"},
        auth=(client_id, "secret"),
    )

    assert response.status_code == 401
    assert response.json()["error"] == "invalid_client"
    assert response.headers["www-authenticate"].startswith("Basic ")


@pytest.mark.parametrize("query", ["state=%ff", "client_id=%ff&response_type=code", "a=1&" * 60])
async def test_a_query_that_cannot_be_read_is_a_clear_page(
    http: httpx.AsyncClient, query: str
) -> None:
    page = await http.get(f"/issuer/authorize?{query}")

    assert page.status_code == 400
    assert "invalid_request" in page.text


BEARER = Bearer(
    subject="erp-sync", client_id="erp-sync", organization_id="org_pampa", scopes=["dunning.read"]
)


async def test_a_minted_token_counts_like_any_other(
    embedded: EmbeddedIssuer, verify_embedded: OidcVerifier
) -> None:
    principal = await verify_embedded(await embedded.mint(BEARER), "mcp")

    assert (principal.subject, principal.client_id) == ("erp-sync", "erp-sync")
    assert principal.organization == "org_pampa"
    assert principal.scopes == {"dunning.read"}
    assert (principal.email, principal.email_verified) == (None, False)


async def test_a_token_can_be_minted_that_has_expired(
    embedded: EmbeddedIssuer, verify_embedded: OidcVerifier
) -> None:
    spent = Bearer(
        subject="erp-sync",
        client_id="erp-sync",
        organization_id=None,
        scopes=[],
        lifetime=timedelta(hours=-1),
    )
    with pytest.raises(UnauthenticatedError) as refused:
        await verify_embedded(await embedded.mint(spent), "mcp")
    assert refused.value.reason == "The token has expired."


async def test_keys_are_read_in_the_process_where_no_address_leads(
    embedded: EmbeddedIssuer, clock: FakeSystemClock
) -> None:
    settings = OidcSettings(issuer=ISSUER, algorithms=("ES256",))
    async with httpx.AsyncClient(transport=EmbeddedIssuerTransport(embedded)) as http:
        keys = KeyRing(settings, http, clock)
        await keys.check()
        verify = OidcVerifier(settings, keys, clock, {"mcp": frozenset({MCP})})
        assert (await verify(await embedded.mint(BEARER), "mcp")).subject == "erp-sync"
        assert (await http.get(f"{PUBLIC}/elsewhere")).status_code == 404

        stranger = KeyRing(OidcSettings(issuer="https://id.example.com"), http, clock)
        with pytest.raises(UnavailableError):
            await stranger.check()


def test_an_issuer_without_a_resource_or_in_the_clear_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="no resource"):
        EmbeddedSettings(public_url=PUBLIC, resources=())
    with pytest.raises(ValueError, match="https"):
        EmbeddedSettings(public_url="http://dunning.example.com", resources=(MCP,))


async def test_an_issuer_under_a_prefix_keeps_it_everywhere(
    store: FakeIssuerStore, clock: FakeSystemClock
) -> None:
    settings = EmbeddedSettings(public_url=f"{PUBLIC}/collect/", resources=(MCP,))
    issuer = EmbeddedIssuer(settings, store, clock)

    assert issuer.settings.issuer == f"{PUBLIC}/collect/issuer"
    assert issuer.oauth_metadata()["token_endpoint"] == f"{PUBLIC}/collect/issuer/token"
