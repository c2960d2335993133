"""How a client finds out where to sign in: metadata, challenges, and what does not exist."""

import base64
import json
from collections.abc import AsyncIterator

import httpx
import pytest

from tests.auth.clock import FakeSystemClock
from tests.auth.issuer import ISSUER, FakeIssuer
from tests.e2e.challenges import challenge_of, parameters_of
from tests.e2e.service import OUR_PAGE, Demo, Service, running
from tests.protocol.fixtures import modern
from tests.protocol.requirements import proves

pytestmark = pytest.mark.anyio

WELL_KNOWN = "/.well-known/oauth-protected-resource"
LIST = modern("tools/list")
PREFIXED = "https://host.example.com/collect"


@pytest.fixture(scope="module")
async def behind_a_prefix(demo: Demo) -> AsyncIterator[Service]:
    """The service as `https://host.example.com/collect`, with somebody else's issuer."""
    clock = FakeSystemClock()
    issuer = FakeIssuer(clock)
    settings = {"PUBLIC_URL": PREFIXED, "AUTH_PROVIDER": "oidc", "AUTH_ISSUER": ISSUER}
    settings["SEALING_KEYS"] = base64.urlsafe_b64encode(bytes(range(32))).decode().rstrip("=")
    async with running(demo, settings, clock=clock, issuer_client=issuer.http) as service:
        yield service


@proves("auth.metadata")
@pytest.mark.parametrize("path", ["/mcp", "", "/v1"])
async def test_a1_each_resource_is_the_configured_address_byte_for_byte(
    service: Service, path: str
) -> None:
    answer = await service.http.get(f"{WELL_KNOWN}{path}")

    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "max-age=300"
    assert answer.headers["access-control-allow-origin"] == "*"
    document = answer.json()
    assert document["resource"] == f"{service.demo.public_url}{path}"
    assert document["authorization_servers"] == [f"{service.demo.public_url}/issuer"]
    assert document["bearer_methods_supported"] == ["header"]
    assert document["resource_name"]
    assert document["resource_documentation"].startswith(service.demo.public_url)


@proves("auth.metadata", "auth.unknown")
async def test_a2_the_inserted_form_exists_and_the_appended_one_does_not(service: Service) -> None:
    for path, status in [
        (f"{WELL_KNOWN}/mcp", 200),
        (WELL_KNOWN, 200),
        (f"/mcp{WELL_KNOWN}", 404),
        (f"{WELL_KNOWN}/nope", 404),
    ]:
        answer = await service.http.get(path)
        assert answer.status_code == status
        assert answer.headers["content-type"] == "application/json"
        assert "www-authenticate" not in answer.headers


@proves("auth.metadata", "auth.challenge")
@pytest.mark.parametrize("path", ["/mcp", "", "/v1"])
async def test_a4_a_prefix_stands_once_in_the_challenge_and_its_address_answers(
    behind_a_prefix: Service, path: str
) -> None:
    call = f"/collect{path}" if path != "/v1" else "/collect/v1/me"
    method = "GET" if path == "/v1" else "POST"
    refused = await behind_a_prefix.http.request(method, call, json=LIST.message)
    (address,) = parameters_of(challenge_of(refused), "resource_metadata")

    assert address == f"https://host.example.com{WELL_KNOWN}/collect{path}"
    answer = await behind_a_prefix.http.get(httpx.URL(address).path)
    assert answer.json()["resource"] == f"{PREFIXED}{path}"


@proves("auth.metadata", "http.open")
@pytest.mark.parametrize("path", ["", "/mcp", "/v1"])
async def test_a6_metadata_is_open_whatever_token_comes_along(service: Service, path: str) -> None:
    for header in [None, f"Bearer {await service.expired_token()}", "Bearer x"]:
        headers = {} if header is None else {"Authorization": header}
        answer = await service.http.get(f"{WELL_KNOWN}{path}", headers=headers)
        assert answer.status_code == 200


@proves("auth.unknown")
@pytest.mark.parametrize(
    "path",
    ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration",
     "/.well-known/nope", "/.well-known/oauth-authorization-server/mcp"],
)  # fmt: skip
async def test_a7_what_is_not_well_known_is_a_json_404(service: Service, path: str) -> None:
    answer = await service.http.get(path, headers={"Origin": "https://inspector.example.com"})

    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["error"]["code"] == "NOT_FOUND"
    assert "www-authenticate" not in answer.headers
    assert answer.headers["access-control-allow-origin"] == "*"


@proves("http.open")
@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
async def test_a_page_of_any_origin_may_read_the_metadata(service: Service, method: str) -> None:
    answer = await service.http.request(
        method,
        f"{WELL_KNOWN}/mcp",
        headers={
            "Origin": "https://inspector.example.com",
            "Access-Control-Request-Method": "GET",
            "Access-Control-Request-Headers": "mcp-protocol-version",
        },
    )

    assert answer.status_code == (204 if method == "OPTIONS" else 200)
    assert answer.headers["access-control-allow-origin"] == "*"
    if method == "OPTIONS":
        assert answer.headers["access-control-allow-headers"] == "*, Authorization"
        assert "content-length" not in answer.headers


