"""What the claims of a genuine token must say, and what they are read as."""

from typing import Any

import pytest

from adapters.auth.key_ring import KeyRing
from adapters.auth.settings import OidcSettings
from adapters.auth.verifier import OidcVerifier
from tests.auth.clock import FakeSystemClock
from tests.auth.issuer import AUDIENCE, ISSUER, FakeIssuer
from tests.auth.refusals import refusal

pytestmark = pytest.mark.anyio


async def test_the_issuer_is_compared_to_the_letter_and_a_foreign_token_asks_nobody(
    verify: OidcVerifier, issuer: FakeIssuer
) -> None:
    for iss in (f"{ISSUER}/", ISSUER.upper(), ISSUER[:-1], [ISSUER], None, 5, ...):
        reason = await refusal(verify, issuer.token(iss=iss))
        assert reason == "The token is from another issuer."
    assert issuer.requests == 0


@pytest.mark.parametrize(
    "offsets", [{"nbf": 20}, {"iat": 20}, {"exp": -20}, {"exp": -20, "nbf": 20, "iat": 20}]
)
async def test_b11_thirty_seconds_of_skew_are_forgiven_in_every_time(
    verify: OidcVerifier, issuer: FakeIssuer, offsets: dict[str, int]
) -> None:
    now = issuer.clock.timestamp()
    token = issuer.signed(issuer.claims(**{name: now + offset for name, offset in offsets.items()}))

    assert (await verify(token, "mcp")).subject == "user-1"


@pytest.mark.parametrize(
    ("claim", "offset", "reason"),
    [
        ("nbf", 120, "The token is not valid yet."),
        ("iat", 120, "The token was issued in the future."),
        ("exp", -120, "The token has expired."),
        ("exp", -30, "The token has expired."),
    ],
)
async def test_b11_more_is_not(
    verify: OidcVerifier, issuer: FakeIssuer, claim: str, offset: int, reason: str
) -> None:
    token = issuer.signed(issuer.claims(**{claim: issuer.clock.timestamp() + offset}))

    assert await refusal(verify, token) == reason


NOT_NUMBERS = [True, False, "1796126400", None, [], {}, float("nan"), float("inf")]


@pytest.mark.parametrize("value", [..., *NOT_NUMBERS])
async def test_the_expiry_is_a_number_and_must_be_there(
    verify: OidcVerifier, issuer: FakeIssuer, value: object
) -> None:
    assert await refusal(verify, issuer.token(exp=value)) == "The token has no usable expiry."


@pytest.mark.parametrize("claim", ["nbf", "iat"])
@pytest.mark.parametrize("value", [v for v in NOT_NUMBERS if v is not None])
async def test_the_other_times_are_numbers_where_they_are_there(
    verify: OidcVerifier, issuer: FakeIssuer, claim: str, value: object
) -> None:
    await refusal(verify, issuer.signed(issuer.claims(**{claim: value})))


async def test_an_expiry_beyond_every_calendar_is_cut(
    verify: OidcVerifier, issuer: FakeIssuer
) -> None:
    for exp in (10**30, 10**400, 1e300):
        assert (await verify(issuer.token(exp=exp), "mcp")).expires_at == 253_402_300_799


@pytest.mark.parametrize("sub", [..., "", None, 5, True, [], {}, "\ud800", "a\0b", "x" * 1_001])
async def test_a_token_names_its_subject(
    verify: OidcVerifier, issuer: FakeIssuer, sub: object
) -> None:
    assert await refusal(verify, issuer.token(sub=sub)) == "The token names no usable subject."


@pytest.mark.parametrize(
    "claims",
    [
        {"scope": "a b"},
        {"scope": ["a", "b"]},
        {"scope": ..., "scp": "a b"},
        {"scope": ..., "scp": ["a", "b"]},
        {"scope": "a b", "scp": ["b", "a"]},
        {"scope": None, "scp": " a  b "},
    ],
)
async def test_b14_scopes_come_as_scope_or_scp_as_text_or_list(
    verify: OidcVerifier, issuer: FakeIssuer, claims: dict[str, Any]
) -> None:
    assert (await verify(issuer.token(**claims), "mcp")).scopes == {"a", "b"}


@pytest.mark.parametrize("scope", [{}, {"a": 1}, 5, True, ["a", 5], [["a"]], "", [], [""], None])
async def test_b14_any_other_shape_grants_nothing(
    verify: OidcVerifier, issuer: FakeIssuer, scope: object
) -> None:
    assert (await verify(issuer.token(scope=scope), "mcp")).scopes == frozenset()


async def test_b14_scopes_are_compared_whole(verify: OidcVerifier, issuer: FakeIssuer) -> None:
    assert (await verify(issuer.token(scope="ab"), "mcp")).scopes == {"ab"}
    assert (await verify(issuer.token(scope=["a b"]), "mcp")).scopes == {"a b"}


@pytest.mark.parametrize("scp", ["dunning.all", [], 5, "dunning.read"])
async def test_b14_two_scope_claims_that_differ_are_refused(
    verify: OidcVerifier, issuer: FakeIssuer, scp: object
) -> None:
    reason = await refusal(verify, issuer.token(scp=scp))

    assert reason == "The scope and scp claims of the token differ."


@pytest.mark.parametrize(
    "value", [None, 5, True, "", [], {}, ["x"], {"x": {}}, "\ud800", "\0", 10**400]
)
@pytest.mark.parametrize("claim", ["client_id", "azp", "org_id", "email", "email_verified", "typ"])
async def test_odd_optional_claims_count_as_absent(
    verify: OidcVerifier, issuer: FakeIssuer, claim: str, value: object
) -> None:
    principal = await verify(issuer.signed(issuer.claims(**{"org_id": ..., claim: value})), "mcp")

    assert principal.email_verified is (claim == "email_verified" and value is True)
    assert (principal.organization, principal.email) == (None, None)


async def test_the_client_is_client_id_before_azp(verify: OidcVerifier, issuer: FakeIssuer) -> None:
    both = await verify(issuer.token(azp="other"), "mcp")
    one = await verify(issuer.token(client_id=..., azp="other"), "mcp")
    none = await verify(issuer.token(client_id=...), "mcp")

    assert (both.client_id, one.client_id, none.client_id) == ("some-client", "other", None)


async def test_the_organisation_is_read_from_the_configured_claim(
    keys: KeyRing, issuer: FakeIssuer, clock: FakeSystemClock
) -> None:
    settings = OidcSettings(issuer=ISSUER, organization_claim="https://example.com/tenant")
    verify = OidcVerifier(settings, keys, clock, {"mcp": frozenset({AUDIENCE})})
    token = issuer.signed(issuer.claims(**{"https://example.com/tenant": "org_pampa"}))

    assert (await verify(token, "mcp")).organization == "org_pampa"
