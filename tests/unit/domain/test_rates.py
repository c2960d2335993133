from datetime import date
from decimal import Decimal
from fractions import Fraction
from math import prod

import pytest

from domain.dunning.correction import CorrectionIndex
from domain.dunning.rates import NO_RATES, IndexRate, RateChanges, RateCode, Rates, checked_rate
from domain.errors import ValidationError

OCTOBER, NOVEMBER = date(2026, 10, 1), date(2026, 11, 1)
PUBLISHED = date(2026, 12, 10)


def a_rate(
    code: RateCode = RateCode.IPCA,
    month: date = NOVEMBER,
    percent: str = "0.48",
    published_on: date = PUBLISHED,
) -> IndexRate:
    return IndexRate(code=code, month=month, percent=Decimal(percent), published_on=published_on)


def test_a_percentage_is_an_exact_share() -> None:
    rates = Rates([a_rate(percent="0.12345678")])

    assert rates.correction(CorrectionIndex.IPCA, NOVEMBER, PUBLISHED) == Fraction(
        12345678, 10_000_000_000
    )


def test_a_rate_counts_from_the_day_on_which_it_was_published() -> None:
    rates = Rates([a_rate(), a_rate(RateCode.TAXA_LEGAL)])

    for day, expected in ((date(2026, 12, 9), None), (PUBLISHED, Fraction(48, 10_000))):
        assert rates.correction(CorrectionIndex.IPCA, NOVEMBER, day) == expected
        assert rates.legal(NOVEMBER, day) == expected


@pytest.mark.parametrize(
    "index", [CorrectionIndex.IPCA, CorrectionIndex.INPC, CorrectionIndex.IGPM]
)
def test_each_index_has_its_own_rate(index: CorrectionIndex) -> None:
    rates = Rates([a_rate(code, percent=str(place)) for place, code in enumerate(RateCode)])

    place = list(RateCode).index(RateCode(index.value))
    assert rates.correction(index, NOVEMBER, PUBLISHED) == Fraction(place, 100)


def test_what_is_not_loaded_is_not_known() -> None:
    rates = Rates([a_rate(), a_rate(RateCode.IPCA15)])

    assert rates.correction(CorrectionIndex.IPCA, OCTOBER, PUBLISHED) is None
    assert rates.correction(CorrectionIndex.INPC, NOVEMBER, PUBLISHED) is None
    assert rates.correction(CorrectionIndex.NONE, NOVEMBER, PUBLISHED) is None
    assert rates.legal(NOVEMBER, PUBLISHED) is None
    assert NO_RATES.correction(CorrectionIndex.IPCA, NOVEMBER, PUBLISHED) is None
    assert list(NO_RATES) == []


def test_prices_may_fall_but_the_legal_rate_is_never_negative() -> None:
    rates = Rates([a_rate(percent="-0.02"), a_rate(RateCode.TAXA_LEGAL, percent="-0.02")])

    assert rates.correction(CorrectionIndex.IPCA, NOVEMBER, PUBLISHED) == Fraction(-2, 10_000)
    assert rates.legal(NOVEMBER, PUBLISHED) == 0


def test_three_months_multiply_to_the_factor_of_the_worked_example() -> None:
    months = {date(2026, 8, 1): "0.48", date(2026, 9, 1): "0.20", OCTOBER: "0.33"}
    rates = Rates([a_rate(month=month, percent=percent) for month, percent in months.items()])

    found = [rates.correction(CorrectionIndex.IPCA, month, PUBLISHED) for month in months]

    assert round(prod(1 + (share or 0) for share in found), 8) == Fraction("1.01013207")


def test_the_latest_of_each_code_is_its_last_month() -> None:
    newest, legal = a_rate(), a_rate(RateCode.TAXA_LEGAL, OCTOBER)
    rates = Rates([legal, a_rate(month=OCTOBER), newest, a_rate(month=date(2026, 9, 1))])

    assert list(rates.latest()) == [newest, legal]


def test_what_is_published_later_is_not_the_latest_yet() -> None:
    published, later = a_rate(month=OCTOBER), a_rate(published_on=date(2026, 12, 11))

    assert list(Rates([published, later]).latest(PUBLISHED)) == [published]


def test_loaded_rates_are_new_changed_or_unchanged() -> None:
    kept, corrected, new = a_rate(), a_rate(month=OCTOBER), a_rate(RateCode.INPC)
    known = Rates([a_rate(percent="0.48000000"), a_rate(month=OCTOBER, percent="0.47")])

    changes = RateChanges.between(known, [kept, corrected, new])

    assert changes == RateChanges(new=(new,), changed=(corrected,), unchanged=(kept,))


def test_a_later_publication_is_a_change() -> None:
    later = a_rate(published_on=date(2026, 12, 11))

    assert RateChanges.between(Rates([a_rate()]), [later]).changed == (later,)


@pytest.mark.parametrize(
    "rate",
    [
        a_rate(percent="-100"),
        a_rate(percent="100.00000000"),
        a_rate(RateCode.TAXA_LEGAL, percent="0"),
        a_rate(RateCode.TAXA_LEGAL, published_on=NOVEMBER),
    ],
)
def test_what_can_be_a_rate_passes(rate: IndexRate) -> None:
    assert checked_rate(rate) is rate


@pytest.mark.parametrize(
    ("rate", "field", "code"),
    [
        (a_rate(percent="0.123456789"), "percent", "too_many_decimals"),
        (a_rate(percent="100.01"), "percent", "out_of_range"),
        (a_rate(percent="-100.01"), "percent", "out_of_range"),
        (a_rate(percent="NaN"), "percent", "out_of_range"),
        (a_rate(percent="-Infinity"), "percent", "out_of_range"),
        (a_rate(RateCode.TAXA_LEGAL, percent="-0.01"), "percent", "out_of_range"),
        (a_rate(published_on=date(2026, 10, 31)), "published_on", "out_of_range"),
    ],
)
def test_what_cannot_be_a_rate_is_refused(rate: IndexRate, field: str, code: str) -> None:
    with pytest.raises(ValidationError) as refused:
        checked_rate(rate)

    assert [(detail.field, detail.code) for detail in refused.value.details] == [(field, code)]
