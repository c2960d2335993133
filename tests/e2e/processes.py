"""Processes of the service that share nothing but the database and the sealing keys."""

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from adapters.auth.seal_keys import SealingRing
from tests.e2e.service import Service, environment_of

_DUNNING = Path(sys.executable).with_name("dunning")
_LONGEST = 20


class _At(httpx.AsyncBaseTransport):
    """The balancer: takes what is for the public address to the process on `port`."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._wire = httpx.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        there = httpx.Request(
            request.method,
            request.url.copy_with(host="127.0.0.1", port=self._port),
            headers=request.headers,
            stream=request.stream,
            extensions=request.extensions,
        )
        return await self._wire.handle_async_request(there)

    async def aclose(self) -> None:
        await self._wire.aclose()


@dataclass(slots=True)
class Served:
    """One process, and the service as it is reached through it."""

    process: Process
    port: int
    service: Service

    async def end(self) -> None:
        """Let it finish what it has begun; it had nothing to complain about."""
        await self.service.http.aclose()
        self.process.terminate()
        _, log = await asyncio.wait_for(self.process.communicate(), _LONGEST)
        assert [json.loads(line)["event"] for line in log.splitlines()] == ["ended"]


class Fleet:
    """Two processes at one public address; `keys` are the sealing keys they are to have."""

    def __init__(self, service: Service) -> None:
        (self.keys,) = SealingRing.fresh().texts
        self._service = service
        self._served: dict[int, Served] = {}

    @property
    def first(self) -> Service:
        return self._served[0].service

    @property
    def second(self) -> Service:
        return self._served[1].service

    def port(self, place: int) -> int:
        return self._served[place].port

    async def restart(self, *places: int) -> None:
        """Let processes end, as far as they run, and begin with the present keys."""
        await asyncio.gather(*map(self._restart, places))

    async def end(self) -> None:
        await asyncio.gather(*map(self._end, list(self._served)))

    async def _restart(self, place: int) -> None:
        await self._end(place)
        self._served[place] = await self._begin()

    async def _begin(self) -> Served:
        special = {"PORT": "0", "SEALING_KEYS": self.keys, "PATH": os.environ["PATH"]}
        process = await asyncio.create_subprocess_exec(
            _DUNNING, "serve", env=environment_of(self._service.demo, special), stderr=PIPE
        )
        assert process.stderr is not None
        line = await asyncio.wait_for(process.stderr.readline(), _LONGEST)
        assert line.startswith(b"{"), line.decode()
        begun = json.loads(line)
        assert begun["event"] == "listening"
        http = httpx.AsyncClient(
            transport=_At(begun["port"]), base_url=self._service.demo.public_url, timeout=_LONGEST
        )
        through = Service(self._service.demo, self._service.container, http)
        return Served(process, begun["port"], through)

    async def _end(self, place: int) -> None:
        served = self._served.pop(place, None)
        if served is not None:
            await served.end()


@asynccontextmanager
async def fleet(service: Service) -> AsyncGenerator[Fleet]:
    """Both processes while the block runs; `service` lends them its demo and its tokens."""
    both = Fleet(service)
    try:
        await both.restart(0, 1)
        yield both
    finally:
        await both.end()
