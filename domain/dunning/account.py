"""What moves a debtor's account over a period: charges, what is added to them, and payments.

It is made of what is known now: a payment that was reversed since counts on no day, and is shown
with its reversal where both lie in the period.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import Final

from domain.dunning.amounts import Amounts, amounts_of
from domain.dunning.calendar import years_after
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.charges import Charge
from domain.dunning.ledger import Credit, Settled
from domain.dunning.money import Cents
from domain.dunning.owed import owed_on
from domain.dunning.payments import Payment, refuse_unless_between
from domain.dunning.rates import Rates

_FURTHEST_BACK_YEARS: Final = 5
_FIRST_DAY: Final = date(1950, 1, 1)
_ONE_DAY: Final = timedelta(days=1)


class LineType(StrEnum):
    """What a line is, in the order in which those of one day stand; the ends move nothing."""

    OPENING = "opening"
    CHARGE = "charge"
    COSTS = "costs"
    INTEREST = "interest"
    FINE = "fine"
    CORRECTION = "correction"
    DISCOUNT = "discount"
    PAYMENT = "payment"
    COMPENSATION = "compensation"
    UNALLOCATED = "unallocated"
    TOLERANCE = "tolerance"
    REVERSAL = "reversal"
    CANCELLATION = "cancellation"
    CLOSING = "closing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """From the beginning of `since`, or of the account, to the end of `as_of`.

    Without `include_paid` charges that are paid or canceled by `as_of` are left out of lines and
    totals alike; they close at zero, so the closing balance is the same.
    """

    since: date | None
    as_of: date
    include_paid: bool = False

    @classmethod
    def checked(
        cls, as_of: date | None, since: date | None, today: date, *, include_paid: bool
    ) -> "Period":
        """A period that ends today unless said.

        Raises:
            ValidationError: it ends after today or five years before, or begins after its end.
        """
        as_of = as_of or today
        earliest = years_after(today, -_FURTHEST_BACK_YEARS)
        refuse_unless_between(as_of, "as_of", earliest, today)
        if since is not None:
            refuse_unless_between(since, "from", _FIRST_DAY, as_of)
        return cls(since=since, as_of=as_of, include_paid=include_paid)

    @property
    def eve(self) -> date:
        """The day of whose end the opening balance is."""
        return date.min if self.since is None else self.since - _ONE_DAY

    def __contains__(self, day: date) -> bool:
        return self.eve < day <= self.as_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A movement; `amount` is in cents, a debit where it is positive and a credit where negative.

    `charge` and `payment_id` say what it is about, as far as it is about one.
    """

    date: date
    type: LineType
    amount: Cents
    charge: Charge | None = None
    payment_id: str | None = None


