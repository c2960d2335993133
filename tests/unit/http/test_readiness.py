"""Asking whether everything is there, without giving strangers a way to keep it busy."""

import asyncio
from datetime import timedelta

import pytest

from adapters.http.health import Check, Readiness
from tests.builders import StoppedClock

pytestmark = pytest.mark.anyio


class CountedCheck:
    """A check that waits for leave to end, and knows how often it was begun."""

    def __init__(self) -> None:
        self.begun = 0
        self.at_once = 0
        self.may_end = asyncio.Event()

    async def __call__(self) -> bool:
        self.begun += 1
        self.at_once += 1
        await self.may_end.wait()
        self.at_once -= 1
        return self.at_once == 0


async def never() -> bool:
    return await asyncio.Event().wait()


async def broken() -> bool:
    raise LookupError


async def test_everybody_who_asks_at_once_shares_one_round_of_one_check_at_a_time() -> None:
    check = CountedCheck()
    readiness = Readiness({"one": check, "other": check}, StoppedClock())
    async with asyncio.TaskGroup() as tasks:
        asking = [tasks.create_task(readiness.states()) for _ in range(50)]
        await asyncio.sleep(0)
        check.may_end.set()

    assert check.begun == 2
    assert [task.result() for task in asking] == [{"one": True, "other": True}] * 50


async def test_what_was_found_is_the_answer_for_a_second() -> None:
    check, clock = CountedCheck(), StoppedClock()
    check.may_end.set()
    readiness = Readiness({"one": check}, clock)
    begun = []
    for seconds in (0, 0.9, 0.1, -3600):
        clock.time += timedelta(seconds=seconds)
        await readiness.states()
        begun.append(check.begun)

    assert begun == [1, 1, 2, 3]


async def test_one_who_goes_away_takes_the_answer_from_nobody() -> None:
    check = CountedCheck()
    readiness = Readiness({"one": check}, StoppedClock())
    impatient = asyncio.create_task(readiness.states())
    patient = asyncio.create_task(readiness.states())
    await asyncio.sleep(0)
    impatient.cancel()
    await asyncio.wait([impatient])
    check.may_end.set()

    assert await patient == {"one": True}
    assert check.begun == 1


async def test_a_check_that_fails_or_takes_too_long_fails_alone() -> None:
    check = CountedCheck()
    check.may_end.set()
    checks: dict[str, Check] = {"slow": never, "broken": broken, "good": check}

    states = await Readiness(checks, StoppedClock(), longest=0.001).states()

    assert states == {"slow": False, "broken": False, "good": True}
