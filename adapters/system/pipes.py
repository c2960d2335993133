"""Lines in and out of file descriptors of any kind: pipes, sockets, terminals, plain files."""

import asyncio
import os
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from typing import Final, TypeVar

T = TypeVar("T")

_PIECE: Final = 65_536

_Call = tuple[Callable[[], object], asyncio.AbstractEventLoop, "asyncio.Future[object]"]


class ReaderGoneError(Exception):
    """Nobody reads any more what is written."""


class OwnThread:
    """Makes blocking calls, one after another, in a thread that the process does not wait for.

    The loop's own threads are joined at the end; one that reads from a silent peer never ends.
    """

    def __init__(self) -> None:
        self._calls: SimpleQueue[_Call] = SimpleQueue()
        threading.Thread(target=self._work, daemon=True).start()

    async def run(self, call: Callable[[], T]) -> T:
        """What `call` gives. It is made, and made whole, even if nobody waits for it any more."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        self._calls.put((call, loop, done))  # type: ignore[arg-type]  # the call gives a T
        return await done

    def _work(self) -> None:
        while True:
            call, loop, done = self._calls.get()
            settle: Callable[[], None]
            try:
                settle = partial(_give, done, call())
            except OSError as failure:
                settle = partial(_fail, done, failure)
            # The loop may have ended meanwhile.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(settle)


def _give(done: "asyncio.Future[object]", value: object) -> None:
    if not done.done():
        done.set_result(value)


def _fail(done: "asyncio.Future[object]", failure: OSError) -> None:
    if not done.done():
        done.set_exception(failure)


class LinesOut:
    """Writes lines to `descriptor`, each whole, in the order in which they come."""

    def __init__(self, descriptor: int) -> None:
        os.set_blocking(descriptor, True)
        self._descriptor = descriptor
        self._thread = OwnThread()

    async def write(self, line: bytes) -> None:
        """Return when the line is out. Raises ReaderGoneError when nobody reads it."""
        try:
            await self._thread.run(partial(_write_all, self._descriptor, line + b"\n"))
        except ConnectionError:
            raise ReaderGoneError from None


def _write_all(descriptor: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def lines_from(descriptor: int, longest: int) -> AsyncGenerator[bytes | None]:
    """Lines of `descriptor` until its end, as `lines_in` gives them; read when they are wanted."""
    os.set_blocking(descriptor, True)
    thread = OwnThread()
    return lines_in(lambda: thread.run(partial(os.read, descriptor, _PIECE)), longest)


async def lines_in(
    read: Callable[[], Awaitable[bytes]], longest: int
) -> AsyncGenerator[bytes | None]:
    """Lines of the pieces that `read` gives until an empty one; those of blanks are left out.

    None stands for a line of more than `longest` bytes: it comes as soon as that is known, and no
    more of the line is kept.
    """
    line = bytearray()
    is_dropped = False
    while piece := await read():
        *ended, rest = piece.split(b"\n")
        for end in ended:
            line += end
            if not is_dropped and (line.strip() or len(line) > longest):
                yield bytes(line) if len(line) <= longest else None
            line.clear()
            is_dropped = False
        line += rest
        if len(line) > longest:
            if not is_dropped:
                yield None
            is_dropped = True
            line.clear()
    if line.strip() and not is_dropped:
        yield bytes(line)
