"""Running an operation: what wraps every one of them, the same for both doors.

The order of a write: scope and role, arguments, a finished idempotency record, target and rules,
confirmation over MCP, then one transaction that looks again at locked rows, takes the key, acts,
and writes events and the audit line with the effect. A read that shows what is masked is written
down as well, before anybody sees it.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Final, Protocol

import msgspec

from application.operations.call import Call
from application.operations.declaration import Operation, Reached, Ready
from domain.access.audit import AuditEntry, Origin, Outcome
from domain.access.grant import Grant
from domain.access.idempotency import RETENTION, KeyScope, StoredAnswer
from domain.access.policy import REVEAL_SCOPE, AccessPolicy
from domain.dunning.events import Event
from domain.errors import (
    AccessError,
    ConfirmationRequiredError,
    DomainError,
    IdempotencyKeyReusedError,
    LegalLimitError,
    UnavailableError,
    ValidationError,
)
from domain.ports.clocks import SystemClock
from domain.ports.ids import Ids
from domain.ports.storage import OpenWork, Work
from domain.texts import Text

_ENCODER: Final = msgspec.json.Encoder(decimal_format="number")
_ID: Final = re.compile(r"[a-z]{3}_[0-9a-z]{26}")


class Arguments(msgspec.Struct, frozen=True, kw_only=True):
    """What a caller sent, read by the operation's own schema.

    `fingerprint` identifies it after coercion, without the key; empty where there is no key.
    """

    values: Any
    path_ids: tuple[str, ...] = ()
    key: str | None = None
    fingerprint: bytes = b""


class ReadArguments(Protocol):
    """Turns what a door received into arguments."""

    def __call__(self, raw: Mapping[str, object], /) -> Arguments:
        """Coerce and check. Raises ValidationError."""
        ...


@dataclass(frozen=True, slots=True)
class Bound:
    """An operation with the reader of its arguments, as a catalogue holds it."""

    operation: Operation[Any]
    read: ReadArguments


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """One request for an operation."""

    raw: Mapping[str, object]
    grant: Grant
    origin: Origin


class Answer(msgspec.Struct, frozen=True):
    """What an operation gave: a status, the JSON body (empty for 204), whether it is a replay."""

    status: int
    body: bytes
    replayed: bool = False


class RunOperation:
    """Stands around every operation: grant, idempotency, confirmation, audit.

    The deadline is the door's: it covers what comes before, too.
    """

    def __init__(self, open_work: OpenWork, system_clock: SystemClock, ids: Ids) -> None:
        self._open_work = open_work
        self._clock = system_clock
        self._ids = ids
        self._policy = AccessPolicy()

    async def __call__(self, bound: Bound, request: Request) -> Answer:
        """Run an operation.

        Raises:
            DomainError: any refusal; nothing was changed.
        """
        try:
            return await self._run(bound, request)
        except DomainError as refused:
            await self._note_refusal(bound.operation, request, refused)
            raise

    async def _run(self, bound: Bound, request: Request) -> Answer:
        operation = bound.operation
        self._policy.guard(request.grant, operation.info)
        arguments = bound.read(request.raw)
        if operation.info.read_only:
            revealed = getattr(arguments.values, "reveal", ())
            if revealed:
                return await self._reveal(operation, request, arguments, revealed)
            return await self._read(operation, request, arguments)
        if operation.info.destructive and request.origin.via == "mcp":
            settled = await self._before_asking(operation, request, arguments)
            if settled is not None:
                return settled
            raise _ask_elsewhere()
        return await self._write(operation, request, arguments)

    async def _read(
        self, operation: Operation[Any], request: Request, arguments: Arguments
    ) -> Answer:
        async with self._open(request, read_only=True) as work:
            result = await operation.run(self._call(request, work), arguments.values)
        return _answer(operation, result)

    async def _reveal(
        self,
        operation: Operation[Any],
        request: Request,
        arguments: Arguments,
        revealed: Sequence[str],
    ) -> Answer:
        self._policy.guard_reveal(request.grant, revealed)
        async with self._open(request) as work:
            result = await operation.run(self._call(request, work), arguments.values)
            answer = _answer(operation, result)
            shown = {"reveal": list(revealed), "ids": _ids_in(result)}
            await work.audit(self._entry_of_reveal(operation, arguments, shown))
            await work.commit()
        return answer

    async def _before_asking(
        self, operation: Operation[Any], request: Request, arguments: Arguments
    ) -> Answer | None:
        """The answer that needs nobody's yes: a replay, or a state that is there already."""
        async with self._open(request, read_only=True) as work:
            scope = _key_scope(operation, request, arguments)
            if scope is not None:
                stored = await work.idempotency.find(scope)
                if stored is not None:
                    return _replay(stored, arguments)
            plan = await operation.run(self._call(request, work), arguments.values)
        return _answer(operation, plan.answer) if isinstance(plan, Reached) else None

    async def _write(
        self, operation: Operation[Any], request: Request, arguments: Arguments
    ) -> Answer:
        async with self._open(request) as work:
            scope = _key_scope(operation, request, arguments)
            if scope is not None:
                stored = await work.idempotency.claim(scope)
                if stored is not None:
                    return _replay(stored, arguments)
            call = self._call(request, work, locks=True)
            result = await operation.run(call, arguments.values)
            if isinstance(result, Reached):
                return _answer(operation, result.answer)
            if isinstance(result, Ready):
                result = await result.perform()
            answer = _answer(operation, result)
            if scope is not None:
                await work.idempotency.save(scope, self._storable(answer, arguments))
            await work.audit(self._entry_of_effect(operation, arguments, work.pending_events()))
            await work.commit()
        return answer

    def _open(
        self, request: Request, *, read_only: bool = False
    ) -> AbstractAsyncContextManager[Work]:
        return self._open_work(request.grant, request.origin, read_only=read_only)

    def _call(self, request: Request, work: Work, *, locks: bool = False) -> Call:
        return Call(
            grant=request.grant,
            work=work,
            system_now=self._clock.now(),
            ids=self._ids,
            origin=request.origin,
            locks=locks,
        )

    def _storable(self, answer: Answer, arguments: Arguments) -> StoredAnswer:
        return StoredAnswer(
            fingerprint=arguments.fingerprint,
            status=answer.status,
            body=answer.body,
            expires_at=self._clock.now() + RETENTION,
        )

    def _entry_of_effect(
        self, operation: Operation[Any], arguments: Arguments, events: Sequence[Event]
    ) -> AuditEntry:
        return AuditEntry(
            id=self._ids.new("aud"),
            at=self._clock.now(),
            action=operation.info.name,
            resource=arguments.path_ids[0] if arguments.path_ids else _made(operation, events),
            outcome="ok",
            scopes_used=tuple(sorted(operation.info.scopes)),
            diff=_diff(events),
        )

    def _entry_of_reveal(
        self, operation: Operation[Any], arguments: Arguments, shown: Mapping[str, object]
    ) -> AuditEntry:
        return AuditEntry(
            id=self._ids.new("aud"),
            at=self._clock.now(),
            action=operation.info.name,
            resource=arguments.path_ids[0] if arguments.path_ids else None,
            outcome="ok",
            scopes_used=(*sorted(operation.info.scopes), REVEAL_SCOPE),
            diff=shown,
        )

    async def _note_refusal(
        self, operation: Operation[Any], request: Request, refused: DomainError
    ) -> None:
        outcome = _audited_as(operation, refused)
        if outcome is None:
            return
        entry = AuditEntry(
            id=self._ids.new("aud"),
            at=self._clock.now(),
            action=operation.info.name,
            resource=_named(request),
            outcome=outcome,
            code=refused.code,
        )
        async with self._open(request) as work:
            await work.audit(entry)
            await work.commit()


