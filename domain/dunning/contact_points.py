"""Where a debtor can be reached, and whether they let us."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Final

from domain.dunning.addresses import Address
from domain.dunning.contact_digests import contact_digest
from domain.dunning.debtors import Debtor
from domain.dunning.emails import masked_email
from domain.dunning.erasure import ERASED
from domain.dunning.events import Event, EventSource
from domain.dunning.free_text import trimmed_lines, trimmed_or_none
from domain.dunning.moment import Moment
from domain.dunning.money import Bounds
from domain.dunning.opt_outs import OptOut, OptOutSource
from domain.dunning.phones import masked_phone
from domain.errors import Detail, StateConflictError, ValidationError, VersionConflictError
from domain.texts import Text

_LABEL: Final = Bounds(1, 60)
_EVIDENCE: Final = Bounds(5, 500)
_MOST_FAILURES: Final = 2


class ContactKind(StrEnum):
    """What a contact point is."""

    EMAIL = "email"
    MOBILE = "mobile"
    WHATSAPP = "whatsapp"
    PHONE = "phone"
    POSTAL = "postal"


class Relation(StrEnum):
    """Whose it is; debts are not told to family, neighbours or employers (CDC art. 42, LGPD)."""

    SELF = "self"
    LEGAL_REPRESENTATIVE = "legal_representative"
    GUARANTOR = "guarantor"
    COMPANY_CONTACT = "company_contact"


class ContactStatus(StrEnum):
    """Whether it may be used; `deleted` is kept, hashed, for what it had proved or refused."""

    ACTIVE = "active"
    INVALID = "invalid"
    OPTED_OUT = "opted_out"
    DELETED = "deleted"


class ContactSource(StrEnum):
    """Who told us of it."""

    DEBTOR = "debtor"
    CREDITOR_FILE = "creditor_file"
    ENRICHMENT = "enrichment"
    IMPORT = "import"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedContactPoint:
    """A new contact point in its normal form; `value` of a postal one is its folded address."""

    kind: ContactKind
    source: ContactSource
    value: str
    address: Address | None
    relation: Relation
    label: str | None
    is_primary: bool
    usable_as_legal_notice: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactChange:
    """What a contact point is to be; None keeps what there is, but for the label, which is final.

    `evidence` shows why a status is, or ends to be, `opted_out`; `source` is who says so.
    """

    label: str | None
    is_primary: bool | None = None
    is_verified: bool | None = None
    status: ContactStatus | None = None
    evidence: str | None = None
    source: OptOutSource = OptOutSource.MEMBER


@dataclass(kw_only=True, eq=False)
class ContactPoint(EventSource):
    """One way to reach one debtor; `value` is normalised, `address` is that of a postal one.

    Which one of a kind is primary is kept by `ContactBook`. Of a deleted one that is kept, `value`
    is a digest.
    """

    id: str
    organization_id: str
    debtor_id: str
    kind: ContactKind
    value: str
    address: Address | None
    label: str | None
    relation: Relation
    is_primary: bool
    status: ContactStatus
    verified_at: datetime | None
    last_success_at: datetime | None
    last_failure_at: datetime | None
    failure_count: int
    opt_out: OptOut | None
    usable_as_legal_notice: bool
    source: ContactSource
    version: int
    created_at: datetime
    updated_at: datetime

    @classmethod
    def create(
        cls, point_id: str, new: CheckedContactPoint, debtor: Debtor, moment: Moment
    ) -> "ContactPoint":
        """A new active contact point of `debtor`."""
        point = cls(
            id=point_id,
            organization_id=debtor.organization_id,
            debtor_id=debtor.id,
            kind=new.kind,
            value=new.value,
            address=new.address,
            label=new.label,
            relation=new.relation,
            is_primary=new.is_primary,
            status=ContactStatus.ACTIVE,
            verified_at=None,
            last_success_at=None,
            last_failure_at=None,
            failure_count=0,
            opt_out=None,
            usable_as_legal_notice=new.usable_as_legal_notice,
            source=new.source,
            version=1,
            created_at=moment.instant,
            updated_at=moment.instant,
        )
        point._tell("contact_point.created", {})
        return point

    @property
    def value_masked(self) -> str:
        """The value as everybody may see it: `m***@d***.com.br`, `+55 11 9****-1234`."""
        if self.address is not None:
            return f"***, {self.address.city} - {self.address.uf}"
        return (
            masked_email(self.value) if self.kind is ContactKind.EMAIL else masked_phone(self.value)
        )

    @property
    def is_verified(self) -> bool:
        """Whether somebody made sure that it reaches the debtor."""
        return self.verified_at is not None

    @property
    def is_active(self) -> bool:
        """Whether it may be used."""
        return self.status is ContactStatus.ACTIVE

    @property
    def is_refused(self) -> bool:
        """Whether the debtor does not want to be reached here."""
        return self.opt_out is not None and self.opt_out.stands

    @property
    def is_kept_when_deleted(self) -> bool:
        """Whether something has to be shown by it later: a legal notice, or a refusal."""
        return self.usable_as_legal_notice or self.is_refused

    def refuse_stale(self, version: int | None) -> None:
        """Raises VersionConflictError where a given `version` is not the present one."""
        if version not in (None, self.version):
            raise VersionConflictError(self.version)

    def change(self, wanted: ContactChange, moment: Moment) -> None:
        """Make it as wanted; where it is so already, nothing happens.

        Raises:
            ValidationError: a label or evidence that is none, an opt-in without evidence, or a
                refusal that is shown by something else.
            StateConflictError: a status that cannot follow the present one.
        """
        before, refusal = self._facts(), self.opt_out
        self.label, old_label = contact_label(wanted.label), self.label
        if wanted.is_verified is not None and wanted.is_verified is not self.is_verified:
            self.verified_at = moment.instant if wanted.is_verified else None
        self._turn(wanted, moment)
        if wanted.is_primary is not None:
            self.is_primary = wanted.is_primary and self.is_active
        changes = self._changes(before)
        if self.label != old_label:
            # A label may name people, so events say only that there is another.
            changes["label"] = (None, None)
        if "status" not in changes and self.opt_out != refusal:
            changes["evidence"] = (None, None)
        self._moved(changes, moment)

    def note_failure(self, moment: Moment) -> None:
        """Count a hard failure, such as a bounce; the second one makes an active one invalid."""
        before = self._facts()
        self.failure_count += 1
        self.last_failure_at = moment.instant
        if self.is_active and self.failure_count >= _MOST_FAILURES:
            self._leave_for(ContactStatus.INVALID)
        self._moved(self._changes(before), moment)

    def set_primary(self, moment: Moment, *, is_primary: bool) -> None:
        """Note that it has become the primary one of its kind, or is that no more."""
        before = self._facts()
        self.is_primary = is_primary
        self._moved(self._changes(before), moment)

    def delete(self, moment: Moment) -> None:
        """Forget where it leads, and what was written as evidence.

        One that is kept leaves a digest, by which the same value would be known again.
        """
        self.value = self._digest() if self.is_kept_when_deleted else ERASED
        self.address = self.label = None
        if self.opt_out is not None:
            self.opt_out = replace(self.opt_out, evidence=None, ended_evidence=None)
        before = self._facts()
        self._leave_for(ContactStatus.DELETED)
        self._touch(moment)
        self._tell("contact_point.deleted", self._changes(before))

    def revive(self, new: CheckedContactPoint, moment: Moment) -> None:
        """Take a deleted one up again; a refusal that stands goes on."""
        before = self._facts()
        for name in _STATED:
            setattr(self, name, getattr(new, name))
        self.status = ContactStatus.OPTED_OUT if self.is_refused else ContactStatus.ACTIVE
        self.is_primary = new.is_primary and self.is_active
        self.verified_at, self.failure_count = None, 0
        self._touch(moment)
        self._tell("contact_point.created", self._changes(before))

    def _digest(self) -> str:
        return contact_digest(self.organization_id, self.debtor_id, self.kind, self.value)

    def _turn(self, wanted: ContactChange, moment: Moment) -> None:
        """From one status to the next, where another one is wanted."""
        if wanted.status is None and wanted.evidence is not None:
            raise ValidationError(Detail("evidence", "required_with", _EVIDENCE_OF_WHAT))
        evidence = _evidence(wanted.evidence)
        if wanted.status in (None, self.status):
            if self.opt_out is not None and self.opt_out.stands:
                self.opt_out = self.opt_out.shown_by(evidence)
            return
        match self.status, wanted.status:
            case ContactStatus.ACTIVE, ContactStatus.INVALID:
                self._leave_for(ContactStatus.INVALID)
            case ContactStatus.ACTIVE, ContactStatus.OPTED_OUT:
                self.opt_out = OptOut(at=moment.instant, source=wanted.source, evidence=evidence)
                self._leave_for(ContactStatus.OPTED_OUT)
            case ContactStatus.OPTED_OUT, ContactStatus.ACTIVE:
                self._allow_again(evidence, moment)
            case ContactStatus.INVALID, ContactStatus.ACTIVE:
                self._trust_again(wanted)
            case _:
                raise StateConflictError(
                    _NOT_FROM_HERE,
                    current_status=self.status.value,
                    allowed_actions=(ContactStatus.ACTIVE.value,),
                )

    def _allow_again(self, evidence: str | None, moment: Moment) -> None:
        if evidence is None:
            raise ValidationError(Detail("evidence", "required_with", _NO_EVIDENCE))
        if self.opt_out is not None:
            self.opt_out = replace(self.opt_out, ended_at=moment.instant, ended_evidence=evidence)
        self.status = ContactStatus.ACTIVE

    def _trust_again(self, wanted: ContactChange) -> None:
        if not wanted.is_verified:
            raise ValidationError(Detail("verified", "required_with", _NOT_VERIFIED))
        self.failure_count = 0
        self.status = ContactStatus.ACTIVE

    def _leave_for(self, status: ContactStatus) -> None:
        self.status = status
        self.is_primary = False

    def _moved(self, changes: Mapping[str, tuple[object, object]], moment: Moment) -> None:
        if not changes:
            return
        self._touch(moment)
        is_lost = "status" in changes and self.status is ContactStatus.INVALID
        self._tell("contact_point.invalid" if is_lost else "contact_point.updated", changes)

    def _touch(self, moment: Moment) -> None:
        self.version += 1
        self.updated_at = moment.instant

    def _facts(self) -> Mapping[str, object]:
        """What a change may move, as events tell it."""
        return {
            "is_primary": self.is_primary,
            "status": self.status.value,
            "is_verified": self.is_verified,
            "failure_count": self.failure_count,
        }

    def _changes(self, before: Mapping[str, object]) -> dict[str, tuple[object, object]]:
        now = self._facts()
        return {name: (before[name], now[name]) for name in now if now[name] != before[name]}

    def _tell(self, event_type: str, changes: Mapping[str, tuple[object, object]]) -> None:
        # Values, labels and evidence stay out: they are, or may name, somebody's contacts.
        data = {
            "id": self.id,
            "debtor_id": self.debtor_id,
            "kind": self.kind.value,
            "relation": self.relation.value,
            "source": self.source.value,
            "is_primary": self.is_primary,
            "status": self.status.value,
            "usable_as_legal_notice": self.usable_as_legal_notice,
        }
        self.events.append(
            Event(
                type=event_type,
                resource_type="contact_point",
                resource_id=self.id,
                data=data,
                changes=changes,
            )
        )


def contact_label(label: str | None) -> str | None:
    """A label of one line, trimmed. Raises ValidationError."""
    return trimmed_or_none(label, "label", _LABEL)


def _evidence(evidence: str | None) -> str | None:
    return None if evidence is None else trimmed_lines(evidence, "evidence", _EVIDENCE)


_STATED: Final = (
    "value",
    "address",
    "label",
    "relation",
    "usable_as_legal_notice",
    "source",
)
_EVIDENCE_OF_WHAT: Final = Text(
    "evidence acompanha uma mudança de status.", "Evidence goes with a change of status."
)
_NO_EVIDENCE: Final = Text(
    "Diga o que mostra que o devedor aceita este contato de novo.",
    "Say what shows that the debtor accepts this contact again.",
)
_NOT_VERIFIED: Final = Text(
    "Um contato inválido volta a ser usado só com verified: true.",
    "An invalid contact comes back into use only with verified: true.",
)
_NOT_FROM_HERE: Final = Text("Reative o contato antes.", "Make the contact active before this.")
