"""`tools/call`."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Generic

from application.mcp.admission import refuse_admission, unavailable
from application.mcp.asking import Asking, Brought, asked
from application.mcp.bounding import as_text
from application.mcp.errors import insufficient_scope
from application.mcp.exchange import Exchange, Handler, Services
from application.mcp.mirrored import find_mismatch
from application.mcp.named_call import NamedCall, read_named_call
from application.mcp.outcomes import Complete, Outcome, Refused
from application.mcp.ports import Answer, CallerT, Context, Given, Tool
from application.mcp.results import closed, decoration, encode, text_result
from application.mcp.revisions import REVISIONS, STRUCTURED
from application.mcp.rounds import CallRefusedError, NeedsInput
from application.operations.refusals import error_body
from domain.errors import DomainError, PermissionDeniedError, ScopeMissingError, UnavailableError

_CALL: Final = "tools/call"


def call_tool(services: Services[CallerT], revision: str) -> Handler[CallerT]:
    """Run one tool."""
    return _CallTool(services, revision)


class _CallTool(Generic[CallerT]):
    def __init__(self, services: Services[CallerT], revision: str) -> None:
        self._profile = services.profile
        self._catalogue = services.catalogue
        self._limits = services.limits
        self._decoration = decoration(services.profile, revision)
        self._asking = Asking(services, revision, _CALL)
        self._carries_structure = revision in STRUCTURED
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
        call = read_named_call(exchange.params)
        if isinstance(call, Refused):
            return call
        brought = self._asking.read(exchange.params)
        if isinstance(brought, Refused):
            return brought
        return self._refuse(call, tool, exchange) or await self._run(call, brought, exchange)

    def _refuse(
        self, call: NamedCall, tool: Tool | None, exchange: Exchange[CallerT]
    ) -> Refused | None:
        if tool is None:
            return Refused(self._profile.unknown_tool_error(call.name))
        headers = exchange.headers
        if tool.mirrored and self._is_modern and headers is not None:
            mismatch = find_mismatch(tool.mirrored, call.arguments, headers)
            if mismatch is not None:
                return Refused(self._profile.mismatch_error(mismatch.sent, mismatch.reason))
        return None

    async def _run(self, call: NamedCall, brought: Brought, exchange: Exchange[CallerT]) -> Outcome:
        rounds = self._asking.rounds(call.name, brought, exchange)
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
        if isinstance(answer, Given):
            return self._blocks(answer)
        return text_result(as_text(_document(answer)), self._decoration.plain)

    def _blocks(self, given: Given) -> Complete:
        members: dict[str, object] = {"content": self._known(given.content)}
        if given.is_error:
            members["isError"] = True
        elif given.structured is not None and self._carries_structure:
            members["structuredContent"] = given.structured
        return closed(members, self._decoration.plain)

    def _known(self, blocks: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
        """Links to resources came with the revision that brought structured results."""
        if self._carries_structure:
            return blocks
        return [block for block in blocks if block["type"] != "resource_link"]

    def _refusal(
        self, refusal: DomainError, call: NamedCall, exchange: Exchange[CallerT]
    ) -> Outcome:
        if isinstance(refusal, ScopeMissingError):
            return Refused(insufficient_scope(refusal.scopes), refusal=refusal)
        if isinstance(refusal, PermissionDeniedError):
            return Refused(self._profile.unknown_tool_error(call.name))
        if isinstance(refusal, UnavailableError):
            return unavailable(refusal)
        text = _refusal_text(refusal, exchange.context)
        return text_result(text, self._decoration.plain, is_error=True)


def _document(answer: Answer) -> bytes:
    return answer.body or encode({"status": answer.status})


def _refusal_text(refusal: DomainError, context: Context) -> bytes:
    return as_text(encode(error_body(refusal, context.language, context.origin.request_id)))
