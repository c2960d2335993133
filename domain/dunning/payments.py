"""A payment that was received: what it settled, and what is left of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Final

from domain.dunning.allocation import Distribution
from domain.dunning.calendar import NATIONAL_NARROW
from domain.dunning.debtors import Debtor
from domain.dunning.documents import Document, parse_document
from domain.dunning.events import Event, EventSource
from domain.dunning.free_text import (
    NAME,
    external_id_or_none,
    trimmed_lines,
    trimmed_lines_or_none,
    trimmed_or_none,
)
from domain.dunning.ledger import Settled
from domain.dunning.moment import Moment
from domain.dunning.money import Bounds, Cents, amount_text
from domain.errors import Detail, StateConflictError, ValidationError
from domain.texts import Text

AMOUNT: Final = Bounds(1, 999_999_999_999)
NOTE: Final = Bounds(1, 500)
REVERSAL_NOTE: Final = Bounds(5, 500)
_FIRST_PAYMENT: Final = date(1990, 1, 1)
_LONGEST_CLEARING: Final = timedelta(days=60)
_CREDIT_USED: Final = Text(
    "O crédito já foi usado; estorne antes a compensação que o usou.",
    "The credit has been used; reverse the compensation that used it first.",
)


class PaymentMethod(StrEnum):
    """How the money came; `compensation` uses the debtor's credit."""

    PIX = "pix"
    BOLETO = "boleto"
    CARD = "card"
    TRANSFER = "transfer"
    CASH = "cash"
    CHECK = "check"
    COMPENSATION = "compensation"
    OTHER = "other"


class PaymentStatus(StrEnum):
    """A payment is never edited, only reversed."""

    CONFIRMED = "confirmed"
    REVERSED = "reversed"


_CLEARS_LATER: Final = frozenset({PaymentMethod.BOLETO, PaymentMethod.CHECK})


class ReversalReason(StrEnum):
    """Why a payment is undone."""

    CHARGEBACK = "chargeback"
    BOUNCED_CHECK = "bounced_check"
    MISTAKE = "mistake"
    FRAUD = "fraud"


@dataclass(frozen=True, slots=True)
class Allocation:
    """What a payment settled of one charge."""

    charge_id: str
    settled: Settled


@dataclass(frozen=True, slots=True, kw_only=True)
class Reversal:
    """Why a payment is undone, and when it came back: today unless said."""

    reason: ReversalReason
    note: str
    on: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPayment:
    """Money as the caller reports it; `charge_ids` is what the debtor said it is for (CC 352)."""

    debtor_id: str
    amount: Cents
    method: PaymentMethod
    paid_at: date
    available_at: date | None = None
    charge_ids: tuple[str, ...] = ()
    external_id: str | None = None
    payer_name: str | None = None
    payer_document: str | None = None
    note: str | None = None


