"""The operations as an MCP server's tools: a thin layer, since both doors run the same objects."""

from collections.abc import Iterable, Mapping
from typing import Any

from adapters.v1.bound import BoundV1
from adapters.v1.catalogue import V1Catalogue
from adapters.v1.files import Files
from application.confirmation.confirm import Confirm
from application.mcp.ports import Context, Given, Tool
from application.mcp.rounds import NeedsInput, Rounds
from application.operations.request import Answer, Request
from application.operations.run import RunOperation
from domain.access.grant import Grant
from domain.access.policy import Selection
from domain.errors import PermissionDeniedError


class V1Tools:
    """What the protocol engine asks of the product."""

    def __init__(
        self, catalogue: V1Catalogue, run: RunOperation, confirm: Confirm, files: Files
    ) -> None:
        self._catalogue = catalogue
        self._run = run
        self._confirm = confirm
        self._files = files
        self._tools = {
            bound.operation.info.name: Tool(rate_class=bound.operation.info.rate_class)
            for bound in catalogue.bounds
        }

    @property
    def toolsets(self) -> frozenset[str]:
        """Names that the query of an address may select."""
        return self._catalogue.toolsets

    def visible(self, grant: Grant, selection: Selection, /) -> frozenset[str]:
        """Names of the tools that `grant` may run at an address with `selection`."""
        return self._catalogue.visible(grant, selection)

    def variant(self, grant: Grant, /) -> str:
        """What else the definitions depend on."""
        return self._catalogue.variant(grant)

    def definitions(self, visible: frozenset[str], _: Grant, /) -> Iterable[bytes]:
        """Definitions in the order of the list."""
        return (
            bytes(self._catalogue.tool_definition(info.name))
            for info in self._catalogue.infos
            if info.name in visible
        )

    def find(self, name: str, grant: Grant, selection: Selection, /) -> Tool | None:
        """The tool at this address, whoever asks: running it decides, so that refusals are noted.

        What this caller cannot run costs them a read, as a name that does not exist would.
        """
        bound = self._catalogue.find(name)
        if bound is None or not selection.shows(bound.operation.info):
            return None
        runs = name in self._catalogue.visible(grant, selection)
        return self._tools[name] if runs else _NOT_TO_BE_RUN

    def identity(self, grant: Grant, /) -> tuple[str, ...]:
        """Organisation, person and client: what is sealed for one is nobody else's."""
        actor = grant.actor
        return (grant.organization_id, actor.issuer, actor.subject, actor.client_id or "")

    async def call(
        self,
        name: str,
        grant: Grant,
        arguments: Mapping[str, Any],
        context: Context,
        rounds: Rounds,
        /,
    ) -> Answer | Given | NeedsInput:
        """Run a tool, a destructive one with a person's yes.

        Raises:
            DomainError: any refusal; nothing was changed.
            CallRefusedError: the client brings what is not of this call.
        """
        bound: BoundV1 | None = self._catalogue.find(name)
        if bound is None:
            raise PermissionDeniedError
        request = Request(raw=arguments, grant=grant, origin=context.origin)
        if bound.operation.info.destructive:
            return await self._confirm(bound, request, rounds)
        answer = await self._run(bound, request)
        if answer.file is None:
            return answer
        return self._files.described(bound, bound.read(arguments).values, answer, answer.file)


_NOT_TO_BE_RUN = Tool(rate_class="read")
