"""One request on its way through a method, and what every method of a server may use."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec

from application.mcp.headers import RawHeaders
from application.mcp.open_streams import OpenStreams
from application.mcp.outcomes import Outcome
from application.mcp.ports import CallerT, Catalogue, Completer, Context, Limits, Scripts, Shelf
from application.mcp.profile import ServerProfile
from application.mcp.reports import SILENT, Reports
from domain.access.policy import Selection
from domain.ports.clocks import SystemClock
from domain.ports.sealing import Seal


@dataclass(frozen=True, slots=True, kw_only=True)
class Services(Generic[CallerT]):
    """What a server is made of."""

    profile: ServerProfile
    catalogue: Catalogue[CallerT]
    limits: Limits[CallerT]
    seal: Seal
    clock: SystemClock
    shelf: Shelf[CallerT] | None = None
    scripts: Scripts[CallerT] | None = None
    completer: Completer[CallerT] | None = None
    open_streams: OpenStreams | None = None


class Exchange(msgspec.Struct, Generic[CallerT], frozen=True):
    """One request that passed the ladder; `headers` are None on a connection without any."""

    params: dict[str, Any]
    headers: RawHeaders | None
    caller: CallerT
    selection: Selection
    context: Context
    reports: Reports = SILENT


Handler = Callable[[Exchange[CallerT]], Awaitable[Outcome]]

T = TypeVar("T")


def there(service: T | None) -> T:
    """What a declared feature needs. Raises ValueError, at start-up, where it was not given."""
    if service is None:
        raise ValueError("capabilities, streams: something is on that nothing stands behind")
    return service
