"""The amount due on a date: every figure with how it came about, and nothing recorded."""

from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from application.dunning.charge_amounts import cut
from domain.dunning.charge_acts import CancelReason
from domain.dunning.charges import Charge
from domain.dunning.ledger import Credit, Settled
from domain.dunning.money import RoundingMode
from domain.dunning.rates import NO_RATES
from domain.dunning.terms import (
    DiscountType,
    InterestMode,
    RequestedDiscount,
    RequestedTerms,
)
from tests.builders import MOMENT, a_charge, a_debtor
from tests.doors.firms import Ledger, Pair
from tests.doors.house import Answer, Door, House

pytestmark = pytest.mark.anyio

OPERATION = "dunning_charges_amount_due"
LATE = "2026-11-05"
BEYOND_ALL_RATES = "2027-02-05"
NOTHING_SETTLED = {
    "costs": 0,
    "interest": 0,
    "fine": 0,
    "correction": 0,
    "principal": 0,
    "discount": 0,
    "tolerance": 0,
}


async def kept(ledger: Ledger, pair: Pair, **fields: Any) -> Charge:
    """A charge of A that is due on the Saturday before a Monday holiday."""
    debtor = a_debtor(pair.a.creditor)
    charge = a_charge(debtor, **{"due_date": date(2026, 10, 10), **fields})
    await ledger.keep(pair.a, debtor, charge)
    return charge


async def paid(ledger: Ledger, pair: Pair, *settled: Credit, **fields: Any) -> Charge:
    """The same after payments."""
    debtor = a_debtor(pair.a.creditor)
    charge = a_charge(debtor, **{"due_date": date(2026, 10, 10), **fields})
    for credit in settled:
        charge.settle(credit, MOMENT, NO_RATES)
    await ledger.keep(pair.a, debtor, charge)
    return charge


async def due(house: House, pair: Pair, charge: Charge, **more: Any) -> Answer:
    return await house.rest(pair.a.owner, OPERATION, {"id": charge.id, **more})


@pytest.mark.parametrize("door", Door)
async def test_every_component_says_how_it_came_about(
    house: House, ledger: Ledger, pair: Pair, door: Door
) -> None:
    charge = await kept(ledger, pair)
    before = await ledger.everything(pair.a.id)

    answer = await house.call(
        door, pair.a.caller("viewer"), OPERATION, {"id": charge.id, "as_of": LATE}
    )

    assert answer.data == {
        "as_of": LATE,
        "effective_due_date": "2026-10-13",
        "days_late": 23,
        "components": [
            {
                "name": "fine",
                "base": 1250.0,
                "rate": 2.0,
                "days": None,
                "exact": "25",
                "rounded": 25.0,
            },
            {
                "name": "interest",
                "base": 1250.0,
                "rate": 1.0,
                "days": 23,
                "exact": "9.5833333333",
                "rounded": 9.58,
            },
        ],
        "principal_outstanding": 1250.0,
        "costs": 0.0,
        "total_due": 1284.58,
    }
    assert await ledger.everything(pair.a.id) == before


@pytest.mark.parametrize("door", Door)
async def test_another_organisation_finds_no_such_charge(
    house: House, ledger: Ledger, pair: Pair, door: Door
) -> None:
    charge = await kept(ledger, pair)

    answer = await house.call(door, pair.b.owner, OPERATION, {"id": charge.id})

    assert answer.code == "NOT_FOUND"