@dataclass(kw_only=True, eq=False)
class Payment(EventSource):
    """Money of one debtor, received on `paid_at` and at our disposal on `available_at`.

    Never edited, only reversed.
    """

    id: str
    organization_id: str
    debtor_id: str
    amount: Cents
    method: PaymentMethod
    paid_at: date
    available_at: date
    charge_ids: tuple[str, ...]
    allocations: tuple[Allocation, ...]
    unallocated_amount: Cents
    external_id: str | None
    payer_name: str | None
    payer_document: Document | None
    note: str | None
    status: PaymentStatus
    reversal_reason: ReversalReason | None
    reversal_note: str | None
    reversed_at: date | None
    version: int
    created_at: datetime
    updated_at: datetime

    @classmethod
    def receive(
        cls, payment_id: str, new: NewPayment, given: Distribution, debtor: Debtor, moment: Moment
    ) -> "Payment":
        """Money that came, as it was given to charges; what is left becomes the debtor's credit.

        Compensation uses that credit instead.

        Raises:
            ValidationError: a date or text outside its range, or a compensation above the credit
                or above what is due.
        """
        payment = cls(
            id=payment_id,
            organization_id=debtor.organization_id,
            debtor_id=debtor.id,
            amount=new.amount,
            method=new.method,
            paid_at=new.paid_at,
            available_at=available_on(new),
            charge_ids=new.charge_ids,
            allocations=tuple(Allocation(share.charge.id, share.settled) for share in given.shares),
            unallocated_amount=given.left,
            external_id=external_id_or_none(new.external_id),
            payer_name=trimmed_or_none(new.payer_name, "payer_name", NAME),
            payer_document=_payer_document(new.payer_document),
            note=trimmed_lines_or_none(new.note, "note", NOTE),
            status=PaymentStatus.CONFIRMED,
            reversal_reason=None,
            reversal_note=None,
            reversed_at=None,
            version=1,
            created_at=moment.instant,
            updated_at=moment.instant,
        )
        payment._move_credit(debtor, given.left)
        payment._tell("payment.confirmed", {})
        return payment

    @property
    def is_compensation(self) -> bool:
        """Whether no new money came."""
        return self.method is PaymentMethod.COMPENSATION

    def checked_reversal(self, reversal: Reversal, debtor: Debtor, today: date) -> Reversal:
        """`reversal` with its day and its note trimmed, once it is allowed; nothing is changed.

        Raises:
            StateConflictError: the debtor is anonymised, or its credit has been used already.
            ValidationError: a date before the payment or after today, or a note that is none.
        """
        debtor.refuse_anonymized()
        on = reversal.on or today
        refuse_unless_between(on, "reversed_at", self.paid_at, today)
        note = trimmed_lines(reversal.note, "note", REVERSAL_NOTE)
        if not self.is_compensation and self.unallocated_amount > debtor.credit:
            raise StateConflictError(_CREDIT_USED, current_status=self.status)
        return Reversal(reason=reversal.reason, note=note, on=on)

    def reverse(self, reversal: Reversal, debtor: Debtor, moment: Moment) -> None:
        """Undo it, for good; the caller undoes it on the charges.

        Raises:
            StateConflictError, ValidationError: as `checked_reversal`.
        """
        held = self.checked_reversal(reversal, debtor, moment.today)
        if self.is_compensation:
            debtor.add_credit(self.amount)
        else:
            debtor.take_credit(self.unallocated_amount)
        self.status = PaymentStatus.REVERSED
        self.reversal_reason, self.reversal_note = held.reason, held.note
        self.reversed_at = held.on
        self.version += 1
        self.updated_at = moment.instant
        confirmed, reversed_ = PaymentStatus.CONFIRMED.value, PaymentStatus.REVERSED.value
        self._tell("payment.reversed", {"status": (confirmed, reversed_)})

    def _move_credit(self, debtor: Debtor, left: Cents) -> None:
        if not self.is_compensation:
            debtor.add_credit(left)
            return
        if self.amount > debtor.credit:
            raise _more_than(Text("o crédito do devedor", "the debtor's credit"), debtor.credit)
        if left:
            raise _more_than(Text("o que é devido", "what is due"), self.amount - left)
        debtor.take_credit(self.amount)

    def _tell(self, event_type: str, changes: Mapping[str, tuple[object, object]]) -> None:
        event = Event(
            type=event_type,
            resource_type="payment",
            resource_id=self.id,
            data=self._snapshot(),
            changes=changes,
        )
        self.events.append(event)

    def _snapshot(self) -> Mapping[str, object]:
        # Who paid, and what was noted about it, stays out.
        return {
            "id": self.id,
            "debtor_id": self.debtor_id,
            "amount": self.amount,
            "method": self.method.value,
            "paid_at": self.paid_at.isoformat(),
            "available_at": self.available_at.isoformat(),
            "charge_ids": [one.charge_id for one in self.allocations],
            "unallocated_amount": self.unallocated_amount,
            "status": self.status.value,
            "reason": None if self.reversal_reason is None else self.reversal_reason.value,
        }


def checked_payment(new: NewPayment, today: date) -> NewPayment:
    """`new`, once its amount and dates are allowed. Raises `ValidationError`."""
    if new.amount not in AMOUNT:
        text = Text("Valor fora da faixa permitida.", "The amount is outside the allowed range.")
        raise ValidationError(Detail("amount", "out_of_range", text))
    refuse_unless_between(new.paid_at, "paid_at", _FIRST_PAYMENT, today)
    if new.available_at is not None:
        latest = new.paid_at + _LONGEST_CLEARING
        refuse_unless_between(new.available_at, "available_at", new.paid_at, latest)
    return new


def available_on(new: NewPayment) -> date:
    """When the money is at our disposal: the next business day for boletos and cheques."""
    if new.available_at is not None:
        return new.available_at
    if new.method in _CLEARS_LATER:
        return NATIONAL_NARROW.next_business_day_after(new.paid_at)
    return new.paid_at


def refuse_unless_between(day: date, field: str, first: date, last: date) -> None:
    """Raise `ValidationError` unless `day` is from `first` to `last`."""
    if not first <= day <= last:
        text = Text(
            f"Informe uma data de {first:%d/%m/%Y} a {last:%d/%m/%Y}.",
            f"Give a date from {first} to {last}.",
        )
        raise ValidationError(Detail(field, "out_of_range", text))


def _more_than(limit: Text, amount: Cents) -> ValidationError:
    there_is = amount_text(amount)
    text = Text(
        f"A compensação passa de {there_is.pt}, {limit.pt}.",
        f"The compensation is more than {there_is.en}, {limit.en}.",
    )
    return ValidationError(Detail("amount", "out_of_range", text))


def _payer_document(text: str | None) -> Document | None:
    return None if text is None else parse_document(text, "payer_document")
