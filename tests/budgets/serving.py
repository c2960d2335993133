"""An ASGI application under uvicorn in a process of its own that tells its CPU time."""

import asyncio
import os
import socket
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import isawaitable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, TypeAlias

import uvicorn
import uvloop

from adapters.http.header_limit import HeaderLimitProtocol

MakeApp: TypeAlias = Callable[..., Any]

_STOP = "stop"


@dataclass(frozen=True, slots=True)
class Served:
    """A server that listens on `port` of the loopback interface."""

    port: int
    _control: Connection

    def cpu(self) -> float:
        """Microseconds of CPU, user and system, that its process has used."""
        self._control.send("cpu")
        used: int = self._control.recv()
        return used / 1000


@contextmanager
def served(make_app: MakeApp, *arguments: object) -> Generator[Served]:
    """Serve `make_app(*arguments)`, which may be awaited for, while the block runs."""
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_main, args=(theirs, make_app, arguments), daemon=True)
    process.start()
    theirs.close()
    try:
        yield Served(ours.recv(), ours)
        ours.send(_STOP)
    finally:
        ours.close()
        process.join(5)
        process.kill()


def _main(control: Connection, make_app: MakeApp, arguments: tuple[object, ...]) -> None:
    uvloop.run(_serve(control, make_app, arguments))


async def _serve(control: Connection, make_app: MakeApp, arguments: tuple[object, ...]) -> None:
    _keep_to_the_last_core()
    made = make_app(*arguments)
    app = await made if isawaitable(made) else made
    listening = socket.create_server(("127.0.0.1", 0), backlog=64)
    server = uvicorn.Server(_as_in_production(app))

    def obey() -> None:
        try:
            stops = control.recv() == _STOP
        except EOFError:
            stops = True
        if stops:
            asyncio.get_running_loop().remove_reader(control.fileno())
            server.should_exit = True
        else:
            control.send(time.process_time_ns())

    asyncio.get_running_loop().add_reader(control.fileno(), obey)
    control.send(listening.getsockname()[1])
    await server.serve(sockets=[listening])


def _keep_to_the_last_core() -> None:
    """Servers that wander between cores pay for cold caches, each as often as it happens to."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def _as_in_production(app: Any) -> uvicorn.Config:
    """The flags of `dunning serve`, but for the lifespan, which would ask for a database."""
    return uvicorn.Config(
        app,
        http=HeaderLimitProtocol,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
    )
