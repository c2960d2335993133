"""`subscriptions/listen`: a stream on which a client waits for changes (patterns/subscriptions)."""

from collections.abc import AsyncGenerator, Mapping
from typing import Final, Generic

from application.mcp.admission import refuse_admission
from application.mcp.errors import RequestId, invalid_params
from application.mcp.exchange import Exchange, Handler, Services, there
from application.mcp.outcomes import Listening, Outcome, Refused
from application.mcp.ports import CallerT
from application.mcp.profile import ServerProfile
from application.mcp.refusals import refused_as
from application.mcp.reports import notification
from application.mcp.results import encode, server_meta
from domain.errors import UnavailableError

_ID_KEY: Final = "io.modelcontextprotocol/subscriptionId"
_CHANGES: Final = {
    "toolsListChanged": "tools",
    "promptsListChanged": "prompts",
    "resourcesListChanged": "resources",
}


def listen(services: Services[CallerT], _revision: str) -> Handler[CallerT]:
    """Open a stream."""
    return _Listen(services)


class _Listen(Generic[CallerT]):
    def __init__(self, services: Services[CallerT]) -> None:
        self._streams = there(services.open_streams)
        self._limits = services.limits
        self._identity = services.catalogue.identity
        self._supported = _supported(services.profile)
        self._meta = server_meta(services.profile)

    async def __call__(self, exchange: Exchange[CallerT]) -> Outcome:
        refused = await refuse_admission(self._limits, exchange, "read", as_stream=True)
        if refused is not None:
            return refused
        wanted = exchange.params.get("notifications")
        if not isinstance(wanted, dict):
            return Refused(invalid_params("notifications must be an object"))
        caller = self._identity(exchange.caller)
        if self._streams.is_full(caller):
            return refused_as(UnavailableError())
        honoured = {name: True for name in self._supported if wanted.get(name) is True}
        until = exchange.context.until
        return Listening(lambda request_id: self._messages(request_id, honoured, caller, until))

    async def _messages(
        self,
        request_id: RequestId,
        honoured: Mapping[str, bool],
        caller: tuple[str, ...],
        until: float | None,
    ) -> AsyncGenerator[bytes]:
        meta = {_ID_KEY: request_id}
        with self._streams.one(caller):
            acknowledged = {"_meta": meta, "notifications": honoured}
            yield notification("notifications/subscriptions/acknowledged", acknowledged)
            await self._streams.end(until)
        result = {"resultType": "complete", "_meta": {**self._meta, **meta}}
        yield encode({"jsonrpc": "2.0", "id": request_id, "result": result})


def _supported(profile: ServerProfile) -> tuple[str, ...]:
    """The changes that the server has declared to tell of."""
    declared = profile.modern_capabilities
    return tuple(name for name, feature in _CHANGES.items() if _tells(declared.get(feature)))


def _tells(feature: object) -> bool:
    return isinstance(feature, dict) and feature.get("listChanged") is True
