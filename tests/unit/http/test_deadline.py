"""A block that may take so long and no longer."""

import asyncio

import pytest

from adapters.http.deadline import Deadlines

pytestmark = pytest.mark.anyio


async def test_what_ends_in_time_is_left_alone() -> None:
    with Deadlines(30).begin():
        await asyncio.sleep(0)


async def test_what_takes_too_long_is_ended_and_its_task_goes_on() -> None:
    with pytest.raises(TimeoutError), Deadlines(0).begin():
        await asyncio.Event().wait()

    await asyncio.sleep(0)


async def test_what_fails_in_time_fails_with_its_own_error() -> None:
    with pytest.raises(LookupError), Deadlines(30).begin():
        raise LookupError


async def test_a_task_that_somebody_cancels_stays_cancelled() -> None:
    started = asyncio.Event()

    async def wait() -> None:
        with Deadlines(30).begin():
            started.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(wait())
    await started.wait()
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
