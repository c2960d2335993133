"""Attempts to sign in that have begun in this browser, each with the link that it was for."""

import re
import secrets
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Final

import msgspec

from adapters.http.confirm.cookies import PIECE, Cookies, SetCookie, opened_as
from domain.ports.clocks import SystemClock
from domain.ports.sealing import Seal
from domain.ports.sign_in import Attempt

LIFETIME: Final = timedelta(minutes=10)
MOST: Final = 5
"""Attempts that one browser has at a time, one a tab; a further one pushes out the oldest."""

_NAME: Final = re.compile(r"-([A-Za-z0-9_-]{22})(?:\.[0-9])?")


class _Begun(msgspec.Struct, frozen=True, array_like=True, tag="attempt"):
    state: str
    verifier: str
    ends: datetime


class Attempts:
    """Kept by the browser, in cookies of their own for each `state`.

    What only we may know is sealed. The link is sealed already, and too long for one cookie at
    times, so it lies beside in pieces.
    """

    def __init__(self, seal: Seal, cookies: Cookies, clock: SystemClock) -> None:
        self._seal = seal
        self._cookies = cookies
        self._clock = clock

    def begin(self, link: str, sent: Mapping[str, str]) -> tuple[Attempt, list[SetCookie]]:
        """A new attempt for the page of `link`, and the cookies to set; `sent` are those there."""
        attempt = Attempt(secrets.token_urlsafe(16), secrets.token_urlsafe(32))
        begun = _Begun(attempt.state, attempt.verifier, self._clock.now() + LIFETIME)
        kept = {f"-{attempt.state}": self._seal.seal(msgspec.msgpack.encode(begun))}
        for number, start in enumerate(range(0, len(link), PIECE)):
            kept[f"-{attempt.state}.{number}"] = link[start : start + PIECE]
        seconds = int(LIFETIME.total_seconds())
        new = [self._cookies.keep(name, value, seconds) for name, value in kept.items()]
        return attempt, [*self._pushed_out(sent), *new]

    def find(self, state: str, sent: Mapping[str, str]) -> tuple[Attempt, str] | None:
        """The attempt of this `state` with its link; None unless it began in this browser, lately.

        A state names a cookie, so this is where another one's ends.
        """
        begun = opened_as(_Begun, self._seal.open(sent.get(f"-{state}", "")))
        if begun is None or begun.state != state or begun.ends <= self._clock.now():
            return None
        return Attempt(begun.state, begun.verifier), "".join(_pieces(state, sent))

    def end(self, state: str, sent: Mapping[str, str]) -> list[SetCookie]:
        """Cookies that make the browser forget the attempt of this `state`."""
        return [self._cookies.drop(name) for name in sent if _state_in(name) == state]

    def _pushed_out(self, sent: Mapping[str, str]) -> list[SetCookie]:
        states = list(dict.fromkeys(filter(None, map(_state_in, sent))))
        oldest = states[: max(0, len(states) - MOST + 1)]
        return [one for state in oldest for one in self.end(state, sent)]


def _pieces(state: str, sent: Mapping[str, str]) -> Iterator[str]:
    number = 0
    while (piece := sent.get(f"-{state}.{number}")) is not None:
        yield piece
        number += 1


def _state_in(name: str) -> str | None:
    found = _NAME.fullmatch(name)
    return None if found is None else found[1]
