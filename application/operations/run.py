"""Running an operation: what wraps every one of them, the same for both doors.

The order of a write: scope and role, arguments, a finished idempotency record, target and rules,
confirmation over MCP, then one transaction that looks again at locked rows, takes the key, uses the
confirmation up, acts, and writes events and the audit line with the effect. A read that shows what
is masked is written down as well, before anybody sees it.
"""

from collections.abc import Awaitable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Final, TypeVar

import msgspec

from application.operations.call import Call
from application.operations.declaration import Operation, Reached, Ready
from application.operations.entries import Entries
from application.operations.request import (
    Answer,
    Arguments,
    Bound,
    Considered,
    FileFacts,
    Prepared,
    Request,
)
from domain.access.audit import AuditEntry
from domain.access.confirmation import AskedCall, Consent, Decision
from domain.access.idempotency import RETENTION, KeyScope, StoredAnswer
from domain.access.policy import AccessPolicy
from domain.errors import ConfirmationRequiredError, DomainError, IdempotencyKeyReusedError
from domain.ports.clocks import SystemClock
from domain.ports.documents import Document, Documents
from domain.ports.ids import Ids
from domain.ports.storage import OpenWork, Work
from domain.texts import Text

_ENCODER: Final = msgspec.json.Encoder(decimal_format="number")
_CONFIRMATION: Final = "confirmation"
"""In place of an operation's name: an answer that is kept under a question's id."""

_A_PERSON: Final = Text("Uma pessoa precisa confirmar antes.", "A person has to confirm it first.")

T = TypeVar("T")


class StaleConsentError(Exception):
    """The yes was to something else by now, or has been used: nothing was done."""


class RunOperation:
    """Stands around every operation: grant, idempotency, confirmation, audit.

    The deadline is the door's: it covers what comes before, too.
    """

    def __init__(
        self, open_work: OpenWork, system_clock: SystemClock, ids: Ids, documents: Documents
    ) -> None:
        self._open_work = open_work
        self._documents = documents
        self._clock = system_clock
        self._ids = ids
        self._policy = AccessPolicy()
        self.entries = Entries(system_clock, ids)

    async def __call__(self, bound: Bound, request: Request) -> Answer:
        """Run an operation of which nobody has to be asked first.

        Raises:
            ConfirmationRequiredError: a person has to be.
            DomainError: any other refusal; nothing was changed.
        """
        return await self._noting(bound.operation, request, self._run(bound, request))

    async def prepare(self, bound: Bound, request: Request) -> Prepared:
        """Scope and role, then arguments. Raises DomainError."""
        return await self._noting(bound.operation, request, self._prepare(bound, request))

    async def consider(
        self, prepared: Prepared, confirmation: str | None = None
    ) -> Answer | Considered:
        """The answer that needs nobody's yes, or what a person has to be asked.

        Such an answer is a replay, also of what the question with the id `confirmation` came to, or
        a state that is there already.

        Raises:
            DomainError: a rule forbids it; nobody is asked.
        """
        considered = self._consider(prepared, confirmation)
        return await self._noting(prepared.operation, prepared.request, considered)

    async def perform(self, prepared: Prepared, consent: Consent) -> Answer:
        """Do what a person said yes to.

        Raises:
            StaleConsentError: not to this any more, or not again.
            DomainError: any refusal; nothing was changed.
        """
        performed = self._write(prepared, consent)
        return await self._noting(prepared.operation, prepared.request, performed)

    async def decision(self, request: Request, decision_id: str) -> Decision | None:
        """What was decided on the page under this id."""
        async with self._open(request, read_only=True) as work:
            return await work.decisions.find(decision_id)

    async def drop(self, prepared: Prepared, decision: Decision) -> None:
        """Use a decision up that was a no."""
        async with self._open(prepared.request) as work:
            await work.decisions.use(decision)
            await work.commit()

    async def note(self, request: Request, entry: AuditEntry) -> None:
        """Write one line of the audit trail, in a transaction of its own."""
        async with self._open(request) as work:
            await work.audit(entry)
            await work.commit()

    async def _noting(
        self, operation: Operation[Any], request: Request, running: Awaitable[T]
    ) -> T:
        """What `running` gives; what it refuses is written down."""
        try:
            return await running
        except DomainError as refused:
            entry = self.entries.of_refusal(operation, request, refused)
            if entry is not None:
                await self.note(request, entry)
            raise

    async def _prepare(self, bound: Bound, request: Request) -> Prepared:
        self._policy.guard(request.grant, bound.operation.info)
        return Prepared(bound.operation, request, bound.read(request.raw))

    async def _run(self, bound: Bound, request: Request) -> Answer:
        prepared = await self._prepare(bound, request)
        info = bound.operation.info
        if info.read_only:
            if bound.operation.gives is Document:
                return await self._document(prepared)
            revealed = getattr(prepared.arguments.values, "reveal", ())
            return await (self._reveal(prepared, revealed) if revealed else self._read(prepared))
        if info.destructive and request.origin.via == "mcp":
            raise ConfirmationRequiredError(_A_PERSON)
        return await self._write(prepared)

    async def _read(self, prepared: Prepared) -> Answer:
        async with self._open(prepared.request, read_only=True) as work:
            result = await self._result(prepared, work)
        return _answer(prepared.operation, result)

    async def _reveal(self, prepared: Prepared, revealed: Sequence[str]) -> Answer:
        self._policy.guard_reveal(prepared.request.grant, revealed)
        async with self._open(prepared.request) as work:
            result = await self._result(prepared, work)
            answer = _answer(prepared.operation, result)
            shown = {"reveal": list(revealed), "ids": _ids_in(result)}
            await work.audit(self.entries.of_reveal(prepared, shown))
            await work.commit()
        return answer

    async def _document(self, prepared: Prepared) -> Answer:
        """A document leaves the house: that is written down before it does.

        It is read as a reader reads, from one moment: its sums would not add up otherwise.
        """
        request = prepared.request
        async with self._open(request, read_only=True) as work:
            document = await self._result(prepared, work)
        assert isinstance(document, Document)  # noqa: S101 -- the declaration says so
        # Laying out takes long: no connection waits for it.
        file = await self._documents.render(document, whose=request.grant.organization_id)
        await self.note(request, self.entries.of_word(prepared, "ok"))
        facts = FileFacts(file.content_type, file.name)
        return Answer(prepared.operation.status, file.content, file=facts)

    async def _consider(self, prepared: Prepared, confirmation: str | None) -> Answer | Considered:
        async with self._open(prepared.request, read_only=True) as work:
            for scope in _scopes(prepared, confirmation):
                stored = await work.idempotency.find(scope)
                if stored is not None:
                    return _replay(stored, prepared.arguments)
            plan = await self._result(prepared, work)
            if not isinstance(plan, Ready):
                return _answer(prepared.operation, plan)
            call = asked_call(prepared, plan.fingerprint)
            return Considered(
                call=call,
                question=plan.question,
                language=(await work.organization()).language,
                decision=await work.decisions.unused(call),
            )

    async def _write(self, prepared: Prepared, consent: Consent | None = None) -> Answer:
        async with self._open(prepared.request) as work:
            scopes = list(_scopes(prepared, None if consent is None else consent.id))
            for scope in scopes:
                stored = await work.idempotency.claim(scope)
                if stored is not None:
                    return _replay(stored, prepared.arguments)
            result = await self._result(prepared, work, locks=True)
            if isinstance(result, Reached):
                return _answer(prepared.operation, result)
            if consent is not None:
                await _use(consent, result, work)
            answer = _answer(prepared.operation, result, await _effect(result))
            for scope in scopes:
                await work.idempotency.save(scope, self._storable(answer, prepared.arguments))
            events = work.pending_events()
            await work.audit(self.entries.of_effect(prepared, events, consent))
            await work.commit()
        return answer

    async def _result(self, prepared: Prepared, work: Work, *, locks: bool = False) -> object:
        request = prepared.request
        call = Call(
            grant=request.grant,
            work=work,
            system_now=self._clock.now(),
            ids=self._ids,
            origin=request.origin,
            locks=locks,
        )
        return await prepared.operation.run(call, prepared.arguments.values)

    def _open(
        self, request: Request, *, read_only: bool = False
    ) -> AbstractAsyncContextManager[Work]:
        return self._open_work(request.grant, request.origin, read_only=read_only)

    def _storable(self, answer: Answer, arguments: Arguments) -> StoredAnswer:
        return StoredAnswer(
            fingerprint=arguments.fingerprint,
            status=answer.status,
            body=answer.body,
            expires_at=self._clock.now() + RETENTION,
        )


