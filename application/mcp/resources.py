"""`resources/read`: what is under an address."""

import base64
from typing import Final, Generic

from application.mcp.admission import refuse_admission
from application.mcp.asking import Asking, Brought, asked
from application.mcp.errors import invalid_params, resource_not_found
from application.mcp.exchange import Exchange, Handler, Services, there
from application.mcp.outcomes import Outcome, Refused
from application.mcp.ports import CallerT, Contents, Visit
from application.mcp.refusals import refused_as
from application.mcp.results import closed, decoration
from application.mcp.revisions import REVISIONS
from application.mcp.rounds import CallRefusedError, NeedsInput
from domain.errors import DomainError, NotFoundError, PermissionDeniedError, ValidationError

_READ: Final = "resources/read"


def read_resource(services: Services[CallerT], revision: str) -> Handler[CallerT]:
    """Read one."""
    return _Read(services, revision)


class _Read(Generic[CallerT]):
    def __init__(self, services: Services[CallerT], revision: str) -> None:
        self._shelf = there(services.shelf)
        self._limits = services.limits
        self._decoration = decoration(services.profile, revision)
        self._asking = Asking(services, revision, _READ)
        self._era = REVISIONS[revision]

    async def __call__(self, exchange: Exchange[CallerT]) -> Outcome:
        refused = await refuse_admission(self._limits, exchange, "read")
        if refused is not None:
            return refused
        uri = exchange.params.get("uri")
        if not isinstance(uri, str):
            return Refused(invalid_params("uri must be a string"))
        brought = self._asking.read(exchange.params)
        if isinstance(brought, Refused):
            return brought
        return await self._read(uri, brought, exchange)

    async def _read(self, uri: str, brought: Brought, exchange: Exchange[CallerT]) -> Outcome:
        rounds = self._asking.rounds(uri, brought, exchange)
        visit = Visit(exchange.caller, exchange.selection, exchange.context, rounds)
        try:
            found = await self._shelf.read(uri, visit)
        except CallRefusedError as refused:
            return Refused(refused.error)
        except (NotFoundError, PermissionDeniedError, ValidationError):
            # Whether it is hidden, foreign, or written wrongly is nothing to tell.
            found = None
        except DomainError as refusal:
            return refused_as(refusal)
        if found is None:
            return Refused(resource_not_found(uri, self._era))
        if isinstance(found, NeedsInput):
            return asked(found, rounds, self._decoration)
        members = {"contents": [_wire(one) for one in found]}
        return closed(members, self._decoration.cacheable)


def _wire(contents: Contents) -> dict[str, object]:
    wire: dict[str, object] = {"uri": contents.uri, "mimeType": contents.mime_type}
    if contents.blob is not None:
        return {**wire, "blob": base64.b64encode(contents.blob).decode()}
    return {**wire, "text": contents.text or ""}
