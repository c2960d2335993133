"""`completion/complete`: what an argument of a prompt or a template may be."""

from collections.abc import Mapping
from typing import Any, Final, Generic

from application.mcp.admission import refuse_admission
from application.mcp.asking import Asking, Brought
from application.mcp.errors import RpcError, invalid_params
from application.mcp.exchange import Exchange, Handler, Services, there
from application.mcp.outcomes import Outcome, Refused
from application.mcp.ports import CallerT, Reference, Suggestions, Visit, Wanted
from application.mcp.refusals import refused_as
from application.mcp.results import closed, decoration
from domain.errors import DomainError

MOST_VALUES: Final = 100
"""Of the schema; servers may give fewer."""

_COMPLETE: Final = "completion/complete"


def complete(services: Services[CallerT], revision: str) -> Handler[CallerT]:
    """Suggest values."""
    return _Complete(services, revision)


class _Complete(Generic[CallerT]):
    def __init__(self, services: Services[CallerT], revision: str) -> None:
        self._completer = there(services.completer)
        self._limits = services.limits
        self._trailing = decoration(services.profile, revision).plain
        self._asking = Asking(services, revision, _COMPLETE)

    async def __call__(self, exchange: Exchange[CallerT]) -> Outcome:
        refused = await refuse_admission(self._limits, exchange, "read")
        if refused is not None:
            return refused
        wanted = _wanted(exchange.params)
        if isinstance(wanted, RpcError):
            return Refused(wanted)
        rounds = self._asking.rounds(wanted.argument, Brought(), exchange)
        visit = Visit(exchange.caller, exchange.selection, exchange.context, rounds)
        try:
            suggested = await self._completer.complete(wanted, visit)
        except DomainError as refusal:
            return refused_as(refusal)
        if suggested is None:
            return Refused(invalid_params("ref: no such prompt or template"))
        return closed({"completion": _wire(suggested)}, self._trailing)


def _wire(suggested: Suggestions) -> dict[str, object]:
    wire: dict[str, object] = {
        "values": suggested.values[:MOST_VALUES],
        "hasMore": suggested.has_more or len(suggested.values) > MOST_VALUES,
    }
    return wire if suggested.total is None else {**wire, "total": suggested.total}


def _wanted(params: Mapping[str, Any]) -> Wanted | RpcError:
    reference = _reference(params.get("ref"))
    if isinstance(reference, RpcError):
        return reference
    argument = params.get("argument")
    if not isinstance(argument, dict):
        return invalid_params("argument must be an object")
    name, value = argument.get("name"), argument.get("value")
    if not isinstance(name, str) or not isinstance(value, str):
        return invalid_params("argument.name and argument.value must be strings")
    context = params.get("context")
    given = context.get("arguments") if isinstance(context, dict) else None
    if not isinstance(given, dict):
        given = {}
    texts = {key: text for key, text in given.items() if isinstance(text, str)}
    return Wanted(reference=reference, argument=name, value=value, given=texts)


def _reference(ref: object) -> Reference | RpcError:
    if not isinstance(ref, dict):
        return invalid_params("ref must be an object")
    if ref.get("type") == "ref/prompt" and isinstance(ref.get("name"), str):
        return Reference(name=ref["name"])
    if ref.get("type") == "ref/resource" and isinstance(ref.get("uri"), str):
        return Reference(uri=ref["uri"])
    return invalid_params("ref must be a ref/prompt with a name or a ref/resource with a uri")