async def _use(consent: Consent, plan: object, work: Work) -> None:
    if not isinstance(plan, Ready) or plan.fingerprint != consent.fingerprint:
        raise StaleConsentError
    if consent.decision is not None and not await work.decisions.use(consent.decision):
        raise StaleConsentError


async def _effect(result: object) -> object:
    return await result.perform() if isinstance(result, Ready) else result


def _answer(operation: Operation[Any], result: object, effect: object = None) -> Answer:
    """The answer of what a use case gave; `effect` is what came of a plan."""
    status, given = operation.status, result
    if isinstance(result, Reached | Ready):
        status = result.status or status
        given = result.answer if isinstance(result, Reached) else effect
    return Answer(status, b"" if given is None else _ENCODER.encode(given))


def _replay(stored: StoredAnswer, arguments: Arguments) -> Answer:
    if stored.fingerprint != arguments.fingerprint:
        raise IdempotencyKeyReusedError
    return Answer(stored.status, stored.body, replayed=True)


def _scopes(prepared: Prepared, confirmation: str | None) -> Iterator[KeyScope]:
    """What the answer is kept under: the caller's key, and the question that was said yes to."""
    actor, arguments = prepared.request.grant.actor, prepared.arguments
    if arguments.key is not None:
        yield KeyScope(
            issuer=actor.issuer,
            subject=actor.subject,
            operation=prepared.operation.info.name,
            path_ids=arguments.path_ids,
            key=arguments.key,
        )
    if confirmation is not None:
        yield KeyScope(
            issuer=actor.issuer,
            subject=actor.subject,
            operation=_CONFIRMATION,
            path_ids=(),
            key=confirmation,
        )


def asked_call(prepared: Prepared, fingerprint: str) -> AskedCall:
    """The call as a person is asked about it, with the target as it is shown."""
    actor = prepared.request.grant.actor
    return AskedCall(
        issuer=actor.issuer,
        subject=actor.subject,
        client_id=actor.client_id,
        operation=prepared.operation.info.name,
        digest=prepared.arguments.fingerprint,
        fingerprint=fingerprint,
    )


def _ids_in(result: object) -> list[str]:
    """Whose data an answer shows."""
    data = getattr(result, "data", ())
    rows: Sequence[Any] = data if isinstance(data, list) else [data]
    return [row.id for row in rows]
