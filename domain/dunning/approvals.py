"""Four eyes: an act that one person asks for and another one approves."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Final, Literal, TypeAlias

from domain.access.grant import Actor
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.charges import Charge
from domain.dunning.debtors import Debtor
from domain.dunning.events import Event, EventSource
from domain.dunning.free_text import trimmed_lines, trimmed_lines_or_none
from domain.dunning.moment import Moment
from domain.dunning.money import Bounds, Cents
from domain.dunning.organization_settings import ApprovalAct
from domain.errors import DecisionDeniedError, StateConflictError
from domain.texts import Text

LIFETIME: Final = timedelta(days=7)
"""How long a request waits for a second person, by the organisation's business time."""

_Changes: TypeAlias = Mapping[str, tuple[object, object]]

_NOTE: Final = Bounds(1, 500)
_REJECTION_NOTE: Final = Bounds(3, 500)
_OWN_REQUEST: Final = Text(
    "O pedido é seu; outra pessoa precisa decidir.",
    "The request is your own; somebody else has to decide.",
)


class ApprovalStatus(StrEnum):
    """Where a request stands; all but `pending` are final."""

    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"
    EXPIRED = "expired"


_CLOSED: Final[Mapping[ApprovalStatus, Text]] = {
    ApprovalStatus.APPROVED: Text(
        "O pedido já foi aprovado e executado; não há mais o que decidir. Leia a cobrança para ver "
        "o resultado.",
        "The request has been approved and carried out; there is nothing left to decide. Read the "
        "charge to see what came of it.",
    ),
    ApprovalStatus.REJECTED: Text(
        "O pedido já foi rejeitado; se ainda for preciso, faça um novo pedido.",
        "The request has been rejected; make a new one if it is still needed.",
    ),
    ApprovalStatus.EXPIRED: Text(
        f"O pedido venceu: ninguém o decidiu em {LIFETIME.days} dias. Se ainda for preciso, faça "
        "um novo pedido.",
        f"The request has expired: nobody decided on it within {LIFETIME.days} days. Make a new "
        "one if it is still needed.",
    ),
}


@dataclass(frozen=True, slots=True)
class Subject:
    """What would be acted on."""

    type: Literal["charge"]
    id: str


