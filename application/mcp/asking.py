"""Rounds of a method: reading what a retry brings, and asking for what has to be known first."""

from typing import Any, Final, Generic

import msgspec

from application.mcp.cleaning import clean
from application.mcp.errors import invalid_params, missing_capability
from application.mcp.exchange import Exchange, Services
from application.mcp.inputs import capabilities_for
from application.mcp.outcomes import Complete, Outcome, Refused
from application.mcp.ports import CallerT
from application.mcp.results import Decoration, encode
from application.mcp.revisions import REVISIONS
from application.mcp.rounds import Binding, NeedsInput, Rounds


class Brought(msgspec.Struct, frozen=True):
    """What a retry brings of the round before."""

    state: str | None = None
    answers: dict[str, Any] = {}


_NOTHING: Final = Brought()


class Asking(Generic[CallerT]):
    """Makes the rounds of one method in one revision.

    Clients before the modern era are never asked in band, whatever they send.
    """

    def __init__(self, services: Services[CallerT], revision: str, method: str) -> None:
        self._seal = services.seal
        self._clock = services.clock
        self._identity = services.catalogue.identity
        self._server = str(services.profile.server_info["name"])
        self._method = method
        self._is_modern = REVISIONS[revision] == "modern"

    def read(self, params: dict[str, Any]) -> Brought | Refused:
        """What the request brings; members of the wrong type are refused."""
        if not self._is_modern:
            return _NOTHING
        state = params.get("requestState")
        if state is not None and not isinstance(state, str):
            return Refused(invalid_params("requestState must be a string"))
        answers = params.get("inputResponses")
        if answers is not None and not isinstance(answers, dict):
            return Refused(invalid_params("inputResponses must be an object"))
        return Brought(state, answers or {})

    def rounds(self, name: str, brought: Brought, exchange: Exchange[CallerT]) -> Rounds:
        """The rounds of a request about `name`."""
        caller = self._identity(exchange.caller)
        return Rounds(
            seal=self._seal,
            clock=self._clock,
            binding=Binding(self._server, self._method, name, caller),
            meta=exchange.params["_meta"] if self._is_modern else {},
            sent_state=brought.state,
            sent_answers=brought.answers,
            reports=exchange.reports,
        )


def asked(needed: NeedsInput, rounds: Rounds, decoration: Decoration) -> Outcome:
    """The requests that the client can be sent, with the sealed state; an error if it can none."""
    abilities = rounds.abilities
    requests = {
        key: request.wire()
        for key, request in needed.requests.items()
        if request.needs in abilities
    }
    if not rounds.are_possible or (needed.requests and not requests):
        wanted = frozenset(request.needs for request in needed.requests.values())
        return Refused(missing_capability(capabilities_for(wanted)))
    members: dict[str, object] = {"inputRequests": requests} if requests else {}
    result = encode({**members, "requestState": rounds.sealed(needed, requests)})
    return Complete((clean(result[:-1].decode()).encode(), decoration.asking, b"}"))
