"""How much a client has to read of `tools/list`."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import msgspec

from adapters.v1.catalogue import V1Catalogue
from application.access.system import system_grant
from application.mcp.ports import Context
from application.mcp.streams import Reply
from domain.access.audit import Origin
from domain.access.grant import Environment, Tenant
from domain.texts import DEFAULT_LANGUAGE
from entrypoints.container import Container
from entrypoints.settings import Settings

BYTES_PER_TOKEN: Final = 4
"""A rule of thumb for English and JSON; each model counts in its own way."""

_NO_DATABASE: Final = "postgresql://127.0.0.1/none"
_REQUEST: Final = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
_NOBODY: Final = Tenant(
    id="org_00000000000000000000000000",
    name="",
    environment=Environment.SANDBOX,
    timezone="America/Sao_Paulo",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """So many definitions, and the bytes of their JSON."""

    tools: int
    bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Weight:
    """The body of one answer: `whole`, and the definitions in it by toolset."""

    whole: Part
    toolsets: Mapping[str, Part]

    @property
    def envelope(self) -> int:
        """Bytes that are no definition: commas, and the frame of the message."""
        return self.whole.bytes - sum(part.bytes for part in self.toolsets.values())


async def weigh(settings: Settings) -> Weight:
    """Ask the server as somebody who may do everything; needs no database."""
    # A pool connects when it is first used, and a list is no use.
    container = Container(settings=replace(settings, database_url=_NO_DATABASE))
    origin = Origin(request_id="req_00000000000000000000000000", via="mcp")
    reply = await container.mcp_server().handle(
        msgspec.json.encode(_REQUEST),
        (),
        "",
        system_grant(_NOBODY, "tools"),
        Context(origin=origin, language=DEFAULT_LANGUAGE),
    )
    assert isinstance(reply, Reply)  # noqa: S101 -- a list is one message
    toolsets = _toolsets(container.catalogue())
    tools = sum(part.tools for part in toolsets.values())
    return Weight(whole=Part(tools=tools, bytes=len(reply.body or b"")), toolsets=toolsets)


def _toolsets(catalogue: V1Catalogue) -> dict[str, Part]:
    sizes: dict[str, list[int]] = {toolset: [] for toolset in sorted(catalogue.toolsets)}
    for info in catalogue.infos:
        sizes[info.toolset].append(len(bytes(catalogue.tool_definition(info.name))))
    return {name: Part(tools=len(those), bytes=sum(those)) for name, those in sizes.items()}
