"""`prompts/get`: a script with its arguments filled in."""

from typing import Final, Generic

from application.mcp.admission import refuse_admission
from application.mcp.asking import Asking, Brought, asked
from application.mcp.errors import INVALID_PARAMS, RpcError, echo
from application.mcp.exchange import Exchange, Handler, Services, there
from application.mcp.named_call import NamedCall, read_named_call
from application.mcp.outcomes import Outcome, Refused
from application.mcp.ports import CallerT, Visit
from application.mcp.refusals import refused_as
from application.mcp.results import closed, decoration
from application.mcp.rounds import CallRefusedError, NeedsInput
from domain.errors import DomainError, PermissionDeniedError

_GET: Final = "prompts/get"


def get_prompt(services: Services[CallerT], revision: str) -> Handler[CallerT]:
    """Fill one in."""
    return _Get(services, revision)


class _Get(Generic[CallerT]):
    def __init__(self, services: Services[CallerT], revision: str) -> None:
        self._scripts = there(services.scripts)
        self._limits = services.limits
        self._decoration = decoration(services.profile, revision)
        self._asking = Asking(services, revision, _GET)

    async def __call__(self, exchange: Exchange[CallerT]) -> Outcome:
        refused = await refuse_admission(self._limits, exchange, "read")
        if refused is not None:
            return refused
        wanted = read_named_call(exchange.params)
        if isinstance(wanted, Refused):
            return wanted
        brought = self._asking.read(exchange.params)
        if isinstance(brought, Refused):
            return brought
        return await self._get(wanted, brought, exchange)

    async def _get(
        self, wanted: NamedCall, brought: Brought, exchange: Exchange[CallerT]
    ) -> Outcome:
        rounds = self._asking.rounds(wanted.name, brought, exchange)
        visit = Visit(exchange.caller, exchange.selection, exchange.context, rounds)
        try:
            script = await self._scripts.get(wanted.name, wanted.arguments, visit)
        except CallRefusedError as refused:
            return Refused(refused.error)
        except PermissionDeniedError:
            script = None
        except DomainError as refusal:
            return refused_as(refusal)
        if script is None:
            return Refused(RpcError(INVALID_PARAMS, f"Unknown prompt: {echo(wanted.name)}"))
        if isinstance(script, NeedsInput):
            return asked(script, rounds, self._decoration)
        members = {"description": script.description, "messages": script.messages}
        return closed(members, self._decoration.plain)
