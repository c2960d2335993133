"""One request on its way through a method, and what every method of a server may use."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Generic

import msgspec

from application.mcp.headers import RawHeaders
from application.mcp.outcomes import Outcome
from application.mcp.ports import CallerT, Catalogue, Context, Limits
from application.mcp.profile import ServerProfile
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


class Exchange(msgspec.Struct, Generic[CallerT], frozen=True):
    """One request that passed the ladder."""

    params: dict[str, Any]
    headers: RawHeaders
    caller: CallerT
    selection: Selection
    context: Context


Handler = Callable[[Exchange[CallerT]], Awaitable[Outcome]]
