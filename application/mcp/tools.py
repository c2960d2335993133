"""`tools/list` and `tools/call`."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, Generic

import msgspec

from application.mcp.admission import refuse_admission, retry_after
from application.mcp.asking import asked
from application.mcp.bounding import as_text
from application.mcp.cleaning import clean
from application.mcp.errors import UNAVAILABLE, RpcError, insufficient_scope, invalid_params
from application.mcp.exchange import Exchange, Handler, Services
from application.mcp.mirrored import find_mismatch
from application.mcp.outcomes import Complete, Outcome, Refused
from application.mcp.ports import Answer, CallerT, Context, Tool
from application.mcp.results import decoration, encode, text_result
from application.mcp.revisions import REVISIONS
from application.mcp.rounds import Binding, CallRefusedError, NeedsInput, Rounds
from application.operations.refusals import error_body
from domain.errors import DomainError, PermissionDeniedError, ScopeMissingError, UnavailableError

_REMEMBERED_SURFACES: Final = 128
_CALL: Final = "tools/call"


def list_tools(services: Services[CallerT], revision: str) -> Handler[CallerT]:
    """Every tool that the caller may run, on one page."""
    return _ListTools(services, revision)


def call_tool(services: Services[CallerT], revision: str) -> Handler[CallerT]:
    """Run one tool."""
    return _CallTool(services, revision)


class _ListTools(Generic[CallerT]):
    """Lists are remembered by what they depend on, and by nothing of who asked."""

    def __init__(self, services: Services[CallerT], revision: str) -> None:
        self._catalogue = services.catalogue
        self._limits = services.limits
        self._trailing = decoration(services.profile, revision).cacheable
        self._remembered: dict[tuple[frozenset[str], str], Complete] = {}

    async def __call__(self, exchange: Exchange[CallerT]) -> Outcome:
        refused = await refuse_admission(self._limits, exchange, "read")
        if refused is not None:
            return refused
        if exchange.params.get("cursor") is not None:
            return Refused(invalid_params("cursor: the list has one page"))
        return self._listed(exchange)

    def _listed(self, exchange: Exchange[CallerT]) -> Complete:
        visible = self._catalogue.visible(exchange.caller, exchange.selection)
        surface = (visible, self._catalogue.variant(exchange.caller))
        listed = self._remembered.pop(surface, None)
        if listed is None:
            definitions = self._catalogue.definitions(visible, exchange.caller)
            listed = self._encoded(definitions)
            if len(self._remembered) >= _REMEMBERED_SURFACES:
                del self._remembered[next(iter(self._remembered))]
        self._remembered[surface] = listed
        return listed

    def _encoded(self, definitions: Iterable[bytes]) -> Complete:
        tools = clean(b",".join(definitions).decode()).encode()
        return Complete((b'{"tools":[' + tools + b"]" + self._trailing + b"}",))


class _Call(msgspec.Struct, frozen=True):
    """The parameters of a call, with the tool that they name."""

    name: str
    arguments: dict[str, Any]


class _Round(msgspec.Struct, frozen=True):
    """What a retry brings of the round before."""

    state: str | None = None
    answers: dict[str, Any] = {}


_FIRST_ROUND: Final = _Round()


class _CallTool(Generic[CallerT]):
    def __init__(self, services: Services[CallerT], revision: str) -> None:
        self._profile = services.profile
        self._catalogue = services.catalogue
        self._limits = services.limits
        self._decoration = decoration(services.profile, revision)
        self._server = str(services.profile.server_info["name"])
        self._seal, self._clock = services.seal, services.clock
        self._is_modern = REVISIONS[revision] == "modern"

    async def __call__(self, exchange: Exchange[CallerT]) -> Outcome:
        name = exchange.params.get("name")
        tool = None
        if isinstance(name, str):
            tool = self._catalogue.find(name, exchange.caller, exchange.selection)
        # A name that is nobody's costs a read, or asking for names would be free.
        rate_class = "read" if tool is None else tool.rate_class
        refused = await refuse_admission(self._limits, exchange, rate_class)
        if refused is not None:
            return refused
        call = _read_call(exchange.params)
        if isinstance(call, Refused):
            return call
        # Clients before the modern era are never asked in band, whatever they send.
        round_ = _read_round(exchange.params) if self._is_modern else _FIRST_ROUND
        if isinstance(round_, Refused):
            return round_
        return self._refuse(call, tool, exchange) or await self._run(call, round_, exchange)

    def _refuse(
        self, call: _Call, tool: Tool | None, exchange: Exchange[CallerT]
    ) -> Refused | None:
        if tool is None:
            return Refused(self._profile.unknown_tool_error(call.name))
        if tool.mirrored and self._is_modern:
            mismatch = find_mismatch(tool.mirrored, call.arguments, exchange.headers)
            if mismatch is not None:
                return Refused(self._profile.mismatch_error(mismatch.sent, mismatch.reason))
        return None

    async def _run(self, call: _Call, round_: _Round, exchange: Exchange[CallerT]) -> Outcome:
        rounds = self._rounds(call, round_, exchange)
        try:
            answer = await self._catalogue.call(
                call.name, exchange.caller, call.arguments, exchange.context, rounds
            )
        except CallRefusedError as refused:
            return Refused(refused.error)
        except DomainError as refusal:
            return self._refusal(refusal, call, exchange)
        if isinstance(answer, NeedsInput):
            return asked(answer, rounds, self._decoration)
        return text_result(as_text(_document(answer)), self._decoration.plain)

    def _refusal(self, refusal: DomainError, call: _Call, exchange: Exchange[CallerT]) -> Outcome:
        if isinstance(refusal, ScopeMissingError):
            return Refused(insufficient_scope(refusal.scopes), scopes=refusal.scopes)
        if isinstance(refusal, PermissionDeniedError):
            return Refused(self._profile.unknown_tool_error(call.name))
        if isinstance(refusal, UnavailableError):
            return _unavailable(refusal)
        text = _refusal_text(refusal, exchange.context)
        return text_result(text, self._decoration.plain, is_error=True)

    def _rounds(self, call: _Call, round_: _Round, exchange: Exchange[CallerT]) -> Rounds:
        caller = self._catalogue.identity(exchange.caller)
        return Rounds(
            seal=self._seal,
            clock=self._clock,
            binding=Binding(self._server, _CALL, call.name, caller),
            meta=exchange.params["_meta"] if self._is_modern else {},
            sent_state=round_.state,
            sent_answers=round_.answers,
        )


def _read_call(params: Mapping[str, Any]) -> _Call | Refused:
    name = params.get("name")
    if not isinstance(name, str):
        return Refused(invalid_params("name must be a string"))
    arguments = params.get("arguments")
    if arguments is None:
        arguments = {}
    if not isinstance(arguments, dict):
        return Refused(invalid_params("arguments must be an object"))
    return _Call(name, arguments)


def _read_round(params: Mapping[str, Any]) -> _Round | Refused:
    state = params.get("requestState")
    if state is not None and not isinstance(state, str):
        return Refused(invalid_params("requestState must be a string"))
    answers = params.get("inputResponses")
    if answers is not None and not isinstance(answers, dict):
        return Refused(invalid_params("inputResponses must be an object"))
    return _Round(state, answers or {})


def _document(answer: Answer) -> bytes:
    return answer.body or encode({"status": answer.status})


def _refusal_text(refusal: DomainError, context: Context) -> bytes:
    return as_text(encode(error_body(refusal, context.language, context.origin.request_id)))


def _unavailable(refusal: UnavailableError) -> Refused:
    error = RpcError(UNAVAILABLE, "Service unavailable")
    return Refused(error, (retry_after(refusal.retry_after),))
