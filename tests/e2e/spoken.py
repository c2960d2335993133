"""`dunning stdio` as a client starts it, and what is said between the two, line by line."""

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adapters.auth.seal_keys import SealingRing
from tests.e2e.service import Service, environment_of
from tests.protocol.fixtures import Sent

DUNNING = Path(sys.executable).with_name("dunning")
KEYS = ",".join(SealingRing.fresh().texts)
LONGEST = 20


@dataclass(frozen=True, slots=True)
class Ended:
    """How the process ended, and what it said about it."""

    exit_code: int | None
    log: str


@dataclass(frozen=True, slots=True)
class Spoken:
    """A process and its two ends."""

    process: Process

    async def send(self, *sent: Sent | bytes) -> None:
        """Each as a line; bytes as they are."""
        assert self.process.stdin is not None
        for one in sent:
            raw = one if isinstance(one, bytes) else json.dumps(one.message).encode() + b"\n"
            self.process.stdin.write(raw)
        await self.process.stdin.drain()

    async def next(self) -> dict[str, Any]:
        """The next line that it says."""
        assert self.process.stdout is not None
        line = await asyncio.wait_for(self.process.stdout.readline(), LONGEST)
        assert line.endswith(b"\n")
        message: dict[str, Any] = json.loads(line)
        return message

    async def ask(self, sent: Sent | bytes) -> dict[str, Any]:
        """The answer to the only request that is open."""
        await self.send(sent)
        return await self.next()

    async def end(self) -> Ended:
        """Say that nothing more comes, and wait for the end. It has nothing more to say."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return await self.ended()

    async def ended(self) -> Ended:
        """Wait for the end. It has nothing more to say."""
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        async with asyncio.timeout(LONGEST):
            said, log = await asyncio.gather(self.process.stdout.read(), self.process.stderr.read())
            exit_code = await self.process.wait()
        assert said == b""
        return Ended(exit_code, log.decode())


def environment(service: Service, token: str | None, **special: str) -> dict[str, str]:
    """What the process finds there."""
    given = {} if token is None else {"DUNNING_TOKEN": token}
    usual = {"PATH": os.environ["PATH"], "SEALING_KEYS": KEYS}
    return environment_of(service.demo, {**usual, **given, **special})


@asynccontextmanager
async def spoken_in(environ: Mapping[str, str]) -> AsyncGenerator[Spoken]:
    """The process while the block runs; killed if it still lives then."""
    process = await asyncio.create_subprocess_exec(
        DUNNING, "stdio", env=environ, stdin=PIPE, stdout=PIPE, stderr=PIPE, limit=2**24
    )
    try:
        yield Spoken(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


@asynccontextmanager
async def spoken(
    service: Service, first_name: str = "Helena", **special: str
) -> AsyncGenerator[Spoken]:
    """The process of this person."""
    environ = environment(service, await service.token(first_name), **special)
    async with spoken_in(environ) as process:
        yield process