@proves("http.open", "auth.unknown")
@pytest.mark.parametrize(
    "path", ["/.well-known/nope", f"{WELL_KNOWN}/nope", "/.well-known/openid-configuration"]
)
async def test_a_page_may_ask_for_metadata_that_is_not_there(service: Service, path: str) -> None:
    page = {"Origin": "https://inspector.example.com", "Access-Control-Request-Method": "GET"}
    there = await service.http.options(f"{WELL_KNOWN}/mcp", headers=page)
    not_there = await service.http.options(path, headers=page)

    assert not_there.status_code == 204
    assert not_there.content == b""
    assert not_there.headers == there.headers


@proves("auth.challenge", "http.plain")
@pytest.mark.parametrize(("path", "resource"), [("/mcp", "/mcp"), ("/mcp/", "/mcp"), ("/", "")])
async def test_a8_without_a_token_there_is_one_challenge_that_says_where_and_what_for(
    service: Service, path: str, resource: str
) -> None:
    refused = await service.post(LIST, path=path)

    assert refused.status_code == 401
    challenge = challenge_of(refused)
    assert challenge == (
        f'Bearer resource_metadata="{service.demo.public_url}{WELL_KNOWN}{resource}", '
        'scope="dunning.all"'
    )


@proves("auth.metadata")
@pytest.mark.parametrize("path", ["/mcp", "", "/v1"])
async def test_a13_the_scopes_that_are_offered_are_ours_and_hold_the_challenge(
    service: Service, path: str
) -> None:
    offered = (await service.http.get(f"{WELL_KNOWN}{path}")).json()["scopes_supported"]
    (asked,) = parameters_of(challenge_of(await service.post(LIST)), "scope")

    assert offered == ["dunning.read", "dunning.write", "dunning.all"]
    assert set(asked.split()) <= set(offered)


@proves("auth.challenge")
async def test_a14_offline_access_is_asked_for_nowhere(service: Service) -> None:
    reader = await service.token(scopes=("dunning.read",))
    write = modern("tools/call", {"name": "dunning_charges_create", "arguments": {}})
    said = [
        await service.post(LIST),
        await service.post(LIST, "x"),
        await service.post(write, reader),
        *[await service.http.get(f"{WELL_KNOWN}{path}") for path in ("", "/mcp", "/v1")],
        await service.http.get("/.well-known/oauth-authorization-server/issuer"),
        await service.http.get("/issuer/.well-known/openid-configuration"),
    ]
    for answer in said:
        assert "offline_access" not in f"{answer.headers}{answer.text}"


@proves("auth.challenge", "http.host")
async def test_a15_no_header_of_a_request_changes_what_a_challenge_says(service: Service) -> None:
    refused = await service.post(
        LIST,
        Host="internal:8000",
        X_Forwarded_Host="evil.example.com",
        X_Forwarded_Proto="https",
        Forwarded="host=evil.example.com;proto=https",
    )

    assert refused.status_code == 401
    assert challenge_of(refused) == challenge_of(await service.post(LIST))


@proves("auth.challenge")
async def test_a15_behind_a_proxy_that_says_nothing_the_challenge_names_https(
    behind_a_prefix: Service,
) -> None:
    refused = await behind_a_prefix.post(LIST, path="/collect/mcp", Host="internal:8000")
    (address,) = parameters_of(challenge_of(refused), "resource_metadata")

    assert address.startswith("https://host.example.com/")


@proves("auth.challenge", "http.plain", "http.no-store")
async def test_a21_the_body_of_a_401_is_small_json_without_an_id(service: Service) -> None:
    for token in (None, "x", await service.expired_token()):
        refused = await service.post(LIST, token)
        assert refused.status_code == 401
        assert refused.headers["content-type"] == "application/json"
        assert refused.headers["cache-control"] == "no-store"
        document = json.loads(refused.content)
        assert document.keys() == {"error"}
        assert document["error"].keys() == {"code", "message", "request_id"}
        assert len(refused.content) < 300


@proves("auth.metadata")
async def test_the_issuer_is_found_at_both_of_its_addresses_and_open_to_pages(
    service: Service,
) -> None:
    for path in (
        "/.well-known/oauth-authorization-server/issuer",
        "/issuer/.well-known/openid-configuration",
    ):
        answer = await service.http.get(path, headers={"Origin": OUR_PAGE})
        assert answer.json()["issuer"] == f"{service.demo.public_url}/issuer"
        assert answer.headers["access-control-allow-origin"] == "*"
