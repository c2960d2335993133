"""Lines of the audit trail about operations: what they did, and what they refused."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from application.operations.declaration import Operation
from application.operations.request import Arguments, Prepared, Request
from domain.access.audit import AuditEntry, Outcome
from domain.access.confirmation import Consent
from domain.access.policy import REVEAL_SCOPE
from domain.dunning.events import Event
from domain.errors import (
    AccessError,
    ConfirmationRequiredError,
    DomainError,
    LegalLimitError,
    PermissionDeniedError,
    UnavailableError,
    ValidationError,
)
from domain.ports.clocks import SystemClock
from domain.ports.ids import Ids

_ID: Final = re.compile(r"[a-z]{3}_[0-9a-z]{26}")


class Entries:
    """Makes the lines, with an id and the time."""

    def __init__(self, clock: SystemClock, ids: Ids) -> None:
        self._clock = clock
        self._ids = ids

    def of_effect(
        self, prepared: Prepared, events: Sequence[Event], consent: Consent | None
    ) -> AuditEntry:
        """What was done; on whose yes."""
        operation, arguments = prepared.operation, prepared.arguments
        diff = dict(_diff(events))
        if consent is not None and consent.reason is not None:
            diff["confirmation_reason"] = consent.reason
        return AuditEntry(
            id=self._ids.new("aud"),
            at=self._clock.now(),
            action=operation.info.name,
            resource=_about(arguments) or _made(operation, events),
            outcome="ok",
            confirmation=None if consent is None else consent.id,
            scopes_used=tuple(sorted(operation.info.scopes)),
            diff=diff,
        )

    def of_reveal(self, prepared: Prepared, shown: Mapping[str, object]) -> AuditEntry:
        """What was shown unmasked."""
        operation = prepared.operation
        return AuditEntry(
            id=self._ids.new("aud"),
            at=self._clock.now(),
            action=operation.info.name,
            resource=_about(prepared.arguments),
            outcome="ok",
            scopes_used=(*sorted(operation.info.scopes), REVEAL_SCOPE),
            diff=shown,
        )

    def of_word(
        self,
        prepared: Prepared,
        outcome: Outcome,
        *,
        confirmation: str | None = None,
        code: str | None = None,
    ) -> AuditEntry:
        """What changed no row: a question asked or answered, a document given."""
        return AuditEntry(
            id=self._ids.new("aud"),
            at=self._clock.now(),
            action=prepared.operation.info.name,
            resource=_about(prepared.arguments),
            outcome=outcome,
            code=code,
            confirmation=confirmation,
        )

    def of_stranger(self, action: str, confirmation: str) -> AuditEntry:
        """Somebody wanted to decide on another person's question."""
        return AuditEntry(
            id=self._ids.new("aud"),
            at=self._clock.now(),
            action=action,
            resource=None,
            outcome="denied",
            code=PermissionDeniedError.code,
            confirmation=confirmation,
        )

    def of_refusal(
        self, operation: Operation[Any], request: Request, refused: DomainError
    ) -> AuditEntry | None:
        """What was refused; None for what is no business of the trail."""
        outcome = _audited_as(operation, refused)
        if outcome is None:
            return None
        return AuditEntry(
            id=self._ids.new("aud"),
            at=self._clock.now(),
            action=operation.info.name,
            resource=_named(request),
            outcome=outcome,
            code=refused.code,
        )


def _about(arguments: Arguments) -> str | None:
    return arguments.path_ids[0] if arguments.path_ids else None


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
