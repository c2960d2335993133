"""Tools that report while they work, and requests that want to hear of it."""

import asyncio
from collections.abc import Mapping
from typing import Any

from application.mcp.rounds import Rounds
from tests.protocol.fixtures import GivenAnswer, Sent, modern
from tests.protocol.library import Library

DONE = GivenAnswer(200, b'{"data":[]}')
STEPS = ((1, 3, None), (2, 3, "half"), (3, 3, "all"))


def call(make: Any = modern, name: str = "books_count", **meta: object) -> Sent:
    return with_meta(make("tools/call", {"name": name}), **meta)


def with_meta(sent: Sent, **meta: object) -> Sent:
    params = sent.message["params"]
    return sent.with_params(_meta={**params.get("_meta", {}), **meta})


def reporting(
    *steps: tuple[float, float | None, str | None], error: Exception | None = None
) -> Library:
    """A library whose tools report these steps and answer, or fail."""
    library = Library()

    async def report(_arguments: Mapping[str, Any], rounds: Rounds) -> GivenAnswer:
        for step in steps:
            rounds.reports.progress(*step)
            await asyncio.sleep(0)
        if error is not None:
            raise error
        return DONE

    library.books.behaviour = report
    return library


class Waiting:
    """A tool that reports once, if it has to, and waits; knows whether it was stopped and ended."""

    def __init__(self, *, reports: bool = True) -> None:
        self.reports = reports
        self.begun, self.ended = asyncio.Event(), asyncio.Event()
        self.was_cancelled = False

    async def __call__(self, _arguments: Mapping[str, Any], rounds: Rounds) -> GivenAnswer:
        try:
            if self.reports:
                rounds.reports.progress(1)
            self.begun.set()
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.was_cancelled = True
            # A transaction is rolled back with a round trip.
            await asyncio.sleep(0)
            raise
        finally:
            self.ended.set()
        return DONE