@dataclass(frozen=True, slots=True)
class Party:
    """Who asked or decided: a person, whatever the client they used, or an API client."""

    type: str
    id: str
    name: str

    @classmethod
    def of(cls, actor: Actor) -> "Party":
        """The actor of a grant."""
        return cls(actor.type, actor.id, actor.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A charge as whoever asked saw it: amounts in cents, as of a business date."""

    status: ChargeStatus
    as_of: date
    days_late: int
    principal_outstanding: Cents
    fine: Cents
    interest: Cents
    correction: Cents
    discount: Cents
    costs: Cents
    total_due: Cents

    @classmethod
    def of(cls, charge: Charge) -> "Snapshot":
        """The charge as stored."""
        return cls(
            status=charge.status,
            as_of=charge.amounts_as_of,
            days_late=charge.days_late,
            principal_outstanding=charge.principal_outstanding,
            fine=charge.fine,
            interest=charge.interest,
            correction=charge.correction,
            discount=charge.discount,
            costs=charge.costs,
            total_due=charge.total_due,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is asked for: `operation` with `arguments`, JSON values as it was called with."""

    kind: ApprovalAct
    subject: Subject
    debtor: Debtor
    operation: str
    arguments: Mapping[str, object]
    snapshot: Snapshot


@dataclass(kw_only=True, eq=False)
class Approval(EventSource):
    """One request. `expires_at` is an instant of business time, `decided_at` one of the system's.

    Whoever decides is never who asked: what counts is the person, not the token.
    """

    id: str
    organization_id: str
    kind: ApprovalAct
    subject_type: Literal["charge"]
    subject_id: str
    debtor_id: str
    operation: str
    arguments: Mapping[str, object]
    snapshot: Snapshot
    requested_by: Party
    status: ApprovalStatus
    expires_at: datetime
    decided_by: Party | None
    decided_at: datetime | None
    note: str | None
    version: int
    created_at: datetime
    updated_at: datetime

    @classmethod
    def request(
        cls, approval_id: str, asked: Asked, by: Actor, now: datetime, moment: Moment
    ) -> "Approval":
        """A new request; `now` is the organisation's business time."""
        approval = cls(
            id=approval_id,
            organization_id=asked.debtor.organization_id,
            kind=asked.kind,
            subject_type=asked.subject.type,
            subject_id=asked.subject.id,
            debtor_id=asked.debtor.id,
            operation=asked.operation,
            arguments=asked.arguments,
            snapshot=asked.snapshot,
            requested_by=Party.of(by),
            status=ApprovalStatus.PENDING,
            expires_at=now.astimezone(UTC) + LIFETIME,
            decided_by=None,
            decided_at=None,
            note=None,
            version=1,
            created_at=moment.instant,
            updated_at=moment.instant,
        )
        approval._tell("approval.requested", {})
        return approval

    @property
    def waits_until(self) -> datetime:
        """The end of its time by the system's clock, as `created_at` is.

        It is the instant of `expires_at` unless a sandbox moves its clock on while it waits.
        """
        return self.created_at + LIFETIME

    def status_at(self, now: datetime) -> ApprovalStatus:
        """Where it stands at an instant of business time, even if its end was not noted yet."""
        is_over = self.status is ApprovalStatus.PENDING and now >= self.expires_at
        return ApprovalStatus.EXPIRED if is_over else self.status

    def refuse_own(self, by: Actor) -> None:
        """Raise `DecisionDeniedError` where `by` is who asked, through whatever client."""
        if self._is_of(by):
            raise DecisionDeniedError(_OWN_REQUEST)

    def is_repeated_by(self, asked: Asked, by: Actor) -> bool:
        """Whether `by`, who is who asked, asks for the very same."""
        return self._is_of(by) and self.arguments == asked.arguments

    def refuse_decided(self, now: datetime) -> None:
        """Raise `StateConflictError` unless it still waits for a decision."""
        status = self.status_at(now)
        if status is not ApprovalStatus.PENDING:
            raise StateConflictError(_CLOSED[status], current_status=status.value)

    def approve(self, by: Actor, note: str | None, now: datetime, moment: Moment) -> None:
        """Note that a second person wants it; what was asked for is done by the caller.

        Raises:
            DecisionDeniedError: `by` is who asked.
            StateConflictError: it is decided, or past its time.
            ValidationError: a note that is no text of 1 to 500 characters.
        """
        self._refuse_decision(by, now)
        told = checked_note(note)
        changes = self._decide(ApprovalStatus.APPROVED, by, told, moment)
        self._moved("approval.approved", changes, moment)

    def reject(self, by: Actor, note: str, now: datetime, moment: Moment) -> None:
        """Note that a second person does not want it.

        Raises:
            DecisionDeniedError: `by` is who asked.
            StateConflictError: it is decided, or past its time.
            ValidationError: a note that is no text of 3 to 500 characters.
        """
        self._refuse_decision(by, now)
        told = checked_rejection_note(note)
        changes = self._decide(ApprovalStatus.REJECTED, by, told, moment)
        self._moved("approval.rejected", changes, moment)

    def expire(self, now: datetime, moment: Moment) -> None:
        """Note that its time is over; before that, and once it is decided, do nothing."""
        before = self.status
        if self.status_at(now) is before:
            return
        self.status = ApprovalStatus.EXPIRED
        self._moved("approval.expired", {"status": (before.value, self.status.value)}, moment)

    def _is_of(self, by: Actor) -> bool:
        return (by.type, by.id) == (self.requested_by.type, self.requested_by.id)

    def _refuse_decision(self, by: Actor, now: datetime) -> None:
        self.refuse_own(by)
        self.refuse_decided(now)

    def _decide(
        self, status: ApprovalStatus, by: Actor, note: str | None, moment: Moment
    ) -> _Changes:
        """Note a decision; gives what has changed."""
        changes: dict[str, tuple[object, object]] = {
            "status": (self.status.value, status.value),
            "decided_by": (None, by.id),
        }
        if note is not None:
            # A note may name people; events outlive what is known of them.
            changes["note"] = (None, None)
        self.status, self.note = status, note
        self.decided_by, self.decided_at = Party.of(by), moment.instant
        return changes

    def _moved(self, event_type: str, changes: _Changes, moment: Moment) -> None:
        self.version += 1
        self.updated_at = moment.instant
        self._tell(event_type, changes)

    def _tell(self, event_type: str, changes: _Changes) -> None:
        event = Event(
            type=event_type,
            resource_type="approval",
            resource_id=self.id,
            data=self._told(),
            changes=changes,
        )
        self.events.append(event)

    def _told(self) -> Mapping[str, object]:
        # Not the arguments: there may be a note among them.
        return {
            "id": self.id,
            "debtor_id": self.debtor_id,
            "kind": self.kind.value,
            "subject": {"type": self.subject_type, "id": self.subject_id},
            "charge_ids": [self.subject_id],
            "status": self.status.value,
            "total_due": self.snapshot.total_due,
            "requested_by": self.requested_by.id,
            "expires_at": self.waits_until.isoformat().replace("+00:00", "Z"),
        }


def checked_note(note: str | None) -> str | None:
    """A note on an approval, trimmed: 1 to 500 characters. Raises `ValidationError`."""
    return trimmed_lines_or_none(note, "note", _NOTE)


def checked_rejection_note(note: str) -> str:
    """A note on a rejection, trimmed: 3 to 500 characters. Raises `ValidationError`."""
    return trimmed_lines(note, "note", _REJECTION_NOTE)
