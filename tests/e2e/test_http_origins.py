"""Which web pages may call, and what a page can read of every kind of answer."""

from collections.abc import AsyncIterator
from datetime import datetime

import httpx
import pytest

from adapters.system.clock import UtcClock
from tests.auth.clock import FakeSystemClock
from tests.auth.issuer import ISSUER, FakeIssuer
from tests.e2e.service import OUR_PAGE, Demo, Service, running
from tests.protocol.fixtures import modern
from tests.protocol.requirements import proves

pytestmark = pytest.mark.anyio

ME = modern("tools/call", {"name": "dunning_me", "arguments": {}})
LOOK_ALIKES = [
    f"{OUR_PAGE}.evil.test",
    "https://app.example.com@evil.test",
    "http://app.example.com",
    "https://APP.example.com",
    "https://app.example.com:443",
    "https://app.example.com/",
    "null",
    "",
    "https://evil.test",
]


class BrokenClock:
    """A clock that has stopped for good."""

    def __init__(self) -> None:
        self.is_broken = False

    def now(self) -> datetime:
        if self.is_broken:
            raise RuntimeError("no time to be had")
        return UtcClock().now()


def assert_readable(answer: httpx.Response) -> None:
    assert answer.headers["access-control-allow-origin"] == OUR_PAGE
    assert answer.headers["vary"] == "Origin"
    exposed = answer.headers["access-control-expose-headers"]
    assert exposed == "WWW-Authenticate, Retry-After, MCP-Protocol-Version"
    assert "access-control-allow-credentials" not in answer.headers


@proves("http.origin", "http.plain")
@pytest.mark.parametrize("origin", LOOK_ALIKES)
@pytest.mark.parametrize(("method", "path"), [("POST", "/mcp"), ("POST", "/"), ("GET", "/v1/me")])
async def test_c16_only_an_allowed_origin_passes_and_nothing_that_resembles_it(
    service: Service, origin: str, method: str, path: str
) -> None:
    answer = await service.http.request(method, path, headers={"Origin": origin}, json=ME.message)

    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == "ORIGIN_NOT_ALLOWED"
    assert "id" not in answer.json()
    assert "access-control-allow-origin" not in answer.headers
    assert "www-authenticate" not in answer.headers


@proves("http.origin")
async def test_c16_two_origins_are_none(service: Service) -> None:
    headers = [("Origin", OUR_PAGE), ("Origin", OUR_PAGE)]
    answer = await service.http.post("/mcp", headers=headers, json=ME.message)

    assert answer.status_code == 403


@proves("http.origin", "http.cors")
async def test_c17_no_origin_our_own_and_an_allowed_one_pass(service: Service) -> None:
    token = await service.token()
    without = await service.post(ME, token)
    assert without.status_code == 200
    assert "access-control-allow-origin" not in without.headers
    for origin in (OUR_PAGE, service.demo.public_url):
        answer = await service.post(ME, token, Origin=origin)
        assert answer.status_code == 200
        assert answer.headers["access-control-allow-origin"] == origin


@proves("http.preflight")
@pytest.mark.parametrize(
    ("path", "methods"),
    [("/mcp", "POST, OPTIONS"), ("/", "POST, OPTIONS"), ("/v1/charges", "GET, POST, OPTIONS")],
)
async def test_c18_a_preflight_needs_no_token_and_allows_what_clients_send(
    service: Service, path: str, methods: str
) -> None:
    wanted = "authorization, content-type, mcp-protocol-version, mcp-method, mcp-name"
    answer = await service.http.options(
        path,
        headers={
            "Origin": OUR_PAGE,
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": f"{wanted}, Mcp-Param-Room, x-other",
        },
    )

    assert answer.status_code == 204
    assert answer.content == b""
    assert "content-length" not in answer.headers
    assert answer.headers["access-control-allow-methods"] == methods
    allowed = set(answer.headers["access-control-allow-headers"].split(", "))
    assert {*wanted.split(", "), "accept", "mcp-session-id", "last-event-id"} <= allowed
    assert "mcp-param-room" in allowed
    assert "x-other" not in allowed
    assert answer.headers["access-control-max-age"] == "600"
    assert_readable(answer)


@proves("http.preflight")
async def test_c18_a_preflight_of_another_page_is_refused(service: Service) -> None:
    answer = await service.http.options("/mcp", headers={"Origin": "https://evil.test"})

    assert answer.status_code == 403
    assert "access-control-allow-headers" not in answer.headers


@proves("http.cors")
async def test_c19_a_page_can_read_every_refusal_of_a_request(service: Service) -> None:
    token = await service.token()
    reader = await service.token(scopes=("dunning.read",))
    write = modern("tools/call", {"name": "dunning_charges_create", "arguments": {}})
    page = {"Origin": OUR_PAGE}
    said = {
        400: await service.post(ME.with_params(_meta=7), token, **page),
        401: await service.post(ME, **page),
        403: await service.post(write, reader, **page),
        404: await service.post(modern("nope"), token, **page),
        405: await service.http.get("/mcp", headers=page),
        406: await service.post(ME, token, Accept="text/html", **page),
        413: await service.http.post("/mcp", content=b" " * 2_097_153, headers=page),
        415: await service.post(ME, token, Content_Type="text/plain", **page),
    }
    for status, answer in said.items():
        assert answer.status_code == status
        assert_readable(answer)
    unrouted = await service.http.get("/v1/nope", headers=page)
    assert unrouted.status_code == 404
    assert_readable(unrouted)


@pytest.fixture
async def troubled(demo: Demo) -> AsyncIterator[tuple[Service, BrokenClock]]:
    """A service that takes one request without token, and whose clock can break."""
    clock = BrokenClock()
    async with running(demo, {"FLOOD_ANONYMOUS": "1"}, clock=clock) as service:
        yield service, clock


@proves("http.cors")
async def test_c19_a_page_can_read_that_it_asked_too_often_or_that_something_broke(
    troubled: tuple[Service, BrokenClock],
) -> None:
    service, clock = troubled
    assert (await service.post(ME, Origin=OUR_PAGE)).status_code == 401
    often = await service.post(ME, Origin=OUR_PAGE)
    token = await service.token()
    clock.is_broken = True
    broken = await service.post(ME, token, Origin=OUR_PAGE)

    assert (often.status_code, broken.status_code) == (429, 500)
    assert_readable(often)
    assert_readable(broken)
    assert "no time" not in broken.text


@proves("http.cors", "auth.issuer-down", "http.plain")
async def test_c19_a_page_can_read_that_the_issuer_is_down(demo: Demo) -> None:
    clock = FakeSystemClock()
    issuer = FakeIssuer(clock)
    issuer.is_down = True
    settings = {"AUTH_PROVIDER": "oidc", "AUTH_ISSUER": ISSUER}
    async with running(demo, settings, clock=clock, issuer_client=issuer.http) as service:
        answer = await service.post(ME, issuer.token(), Origin=OUR_PAGE)

    assert answer.status_code == 503
    assert answer.json().keys() == {"error"}
    assert int(answer.headers["retry-after"]) >= 1
    assert_readable(answer)
