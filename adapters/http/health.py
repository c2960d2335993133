"""Alive and ready: two questions. Alive asks nobody else; ready asks everything we depend on."""

from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias

from litestar.handlers import HTTPRouteHandler
from litestar.response import Response

Check: TypeAlias = Callable[[], Awaitable[bool]]


def health_handlers(checks: Mapping[str, Check]) -> list[HTTPRouteHandler]:
    """`/livez` and `/readyz`; a check that raises counts as not ready, without saying why."""

    async def live() -> Response[dict[str, str]]:
        return _answer(200, {"status": "ok"})

    async def ready() -> Response[dict[str, str]]:
        states = {name: await _passes(check) for name, check in checks.items()}
        body = {name: "ok" if passed else "failing" for name, passed in states.items()}
        return _answer(200 if all(states.values()) else 503, body)

    return [
        HTTPRouteHandler("/livez", http_method=["GET", "HEAD"])(live),
        HTTPRouteHandler("/readyz", http_method=["GET", "HEAD"])(ready),
    ]


async def _passes(check: Check) -> bool:
    try:
        return await check()
    except Exception:  # noqa: BLE001 -- whatever is wrong, we are not ready
        return False


def _answer(status: int, body: dict[str, str]) -> Response[dict[str, str]]:
    return Response(body, status_code=status, headers={"Cache-Control": "no-store"})
