"""`dunning serve`: the service on one address, until it is told to end."""

import socket
from typing import cast

import structlog
import uvloop

from adapters.persistence.database import unsafe_role
from adapters.persistence.migrations import migrations_pending
from entrypoints.app import build_app
from entrypoints.cli.connections import served_url, settings_from_environment
from entrypoints.cli.failures import CommandError, MisuseError, database_explained
from entrypoints.cli.listening import bound_socket, quiet_end, server_of
from entrypoints.container import Container
from entrypoints.logs import configure_logs
from entrypoints.settings import Settings


def serve() -> None:
    """Run the service on HOST and PORT until Ctrl-C or SIGTERM.

    Settings come from the environment; `dunning check-config` shows whether they are good. It does
    not start with settings that it refuses (exit code 2), as a database role that row-level
    security does not bind (2), or before `dunning migrate` has brought the schema to this version
    (1). Requests in work are finished before it ends. The log is one JSON object per line on
    standard error. Run several processes behind any balancer; they share nothing but the database.
    """
    settings = settings_from_environment()
    served_url(settings)
    listening = bound_socket(settings.host, settings.port)
    configure_logs()
    with listening:
        uvloop.run(_serve(settings, listening))


async def refuse_unfit_database(container: Container) -> None:
    """Refuse to run over this database.

    Raises:
        MisuseError: the role is not bound by row-level security.
        CommandError: the schema is another version's, or the database does not answer.
    """
    with database_explained("DATABASE_URL"):
        reason = await unsafe_role(container.engine())
        is_pending = await migrations_pending(container.engine())
    if reason is not None:
        raise MisuseError(
            f"DATABASE_URL: {reason}; connect as dunning_app, which `dunning database init` makes"
        )
    if is_pending:
        raise CommandError(
            "The database's schema is not the one of this version; run `dunning migrate` first"
        )


async def _serve(settings: Settings, listening: socket.socket) -> None:
    container = Container(settings=settings)
    try:
        await refuse_unfit_database(container)
        server = server_of(build_app(container), deadline=settings.deadline)
        log = cast("structlog.typing.FilteringBoundLogger", structlog.get_logger())
        host, port = listening.getsockname()[:2]
        log.info("listening", host=host, port=port)
        with quiet_end():
            await server.serve(sockets=[listening])
        log.info("ended")
    finally:
        await container.engine().dispose()
