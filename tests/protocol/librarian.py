"""A tool that has to be told things before it lends a book, and a client that tells them."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from application.mcp.inputs import (
    FormRequest,
    InputRequest,
    RootsRequest,
    SamplingRequest,
    UrlRequest,
)
from application.mcp.rounds import NeedsInput, Resumed, Rounds
from tests.protocol.fixtures import GivenAnswer, House, Reader, Sent, modern, result

FORM = FormRequest(
    message="Which edition?",
    properties={"edition": {"type": "string", "title": "Edition", "maxLength": 20}},
    required=("edition",),
)
URL = UrlRequest(message="Sign the slip.", url="https://library.example.com/slips/1")
SAMPLING = SamplingRequest(
    params={
        "messages": [{"role": "user", "content": {"type": "text", "text": "Which shelf?"}}],
        "maxTokens": 20,
    }
)
EVERYTHING: Mapping[str, InputRequest] = {
    "edition": FORM,
    "slip": URL,
    "shelf": SAMPLING,
    "folders": RootsRequest(),
}
ANSWERS: Mapping[str, dict[str, Any]] = {
    "edition": {"action": "accept", "content": {"edition": "first"}},
    "slip": {"action": "accept"},
    "shelf": {
        "role": "assistant",
        "content": {"type": "text", "text": "The lowest."},
        "model": "a-model",
        "stopReason": "endTurn",
    },
    "folders": {"roots": [{"uri": "file:///books"}]},
}
DECLARED: Mapping[str, object] = {
    "elicitation": {"form": {}, "url": {}},
    "sampling": {},
    "roots": {},
}
FORMS: Mapping[str, object] = {"elicitation": {}}
LEND: Mapping[str, Any] = {"name": "loans_create", "arguments": {"book": "bk_1"}}


@dataclass
class Librarian:
    """Asks for `requests` until each has an answer; keeps what came of earlier rounds."""

    requests: Mapping[str, InputRequest] = field(default_factory=lambda: {"edition": FORM})
    state: bytes = b"the first shelf"
    came: list[Resumed | None] = field(default_factory=list)
    lent: int = 0

    def __call__(self, arguments: Mapping[str, Any], rounds: Rounds) -> GivenAnswer | NeedsInput:
        resumed = rounds.resumed(digest(arguments))
        self.came.append(resumed)
        answers = {} if resumed is None else resumed.answers
        missing = {key: what for key, what in self.requests.items() if key not in answers}
        if resumed is None or resumed.is_expired or missing:
            asked = NeedsInput(requests=missing, state=self.state, digest=digest(arguments))
            return asked if resumed is None else msgspec.structs.replace(asked, id=resumed.id)
        self.lent += 1
        return GivenAnswer(200, msgspec.json.encode(answers))


def digest(arguments: Mapping[str, Any]) -> bytes:
    return hashlib.sha256(json.dumps(arguments, sort_keys=True).encode()).digest()


def lending(librarian: Librarian, house: House | None = None) -> House:
    """A house whose every tool is the librarian's."""
    house = house or House()
    house.books.behaviour = librarian
    return house


def lend(capabilities: object = FORMS, **params: object) -> Sent:
    """A right call of a tool that asks, by a client with `capabilities`."""
    return modern("tools/call", {**LEND, **params}).with_meta(capabilities=capabilities)


def retry(of: Sent, asked: Mapping[str, Any], **answers: object) -> Sent:
    """The same call again, in a request of its own, with the state and answers."""
    again = of.with_params(requestState=asked["requestState"], inputResponses=answers)
    return replace(again, message={**again.message, "id": of.message["id"] + 1})


async def asked(house: House, sent: Sent | None = None, caller: Reader | None = None) -> Any:
    """What a client is asked for at first."""
    told = result(await (sent or lend()).to(house, caller=caller))
    assert told["resultType"] == "input_required"
    return told
