"""Alive and ready: two questions. Alive asks nobody else; ready asks everything we depend on."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from litestar.handlers import HTTPRouteHandler
from litestar.response import Response

from domain.ports.clocks import SystemClock

Check: TypeAlias = Callable[[], Awaitable[bool]]
States: TypeAlias = Mapping[str, bool]

_REMEMBERED: Final = timedelta(seconds=1)
_LONGEST_CHECK: Final = 2.0


class Readiness:
    """Which checks pass: one round at a time, check after check, for everybody who asks.

    A check that raises, or takes longer than `longest` seconds, fails without saying why. Anybody
    may ask, so what was found is the answer for a second.
    """

    def __init__(
        self, checks: Mapping[str, Check], clock: SystemClock, longest: float = _LONGEST_CHECK
    ) -> None:
        self._checks = checks
        self._clock = clock
        self._longest = longest
        self._found: States = {}
        self._found_at: datetime | None = None
        self._round: asyncio.Task[States] | None = None

    async def states(self) -> States:
        """Each check by name, and whether it passes."""
        if self._round is None:
            if self._is_fresh():
                return self._found
            self._round = asyncio.create_task(self._ask())
        # Shielded: one who goes away must not take the answer from those who wait.
        return await asyncio.shield(self._round)

    def _is_fresh(self) -> bool:
        if self._found_at is None:
            return False
        # A clock that was set back must not make us wait for it to catch up.
        return timedelta() <= self._clock.now() - self._found_at < _REMEMBERED

    async def _ask(self) -> States:
        try:
            self._found = {name: await self._passes(check) for name, check in self._checks.items()}
            self._found_at = self._clock.now()
        finally:
            self._round = None
        return self._found

    async def _passes(self, check: Check) -> bool:
        try:
            async with asyncio.timeout(self._longest):
                return await check()
        except Exception:  # noqa: BLE001 -- whatever is wrong, we are not ready
            return False


def health_handlers(readiness: Readiness) -> list[HTTPRouteHandler]:
    """`/livez` and `/readyz`."""

    async def live() -> Response[dict[str, str]]:
        return _answer(200, {"status": "ok"})

    async def ready() -> Response[dict[str, str]]:
        states = await readiness.states()
        body = {name: "ok" if passed else "failing" for name, passed in states.items()}
        return _answer(200 if all(states.values()) else 503, body)

    return [
        HTTPRouteHandler("/livez", http_method=["GET", "HEAD"])(live),
        HTTPRouteHandler("/readyz", http_method=["GET", "HEAD"])(ready),
    ]


def _answer(status: int, body: dict[str, str]) -> Response[dict[str, str]]:
    return Response(body, status_code=status, headers={"Cache-Control": "no-store"})
