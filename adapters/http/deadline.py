"""The time that a request may take."""

import asyncio
from types import TracebackType
from typing import Final

LOOK_AGAIN: Final = 0.25
"""Seconds between two looks at everything that runs."""


class Deadlines:
    """Ends blocks with TimeoutError when `seconds`, and up to a quarter more, have passed.

    A timer of its own, as `asyncio.timeout` has, would cost each request a fifth of a bare one;
    here one timer looks after all of them, and only while there are any.
    """

    __slots__ = ("_armed_in", "_running", "_seconds")

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._running: set[Deadline] = set()
        self._armed_in: asyncio.AbstractEventLoop | None = None

    def begin(self) -> "Deadline":
        """A deadline for the block that it is given to."""
        loop = asyncio.get_running_loop()
        task = asyncio.current_task(loop)
        assert task is not None  # noqa: S101 -- a coroutine runs in a task
        deadline = Deadline(self._running, task, loop.time() + self._seconds)
        if self._armed_in is not loop:
            self._armed_in = loop
            loop.call_later(LOOK_AGAIN, self._look, loop)
        return deadline

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        now = loop.time()
        for deadline in list(self._running):
            deadline.end_if_due(now)
        if self._running:
            loop.call_later(LOOK_AGAIN, self._look, loop)
        else:
            self._armed_in = None


class Deadline:
    """One block's deadline; it cannot be moved."""

    __slots__ = ("_cancelling", "_ends", "_has_passed", "_running", "_task")

    def __init__(self, running: "set[Deadline]", task: "asyncio.Task[object]", ends: float) -> None:
        self._running = running
        self._task = task
        self._ends = ends
        self._cancelling = task.cancelling()
        self._has_passed = False

    @property
    def ends(self) -> float:
        """When it ends, of the loop's clock."""
        return self._ends

    def __enter__(self) -> None:
        self._running.add(self)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self._running.discard(self)
        if not self._has_passed:
            return
        # Somebody else may have cancelled the task as well; then it stays cancelled.
        is_ours = self._task.uncancel() <= self._cancelling
        if is_ours and kind is asyncio.CancelledError:
            raise TimeoutError from error

    def end_if_due(self, now: float) -> None:
        """Cancel the block, once, when its time is up at `now` of the loop's clock."""
        if not self._has_passed and now >= self._ends:
            self._has_passed = True
            self._task.cancel()
