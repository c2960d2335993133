"""What the gate notes on a request that it lets in."""

import pytest

from adapters.http.buckets import InProcessBuckets
from adapters.http.gate import Gate
from adapters.http.messages import Headers, Incoming
from domain.access.grant import Grant
from domain.access.principal import Principal
from tests.builders import NOW, StoppedClock, a_creditor, a_grant

pytestmark = pytest.mark.anyio

GRANT = a_grant(a_creditor("Colégio Aurora"))
PRINCIPAL = Principal(
    issuer="https://issuer.example.com",
    subject="ana",
    client_id=None,
    organization=None,
    scopes=frozenset(),
    expires_at=NOW.timestamp() + 600,
)


class OneToken:
    """Knows every token already."""

    def recall(self, _token: str, _surface: str, /) -> Principal | None:
        return PRINCIPAL

    async def __call__(self, _token: str, _surface: str, /) -> Principal:
        return PRINCIPAL


async def enter(_principal: Principal) -> Grant:
    return GRANT


async def test_a_request_knows_when_the_token_that_it_came_with_ends() -> None:
    gate = Gate(OneToken(), enter, InProcessBuckets({}, StoppedClock()), trusted_proxies=0)
    incoming = Incoming({}, Headers([(b"authorization", b"Bearer a-token")]), "req_1")

    assert await gate.admit(incoming, "mcp") is GRANT
    assert incoming.is_admitted
    assert incoming.expires_at == PRINCIPAL.expires_at
