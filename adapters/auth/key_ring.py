"""The provider's keys, parsed once and kept; asked for anew seldom, and never twice at once."""

import asyncio
import logging
import math
from datetime import datetime, timedelta

import httpx
from joserfc.errors import InvalidKeyIdError
from joserfc.jwk import Key, KeySet

from adapters.auth.discovery import (
    IssuerConfigurationError,
    IssuerUnreachableError,
    published_keys,
)
from adapters.auth.settings import OidcSettings
from domain.errors import UnauthenticatedError, UnavailableError
from domain.ports.clocks import SystemClock

log = logging.getLogger(__name__)


class KeyRing:
    """Finds keys by id.

    Known keys never wait for the provider, and serve on while it is down. An unknown id looks at
    the provider again, but not within the cool-down of the last look, whatever came of it.
    """

    def __init__(self, settings: OidcSettings, http: httpx.AsyncClient, clock: SystemClock) -> None:
        self._settings = settings
        self._http = http
        self._clock = clock
        self._keys = KeySet([])
        self._version = 0
        self._looked_at: datetime | None = None
        self._problem: Exception | None = None
        self._look: asyncio.Task[None] | None = None

    @property
    def version(self) -> int:
        """Grows whenever the keys change."""
        return self._version

    async def find(self, kid: str | None, algorithm: str) -> Key:
        """The key with this id that may be used with `algorithm`.

        Without an id the only key there is.

        Raises:
            UnauthenticatedError: the provider has no such key.
            UnavailableError: the provider could not be asked.
        """
        key = self._known(kid, algorithm)
        if key is not None:
            if self._is_due(self._settings.key_max_age):
                _ = self._start_look()
            return key
        if await self._look_again() and (key := self._known(kid, algorithm)) is not None:
            return key
        if self._problem is not None:
            raise UnavailableError(self._retry_after())
        raise UnauthenticatedError("The token is signed with a key the issuer does not have.")

    async def check(self) -> None:
        """Prove that tokens can be verified, without asking the provider more than is allowed.

        Raises:
            IssuerConfigurationError: the provider is not the one that is configured.
            UnavailableError: no key is known and the provider does not answer.
        """
        if not self._keys:
            await self._look_again()
        if isinstance(self._problem, IssuerConfigurationError):
            raise self._problem
        if not self._keys and self._problem is not None:
            raise UnavailableError(self._retry_after())
        if not self._keys:
            raise IssuerConfigurationError(
                f"The issuer {self._settings.issuer!r} publishes no key that can verify a signature"
            )

    def _known(self, kid: str | None, algorithm: str) -> Key | None:
        try:
            return self._keys.get_by_kid(kid, {"alg": algorithm, "use": "sig"})
        except InvalidKeyIdError:
            return None

    async def _look_again(self) -> bool:
        if self._look is None and not self._is_due(self._settings.cool_down):
            return False
        # Shielded: a caller who goes away must not take the answer from those who wait.
        await asyncio.shield(self._start_look())
        return True

    def _is_due(self, pause: timedelta) -> bool:
        since = None if self._looked_at is None else self._clock.now() - self._looked_at
        # A clock that was set back must not make us wait for it to catch up.
        return since is None or since < timedelta() or since >= pause

    def _start_look(self) -> asyncio.Task[None]:
        if self._look is None:
            self._looked_at = self._clock.now()
            self._look = asyncio.create_task(self._renew())
        return self._look

    async def _renew(self) -> None:
        try:
            async with asyncio.timeout(self._settings.timeout.total_seconds()):
                keys = await published_keys(self._http, self._settings.issuer)
        except (IssuerUnreachableError, TimeoutError) as error:
            log.warning("The issuer's keys are not to be had: %r", error)
            self._problem = error
        except IssuerConfigurationError as error:
            log.error("%s", error)  # noqa: TRY400 - the sentence says it all
            self._problem = error
        else:
            self._keep(keys)
        finally:
            self._look = None

    def _keep(self, keys: KeySet) -> None:
        self._problem = None
        if keys != self._keys:
            self._keys = keys
            self._version += 1

    def _retry_after(self) -> int:
        now = self._clock.now()
        until = (self._looked_at or now) + self._settings.cool_down
        return max(1, math.ceil((until - now).total_seconds()))
