"""CPU time per request, in rounds that take turns, so that a busy machine is busy for everybody.

The least of a contender's turns counts: whatever else a machine does can only add to it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tests.budgets.load import load
from tests.budgets.serving import Served


@dataclass(frozen=True, slots=True)
class Contender:
    """A server, and the request that it is sent."""

    server: Served
    request: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Rounds:
    """How often everybody has a turn, and how many requests a turn has."""

    count: int
    requests: int


async def cpu_of(contenders: Sequence[Contender], rounds: Rounds) -> list[float]:
    """Microseconds per request of each contender: its least turn, after one to warm up."""
    turns = [
        [await _turn(contender, rounds.requests) for contender in contenders]
        for _ in range(rounds.count + 1)
    ]
    return [min(of_one) for of_one in zip(*turns[1:], strict=True)]


async def _turn(contender: Contender, requests: int) -> float:
    before = contender.server.cpu()
    await load(contender.server.port, contender.request, requests)
    return (contender.server.cpu() - before) / requests
