"""A conversation in lines about a library's books, with everything that a test may look at."""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from typing import Any

from application.mcp.exchange import Services
from application.mcp.ports import Context
from application.mcp.rounds import Rounds
from application.mcp.server import McpServer
from entrypoints.stdio import Conversation, Desk
from tests.builders import IDS, StoppedClock
from tests.protocol.fixtures import PRODUCT, SEAL, Books, Buckets, GivenAnswer, Reader, Sent

LONGEST = 10

Admit = Callable[[], Awaitable[Reader]]


class SlowBooks(Books):
    """Nothing is found until somebody lets it; counts who looks, and who was stopped."""

    def __init__(self) -> None:
        super().__init__()
        self.open = asyncio.Event()
        self.looking = 0
        self.most = 0
        self.stopped = 0
        self.changed = asyncio.Condition()

    async def call(
        self,
        _name: str,
        _caller: Reader,
        _arguments: Mapping[str, Any],
        _context: Context,
        _rounds: Rounds,
    ) -> GivenAnswer:
        await self._count(1)
        try:
            await self.open.wait()
        except asyncio.CancelledError:
            self.stopped += 1
            raise
        finally:
            await self._count(-1)
        return GivenAnswer(200, b"{}")

    async def _count(self, more: int) -> None:
        async with self.changed:
            self.looking += more
            self.most = max(self.most, self.looking)
            self.changed.notify_all()

    async def until(self, looking: int) -> None:
        async with asyncio.timeout(LONGEST), self.changed:
            await self.changed.wait_for(lambda: self.looking == looking)


class Client:
    """Both ends of a conversation; `taken` counts the lines that were read of it."""

    def __init__(self) -> None:
        self.taken = 0
        self.reads = asyncio.Event()
        self.reads.set()
        self._is_kept_waiting = asyncio.Event()
        self._lines: asyncio.Queue[bytes | type[StopAsyncIteration] | None] = asyncio.Queue()
        self._said: asyncio.Queue[bytes] = asyncio.Queue()

    def say(self, *sent: Sent | bytes | None) -> None:
        for one in sent:
            line = json.dumps(one.message).encode() if isinstance(one, Sent) else one
            self._lines.put_nowait(line)

    def leave(self) -> None:
        self._lines.put_nowait(StopAsyncIteration)

    async def lines(self) -> AsyncGenerator[bytes | None]:
        while not isinstance(line := await self._lines.get(), type):
            self.taken += 1
            yield line

    async def write(self, line: bytes) -> None:
        if not self.reads.is_set():
            self._is_kept_waiting.set()
        await self.reads.wait()
        self._said.put_nowait(line)

    async def is_silent(self) -> None:
        """Wait until something is to be written that is not read."""
        await asyncio.wait_for(self._is_kept_waiting.wait(), LONGEST)

    async def hears(self) -> dict[str, Any]:
        line = await asyncio.wait_for(self._said.get(), LONGEST)
        assert b"\n" not in line
        message: dict[str, Any] = json.loads(line)
        return message

    @property
    def has_heard_all(self) -> bool:
        return self._said.empty()


class Talk:
    """A conversation about a library that is being held."""

    def __init__(self, admit: Admit, deadline: float) -> None:
        self.books = SlowBooks()
        self.failures: list[BaseException] = []
        self.client = Client()
        services = Services(
            profile=PRODUCT,
            catalogue=self.books,
            limits=Buckets(),
            seal=SEAL,
            clock=StoppedClock(),
        )
        desk = Desk(
            server=McpServer(services, lambda failure, _context: self.failures.append(failure)),
            profile=PRODUCT,
            admit=admit,
            ids=IDS,
            deadline=deadline,
            on_failure=lambda _request_id, failure: self.failures.append(failure),
        )
        conversation = Conversation(desk, self.client.write)
        self.held = asyncio.ensure_future(conversation.hold(self.client.lines()))

    async def end(self) -> None:
        """Nothing more is said; it comes to its end and leaves nothing unheard."""
        self.client.leave()
        await asyncio.wait_for(self.held, LONGEST)
        assert self.client.has_heard_all


async def anybody() -> Reader:
    return Reader()


def talk(admit: Admit = anybody, deadline: float = LONGEST) -> Talk:
    return Talk(admit, deadline)
