"""The service on a real socket, in a thread with a loop of its own."""

import asyncio
import logging
import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager

import uvloop

from entrypoints.app import build_app
from entrypoints.cli.listening import ListeningServer, server_of
from entrypoints.container import Container
from tests.e2e.service import Demo, settings_for

_LONGEST_START = 20


@contextmanager
def serving(demo: Demo, own_socket: socket.socket) -> Generator[None]:
    """The service on `own_socket` while the block runs."""
    container = Container(settings=settings_for(demo, {}))
    # The log belongs to the process, which runs other tests as well.
    handlers = logging.root.handlers[:]
    server = server_of(build_app(container), deadline=0)
    logging.root.handlers[:] = handlers
    listens = threading.Event()
    thread = threading.Thread(target=_run, args=(server, own_socket, listens), daemon=True)
    thread.start()
    try:
        assert listens.wait(_LONGEST_START)
        yield
    finally:
        server.should_exit = True
        thread.join(_LONGEST_START)
        assert not thread.is_alive()


def _run(server: ListeningServer, own_socket: socket.socket, listens: threading.Event) -> None:
    async def serve() -> None:
        ends = asyncio.create_task(server.serve(sockets=[own_socket]))
        await server.listens.wait()
        listens.set()
        await ends

    uvloop.run(serve())
