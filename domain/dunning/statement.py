"""A debtor's statement: lines that lead from the opening to the closing balance, to the cent.

What is due comes from `amounts_of` alone; the lines only say how it came about.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from domain.dunning.account import Account, LineType, Move, Period, beside_charges
from domain.dunning.amounts import Amounts
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.charges import Charge
from domain.dunning.money import Cents
from domain.dunning.payments import Payment, PaymentStatus
from domain.dunning.rates import Rates

MOST_LINES: Final = 1000
"""Movements that a statement lists; more are only in its totals."""

_FEES: Final = (LineType.COSTS, LineType.INTEREST, LineType.FINE, LineType.CORRECTION)
# A reversed payment and a kept one move nothing in sum.
_MONEY: Final = (
    LineType.PAYMENT,
    LineType.COMPENSATION,
    LineType.UNALLOCATED,
    LineType.REVERSAL,
)
_RANK: Final = {kind: rank for rank, kind in enumerate(LineType)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A movement with the balance after it, or the balance at an end of the period; cents.

    `description` is the charge's own: free text.
    """

    date: date
    type: LineType
    charge_id: str | None = None
    payment_id: str | None = None
    description: str | None = None
    debit: Cents = 0
    credit: Cents = 0
    balance: Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """Sums of the period, in cents.

    opening + charged + fees - discounts - paid - forgiven - canceled = closing. `paid` is what
    settled charges. Beside the sum stand `written_off`, the part of `closing` on charges that are
    given up by now, and `credit`, the money that had settled nothing when the period ended.
    """

    opening: Cents
    charged: Cents
    fees: Cents
    discounts: Cents
    paid: Cents
    forgiven: Cents
    canceled: Cents
    closing: Cents
    written_off: Cents
    credit: Cents


@dataclass(frozen=True, slots=True)
class Owed:
    """A charge on which something is due when the period ends, and how that comes about."""

    charge: Charge
    amounts: Amounts


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """The account; of more than 1,000 movements the first ones, with all of them in the totals.

    What is due on `owed` is the closing balance; the charges are in the order of their due dates.
    """

    period: Period
    lines: tuple[Line, ...]
    totals: Totals
    owed: tuple[Owed, ...]
    is_truncated: bool


def statement_of(
    charges: Iterable[Charge], payments: Sequence[Payment], rates: Rates, period: Period
) -> Statement:
    """The statement of one debtor, who has no other `charges` and `payments` than these."""
    compensations = frozenset(payment.id for payment in payments if payment.is_compensation)
    accounts = [Account(charge, rates, period, compensations) for charge in charges]
    listed = [account for account in accounts if period.include_paid or account.closing]
    moves = [move for account in listed for move in account.moves()]
    moves += [move for payment in payments for move in beside_charges(payment, period)]
    moves.sort(key=_order)
    totals = _totals(listed, moves, _credit(payments, period.as_of))
    return Statement(
        period=period,
        lines=tuple(_lines(moves[:MOST_LINES], totals, period)),
        totals=totals,
        owed=tuple(_owed(listed)),
        is_truncated=len(moves) > MOST_LINES,
    )


def _owed(accounts: Iterable[Account]) -> Iterator[Owed]:
    for account in sorted(accounts, key=lambda one: (one.charge.effective_due_date, one.charge.id)):
        if account.due is not None and account.closing:
            yield Owed(account.charge, account.due)


def _order(move: Move) -> tuple[date, int, str, str]:
    charge_id = "" if move.charge is None else move.charge.id
    return move.date, _RANK[move.type], charge_id, move.payment_id or ""


def _totals(accounts: Sequence[Account], moves: Sequence[Move], credit: Cents) -> Totals:
    def moved(*kinds: LineType) -> Cents:
        return sum(move.amount for move in moves if move.type in kinds)

    opening = sum(account.opening for account in accounts)
    return Totals(
        opening=opening,
        charged=moved(LineType.CHARGE),
        fees=moved(*_FEES),
        discounts=-moved(LineType.DISCOUNT),
        paid=-moved(*_MONEY),
        forgiven=-moved(LineType.TOLERANCE),
        canceled=-moved(LineType.CANCELLATION),
        closing=opening + sum(move.amount for move in moves),
        written_off=sum(
            account.closing
            for account in accounts
            if account.charge.status is ChargeStatus.WRITTEN_OFF
        ),
        credit=credit,
    )


def _credit(payments: Iterable[Payment], on: date) -> Cents:
    kept = sum(
        -payment.amount if payment.is_compensation else payment.unallocated_amount
        for payment in payments
        if payment.status is PaymentStatus.CONFIRMED and payment.paid_at <= on
    )
    # A compensation may be dated before the money that it used.
    return max(0, kept)


def _lines(moves: Iterable[Move], totals: Totals, period: Period) -> Iterator[Line]:
    balance = totals.opening
    if period.since is not None:
        yield Line(date=period.since, type=LineType.OPENING, balance=balance)
    for move in moves:
        balance += move.amount
        yield Line(
            date=move.date,
            type=move.type,
            charge_id=None if move.charge is None else move.charge.id,
            payment_id=move.payment_id,
            description=None if move.charge is None else move.charge.description,
            debit=max(move.amount, 0),
            credit=max(-move.amount, 0),
            balance=balance,
        )
    yield Line(date=period.as_of, type=LineType.CLOSING, balance=totals.closing)
