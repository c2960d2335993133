"""The web server beneath the service: its socket, its loop's settings, its log, its end."""

import asyncio
import logging
import signal
import socket
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType
from typing import Final, cast

import structlog
import uvicorn
from litestar import Litestar

from adapters.http.header_limit import HeaderLimitProtocol
from entrypoints.cli.failures import CommandError

# Longer than a request may take, so that none is cut off.
_GRACE_BEYOND_DEADLINE: Final = 5
_BACKLOG: Final = 2048
_PORTS_TRIED: Final = 50


class ForwardToLog(logging.Handler):
    """Libraries' warnings as lines of our log: who warned and where, never the text."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line; a log that cannot be written to fails nobody's work."""
        log = cast("structlog.typing.FilteringBoundLogger", structlog.get_logger())
        failure = record.exc_info[0] if record.exc_info else None
        try:
            log.warning(
                "library warning",
                logger=record.name,
                where=f"{record.module}:{record.lineno}",
                error=failure.__name__ if failure else None,
            )
        except (OSError, ValueError):
            self.handleError(record)


class ListeningServer(uvicorn.Server):
    """A uvicorn server that says when it listens."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listens = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the application, then listen."""
        await super().startup(sockets=sockets)
        self.listens.set()


def server_of(app: Litestar, *, deadline: int) -> ListeningServer:
    """A server for `app`; at its end requests have until their `deadline`, in seconds."""
    logging.basicConfig(level=logging.WARNING, handlers=[ForwardToLog()], force=True)
    config = uvicorn.Config(
        app,
        http=HeaderLimitProtocol,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        # Whom to believe about the caller's address is our own setting.
        proxy_headers=False,
        timeout_graceful_shutdown=deadline + _GRACE_BEYOND_DEADLINE,
    )
    return ListeningServer(config)


def bound_socket(host: str, port: int) -> socket.socket:
    """A socket that holds the address; port 0 is any that is free.

    Raises:
        CommandError: another program has it, or it is not this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except OSError as refused:
        raise CommandError(
            f"HOST, PORT: cannot listen on {host}:{port} ({refused.strerror}); "
            "stop what uses it, or set another"
        ) from None


def next_free_socket(host: str, port: int) -> socket.socket:
    """A socket on `port`, or on the next one that is free. Raises CommandError where none is."""
    for candidate in range(port, port + _PORTS_TRIED):
        try:
            return bound_socket(host, candidate)
        except CommandError:
            continue
    raise CommandError(f"--port: none of {port} to {port + _PORTS_TRIED - 1} is free")


@contextmanager
def quiet_end() -> Generator[None]:
    """Let Ctrl-C and SIGTERM end the server in here, and nothing else with it.

    The server raises a signal again once it has ended, for whoever it was that ran it.
    """
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number in kept:
        signal.signal(number, _heard)
    try:
        yield
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)


def _heard(_number: int, _frame: FrameType | None) -> None:
    """Nothing is left to be done."""