class Account:
    """One charge in a period; `compensations` are the payments that brought no new money."""

    def __init__(
        self, charge: Charge, rates: Rates, period: Period, compensations: frozenset[str]
    ) -> None:
        self.charge = charge
        self._rates = rates
        self._period = period
        self._compensations = compensations
        # Money may have come before the date of issue that the debt was given.
        self._begins = min([charge.issue_date, *(credit.paid_at for credit in charge.credits)])
        is_canceled = charge.status is ChargeStatus.CANCELED
        # `canceled_at` is by the system's clock; the amounts were stored last on the business day.
        self._ends = max(charge.amounts_as_of, self._begins) if is_canceled else date.max
        self._at_first = self._due(period.eve)
        self._at_last = self._due(period.as_of)

    @property
    def opening(self) -> Cents:
        """What was due on it when the period began."""
        return 0 if self._at_first is None else self._at_first.total_due

    @property
    def due(self) -> Amounts | None:
        """How what is due on it when the period ends comes about; None for a canceled one."""
        return self._at_last

    @property
    def closing(self) -> Cents:
        """What is due on it when the period ends; nothing on a canceled one."""
        return 0 if self._at_last is None else self._at_last.total_due

    def moves(self) -> list[Move]:
        """What leads from the opening to the closing balance."""
        accrued = _Accrued(_parts_of(self._at_first))
        moves = [*self._beginning(), *self._payments(accrued)]
        if self._ends in self._period:
            balance = self.opening + sum(move.amount for move in moves)
            return [*moves, self._move(self._ends, LineType.CANCELLATION, -balance)]
        added = accrued.become(_parts_of(self._at_last))
        return moves + [self._move(self._period.as_of, kind, cents) for kind, cents in added]

    def _due(self, on: date) -> Amounts | None:
        if not self._begins <= on < self._ends:
            return None
        # Before a cancellation it was owed; a discharge is not undone by rates that appear later.
        is_paid = self.charge.status is ChargeStatus.PAID
        return (owed_on if is_paid else amounts_of)(self.charge, on, self._rates)

    def _beginning(self) -> Iterator[Move]:
        if self._begins in self._period:
            yield self._move(self._begins, LineType.CHARGE, self.charge.amount)

    def _payments(self, accrued: "_Accrued") -> Iterator[Move]:
        for credit in sorted(self.charge.credits, key=lambda credit: credit.paid_at):
            if credit.paid_at in self._period:
                settled = accrued.settle(_parts_of(credit.settled))
                for kind, cents in (*settled, *self._money(credit)):
                    yield self._move(credit.paid_at, kind, cents, credit.payment_id)

    def _money(self, credit: Credit) -> Iterator[tuple[LineType, Cents]]:
        is_compensation = credit.payment_id in self._compensations
        yield _money_type(is_compensation=is_compensation), -credit.settled.money
        if credit.settled.tolerance:
            yield LineType.TOLERANCE, -credit.settled.tolerance

    def _move(
        self, day: date, kind: LineType, amount: Cents, payment_id: str | None = None
    ) -> Move:
        return Move(date=day, type=kind, amount=amount, charge=self.charge, payment_id=payment_id)


def beside_charges(payment: Payment, period: Period) -> Iterator[Move]:
    """What a payment moves that settles no charge: money that was kept, or that went back."""
    if payment.reversed_at is None:
        amount, against, on = payment.unallocated_amount, LineType.UNALLOCATED, payment.paid_at
    else:
        amount, against, on = payment.amount, LineType.REVERSAL, payment.reversed_at
    if amount and payment.paid_at in period and on in period:
        kind = _money_type(is_compensation=payment.is_compensation)
        yield Move(date=payment.paid_at, type=kind, amount=-amount, payment_id=payment.id)
        yield Move(date=on, type=against, amount=amount, payment_id=payment.id)


class _Accrued:
    """What is in the balance of each component although no payment has settled it."""

    def __init__(self, parts: Mapping[LineType, Cents]) -> None:
        self._parts = dict(parts)

    def settle(self, settled: Mapping[LineType, Cents]) -> Iterator[tuple[LineType, Cents]]:
        """What has to be added for `settled` to be all there."""
        for kind, cents in settled.items():
            known = min(self._parts[kind], cents, key=abs)
            self._parts[kind] -= known
            if cents != known:
                yield kind, cents - known

    def become(self, parts: Mapping[LineType, Cents]) -> Iterator[tuple[LineType, Cents]]:
        """What leads from here to `parts`."""
        for kind, cents in parts.items():
            if cents != self._parts[kind]:
                yield kind, cents - self._parts[kind]


def _parts_of(amounts: Amounts | Settled | None) -> dict[LineType, Cents]:
    """What is added to a principal, and negative what is taken off it."""
    found = Settled() if amounts is None else amounts
    return {
        LineType.COSTS: found.costs,
        LineType.INTEREST: found.interest,
        LineType.FINE: found.fine,
        LineType.CORRECTION: found.correction,
        LineType.DISCOUNT: -found.discount,
    }


def _money_type(*, is_compensation: bool) -> LineType:
    return LineType.COMPENSATION if is_compensation else LineType.PAYMENT
