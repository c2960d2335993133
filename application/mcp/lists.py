"""The lists: of tools, resources, templates and prompts, each on one page."""

from collections.abc import Iterable
from typing import Final, Generic

from application.mcp.admission import refuse_admission
from application.mcp.cleaning import clean
from application.mcp.errors import invalid_params
from application.mcp.exchange import Exchange, Handler, Services, there
from application.mcp.outcomes import Complete, Outcome, Refused
from application.mcp.ports import CallerT, Named
from application.mcp.results import decoration

_REMEMBERED_SURFACES: Final = 128


def list_tools(services: Services[CallerT], revision: str) -> Handler[CallerT]:
    """Every tool that the caller may run."""
    return _List(services, revision, "tools", services.catalogue)


def list_resources(services: Services[CallerT], revision: str) -> Handler[CallerT]:
    """Every document of a fixed address that the caller may read."""
    return _List(services, revision, "resources", there(services.shelf).resources)


def list_templates(services: Services[CallerT], revision: str) -> Handler[CallerT]:
    """Every pattern of addresses under which the caller may read."""
    return _List(services, revision, "resourceTemplates", there(services.shelf).templates)


def list_prompts(services: Services[CallerT], revision: str) -> Handler[CallerT]:
    """Every script that the caller may use."""
    return _List(services, revision, "prompts", there(services.scripts))


class _List(Generic[CallerT]):
    """Lists are remembered by what they depend on, and by nothing of who asked."""

    def __init__(
        self, services: Services[CallerT], revision: str, member: str, things: Named[CallerT]
    ) -> None:
        self._things = things
        self._limits = services.limits
        self._leading = f'{{"{member}":['.encode()
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
        visible = self._things.visible(exchange.caller, exchange.selection)
        surface = (visible, self._things.variant(exchange.caller))
        listed = self._remembered.pop(surface, None)
        if listed is None:
            listed = self._encoded(self._things.definitions(visible, exchange.caller))
            if len(self._remembered) >= _REMEMBERED_SURFACES:
                del self._remembered[next(iter(self._remembered))]
        self._remembered[surface] = listed
        return listed

    def _encoded(self, definitions: Iterable[bytes]) -> Complete:
        things = clean(b",".join(definitions).decode()).encode()
        return Complete((b"".join((self._leading, things, b"]", self._trailing, b"}")),))
