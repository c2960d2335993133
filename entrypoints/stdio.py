"""One MCP client that speaks in lines: each is a JSON-RPC message (transports/stdio)."""

import asyncio
from collections.abc import AsyncIterable, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final, Generic

from adapters.http.edge import MAX_BODY, OnFailure
from application.mcp.envelope import Malformed, Message, decode
from application.mcp.errors import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    UNAVAILABLE,
    RequestId,
    RpcError,
)
from application.mcp.ports import CallerT, Context
from application.mcp.profile import ServerProfile
from application.mcp.refusals import refused_as
from application.mcp.results import error_message
from application.mcp.server import McpServer
from application.mcp.streams import Reply
from domain.access.audit import Origin
from domain.errors import DomainError, UnauthenticatedError
from domain.ports.ids import Ids
from domain.texts import DEFAULT_LANGUAGE

LONGEST_LINE: Final = MAX_BODY
MOST_IN_WORK: Final = 16
MOST_BEGUN: Final = 64
"""Requests that were read and are not answered; with so many, nothing more is read."""

_OK: Final = 200
_TOO_LONG: Final = Malformed(
    RpcError(INVALID_REQUEST, f"Invalid Request: more than {LONGEST_LINE} bytes")
)
_SECOND: Final = RpcError(INVALID_REQUEST, "Invalid Request: a request with this id is in work")
_OVERDUE: Final = RpcError(UNAVAILABLE, "Service unavailable")
_FAILED: Final = RpcError(INTERNAL_ERROR, "Internal error")

Write = Callable[[bytes], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk(Generic[CallerT]):
    """What a conversation needs of the service.

    `admit` gives what the client may do now, and raises as verifying and entering do; `deadline` is
    in seconds from the moment that a request was read.
    """

    server: McpServer[CallerT]
    profile: ServerProfile
    admit: Callable[[], Awaitable[CallerT]]
    ids: Ids
    deadline: float
    on_failure: OnFailure


@dataclass(slots=True)
class Conversation(Generic[CallerT]):
    """What a client says and is told, and what has to be known from one message to the next."""

    desk: Desk[CallerT]
    write: Write
    _settled: str | None = None
    _begun: dict[RequestId, "asyncio.Task[None]"] = field(default_factory=dict)
    _to_begin: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MOST_BEGUN))
    _to_work: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MOST_IN_WORK))

    async def hold(self, lines: AsyncIterable[bytes | None]) -> None:
        """Take each line, None for one that is too long; at their end, finish what was begun.

        Cancelling it undoes what is in work.

        Raises:
            UnauthenticatedError: the token does not count any more.
            ReaderGoneError: the client does not read any more.
        """
        try:
            async with asyncio.TaskGroup() as tasks:
                async for line in lines:
                    await self._take(line, tasks)
        except BaseExceptionGroup as failures:
            raise failures.exceptions[0] from None

    async def _take(self, line: bytes | None, tasks: asyncio.TaskGroup) -> None:
        message = _TOO_LONG if line is None else decode(line)
        if isinstance(message, Malformed):
            await self.write(error_message(message.error, message.id))
        elif message.id is None:
            self._note(message)
        elif message.id in self._begun:
            await self.write(error_message(_SECOND, message.id))
        else:
            await self._begin(message, message.id, tasks)

    def _note(self, notification: Message) -> None:
        """Stop the request that it is about; other notifications change nothing."""
        if notification.method != "notifications/cancelled":
            return
        request_id = notification.params.get("requestId")
        # Of other types some are equal to an integer.
        if request_id.__class__ in {int, str} and request_id in self._begun:
            self._begun[request_id].cancel()

    async def _begin(
        self, message: Message, request_id: RequestId, tasks: asyncio.TaskGroup
    ) -> None:
        await self._to_begin.acquire()
        task = tasks.create_task(self._serve(message, request_id))
        self._begun[request_id] = task

        def end(_: object) -> None:
            self._to_begin.release()
            if self._begun.get(request_id) is task:
                del self._begun[request_id]

        task.add_done_callback(end)

    async def _serve(self, message: Message, request_id: RequestId) -> None:
        ended = None
        try:
            answer = await self._answer(message, request_id)
        except UnauthenticatedError as refused:
            ended = refused
            answer = error_message(refused_as(refused).error, request_id)
        # Whoever reads the answer may use the id again at once.
        del self._begun[request_id]
        await self.write(answer)
        if ended is not None:
            raise ended

    async def _answer(self, message: Message, request_id: RequestId) -> bytes:
        audited_as = self.desk.ids.new("req")
        try:
            async with asyncio.timeout(self.desk.deadline), self._to_work:
                return await self._answer_to(message, audited_as)
        except TimeoutError:
            return error_message(_OVERDUE, request_id)
        except UnauthenticatedError:
            raise
        except DomainError as refused:
            return error_message(refused_as(refused).error, request_id)
        except Exception as failure:  # noqa: BLE001 -- the last line: no exception text goes out
            self.desk.on_failure(audited_as, failure)
            return error_message(_FAILED, request_id)

    async def _answer_to(self, message: Message, audited_as: str) -> bytes:
        caller = await self.desk.admit()
        context = Context(Origin(audited_as, "mcp"), DEFAULT_LANGUAGE)
        reply = await self.desk.server.handle_bare(message, self._settled, caller, context)
        assert isinstance(reply, Reply)  # noqa: S101 -- the profile has no streams
        assert reply.body is not None  # noqa: S101 -- only notifications have none
        if message.method == "initialize" and reply.status == _OK:
            self._settled = self.desk.profile.settled(message.params.get("protocolVersion"))
        return reply.body
