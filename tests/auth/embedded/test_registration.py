"""Who may register, with which addresses, and what becomes of what they ask for."""

import httpx
import pytest

from tests.auth.clock import FakeSystemClock
from tests.auth.issuer_store import FakeIssuerStore

pytestmark = pytest.mark.anyio


async def test_a_client_is_registered_as_public_whatever_it_asks_for(
    http: httpx.AsyncClient, clock: FakeSystemClock
) -> None:
    uris = ["http://127.0.0.1:3000/cb", "http://[::1]/cb", "http://localhost/cb",
            "https://app.example.com/cb"]  # fmt: skip
    response = await http.post(
        "/issuer/register",
        json={
            "client_name": "Claude",
            "redirect_uris": uris,
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "token_endpoint_auth_method": "client_secret_post",
            "application_type": "native",
            "contacts": {"odd": [1]},
        },
    )

    assert response.status_code == 201
    assert response.headers["cache-control"] == "no-store"
    registered = response.json()
    assert len(registered.pop("client_id")) == 24
    assert registered == {
        "client_id_issued_at": clock.timestamp(),
        "client_name": "Claude",
        "redirect_uris": uris,
        "grant_types": ["authorization_code"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
    }


@pytest.mark.parametrize(
    "uri",
    [
        "http://app.example.com/cb", "http://127.0.0.2/cb", "http://127.0.0.1.example.com/cb",
        "http://localhost.example.com/cb", "https://", "https:///cb", "https://u:p@app.example.com",
        "https://app.example.com/#part", "javascript:alert(1)", "data:text/html,x", "cursor://x",
        "/cb", "", "https://app.example.com/\n", "https://app.example.com/ x", "https://[", "https://a:b",
        "https://é.example.com", "\\\\host", "https://app.example.com/" + "x" * 2_000,
    ],
)  # fmt: skip
async def test_other_addresses_cannot_be_registered(http: httpx.AsyncClient, uri: str) -> None:
    uris = ["https://app.example.com/cb", uri]
    response = await http.post("/issuer/register", json={"redirect_uris": uris})

    assert response.status_code == 400
    assert response.json()["error"] == "invalid_redirect_uri"


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (b"", "invalid_client_metadata"),
        (b"{", "invalid_client_metadata"),
        (b"\xff", "invalid_client_metadata"),
        (b"[" * 5_000, "invalid_client_metadata"),
        (b"[]", "invalid_client_metadata"),
        (b"null", "invalid_client_metadata"),
        (b"{}", "invalid_client_metadata"),
        (b'{"redirect_uris": "https://a.test"}', "invalid_client_metadata"),
        (b'{"redirect_uris": [5]}', "invalid_client_metadata"),
        (b'{"redirect_uris": null}', "invalid_client_metadata"),
        (b'{"redirect_uris": []}', "invalid_redirect_uri"),
        (b'{"redirect_uris": ["https://a.test"], "client_name": {}}', "invalid_client_metadata"),
        (b'{"redirect_uris": ["https://a.test"], "grant_types": 5}', "invalid_client_metadata"),
        (
            b'{"redirect_uris": ["https://a.test"], "grant_types": ["client_credentials"]}',
            "invalid_client_metadata",
        ),
        (
            b'{"redirect_uris": ["https://a.test"], "response_types": ["token"]}',
            "invalid_client_metadata",
        ),
    ],
)  # fmt: skip
async def test_a_bad_registration_is_told_so_in_json(
    http: httpx.AsyncClient, store: FakeIssuerStore, body: bytes, error: str
) -> None:
    response = await http.post("/issuer/register", content=body)

    assert response.status_code == 400
    assert response.headers["content-type"] == "application/json"
    assert response.json()["error"] == error
    assert store.clients == {}


async def test_too_many_addresses_cannot_be_registered(http: httpx.AsyncClient) -> None:
    uris = [f"https://app.example.com/{number}" for number in range(11)]
    response = await http.post("/issuer/register", json={"redirect_uris": uris})

    assert response.json()["error"] == "invalid_redirect_uri"
