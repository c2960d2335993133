"""How interest and correction grow on a late debt, between the payments that settle some of it.

Exact fractions are carried; they are rounded when they are quoted or settled. What a payment
settled in full starts again at zero, so no fraction of a cent is ever asked for twice. A rate
counts from its publication, and only on what the payments before that have left: whoever paid all
that was due on a day owes nothing more when a rate of that time appears.
"""

from calendar import monthrange
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from typing import Final

from domain.dunning.calendar import months_after
from domain.dunning.components import Component, ComponentName, Note, Step
from domain.dunning.correction import CorrectionIndex
from domain.dunning.ledger import Settled
from domain.dunning.money import HUNDRED_PERCENT, Cents, RoundingMode, round_cents
from domain.dunning.rates import Rates
from domain.dunning.terms import InterestMode, Terms

DAYS_IN_MONTH: Final = 30
_NOTHING: Final = Fraction(0)


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Time that counts by the rate of one month, which is named by its first day."""

    since: date
    until: date
    month: date

    @property
    def days(self) -> int:
        return (self.until - self.since).days


class Accrual:
    """A late debt on its way from its effective due date to a day."""

    def __init__(self, principal: Cents, since: date, terms: Terms, rates: Rates) -> None:
        self.principal = principal
        self._terms = terms
        self._rates = rates
        self._since = since
        self._at = since
        self._months = 0
        self._interest = _NOTHING
        self._correction = _NOTHING
        self._steps: dict[ComponentName, list[Step]] = {name: [] for name in ComponentName}
        self._waiting: dict[ComponentName, list[_Stretch]] = {name: [] for name in ComponentName}

    @property
    def base(self) -> Cents:
        """What a fine or interest is taken of: the principal, corrected where the terms say so."""
        return self.principal + (self.correction if self._terms.charges_on_corrected else 0)

    @property
    def interest(self) -> Cents:
        """The interest that is outstanding."""
        return quoted(self._interest, self._terms.rounding_mode)

    @property
    def correction(self) -> Cents:
        """The correction that is outstanding; the debt never falls below its nominal value."""
        return quoted(self._correction, self._terms.rounding_mode)

    def advance(self, until: date) -> None:
        """Let time pass, at the rates that were published by the end of it.

        Without a principal nothing grows, whatever of interest or correction is outstanding.
        """
        if not self.principal:
            return
        self._correct(until)
        self._charge_interest(until)
        self._at = until

    def settle(self, settled: Settled) -> None:
        """Take off what a payment settled today."""
        self._interest = self._less(ComponentName.INTEREST, self._interest, settled.interest)
        correction = self._less(ComponentName.CORRECTION, self._correction, settled.correction)
        self._correction = correction
        self.principal -= settled.principal

    def memory(self) -> Iterator[Component]:
        """The lines of interest and correction, where the terms have them."""
        if steps := self._all_steps(ComponentName.INTEREST):
            contract = self._terms.interest_mode is InterestMode.CONTRACT
            rate = self._terms.interest_percent_month if contract else None
            is_plain = contract and len(steps) == 1
            yield Component(
                name=ComponentName.INTEREST,
                base=steps[-1].base,
                rate=rate,
                days=sum(step.days for step in steps),
                exact=self._interest,
                rounded=self.interest,
                note=self._note(ComponentName.INTEREST),
                steps=() if is_plain else steps,
            )
        if steps := self._all_steps(ComponentName.CORRECTION):
            yield Component(
                name=ComponentName.CORRECTION,
                base=self.principal,
                rate=None,
                days=None,
                exact=self._correction,
                rounded=self.correction,
                note=self._note(ComponentName.CORRECTION),
                steps=steps,
            )

    def _note(self, name: ComponentName) -> Note | None:
        return "rate_not_loaded" if self._waiting[name] else None

    def _all_steps(self, name: ComponentName) -> tuple[Step, ...]:
        """What has grown since it was last settled in full, and what no rate is known for."""
        unknown = [_step(one, self.base, None, _NOTHING) for one in self._waiting[name]]
        return tuple(sorted([*self._steps[name], *unknown], key=lambda step: step.since))

    def _less(self, name: ComponentName, exact: Fraction, settled: Cents) -> Fraction:
        if not settled or settled != quoted(exact, self._terms.rounding_mode):
            return exact - settled
        self._steps[name].clear()
        return _NOTHING

    def _correct(self, until: date) -> None:
        """Each full month by its index, on the principal and on what it has been corrected by."""
        if self._terms.correction_index is CorrectionIndex.NONE:
            return
        self._waiting[ComponentName.CORRECTION].extend(self._full_months(until))
        for month, share in self._published(ComponentName.CORRECTION, until):
            corrected = self.principal + self._correction
            self._correction += corrected * share
            step = _step(month, round(corrected), share, corrected * share)
            self._steps[ComponentName.CORRECTION].append(step)

    def _full_months(self, until: date) -> Iterator[_Stretch]:
        first = self._since.replace(day=1)
        begins = months_after(self._since, self._months)
        while (ends := months_after(self._since, self._months + 1)) <= until:
            yield _Stretch(begins, ends, months_after(first, self._months))
            begins = ends
            self._months += 1

    def _charge_interest(self, until: date) -> None:
        match self._terms.interest_mode:
            case InterestMode.CONTRACT:
                rate = self._terms.interest_percent_month
                a_day = Fraction(rate, HUNDRED_PERCENT * DAYS_IN_MONTH)
                if until > self._at:
                    self._add_interest(_Stretch(self._at, until, until.replace(day=1)), a_day)
            case InterestMode.LEGAL_RATE:
                # Pro rata by the calendar days of each month (Res. CMN 5.171/2024).
                self._waiting[ComponentName.INTEREST].extend(_by_month(self._at, until))
                for stretch, share in self._published(ComponentName.INTEREST, until):
                    self._add_interest(stretch, share / _days_of(stretch.month))

    def _published(self, name: ComponentName, by: date) -> Sequence[tuple[_Stretch, Fraction]]:
        """Those that waited for their rate, and the rate of the month."""
        known = [(one, self._rate(name, one.month, by)) for one in self._waiting[name]]
        self._waiting[name] = [one for one, share in known if share is None]
        return [(one, share) for one, share in known if share is not None]

    def _rate(self, name: ComponentName, month: date, by: date) -> Fraction | None:
        if name is ComponentName.CORRECTION:
            return self._rates.correction(self._terms.correction_index, month, by)
        return self._rates.legal(month, by)

    def _add_interest(self, stretch: _Stretch, a_day: Fraction) -> None:
        base, exact = self.base, self.base * stretch.days * a_day
        self._interest += exact
        self._steps[ComponentName.INTEREST].append(_step(stretch, base, a_day, exact))


def quoted(exact: Fraction, mode: RoundingMode) -> Cents:
    """Whole cents of what is outstanding; what was settled too early is not owed back."""
    return round_cents(max(exact, _NOTHING), mode)


def _by_month(since: date, until: date) -> Iterator[_Stretch]:
    """The days after `since`, up to and with `until`, month by month."""
    while since < until:
        month = (since + timedelta(days=1)).replace(day=1)
        ends = min(until, month + timedelta(days=_days_of(month) - 1))
        yield _Stretch(since, ends, month)
        since = ends


def _days_of(month: date) -> int:
    return monthrange(month.year, month.month)[1]


def _step(stretch: _Stretch, base: Cents, share: Fraction | None, exact: Fraction) -> Step:
    return Step(since=stretch.since, until=stretch.until, base=base, share=share, exact=exact)