def _made(operation: Operation[Any], events: Sequence[Event]) -> str | None:
    """What a call without an id in its path was about: what it made, before what that changed."""
    own = [one for one in events if f"{one.resource_type}s" == operation.info.toolset]
    return next((one.resource_id for one in (*own, *events)), None)


def _diff(events: Sequence[Event]) -> Mapping[str, object]:
    """The changes by field; by id and field where several things changed."""
    about = {event.resource_id for event in events}
    if len(about) <= 1:
        return {name: change for event in events for name, change in event.changes.items()}
    return {
        one: {
            name: change
            for event in events
            if event.resource_id == one
            for name, change in event.changes.items()
        }
        for one in sorted(about)
    }


def _ids_in(result: object) -> list[str]:
    """Whose data an answer shows."""
    data = getattr(result, "data", ())
    rows: Sequence[Any] = data if isinstance(data, list) else [data]
    return [row.id for row in rows]


def _answer(operation: Operation[Any], result: object) -> Answer:
    return Answer(operation.status, b"" if result is None else _ENCODER.encode(result))


def _replay(stored: StoredAnswer, arguments: Arguments) -> Answer:
    if stored.fingerprint != arguments.fingerprint:
        raise IdempotencyKeyReusedError
    return Answer(stored.status, stored.body, replayed=True)


def _key_scope(
    operation: Operation[Any], request: Request, arguments: Arguments
) -> KeyScope | None:
    if arguments.key is None:
        return None
    actor = request.grant.actor
    return KeyScope(
        issuer=actor.issuer,
        subject=actor.subject,
        operation=operation.info.name,
        path_ids=arguments.path_ids,
        key=arguments.key,
    )


def _named(request: Request) -> str | None:
    """The id that was asked for; anything else from a caller has no place in the trail."""
    named = request.raw.get("id")
    return named if isinstance(named, str) and _ID.fullmatch(named) else None


def _audited_as(operation: Operation[Any], refused: DomainError) -> Outcome | None:
    """Refusals of access are audited for every operation, refusals by rules for writes."""
    foreign = isinstance(refused, ValidationError) and any(
        detail.code == "not_found" for detail in refused.details
    )
    if isinstance(refused, AccessError) or foreign:
        return "denied"
    if operation.info.read_only or isinstance(
        refused, UnavailableError | ConfirmationRequiredError
    ):
        return None
    is_malformed = isinstance(refused, ValidationError) and not isinstance(refused, LegalLimitError)
    return None if is_malformed else "error"


def _ask_elsewhere() -> ConfirmationRequiredError:
    return ConfirmationRequiredError(
        Text(
            "Esta ação precisa da confirmação de uma pessoa, que ainda não pode ser dada por aqui: "
            "use /v1.",
            "This action needs a person's confirmation, which cannot be given here yet: use /v1.",
        )
    )