async def test_today_is_what_is_asked_about_unless_said(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    charge = await kept(ledger, pair)

    answer = await due(house, pair, charge)

    assert (answer.data["as_of"], answer.data["total_due"]) == ("2026-09-01", 1250.0)
    assert answer.data["components"] == []


@pytest.mark.parametrize(
    ("as_of", "is_answered"),
    [
        ("2021-09-01", True),
        ("2021-08-31", False),
        ("2027-09-01", True),
        ("2027-09-02", False),
    ],
)
async def test_it_reaches_five_years_back_and_one_ahead_of_the_business_date(
    house: House, ledger: Ledger, pair: Pair, *, as_of: str, is_answered: bool
) -> None:
    charge = await kept(ledger, pair)

    answer = await due(house, pair, charge, as_of=as_of)

    assert answer.status == (200 if is_answered else 422)
    assert answer.details == ([] if is_answered else [("as_of", "out_of_range")])


async def test_a_partial_payment_parts_the_interest_into_steps(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    credit = Credit(
        payment_id="pay_1",
        paid_at=date(2026, 10, 15),
        settled=Settled(interest=6_00, fine=12_00, principal=182_00),
    )
    charge = await paid(ledger, pair, credit, amount=600_00, due_date=date(2026, 9, 15))

    before = await due(house, pair, charge, as_of="2026-10-14")
    after = await due(house, pair, charge, as_of="2026-11-10")

    assert before.data["principal_outstanding"] == 600.0
    assert after.data["total_due"] == 421.62
    (interest,) = after.data["components"]
    assert (interest["base"], interest["rounded"]) == (418.0, 3.62)
    assert interest["exact"] == "3.6226666666"


async def test_legal_interest_is_told_month_by_month_and_says_what_is_not_loaded(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    charge = await kept(
        ledger,
        pair,
        due_date=date(2027, 1, 8),
        contract_reference=None,
        terms=RequestedTerms(interest_mode=InterestMode.LEGAL_RATE),
    )

    answer = await due(house, pair, charge, as_of=BEYOND_ALL_RATES)

    interest = next(one for one in answer.data["components"] if one["name"] == "interest")
    assert (interest["rate"], interest["days"], interest["note"]) == (None, 28, "rate_not_loaded")
    assert interest["steps"] == [
        {
            "since": since,
            "until": until,
            "base": 1250.0,
            "days": days,
            "rate": None,
            "exact": "0",
        }
        for since, until, days in [
            ("2027-01-08", "2027-01-31", 23),
            ("2027-01-31", "2027-02-05", 5),
        ]
    ]


async def test_an_early_discount_is_a_component_that_the_total_takes_off(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    tier = RequestedDiscount(days_before=10, type=DiscountType.PERCENT, value=Decimal(10))
    charge = await kept(ledger, pair, terms=RequestedTerms(discounts=(tier,)))

    answer = await due(house, pair, charge, paying=1125)

    (discount,) = answer.data["components"]
    assert (discount["name"], discount["rounded"]) == ("discount", 125.0)
    assert answer.data["total_due"] == 1125.0
    assert answer.data["allocation"] == {
        **NOTHING_SETTLED,
        "principal": 1250.0,
        "discount": 125.0,
        "left": 0,
    }


@pytest.mark.parametrize(
    ("paying", "settled"),
    [
        (5, {"interest": 5.0, "left": 0}),
        (20, {"interest": 9.58, "fine": 10.42, "left": 0}),
        (
            1284.55,
            {"interest": 9.58, "fine": 25.0, "principal": 1250.0, "tolerance": 0.03, "left": 0},
        ),
        (1300, {"interest": 9.58, "fine": 25.0, "principal": 1250.0, "left": 15.42}),
    ],
)
async def test_an_amount_shows_what_it_would_settle(
    house: House, ledger: Ledger, pair: Pair, *, paying: float, settled: dict[str, float]
) -> None:
    charge = await kept(ledger, pair)

    answer = await due(house, pair, charge, as_of=LATE, paying=paying)

    assert answer.data["allocation"] == {**NOTHING_SETTLED, **settled}


async def test_a_paid_charge_owes_nothing_from_the_day_it_was_paid(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    credit = Credit(
        payment_id="pay_1", paid_at=date(2026, 9, 1), settled=Settled(principal=1_250_00)
    )
    charge = await paid(ledger, pair, credit)

    earlier = await due(house, pair, charge, as_of="2026-08-31")
    later = await due(house, pair, charge, as_of=LATE, paying=10)

    assert earlier.data["total_due"] == 1250.0
    assert later.data == {
        "as_of": LATE,
        "effective_due_date": "2026-10-13",
        "days_late": 0,
        "components": [],
        "principal_outstanding": 0.0,
        "costs": 0.0,
        "total_due": 0.0,
        "allocation": {**NOTHING_SETTLED, "left": 10.0},
    }


async def test_a_canceled_charge_never_owed_anything(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    debtor = a_debtor(pair.a.creditor)
    charge = a_charge(debtor)
    charge.cancel(CancelReason.OTHER, None, MOMENT)
    await ledger.keep(pair.a, debtor, charge)

    answer = await due(house, pair, charge, as_of="2026-08-01", paying=10)

    assert answer.data["total_due"] == 0
    assert answer.data["allocation"]["left"] == 10.0


async def test_a_rounded_tie_follows_the_terms_and_the_exact_figure_does_not(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    charge = await kept(
        ledger, pair, amount=112_25, terms=RequestedTerms(rounding_mode=RoundingMode.HALF_UP)
    )

    answer = await due(house, pair, charge, as_of=LATE)

    fine = answer.data["components"][0]
    assert (fine["exact"], fine["rounded"]) == ("2.245", 2.25)


@pytest.mark.parametrize(
    ("numerator", "denominator", "text"),
    [
        (2, 3, "0.6666666666"),
        (-2, 3, "-0.6666666666"),
        (-1, 10**11, "0"),
        (10**11 + 1, 10**11, "1"),
        (100, 1, "100"),
        (0, 1, "0"),
    ],
)
def test_an_exact_figure_is_cut_after_ten_decimals(
    numerator: int, denominator: int, text: str
) -> None:
    assert cut(Fraction(numerator, denominator)) == text
