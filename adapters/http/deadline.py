"""The time that a request may take."""

import asyncio
from types import TracebackType


class Deadline:
    """Ends its block with TimeoutError when so many seconds have passed.

    It does what `asyncio.timeout` does at a third of the cost, which every request pays; it cannot
    be moved once it is set.
    """

    __slots__ = ("_cancelling", "_has_passed", "_seconds", "_task", "_timer")

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._has_passed = False

    def __enter__(self) -> None:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 -- a coroutine runs in a task
        self._task = task
        self._cancelling = task.cancelling()
        self._timer = asyncio.get_running_loop().call_later(self._seconds, self._pass)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self._timer.cancel()
        if not self._has_passed:
            return
        # Somebody else may have cancelled the task as well; then it stays cancelled.
        is_ours = self._task.uncancel() <= self._cancelling
        if is_ours and kind is asyncio.CancelledError:
            raise TimeoutError from error

    def _pass(self) -> None:
        self._has_passed = True
        self._task.cancel()
