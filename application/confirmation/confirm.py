"""Asking a person over MCP before a destructive operation runs, in each of the client worlds."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, Literal

import msgspec

from application.confirmation.forms import REQUIRED, fields_in, reason_in, says_yes
from application.confirmation.links import Link, Links, PageKey, as_sent, decision_id
from application.confirmation.wording import (
    NO_PERSON,
    OPEN_THE_PAGE,
    TICK,
    TOO_LONG,
    on_the_page,
    together,
)
from application.mcp.cleaning import clean
from application.mcp.errors import invalid_params
from application.mcp.inputs import FormRequest, InputRequest, UrlRequest
from application.mcp.rounds import (
    CallRefusedError,
    InvalidStateError,
    NeedsInput,
    Resumed,
    Rounds,
    new_id,
)
from application.operations.request import Answer, Bound, Considered, Prepared, Request
from application.operations.run import RunOperation, StaleConsentError, asked_call
from domain.access.audit import Outcome
from domain.access.confirmation import Consent, Decision
from domain.errors import ConfirmationRequiredError
from domain.texts import Text

PATIENCE: Final = timedelta(seconds=20)
MOST_WAITING: Final = 25
MOST_WAITING_OF_ONE: Final = 5

_KEY: Final = "confirmation"
_MOST_QUESTIONS: Final = 3
_LOOK_AGAIN: Final = timedelta(seconds=1)
_LONGEST_CLIENT: Final = 60
_NO: Final[Mapping[str, Literal["declined", "cancelled"]]] = {
    "decline": "declined",
    "cancel": "cancelled",
}
_ACTIONS: Final = frozenset({"accept", *_NO})
_BAD_STATE: Final = "INVALID_STATE"
_BAD_ACTION: Final = f"inputResponses.{_KEY}.action must be accept, decline or cancel"


_Mode = Literal["form", "url"]


class _Asked(msgspec.Struct, frozen=True, array_like=True):
    """What was asked: how, about the target as it was, for which time, and on which page."""

    mode: _Mode
    fingerprint: str
    times: int
    page: PageKey


@dataclass(frozen=True, slots=True)
class _Turn:
    """One request about a destructive operation, with the chain of rounds that it goes on with.

    There is none where the chain begins, or where its time is over; `late_no` is what was answered
    after that, if it was a no.
    """

    prepared: Prepared
    rounds: Rounds
    chain: Resumed | None = None
    asked: _Asked | None = None
    late_no: str | None = None

    @property
    def question_id(self) -> str | None:
        """The id of the question that was asked last."""
        return None if self.chain is None else self.chain.id

    @property
    def answer(self) -> Mapping[str, Any]:
        """What the client brings; nothing where it brings no answer to our question."""
        return {} if self.chain is None else self.chain.answers.get(_KEY, {})

    def page_id(self, asked: _Asked) -> str:
        """The id of a question on the page, which stays the same from round to round."""
        organization_id = self.prepared.request.grant.organization_id
        call = asked_call(self.prepared, asked.fingerprint)
        return decision_id(organization_id, call, asked.page)


class Confirm:
    """Runs destructive operations for MCP clients, once a person has said yes.

    `patience`: how long a client that was sent to the page is kept waiting for the person; of such,
    a process keeps at most `MOST_WAITING` at once, and `MOST_WAITING_OF_ONE` of one person.
    """

    def __init__(self, run: RunOperation, links: Links, patience: timedelta = PATIENCE) -> None:
        self._run = run
        self._links = links
        self._looks = int(patience / _LOOK_AGAIN)
        self._waiting: Counter[tuple[str, str]] = Counter()

    async def __call__(self, bound: Bound, request: Request, rounds: Rounds) -> Answer | NeedsInput:
        """Run it, or ask first.

        Raises:
            ConfirmationRequiredError: the person cannot be asked in band.
            CallRefusedError: a state of another call or caller, or an answer that nobody gives.
            DomainError: any other refusal; nobody was asked and nothing was changed.
        """
        prepared = await self._run.prepare(bound, request)
        turn = await self._turn(prepared, rounds)
        considered = await self._run.consider(prepared, turn.question_id)
        if isinstance(considered, Answer):
            if considered.replayed and turn.question_id is not None:
                await self._note(prepared, "replayed", turn.question_id)
            return considered
        asked = turn.asked
        try:
            if asked is None:
                return await self._begin(turn, considered)
            return await self._go_on(turn, asked, considered)
        except StaleConsentError:
            return await self._ask_anew(turn, times=asked.times + 1 if asked else 1)

    async def _begin(self, turn: _Turn, considered: Considered) -> Answer | NeedsInput:
        if turn.late_no is not None:
            return await self._refused(turn, considered, turn.late_no)
        if considered.decision is not None:
            return await self._as_decided(turn, considered.decision)
        return await self._ask(turn, considered, times=1)

    async def _go_on(
        self, turn: _Turn, asked: _Asked, considered: Considered
    ) -> Answer | NeedsInput:
        action = turn.answer.get("action")
        if isinstance(action, str) and action not in _ACTIONS:
            raise CallRefusedError(invalid_params(_BAD_ACTION))
        if isinstance(action, str) and action in _NO:
            return await self._refused(turn, considered, action)
        if considered.call.fingerprint != asked.fingerprint:
            return await self._ask(turn, considered, times=asked.times + 1)
        if asked.mode == "url":
            return await self._after_page(turn, asked, considered)
        if action == "accept" and says_yes(turn.answer):
            return await self._run.perform(turn.prepared, _yes(turn, asked))
        return await self._ask(turn, considered, times=asked.times + 1)

    async def _refused(self, turn: _Turn, considered: Considered, action: str) -> Answer:
        if considered.decision is not None:
            # What was said on the page before is not their last word any more.
            await self._run.drop(turn.prepared, considered.decision)
        return await self._not_done(turn, _NO[action])

    async def _after_page(
        self, turn: _Turn, asked: _Asked, considered: Considered
    ) -> Answer | NeedsInput:
        decision = await self._waited_for(turn, turn.page_id(asked))
        if decision is not None:
            return await self._as_decided(turn, decision)
        if self._links.is_over(asked.page):
            return await self._ask(turn, considered, times=asked.times + 1)
        # Nobody has answered anything yet: it is the same question.
        return await self._ask(turn, considered, times=asked.times, page=asked.page)

    async def _as_decided(self, turn: _Turn, decision: Decision) -> Answer:
        if decision.verdict == "refused":
            if decision.used_at is None:
                await self._run.drop(turn.prepared, decision)
            return _said("declined")
        fingerprint = decision.call.fingerprint
        consent = Consent(id=decision.id, fingerprint=fingerprint, decision=decision)
        return await self._run.perform(turn.prepared, consent)

    async def _waited_for(self, turn: _Turn, decision_id: str) -> Decision | None:
        """The decision, as soon as there is one; between two looks nothing is held."""
        request = turn.prepared.request
        decision = await self._run.decision(request, decision_id)
        person = (request.grant.actor.issuer, request.grant.actor.subject)
        if decision is not None or self._is_full(person):
            return decision
        self._waiting[person] += 1
        try:
            for _ in range(self._looks):
                await asyncio.sleep(_LOOK_AGAIN.total_seconds())
                decision = await self._run.decision(request, decision_id)
                if decision is not None:
                    break
        finally:
            self._waiting[person] -= 1
            self._waiting += Counter()  # those of whom nobody waits go
        return decision

    def _is_full(self, person: tuple[str, str]) -> bool:
        of_one, of_all = self._waiting[person], self._waiting.total()
        return of_one >= MOST_WAITING_OF_ONE or of_all >= MOST_WAITING

    async def _ask_anew(self, turn: _Turn, times: int) -> Answer | NeedsInput:
        """Somebody was faster, or the target is another by now."""
        considered = await self._run.consider(turn.prepared)
        if isinstance(considered, Answer):
            return considered
        if considered.decision is not None and considered.decision.verdict == "refused":
            return await self._as_decided(turn, considered.decision)
        return await self._ask(turn, considered, times=times)

    async def _ask(
        self,
        turn: _Turn,
        considered: Considered,
        *,
        times: int,
        page: PageKey | None = None,
    ) -> Answer | NeedsInput:
        if times > _MOST_QUESTIONS:
            return await self._not_done(turn, "cancelled")
        sentence, language = considered.question.sentence, considered.language
        if turn.prepared.request.grant.actor.type != "member":
            raise await self._cannot_ask(turn, together(sentence, NO_PERSON).in_language(language))
        asked = _Asked("form", considered.call.fingerprint, times, page or self._links.fresh())
        if "form" in turn.rounds.abilities:
            words = sentence if times == 1 else together(sentence, TICK)
            form = FormRequest(words.in_language(language), fields_in(language), REQUIRED)
            return await self._asking(turn, asked, form, new_id())
        if page is None:
            asked = await self._on_an_open_page(turn, asked)
        address = self._address(turn, considered, asked.page)
        if address is None:
            raise await self._cannot_ask(turn, together(sentence, TOO_LONG).in_language(language))
        question_id = turn.page_id(asked)
        if "url" in turn.rounds.abilities:
            asked = msgspec.structs.replace(asked, mode="url")
            opening = together(sentence, OPEN_THE_PAGE).in_language(language)
            return await self._asking(turn, asked, UrlRequest(opening, address), question_id)
        await self._note(turn.prepared, "asked", question_id)
        said = together(sentence, on_the_page(address)).in_language(language)
        raise ConfirmationRequiredError(Text(said, said), address)

    async def _on_an_open_page(self, turn: _Turn, asked: _Asked) -> _Asked:
        """A page on which nobody has answered: one that was, is told and done with."""
        request, page = turn.prepared.request, asked.page
        while await self._run.decision(request, turn.page_id(asked)) is not None:
            page = PageKey(page.until, page.told + 1)
            asked = msgspec.structs.replace(asked, page=page)
        return asked

    async def _asking(
        self, turn: _Turn, asked: _Asked, request: InputRequest, question_id: str
    ) -> NeedsInput:
        await self._note(turn.prepared, "asked", question_id)
        return NeedsInput(
            requests={_KEY: request},
            state=msgspec.msgpack.encode(asked),
            digest=turn.prepared.arguments.fingerprint,
            id=question_id,
        )

    async def _cannot_ask(self, turn: _Turn, message: str) -> ConfirmationRequiredError:
        await self._note(turn.prepared, "error", code=ConfirmationRequiredError.code)
        return ConfirmationRequiredError(Text(message, message))

    def _address(self, turn: _Turn, considered: Considered, page: PageKey) -> str | None:
        client = turn.rounds.client
        link = Link(
            organization_id=turn.prepared.request.grant.organization_id,
            call=considered.call,
            page=page,
            client=None if client is None else " ".join(clean(client).split())[:_LONGEST_CLIENT],
            arguments=as_sent(turn.prepared.request.raw),
        )
        return self._links.address(link)

    async def _turn(self, prepared: Prepared, rounds: Rounds) -> _Turn:
        try:
            chain = rounds.resumed(prepared.arguments.fingerprint)
            if chain is None:
                return _Turn(prepared, rounds)
            if chain.is_expired:
                return _Turn(prepared, rounds, late_no=_no_in(rounds))
            return _Turn(prepared, rounds, chain, _read(chain.state))
        except InvalidStateError:
            await self._note(prepared, "denied", code=_BAD_STATE)
            raise

    async def _not_done(self, turn: _Turn, outcome: Literal["declined", "cancelled"]) -> Answer:
        await self._note(turn.prepared, outcome, turn.question_id)
        return _said(outcome)

    async def _note(
        self,
        prepared: Prepared,
        outcome: Outcome,
        question_id: str | None = None,
        code: str | None = None,
    ) -> None:
        entry = self._run.entries.of_word(prepared, outcome, confirmation=question_id, code=code)
        await self._run.note(prepared.request, entry)


def _yes(turn: _Turn, asked: _Asked) -> Consent:
    assert turn.chain is not None  # noqa: S101 -- what was asked came with it
    return Consent(id=turn.chain.id, fingerprint=asked.fingerprint, reason=reason_in(turn.answer))


def _no_in(rounds: Rounds) -> str | None:
    """A no, however late it comes: it needs no fresh question to count."""
    answer = rounds.sent_answers.get(_KEY)
    action = answer.get("action") if isinstance(answer, dict) else None
    return action if isinstance(action, str) and action in _NO else None


def _read(state: bytes) -> _Asked:
    try:
        return msgspec.msgpack.decode(state, type=_Asked)
    except msgspec.MsgspecError:
        # Sealed by another release.
        raise InvalidStateError from None


def _said(outcome: str) -> Answer:
    return Answer(200, msgspec.json.encode({"status": outcome}))
