"""The steps that come before anybody's request is read: address, flood guard, token, membership."""

from typing import Protocol

from adapters.http.addresses import flood_key
from adapters.http.bearer import token_of
from adapters.http.edge_errors import TwoTokensError
from adapters.http.messages import Incoming
from domain.access.grant import Grant
from domain.access.principal import Principal
from domain.errors import RateLimitedError, UnauthenticatedError, UnavailableError
from domain.ports.limits import Buckets
from domain.ports.tokens import VerifyToken


class Enter(Protocol):
    """Lets a verified principal into its organisation."""

    async def __call__(self, principal: Principal, /) -> Grant:
        """The grant, or a MembershipError."""
        ...


class Gate:
    """Turns a raw request into a Grant; the same for both doors.

    Two buckets per address keep a flood off the expensive steps: requests without a token, and
    tokens not seen before, whose unit is given back when the token turns out good. Ill-formed
    and ambiguous tokens count as the latter. Neither touches callers whose token is remembered.
    """

    def __init__(
        self, verify: VerifyToken, enter: Enter, buckets: Buckets, trusted_proxies: int
    ) -> None:
        self._verify = verify
        self._enter = enter
        self._buckets = buckets
        self._trusted_proxies = trusted_proxies

    async def admit(self, incoming: Incoming, surface: str) -> Grant:
        """The grant of the request's token; nothing else of the request is looked at.

        Raises:
            RateLimitedError: the address has sent too many without a token, or refused ones.
            TwoTokensError: two Authorization headers.
            UnauthenticatedError: no token, or one that does not count here.
            MembershipError: no active member of an active organisation.
            UnavailableError: the issuer or the database does not answer.
        """
        try:
            token = token_of(incoming.headers)
        except UnauthenticatedError as refused:
            if refused.reason is None:
                await self.count_anonymous(incoming)
            else:
                await self._take("unverified", self.address(incoming))
            raise
        except TwoTokensError:
            await self._take("unverified", self.address(incoming))
            raise
        principal = self._verify.recall(token, surface)
        if principal is None:
            principal = await self._first_sight(token, surface, self.address(incoming))
        grant = await self._enter(principal)
        incoming.is_admitted = True
        incoming.expires_at = principal.expires_at
        return grant

    async def count_anonymous(self, incoming: Incoming) -> None:
        """Count a request without a token. Raises RateLimitedError beyond the address's share."""
        await self._take("anonymous", self.address(incoming))

    async def _first_sight(self, token: str, surface: str, address: str) -> Principal:
        await self._take("unverified", address)
        try:
            principal = await self._verify(token, surface)
        except UnavailableError:
            await self._give_back("unverified", address)
            raise
        await self._give_back("unverified", address)
        return principal

    async def _take(self, bucket: str, address: str) -> None:
        allowance = await self._buckets.take(bucket, flood_key(address))
        if allowance.retry_after:
            raise RateLimitedError(allowance.retry_after)

    async def _give_back(self, bucket: str, address: str) -> None:
        await self._buckets.give_back(bucket, flood_key(address))

    def address(self, incoming: Incoming) -> str:
        """The caller's address: the peer's, or the hop that trusted proxies vouch for."""
        client = incoming.scope.get("client")
        peer: str = client[0] if client else ""
        if self._trusted_proxies == 0:
            return peer
        forwarded = ",".join(incoming.headers.all(b"x-forwarded-for"))
        hops = [hop.strip() for hop in forwarded.split(",") if hop.strip()]
        return hops[-self._trusted_proxies] if len(hops) >= self._trusted_proxies else peer
