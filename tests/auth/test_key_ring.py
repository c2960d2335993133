"""The provider's keys: asked for seldom, kept while it is down, never taken from an impostor."""

import asyncio
import secrets
from datetime import timedelta
from urllib.parse import urlsplit

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from joserfc.jwk import ECKey, OctKey, RSAKey

from adapters.auth.discovery import IssuerConfigurationError, metadata_addresses
from adapters.auth.key_ring import KeyRing
from adapters.auth.settings import OidcSettings
from adapters.auth.verifier import OidcVerifier
from domain.errors import UnauthenticatedError, UnavailableError
from tests.auth.clock import FakeSystemClock
from tests.auth.issuer import EC, ISSUER, RSA, FakeIssuer, segment

pytestmark = pytest.mark.anyio


async def test_b8_a_hundred_unknown_keys_are_one_look_and_good_tokens_pass_meanwhile(
    verify: OidcVerifier, issuer: FakeIssuer
) -> None:
    good = issuer.token()
    await verify(good, "mcp")
    issuer.clock.advance(11)
    unknown = [issuer.token(header={"kid": secrets.token_hex(8)}) for _ in range(100)]

    async def outcome(token: str) -> str:
        try:
            return (await verify(token, "mcp")).subject
        except UnauthenticatedError as refused:
            return refused.reason or ""

    outcomes = await asyncio.gather(*map(outcome, [*unknown, *[good] * 20]))

    assert outcomes[:100] == ["The token is signed with a key the issuer does not have."] * 100
    assert outcomes[100:] == ["user-1"] * 20
    assert issuer.key_fetches == 2


async def test_b8_within_the_cool_down_an_unknown_key_asks_nobody(
    verify: OidcVerifier, issuer: FakeIssuer
) -> None:
    await verify(issuer.token(), "mcp")
    asked = issuer.requests
    for _ in range(5):
        issuer.clock.advance(1)
        with pytest.raises(UnauthenticatedError):
            await verify(issuer.token(header={"kid": secrets.token_hex(8)}), "mcp")

    assert issuer.requests == asked


async def test_b8_a_rotated_key_works_when_the_cool_down_is_over(
    verify: OidcVerifier, issuer: FakeIssuer
) -> None:
    await verify(issuer.token(), "mcp")
    rotated = ECKey.generate_key("P-256", {"kid": "ec-2"})
    issuer.keys = [rotated]
    with pytest.raises(UnauthenticatedError):
        await verify(issuer.token(key=rotated), "mcp")
    issuer.clock.advance(10)

    assert (await verify(issuer.token(key=rotated), "mcp")).subject == "user-1"
    with pytest.raises(UnauthenticatedError):
        await verify(issuer.token(key=RSA), "mcp")


async def test_b8_an_empty_set_is_asked_for_under_the_cool_down_too(
    verify: OidcVerifier, issuer: FakeIssuer
) -> None:
    issuer.keys = []
    for _ in range(5):
        with pytest.raises(UnauthenticatedError):
            await verify(issuer.token(), "mcp")

    assert issuer.key_fetches == 1


async def test_b10_known_keys_serve_on_while_the_provider_is_down(
    verify: OidcVerifier, issuer: FakeIssuer
) -> None:
    await verify(issuer.token(), "mcp")
    issuer.is_down = True
    for _ in range(3):
        issuer.clock.advance(3_600)
        assert (await verify(issuer.token(), "mcp")).subject == "user-1"


async def test_b10_cold_and_down_is_unavailable_and_tried_once_per_cool_down(
    verify: OidcVerifier, issuer: FakeIssuer
) -> None:
    issuer.is_down = True
    with pytest.raises(UnavailableError) as first:
        await verify(issuer.token(), "mcp")
    asked = issuer.requests
    issuer.clock.advance(4)
    with pytest.raises(UnavailableError) as second:
        await verify(issuer.token(), "mcp")

    assert (first.value.retry_after, second.value.retry_after) == (10, 6)
    assert issuer.requests == asked
    issuer.is_down = False
    issuer.clock.advance(6)
    assert (await verify(issuer.token(), "mcp")).subject == "user-1"


