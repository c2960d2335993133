"""Whether new terms are in favour of the debtor, and old ones for another day or amount."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Final

from domain.dunning.calendar import Calendar
from domain.dunning.correction import CorrectionIndex
from domain.dunning.money import Cents
from domain.dunning.terms import DiscountTier, InterestMode, Terms, discount_of, discount_until
from domain.errors import Detail, ValidationError
from domain.texts import Text

_ONLY_IN_FAVOUR: Final = Text(
    "Depois do vencimento, os termos só mudam a favor do devedor.",
    "After the due date terms change only in favour of the debtor.",
)


def retimed(terms: Terms, due: date, calendar: Calendar) -> Terms:
    """The same terms for another due date: each discount ends as many days before it."""
    tiers = tuple(
        replace(tier, until=discount_until(tier.days_before, due, calendar))
        for tier in terms.discounts
    )
    return replace(terms, discounts=tiers)


def refuse_discounts_of(terms: Terms, amount: Cents) -> None:
    """Raise `ValidationError` where a discount would take off nothing, or all of `amount`."""
    for tier in terms.discounts:
        if not 0 < discount_of(tier, amount, terms.rounding_mode) < amount:
            text = Text(
                "Um desconto dos termos não cabe neste valor.",
                "A discount of the terms does not fit this amount.",
            )
            raise ValidationError(Detail("amount", "conflicts_with", text))


def refuse_against_debtor(old: Terms, new: Terms) -> None:
    """Raise `ValidationError`, `only_in_favour` by field, unless `new` asks no more than `old`.

    What cannot be compared counts as more: another index, or the legal rate in place of the
    contract's, may cost less today and more tomorrow.
    """
    if details := [
        Detail(f"terms.{name}", "only_in_favour", _ONLY_IN_FAVOUR) for name in _stricter(old, new)
    ]:
        raise ValidationError(*details)


def _stricter(old: Terms, new: Terms) -> Iterator[str]:
    if new.fine_percent > old.fine_percent:
        yield "fine_percent"
    if new.interest_mode not in (old.interest_mode, InterestMode.NONE):
        yield "interest_mode"
    if new.interest_percent_month > old.interest_percent_month:
        yield "interest_percent_month"
    if new.correction_index not in (old.correction_index, CorrectionIndex.NONE):
        yield "correction_index"
    if new.charges_on_corrected and not old.charges_on_corrected:
        yield "charges_on_corrected"
    if not all(any(_is_as_good(one, tier) for one in new.discounts) for tier in old.discounts):
        yield "discounts"


def _is_as_good(new: DiscountTier, old: DiscountTier) -> bool:
    return new.type is old.type and new.value >= old.value and new.days_before <= old.days_before
