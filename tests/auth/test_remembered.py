"""Which verdicts are kept, and for how long."""

import pytest

from adapters.auth.key_ring import KeyRing
from adapters.auth.remembered import RememberedVerifier
from adapters.auth.verifier import OidcVerifier
from domain.access.principal import Principal
from domain.errors import UnauthenticatedError
from tests.auth.clock import FakeSystemClock
from tests.auth.issuer import EC, RSA, FakeIssuer

pytestmark = pytest.mark.anyio


class CountingVerifier:
    """The real verifier, and how often it was asked."""

    def __init__(self, inner: OidcVerifier) -> None:
        self._inner = inner
        self.asked = 0

    async def __call__(self, token: str, surface: str, /) -> Principal:
        self.asked += 1
        return await self._inner(token, surface)

    def recall(self, token: str, surface: str, /) -> Principal | None:
        return self._inner.recall(token, surface)


@pytest.fixture
def counting(verify: OidcVerifier) -> CountingVerifier:
    return CountingVerifier(verify)


@pytest.fixture
def remembered(
    counting: CountingVerifier, clock: FakeSystemClock, keys: KeyRing
) -> RememberedVerifier:
    return RememberedVerifier(counting, clock, lambda: keys.version, capacity=3)


async def test_a_good_token_is_verified_once_a_minute(
    remembered: RememberedVerifier, counting: CountingVerifier, issuer: FakeIssuer
) -> None:
    token = issuer.token()
    assert not remembered.recall(token, "mcp")
    first = await remembered(token, "mcp")
    issuer.clock.advance(59)
    assert remembered.recall(token, "mcp")
    assert await remembered(token, "mcp") == first
    assert counting.asked == 1
    issuer.clock.advance(1)

    assert not remembered.recall(token, "mcp")
    await remembered(token, "mcp")
    assert counting.asked == 2


async def test_a_verdict_ends_with_the_token(
    remembered: RememberedVerifier, issuer: FakeIssuer
) -> None:
    token = issuer.token(exp=issuer.clock.timestamp() + 20)
    await remembered(token, "mcp")
    issuer.clock.advance(20)

    assert not remembered.recall(token, "mcp")
    issuer.clock.advance(31)
    with pytest.raises(UnauthenticatedError):
        await remembered(token, "mcp")


async def test_a_token_that_lives_on_leeway_is_not_remembered(
    remembered: RememberedVerifier, issuer: FakeIssuer
) -> None:
    token = issuer.token(exp=issuer.clock.timestamp() - 5)
    await remembered(token, "mcp")

    assert not remembered.recall(token, "mcp")


async def test_a_refusal_is_never_remembered(
    remembered: RememberedVerifier, counting: CountingVerifier, issuer: FakeIssuer
) -> None:
    token = issuer.token(nbf=issuer.clock.timestamp() + 40)
    for _ in range(2):
        with pytest.raises(UnauthenticatedError):
            await remembered(token, "mcp")
    assert counting.asked == 2
    issuer.clock.advance(10)

    assert (await remembered(token, "mcp")).subject == "user-1"


async def test_a_verdict_counts_on_its_own_surface_only(
    remembered: RememberedVerifier, issuer: FakeIssuer
) -> None:
    token = issuer.token()
    await remembered(token, "mcp")

    assert not remembered.recall(token, "v1")
    with pytest.raises(UnauthenticatedError):
        await remembered(token, "v1")


async def test_verdicts_are_forgotten_when_the_keys_change(
    remembered: RememberedVerifier, keys: KeyRing, issuer: FakeIssuer
) -> None:
    token = issuer.token(key=RSA)
    await remembered(token, "mcp")
    issuer.keys = [EC]
    issuer.clock.advance(10)
    with pytest.raises(UnauthenticatedError):
        await keys.find("unknown", "ES256")

    assert not remembered.recall(token, "mcp")
    with pytest.raises(UnauthenticatedError):
        await remembered(token, "mcp")


async def test_a_look_that_finds_the_same_keys_forgets_nothing(
    remembered: RememberedVerifier, keys: KeyRing, issuer: FakeIssuer
) -> None:
    token = issuer.token()
    await remembered(token, "mcp")
    issuer.clock.advance(10)
    with pytest.raises(UnauthenticatedError):
        await keys.find("unknown", "ES256")

    assert remembered.recall(token, "mcp")


async def test_the_oldest_verdict_makes_room(
    remembered: RememberedVerifier, issuer: FakeIssuer
) -> None:
    tokens = [issuer.token(jti=str(number)) for number in range(4)]
    for token in tokens:
        await remembered(token, "mcp")

    kept = [remembered.recall(token, "mcp") is not None for token in tokens]
    assert kept == [False, True, True, True]


async def test_the_token_itself_is_not_kept(
    remembered: RememberedVerifier, issuer: FakeIssuer
) -> None:
    token = issuer.token()
    await remembered(token, "mcp")

    assert token not in repr(vars(remembered))
    assert token.rpartition(".")[2] not in repr(vars(remembered))


async def test_a_token_of_any_characters_is_only_refused(remembered: RememberedVerifier) -> None:
    assert not remembered.recall("\udcff", "mcp")
    with pytest.raises(UnauthenticatedError):
        await remembered("\udcff", "mcp")