async def test_b10_an_unknown_key_while_the_provider_is_down_is_unavailable_not_refused(
    verify: OidcVerifier, issuer: FakeIssuer
) -> None:
    await verify(issuer.token(), "mcp")
    issuer.is_down = True
    issuer.clock.advance(11)

    with pytest.raises(UnavailableError):
        await verify(issuer.token(header={"kid": "new"}), "mcp")


async def test_a_provider_that_hangs_is_given_up_within_the_timeout(
    issuer: FakeIssuer, clock: FakeSystemClock
) -> None:
    issuer.hangs = True
    patience = timedelta(milliseconds=20)
    keys = KeyRing(OidcSettings(issuer=ISSUER, timeout=patience), issuer.http, clock)

    async with asyncio.timeout(1):
        with pytest.raises(UnavailableError):
            await keys.find("rsa-1", "RS256")


async def test_a_caller_who_goes_away_does_not_take_the_answer_from_the_others(
    keys: KeyRing, issuer: FakeIssuer
) -> None:
    first = asyncio.create_task(keys.find("rsa-1", "RS256"))
    second = asyncio.create_task(keys.find("rsa-1", "RS256"))
    await asyncio.sleep(0)
    first.cancel()

    assert (await second).kid == "rsa-1"
    assert issuer.key_fetches == 1


async def test_a_withdrawn_key_stops_counting_after_its_greatest_age(
    keys: KeyRing, issuer: FakeIssuer
) -> None:
    await keys.find("rsa-1", "RS256")
    issuer.keys = [EC]
    issuer.clock.advance(301)
    assert (await keys.find("rsa-1", "RS256")).kid == "rsa-1"
    await keys.find("ec-1", "ES256")
    assert keys._look is not None
    await keys._look

    with pytest.raises(UnauthenticatedError):
        await keys.find("rsa-1", "RS256")


async def test_one_odd_key_spoils_nothing(verify: OidcVerifier, issuer: FakeIssuer) -> None:
    issuer.odd_entries = [
        None, "x", {}, {"kty": 5}, {"kty": "AKP", "kid": "post-quantum"}, {"kty": "RSA"},
        {"kty": "RSA", "n": 5, "e": []}, {"kty": "EC", "crv": "P-0", "x": "AA", "y": "AA"},
        {"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA", "kid": "off-the-curve"},
    ]  # fmt: skip

    assert (await verify(issuer.token(), "mcp")).subject == "user-1"


async def test_a_key_too_weak_to_trust_is_not_used(keys: KeyRing, issuer: FakeIssuer) -> None:
    weak = generate_private_key(65_537, 1_024)  # noqa: S505 - the weakness is the point
    numbers = weak.public_key().public_numbers()
    modulus = segment(numbers.n.to_bytes(128, "big"))
    issuer.odd_entries = [{"kty": "RSA", "n": modulus, "e": "AQAB", "kid": "weak"}]

    with pytest.raises(UnauthenticatedError):
        await keys.find("weak", "RS256")


async def test_keys_for_encryption_and_shared_secrets_are_not_signing_keys(
    keys: KeyRing, issuer: FakeIssuer
) -> None:
    secret = OctKey.generate_key(256, {"kid": "shared"})
    sealing = RSAKey.generate_key(2048, {"kid": "enc-1", "use": "enc"})
    issuer.odd_entries = [secret.as_dict(private=True), sealing.as_dict(private=False)]
    await keys.find("rsa-1", "RS256")

    for kid in ("shared", "enc-1"):
        with pytest.raises(UnauthenticatedError):
            await keys.find(kid, "RS256")


async def test_a_key_that_names_its_algorithm_is_used_with_no_other(
    keys: KeyRing, issuer: FakeIssuer
) -> None:
    issuer.keys = [RSAKey.generate_key(2048, {"kid": "rsa-pss", "alg": "PS256"}), RSA]

    assert (await keys.find("rsa-pss", "PS256")).kid == "rsa-pss"
    with pytest.raises(UnauthenticatedError):
        await keys.find("rsa-pss", "RS256")


async def test_a_token_without_key_id_fits_only_where_there_is_one_key(
    verify: OidcVerifier, issuer: FakeIssuer
) -> None:
    token = issuer.token(header={"kid": ...})
    with pytest.raises(UnauthenticatedError):
        await verify(token, "mcp")
    sealing = RSAKey.generate_key(2048, {"kid": "enc-1", "use": "enc"})
    issuer.keys = [RSA, sealing]
    issuer.clock.advance(10)

    assert (await verify(token, "mcp")).subject == "user-1"


