"""Multi-round requests: asking the client for something, and reading what it brings back.

Nothing is remembered between the rounds: what the handler has to know again travels with the
client, sealed (MCP 2026-07-28, basic/patterns/mrtr).
"""

import hashlib
import secrets
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

import msgspec

from application.mcp.envelope import CAPABILITIES_KEY, CLIENT_KEY
from application.mcp.errors import INVALID_PARAMS, RpcError
from application.mcp.inputs import Ability, InputRequest, abilities_of
from application.mcp.reports import SILENT, Reports
from domain.ports.clocks import SystemClock
from domain.ports.sealing import Seal

ANSWERED_WITHIN: Final = timedelta(minutes=10)
"""How long a client may take from one round to the next."""

_TOKEN_BYTES: Final = 16


class CallRefusedError(Exception):
    """A call that the protocol refuses, with the error that the client gets."""

    def __init__(self, error: RpcError) -> None:
        super().__init__(error.message)
        self.error = error


class InvalidStateError(CallRefusedError):
    """A `requestState` that is not ours, not this caller's, or of another call."""

    def __init__(self) -> None:
        super().__init__(RpcError(INVALID_PARAMS, "Invalid or expired requestState"))


def new_id() -> str:
    """An id that nobody can guess, for one chain of rounds."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


class NeedsInput(msgspec.Struct, frozen=True, kw_only=True):
    """What a handler has to be told before it goes on.

    `requests` by the key under which each answer comes back; `state` is what the handler wants to
    know again, `digest` that of the arguments which it goes with, `id` the chain's.
    """

    requests: Mapping[str, InputRequest] = {}
    state: bytes = b""
    digest: bytes = b""
    id: str = msgspec.field(default_factory=new_id)


class Resumed(msgspec.Struct, frozen=True, kw_only=True):
    """A chain that goes on: what was sealed, and those answers to what was asked that are objects.

    An expired one is genuine, and its answers count for nothing.
    """

    id: str
    state: bytes
    answers: Mapping[str, Mapping[str, Any]]
    is_expired: bool = False


class Binding(msgspec.Struct, frozen=True, array_like=True):
    """What a state belongs to, besides the arguments of its call."""

    server: str
    method: str
    name: str
    caller: tuple[str, ...]

    @property
    def digest(self) -> bytes:
        """All of it, in a size that does not depend on who calls and what the name is."""
        return hashlib.sha256(msgspec.msgpack.encode(self)).digest()


class _Sealed(msgspec.Struct, frozen=True, array_like=True):
    binding: bytes
    digest: bytes
    id: str
    state: bytes
    asked: tuple[str, ...]
    expires_at: datetime


class Rounds(msgspec.Struct, frozen=True, kw_only=True):
    """What passes between a handler and its client besides the call itself.

    What the client can be asked, what it sends of an earlier round, what it is told meanwhile.
    `meta` is the envelope of the request; empty for clients that cannot be asked in band.
    """

    seal: Seal
    clock: SystemClock
    binding: Binding
    meta: Mapping[str, Any]
    sent_state: str | None
    sent_answers: Mapping[str, Any]
    reports: Reports = SILENT

    @property
    def are_possible(self) -> bool:
        """Whether the client can be asked in band at all."""
        return bool(self.meta)

    @property
    def abilities(self) -> frozenset[Ability]:
        """What the client says that it can be asked for."""
        return abilities_of(self.meta.get(CAPABILITIES_KEY, {}))

    @property
    def client(self) -> str | None:
        """What the client says that its name is."""
        name: str | None = self.meta.get(CLIENT_KEY, {}).get("name")
        return name

    def resumed(self, digest: bytes) -> Resumed | None:
        """The chain that this request goes on with; None where it begins.

        Raises:
            InvalidStateError: the state is of another caller or another call, or nobody's.
        """
        if self.sent_state is None:
            return None
        sealed = self._opened(self.sent_state)
        if sealed is None or sealed.binding != self.binding.digest or sealed.digest != digest:
            raise InvalidStateError
        is_expired = self.clock.now() >= sealed.expires_at
        answers = {} if is_expired else self._answers_to(sealed.asked)
        return Resumed(id=sealed.id, state=sealed.state, answers=answers, is_expired=is_expired)

    def sealed(self, needed: NeedsInput, asked: Iterable[str]) -> str:
        """The state of `needed` as the client carries it, who is sent the requests `asked`."""
        content = _Sealed(
            binding=self.binding.digest,
            digest=needed.digest,
            id=needed.id,
            state=needed.state,
            asked=tuple(asked),
            expires_at=self.clock.now() + ANSWERED_WITHIN,
        )
        return self.seal.seal(msgspec.msgpack.encode(content))

    def _answers_to(self, asked: Iterable[str]) -> Mapping[str, Mapping[str, Any]]:
        """What is no object is no answer, and will be asked for again."""
        sent = {key: self.sent_answers.get(key) for key in asked}
        return {key: answer for key, answer in sent.items() if isinstance(answer, dict)}

    def _opened(self, sent: str) -> _Sealed | None:
        content = self.seal.open(sent)
        if content is None:
            return None
        try:
            return msgspec.msgpack.decode(content, type=_Sealed)
        except msgspec.MsgspecError:
            return None
