"""What events tell in units of answers, and that no amount is shown in cents."""

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import domain.dunning
from application.dunning.event_view import MONEY, PERCENT, event_values
from domain.dunning.calendar import NATIONAL_WIDE
from domain.dunning.charge_acts import WriteOffReason
from domain.dunning.charge_changes import ChangeBasis, ChargeChange
from domain.dunning.charges import Charge
from domain.dunning.event_types import DEBTOR_EVENTS
from domain.dunning.events import Event
from domain.dunning.organization_settings import Settings
from domain.dunning.rates import NO_RATES
from domain.dunning.terms import DiscountType, RequestedDiscount, RequestedTerms
from tests.unit.domain.books import Book
from tests.unit.domain.builders import on

OTHER_NUMBERS: Final = frozenset({"days_late", "days_before", "failure_count"})
"""Whole numbers in events that are neither money nor percent."""

SEPTEMBER: Final = date(2026, 9, 1)


def numbers_in(value: object, name: str = "") -> Iterator[str]:
    """The name of each whole number of an event."""
    if isinstance(value, dict):
        # What the value of a discount is, its type says.
        of_discount = {"value"} if value.keys() >= {"type", "value"} else set()
        for key, member in value.items():
            if key not in of_discount:
                yield from numbers_in(member, key)
    elif isinstance(value, list | tuple):
        for member in value:
            yield from numbers_in(member, name)
    elif isinstance(value, int) and not isinstance(value, bool):
        yield name


def changed(charge: Charge) -> None:
    """Another amount, and terms with discounts of both kinds."""
    tiers = (
        RequestedDiscount(days_before=9, type=DiscountType.PERCENT, value=Decimal("2.5")),
        RequestedDiscount(days_before=5, type=DiscountType.AMOUNT, value=Decimal("10.00")),
    )
    wanted = ChargeChange(
        description=charge.description,
        amount=500_00,
        due_date=charge.due_date,
        payment_methods=charge.payment_methods,
        tags=charge.tags,
        custom_data=None,
        assigned_member_id=None,
        guarantors=(),
        terms=RequestedTerms(discounts=tiers),
    )
    basis = ChangeBasis(
        is_consumer=True, settings=Settings(), calendar=NATIONAL_WIDE, had_payments=False
    )
    charge.change(wanted, basis, on(SEPTEMBER), NO_RATES)


def some_events() -> list[Event]:
    """Whatever happens to a charge that has an amount in it."""
    book = Book()
    charge, late = book.owes(date(2026, 10, 9), 600_00), book.owes(date(2026, 10, 9), 90_00)
    changed(charge)
    late.mark_overdue(on(date(2026, 11, 9)))
    late.write_off(WriteOffReason.COMMERCIAL, "Sem acordo.", on(date(2026, 11, 9)), NO_RATES)
    first = book.pays(200_00, date(2026, 11, 10), charge)
    book.pays(900_00, date(2026, 11, 10), charge)
    book.reverses(first, date(2026, 11, 12))
    return [event for one in (*book.charges, *book.payments, book.debtor) for event in one.events]


def test_every_whole_number_of_an_event_is_known_for_what_it_is() -> None:
    found = {
        name
        for event in some_events()
        for told in (event.data, event.changes)
        for name in numbers_in(dict(told))
    }
    assert found >= MONEY
    assert found <= MONEY | PERCENT | OTHER_NUMBERS


def test_amounts_are_shown_in_reais_and_percentages_in_percent() -> None:
    (event,) = (one for one in some_events() if "terms" in one.changes)
    shown: dict[str, Any] = event_values(event.changes)
    assert shown["amount"] == [600.0, 500.0]
    old, new = shown["terms"]
    assert (old["fine_percent"], old["interest_percent_month"]) == (2.0, 1.0)
    assert (old["settlement_tolerance"], old["discounts"]) == (0.05, [])
    assert [(one["type"], one["value"]) for one in new["discounts"]] == [
        ("percent", 2.5),
        ("amount", 10.0),
    ]
    assert event_values(event.data)["total_due"] == 487.5


def test_what_is_no_amount_stays_as_it_is() -> None:
    told = {"days_late": 12, "amount": None, "paid_at": "2026-10-15", "is_primary": True}
    assert event_values(told) == told
    assert event_values({"channels": ["sms"], "type": "x"}) == {"channels": ["sms"], "type": "x"}


def test_the_types_of_a_debtors_history_are_those_that_the_domain_tells() -> None:
    folder = Path(next(iter(domain.dunning.__path__)))
    told = re.compile(r'"((?:charge|debtor|contact_point|payment|interaction|approval)\.[a-z_]+)"')
    texts = [one.read_text() for one in folder.glob("*.py") if one.stem != "event_types"]
    assert {kind for text in texts for kind in told.findall(text)} == set(DEBTOR_EVENTS)
    assert len(DEBTOR_EVENTS) == len(set(DEBTOR_EVENTS))