@pytest.mark.parametrize(
    ("issuer_name", "openid", "oauth"),
    [
        (
            "https://id.example.com",
            "https://id.example.com/.well-known/openid-configuration",
            "https://id.example.com/.well-known/oauth-authorization-server",
        ),
        (
            "https://id.example.com/realms/a/",
            "https://id.example.com/realms/a/.well-known/openid-configuration",
            "https://id.example.com/.well-known/oauth-authorization-server/realms/a",
        ),
    ],
)
def test_metadata_is_looked_for_in_both_places(issuer_name: str, openid: str, oauth: str) -> None:
    assert metadata_addresses(issuer_name) == (openid, oauth)


async def test_metadata_in_the_inserted_place_alone_is_found(
    keys: KeyRing, issuer: FakeIssuer
) -> None:
    issuer.metadata_paths = {"/.well-known/oauth-authorization-server/realms/aurora"}

    await keys.check()


async def test_a_page_where_metadata_should_be_is_not_metadata(
    keys: KeyRing, issuer: FakeIssuer
) -> None:
    openid, oauth = (urlsplit(address).path for address in metadata_addresses(ISSUER))
    issuer.odd_answers[openid] = httpx.Response(200, html="<html>a page for every address</html>")
    issuer.metadata_paths = {oauth}

    await keys.check()


async def test_a_provider_in_trouble_is_not_asked_elsewhere(
    keys: KeyRing, issuer: FakeIssuer
) -> None:
    openid, _ = (urlsplit(address).path for address in metadata_addresses(ISSUER))
    issuer.odd_answers[openid] = httpx.Response(503)

    with pytest.raises(UnavailableError):
        await keys.check()
    assert issuer.requests == 1


@pytest.mark.parametrize("named", [f"{ISSUER}/", "https://other.example.com", None])
async def test_a22_an_issuer_that_names_itself_otherwise_is_a_loud_configuration_error(
    verify: OidcVerifier, keys: KeyRing, issuer: FakeIssuer, named: object
) -> None:
    issuer.metadata["issuer"] = named

    with pytest.raises(IssuerConfigurationError) as error:
        await keys.check()
    assert repr(ISSUER) in str(error.value)
    assert repr(named) in str(error.value)
    with pytest.raises(UnavailableError):
        await verify(issuer.token(), "mcp")
    assert issuer.key_fetches == 0


async def test_keys_of_an_https_issuer_do_not_come_over_plain_http(
    keys: KeyRing, issuer: FakeIssuer
) -> None:
    issuer.metadata["jwks_uri"] = "http://id.example.com/realms/aurora/keys"

    with pytest.raises(IssuerConfigurationError, match="not https"):
        await keys.check()


@pytest.mark.parametrize("jwks_uri", [None, 5, "https://[", "https://id.example.com/nothing"])
async def test_metadata_that_leads_nowhere_is_as_good_as_no_answer(
    keys: KeyRing, issuer: FakeIssuer, jwks_uri: object
) -> None:
    issuer.metadata["jwks_uri"] = jwks_uri

    with pytest.raises(UnavailableError):
        await keys.check()


async def test_the_check_asks_no_more_often_than_the_cool_down_allows(
    keys: KeyRing, issuer: FakeIssuer
) -> None:
    issuer.is_down = True
    for _ in range(5):
        with pytest.raises(UnavailableError):
            await keys.check()
    asked = issuer.requests
    issuer.is_down = False
    issuer.clock.advance(10)
    await keys.check()
    await keys.check()

    assert (asked, issuer.key_fetches) == (1, 1)


async def test_a_provider_with_no_usable_key_fails_the_check(
    keys: KeyRing, issuer: FakeIssuer
) -> None:
    issuer.keys = []

    with pytest.raises(IssuerConfigurationError, match="no key"):
        await keys.check()


async def test_a_clock_that_is_set_back_does_not_stop_the_next_look(
    keys: KeyRing, issuer: FakeIssuer, clock: FakeSystemClock
) -> None:
    await keys.check()
    clock.advance(-3_600)
    issuer.keys = [ECKey.generate_key("P-256", {"kid": "ec-2"})]

    assert (await keys.find("ec-2", "ES256")).kid == "ec-2"
