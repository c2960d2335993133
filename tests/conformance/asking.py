"""Things that have to be known first: asked for all at once or one by one, over several rounds."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from application.mcp.inputs import FormRequest, InputRequest, RootsRequest, SamplingRequest
from application.mcp.rounds import NeedsInput, Resumed, Rounds, new_id

Answers = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """What a client is asked; what it has answered in earlier rounds travels in the state.

    Without `needs_state` answers count that come with the first request already.
    """

    requests: Mapping[str, InputRequest]
    one_by_one: bool = False
    needs_state: bool = False

    def answered(self, arguments: Mapping[str, Any], rounds: Rounds) -> Answers | NeedsInput:
        """The answers, once each thing is answered that this client can be asked.

        Raises InvalidStateError: the state is not of this call.
        """
        digest = hashlib.sha256(msgspec.json.encode(arguments, order="sorted")).digest()
        resumed = rounds.resumed(digest)
        answers = self._answers(resumed, rounds)
        missing = {key: one for key, one in self.requests.items() if key not in answers}
        if answers and rounds.abilities.isdisjoint(one.needs for one in missing.values()):
            return answers
        return NeedsInput(
            requests=dict(list(missing.items())[:1]) if self.one_by_one else missing,
            state=msgspec.msgpack.encode(answers),
            digest=digest,
            id=new_id() if resumed is None else resumed.id,
        )

    def _answers(self, resumed: Resumed | None, rounds: Rounds) -> Answers:
        if resumed is not None:
            return {**msgspec.msgpack.decode(resumed.state, type=dict), **resumed.answers}
        if self.needs_state:
            return {}
        sent = {key: rounds.sent_answers.get(key) for key in self.requests}
        return {key: answer for key, answer in sent.items() if isinstance(answer, dict)}


def form(message: str, **properties: Mapping[str, object]) -> FormRequest:
    """A form whose every field has to be filled in."""
    return FormRequest(message=message, properties=properties, required=tuple(properties))


def sampling(prompt: str, most_tokens: int = 100) -> SamplingRequest:
    message = {"role": "user", "content": {"type": "text", "text": prompt}}
    return SamplingRequest(params={"messages": [message], "maxTokens": most_tokens})


def content_of(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a form was filled in with; nothing where the person refused."""
    content = answer.get("content")
    return content if answer.get("action") == "accept" and isinstance(content, dict) else {}


STRING: Final = {"type": "string"}
NAME: Final = form("What is your name?", name=STRING)
CONFIRM: Final = form("Please confirm", ok={"type": "boolean"})
ROOTS: Final = RootsRequest()
