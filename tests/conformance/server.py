"""The fixture server: the engine behind the HTTP door, with everything switched on.

Only tests reach this profile: no setting of the service names it, so no deployment can.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final

from adapters.http.mcp import McpEndpoint
from application.mcp.exchange import Services
from application.mcp.open_streams import OpenStreams
from application.mcp.profile import ServerProfile
from application.mcp.server import McpServer
from domain.access.grant import Grant
from entrypoints.app import Service
from entrypoints.cli.listening import bound_socket, server_of
from entrypoints.container import Container
from entrypoints.logs import note_tool_failure
from entrypoints.resources import protected_resources
from entrypoints.settings import Settings
from tests.budgets.real import OpenGate
from tests.conformance.asking_tools import ASKING_TOOLS
from tests.conformance.named import FixtureCompleter, FixtureScripts, FixtureShelf
from tests.conformance.plain_tools import PLAIN_TOOLS
from tests.conformance.toolbox import Toolbox

_REVISIONS: Final = ("2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26")
_HOST: Final = "127.0.0.1"

PROFILE: Final = ServerProfile(
    server_info={"name": "conformance-fixture", "version": "1.0.0"},
    instructions="Fixtures of the public conformance suite.",
    modern=_REVISIONS[:1],
    legacy=_REVISIONS[1:],
    discovered=_REVISIONS,
    initialize_default="2025-11-25",
    modern_capabilities={
        "tools": {},
        "resources": {},
        "prompts": {},
        "completions": {},
        "logging": {},
    },
    legacy_capabilities={
        "tools": {"listChanged": False},
        "resources": {"subscribe": True, "listChanged": False},
        "prompts": {"listChanged": False},
        "completions": {},
        "logging": {},
    },
    streams=True,
    strict_mcp_name=True,
)


@asynccontextmanager
async def serving() -> AsyncGenerator[str]:
    """The address of the server while the block runs, on a port that was free."""
    with bound_socket(_HOST, 0) as listening:
        origin = f"http://{_HOST}:{listening.getsockname()[1]}"
        streams = OpenStreams()
        server = server_of(_app(origin, streams), deadline=0)
        ended = asyncio.create_task(server.serve(sockets=[listening]))
        await server.listens.wait()
        try:
            yield f"{origin}/mcp"
        finally:
            streams.close()
            server.should_exit = True
            await ended


def _app(origin: str, streams: OpenStreams) -> Service:
    settings = Settings(public_url=origin, rate_read=0, rate_write=0, rate_destructive=0)
    container = Container(settings=settings, gate=OpenGate())
    endpoint = McpEndpoint(
        edge=container.edge(),
        server=_server(container, streams),
        resource=protected_resources(settings)[0],
    )
    return Service(
        {"/mcp": endpoint, "/mcp/": endpoint},
        route_handlers=[],
        openapi_config=None,
        logging_config=None,
    )


def _server(container: Container, streams: OpenStreams) -> McpServer[Grant]:
    services = Services(
        profile=PROFILE,
        catalogue=Toolbox((*PLAIN_TOOLS, *ASKING_TOOLS)),
        limits=container.callers(),
        seal=container.state_seal(),
        clock=container.clock(),
        shelf=FixtureShelf(),
        scripts=FixtureScripts(),
        completer=FixtureCompleter(),
        open_streams=streams,
    )
    return McpServer(services, note_tool_failure)
