"""The tools of the fixture as the engine meets them: everybody has them all."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from application.mcp.mirrored import mirrored_params
from application.mcp.ports import Context, Given, Tool
from application.mcp.rounds import NeedsInput, Rounds
from domain.access.grant import Grant
from domain.access.policy import Selection
from tests.conformance.content import text

Run = Callable[[Mapping[str, Any], Rounds], Awaitable[Given | NeedsInput]]

NO_ARGUMENTS: Final[Mapping[str, Any]] = {"type": "object", "properties": {}}


@dataclass(frozen=True, slots=True, kw_only=True)
class FixtureTool:
    """One tool that the suite asks for by its name."""

    name: str
    description: str
    run: Run
    schema: Mapping[str, Any] = field(default_factory=lambda: NO_ARGUMENTS)


def said(words: str) -> Given:
    """A result of one text."""
    return Given(content=(text(words),))


class Named:
    """Named things that everybody sees, in the order in which they were given."""

    def __init__(self, definitions: Mapping[str, Mapping[str, Any]]) -> None:
        self._definitions = definitions

    def visible(self, _caller: Grant, _selection: Selection) -> frozenset[str]:
        return frozenset(self._definitions)

    def variant(self, _caller: Grant) -> str:
        return ""

    def definitions(self, _visible: frozenset[str], _caller: Grant) -> Iterable[bytes]:
        return (msgspec.json.encode(one) for one in self._definitions.values())


class Toolbox(Named):
    """The catalogue."""

    toolsets: frozenset[str] = frozenset()

    def __init__(self, tools: Iterable[FixtureTool]) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._found = {
            name: Tool(rate_class="read", mirrored=mirrored_params(tool.schema))
            for name, tool in self._tools.items()
        }
        super().__init__({name: _definition(tool) for name, tool in self._tools.items()})

    def find(self, name: str, _caller: Grant, _selection: Selection) -> Tool | None:
        return self._found.get(name)

    def identity(self, caller: Grant) -> tuple[str, ...]:
        return caller.actor.issuer, caller.actor.subject

    async def call(
        self,
        name: str,
        _caller: Grant,
        arguments: Mapping[str, Any],
        _context: Context,
        rounds: Rounds,
    ) -> Given | NeedsInput:
        return await self._tools[name].run(arguments, rounds)


def _definition(tool: FixtureTool) -> Mapping[str, Any]:
    return {
        "name": tool.name,
        "description": tool.description,
        "inputSchema": tool.schema,
        "annotations": {"readOnlyHint": True},
    }
