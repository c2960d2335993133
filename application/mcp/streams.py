"""Answers that come in several messages: reports about one request and then its result."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any, Final

import msgspec

from application.mcp.outcomes import RawHeader
from application.mcp.reports import Reports, Send

_MOST_UNSENT: Final = 256


class Reply(msgspec.Struct, frozen=True):
    """An HTTP answer. A 202 has no body at all; that of a 406 is the door's own.

    `challenge_scopes` are those that `WWW-Authenticate` has to name.
    """

    status: int
    body: bytes | None = None
    headers: tuple[RawHeader, ...] = ()
    challenge_scopes: tuple[str, ...] = ()


class Stream(msgspec.Struct, frozen=True):
    """An answer of several JSON-RPC messages, the first of which is there.

    Closing `rest` lets go of everything behind it. `work` is what goes on there; cancelling it ends
    the stream with an error. A stream that stays open has none.
    """

    first: bytes
    rest: AsyncGenerator[bytes]
    headers: tuple[RawHeader, ...] = ()
    work: "asyncio.Future[Any] | None" = None


Run = Callable[[Reports], Awaitable[Reply | Stream]]
_Said = asyncio.Queue[bytes | None]


async def opened(
    messages: AsyncGenerator[bytes],
    headers: tuple[RawHeader, ...],
    work: "asyncio.Future[Any] | None" = None,
) -> Stream:
    """The stream of `messages`, begun: closing those that are not would let go of nothing."""
    return Stream(await anext(messages), messages, headers, work)


async def reported(
    run: Run,
    reports_to: Callable[[Send], Reports],
    overdue: bytes,
    headers: tuple[RawHeader, ...],
) -> Reply | Stream:
    """What `run` answers: as it is if it reports nothing, else with its reports before it.

    `overdue` is the last message of a stream whose work was cancelled, `headers` are a stream's.
    """
    said = _Said()

    def say(message: bytes) -> None:
        # A client that does not read misses reports; its result is kept for it.
        if said.qsize() < _MOST_UNSENT:
            said.put_nowait(message)

    work = asyncio.ensure_future(run(reports_to(say)))
    work.add_done_callback(lambda _: said.put_nowait(None))
    try:
        first = await said.get()
    except asyncio.CancelledError:
        await _stop(work)
        raise
    if first is None:
        return work.result()
    return await opened(_messages(first, said, work, overdue), headers, work)


async def _messages(
    first: bytes, said: _Said, work: "asyncio.Future[Reply | Stream]", overdue: bytes
) -> AsyncGenerator[bytes]:
    try:
        yield first
        while (message := await said.get()) is not None:
            yield message
        yield overdue if work.cancelled() else _body(work.result())
    finally:
        # The client is gone: the work is not wanted any more, and its transaction is undone.
        await _stop(work)


def _body(answer: Reply | Stream) -> bytes:
    assert isinstance(answer, Reply)  # noqa: S101 -- what stays open reports nothing
    return answer.body or b""


async def _stop(work: "asyncio.Future[Any]") -> None:
    work.cancel()
    await asyncio.wait({work})
