"""Remembers for a short while which tokens were good; never the tokens, never a refusal."""

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from domain.access.principal import Principal
from domain.ports.clocks import SystemClock
from domain.ports.tokens import VerifyToken


@dataclass(frozen=True, slots=True)
class _Verdict:
    principal: Principal
    until: datetime
    key_version: int


class RememberedVerifier:
    """Keeps at most `capacity` verdicts, each until the token's `exp`, `longest` at the most.

    `key_version` grows when the issuer's keys change; what was verified before is then forgotten.
    """

    def __init__(
        self,
        inner: VerifyToken,
        clock: SystemClock,
        key_version: Callable[[], int],
        *,
        longest: timedelta = timedelta(seconds=60),
        capacity: int = 10_000,
    ) -> None:
        self._inner = inner
        self._clock = clock
        self._key_version = key_version
        self._longest = longest
        self._capacity = capacity
        self._verdicts: OrderedDict[tuple[str, bytes], _Verdict] = OrderedDict()

    async def __call__(self, token: str, surface: str, /) -> Principal:
        """The principal of `token` on `surface`; raises what the inner verifier raises."""
        known = self.recall(token, surface)
        if known is not None:
            return known
        principal = await self._inner(token, surface)
        self._keep((surface, _digest(token)), principal)
        return principal

    def recall(self, token: str, surface: str, /) -> Principal | None:
        """The principal of `token`, if the verdict on it still stands."""
        known = (surface, _digest(token))
        verdict = self._verdicts.get(known)
        if verdict is None:
            return None
        if verdict.until > self._clock.now() and verdict.key_version == self._key_version():
            return verdict.principal
        del self._verdicts[known]
        return None

    def _keep(self, known: tuple[str, bytes], principal: Principal) -> None:
        now = self._clock.now()
        left = principal.expires_at - now.timestamp()
        if left <= 0:
            return
        until = now + min(timedelta(seconds=left), self._longest)
        self._verdicts[known] = _Verdict(principal, until, self._key_version())
        while len(self._verdicts) > self._capacity:
            self._verdicts.popitem(last=False)


def _digest(token: str) -> bytes:
    return hashlib.blake2b(token.encode("utf-8", "surrogatepass"), digest_size=32).digest()
