"""Terms stay within the law, and gaps are filled by contract and settings."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.dunning.calendar import NATIONAL_WIDE
from domain.dunning.charge_kinds import ChargeKind
from domain.dunning.correction import CorrectionIndex
from domain.dunning.money import RoundingMode
from domain.dunning.organization_settings import Settings
from domain.dunning.terms import (
    DiscountTier,
    DiscountType,
    InterestLimit,
    InterestMode,
    RequestedDiscount,
    RequestedTerms,
    TermsBasis,
    discount_of,
    terms_for_charge,
)
from domain.errors import Detail, LegalLimitError, RoleLimitError, ValidationError

CONSUMER = TermsBasis(
    amount=1_250_00,
    kind=ChargeKind.SERVICE,
    is_consumer=True,
    contract_reference="Contrato 17/2026",
    due_date=date(2026, 10, 9),
    calendar=NATIONAL_WIDE,
)
COMPANY = replace(CONSUMER, is_consumer=False)
UNWRITTEN = replace(CONSUMER, contract_reference=None)
NOTHING = RequestedTerms()


def percent(value: str, days_before: int = 10) -> RequestedDiscount:
    return RequestedDiscount(
        days_before=days_before, type=DiscountType.PERCENT, value=Decimal(value)
    )


def amount(value: str, days_before: int = 10) -> RequestedDiscount:
    return RequestedDiscount(
        days_before=days_before, type=DiscountType.AMOUNT, value=Decimal(value)
    )


def refusal(
    requested: RequestedTerms, basis: TermsBasis, kind: type[ValidationError] = ValidationError
) -> Detail:
    with pytest.raises(ValidationError) as refused:
        terms_for_charge(requested, basis, Settings())
    assert type(refused.value) is kind
    (detail,) = refused.value.details
    return detail


@pytest.mark.parametrize("basis", [CONSUMER, UNWRITTEN])
def test_edge_case_20_a_fine_of_5_percent_on_an_individual_is_above_the_legal_limit(
    basis: TermsBasis,
) -> None:
    detail = refusal(RequestedTerms(fine_percent=5_0000), basis, LegalLimitError)

    assert detail.field == "terms.fine_percent"
    assert "2 %" in detail.message.pt
    assert "CDC 52 §1" in detail.message.pt


def test_edge_case_20_a_fine_on_a_company_needs_a_contract_reference() -> None:
    basis = replace(COMPANY, contract_reference=None)

    detail = refusal(RequestedTerms(fine_percent=5_0000), basis)

    assert (detail.field, detail.code) == ("terms.fine_percent", "required_with")


def test_a_company_with_a_contract_may_owe_a_fine_of_10_percent_and_no_more() -> None:
    terms = terms_for_charge(RequestedTerms(fine_percent=10_0000), COMPANY, Settings())
    detail = refusal(RequestedTerms(fine_percent=10_0001), COMPANY, LegalLimitError)

    assert terms.fine_percent == 10_0000
    assert "10 %" in detail.message.en
    assert "CC 412" in detail.message.en


def test_the_fine_of_a_condo_is_limited_to_2_percent_whoever_owes_it() -> None:
    condo = replace(COMPANY, kind=ChargeKind.CONDO)

    detail = refusal(RequestedTerms(fine_percent=3_0000), condo, LegalLimitError)

    assert "CC 1336 §1" in detail.message.pt


@pytest.mark.parametrize("basis", [CONSUMER, COMPANY])
def test_interest_above_1_percent_a_month_is_above_the_cap_while_no_legal_rate_is_loaded(
    basis: TermsBasis,
) -> None:
    detail = refusal(RequestedTerms(interest_percent_month=1_0001), basis, LegalLimitError)

    assert detail.field == "terms.interest_percent_month"
    assert "1 %" in detail.message.pt
    assert "CC 406" in detail.message.pt


def test_a_fine_and_interest_above_their_caps_are_refused_together() -> None:
    requested = RequestedTerms(fine_percent=3_0000, interest_percent_month=2_0000)

    with pytest.raises(LegalLimitError) as refused:
        terms_for_charge(requested, CONSUMER, Settings())

    assert [detail.field for detail in refused.value.details] == [
        "terms.fine_percent",
        "terms.interest_percent_month",
    ]


def test_with_a_contract_the_settings_fill_what_is_absent() -> None:
    settings = Settings(
        default_fine_percent=1_5000,
        default_fine_percent_business=5_0000,
        default_interest_percent_month=5000,
        default_correction_index=CorrectionIndex.IPCA,
        rounding_mode=RoundingMode.HALF_UP,
    )

    consumer = terms_for_charge(NOTHING, CONSUMER, settings)
    company = terms_for_charge(NOTHING, COMPANY, settings)

    assert (consumer.fine_percent, company.fine_percent) == (1_5000, 5_0000)
    assert consumer.interest_mode is InterestMode.CONTRACT
    assert consumer.interest_percent_month == 5000
    assert consumer.correction_index is CorrectionIndex.IPCA
    assert consumer.rounding_mode is RoundingMode.HALF_UP


def test_what_the_caller_asks_for_comes_before_the_settings() -> None:
    requested = RequestedTerms(
        fine_percent=0,
        interest_percent_month=2500,
        correction_index=CorrectionIndex.INPC,
        charges_on_corrected=True,
        rounding_mode=RoundingMode.HALF_UP,
    )

    terms = terms_for_charge(requested, CONSUMER, Settings())

    assert (terms.fine_percent, terms.interest_percent_month) == (0, 2500)
    assert terms.interest_mode is InterestMode.CONTRACT
    assert terms.correction_index is CorrectionIndex.INPC
    assert terms.charges_on_corrected
    assert terms.rounding_mode is RoundingMode.HALF_UP


def test_a_default_fine_never_passes_the_cap_of_a_condo() -> None:
    condo = replace(COMPANY, kind=ChargeKind.CONDO)

    terms = terms_for_charge(NOTHING, condo, Settings(default_fine_percent_business=8_0000))

    assert terms.fine_percent == 2_0000


def test_without_contract_and_terms_there_is_no_fine_and_the_legal_rate_with_ipca() -> None:
    terms = terms_for_charge(NOTHING, UNWRITTEN, Settings())

    assert terms.fine_percent == 0
    assert terms.interest_mode is InterestMode.LEGAL_RATE
    assert terms.interest_percent_month == 0
    assert terms.correction_index is CorrectionIndex.IPCA


@pytest.mark.parametrize(
    ("requested", "field"),
    [
        (RequestedTerms(fine_percent=2_0000), "terms.fine_percent"),
        (RequestedTerms(interest_percent_month=1_0000), "terms.interest_percent_month"),
        (RequestedTerms(interest_mode=InterestMode.CONTRACT), "terms.interest_mode"),
    ],
)
def test_what_rests_on_a_contract_needs_its_reference(
    requested: RequestedTerms, field: str
) -> None:
    detail = refusal(requested, UNWRITTEN)

    assert (detail.field, detail.code) == (field, "required_with")


def test_giving_up_fine_and_interest_needs_no_contract() -> None:
    requested = RequestedTerms(fine_percent=0, interest_mode=InterestMode.NONE)

    terms = terms_for_charge(requested, UNWRITTEN, Settings())

    assert terms.fine_percent == 0
    assert terms.interest_mode is InterestMode.NONE
    assert terms.correction_index is CorrectionIndex.NONE


@pytest.mark.parametrize("mode", [InterestMode.LEGAL_RATE, InterestMode.NONE])
def test_a_rate_beside_a_mode_that_ignores_it_is_refused(mode: InterestMode) -> None:
    requested = RequestedTerms(interest_mode=mode, interest_percent_month=5000)

    detail = refusal(requested, CONSUMER)

    assert (detail.field, detail.code) == ("terms.interest_percent_month", "conflicts_with")


def test_terms_that_were_read_can_be_sent_again() -> None:
    requested = RequestedTerms(interest_mode=InterestMode.LEGAL_RATE, interest_percent_month=0)

    assert terms_for_charge(requested, UNWRITTEN, Settings()).interest_percent_month == 0


def test_a_discount_is_kept_in_the_unit_of_its_type_with_its_last_day() -> None:
    requested = RequestedTerms(discounts=(percent("7.5", 10), amount("62.50", 5)))

    # Five days before Friday 9 October is a Sunday, which rolls to the Monday.
    assert terms_for_charge(requested, CONSUMER, Settings()).discounts == (
        DiscountTier(
            days_before=10, type=DiscountType.PERCENT, value=7_5000, until=date(2026, 9, 29)
        ),
        DiscountTier(days_before=5, type=DiscountType.AMOUNT, value=62_50, until=date(2026, 10, 5)),
    )


@pytest.mark.parametrize(
    ("due_date", "days_before", "until"),
    [
        (date(2026, 10, 16), 6, date(2026, 10, 13)),  # Saturday, then a Monday holiday
        (date(2026, 10, 10), 0, date(2026, 10, 10)),  # a Saturday: its discount does not roll
        (date(2026, 10, 13), 1, date(2026, 10, 13)),
        (date(2026, 10, 12), 2, date(2026, 10, 12)),
    ],
)
def test_the_last_day_of_a_discount_rolls_but_never_beyond_the_due_date(
    due_date: date, days_before: int, until: date
) -> None:
    basis = replace(CONSUMER, due_date=due_date)
    requested = RequestedTerms(discounts=(percent("5", days_before),))

    (tier,) = terms_for_charge(requested, basis, Settings()).discounts

    assert tier.until == until


def test_edge_case_3_a_holiday_of_the_debtors_place_moves_the_last_day_of_a_discount() -> None:
    closed = replace(NATIONAL_WIDE, own=frozenset({date(2026, 9, 29)}))
    requested = RequestedTerms(discounts=(percent("5", 10),))

    (tier,) = terms_for_charge(requested, replace(CONSUMER, calendar=closed), Settings()).discounts

    assert tier.until == date(2026, 9, 30)


def test_the_tolerance_of_the_settings_is_copied_like_the_rounding_mode() -> None:
    settings = Settings(settlement_tolerance=3_50)

    assert terms_for_charge(NOTHING, CONSUMER, settings).settlement_tolerance == 3_50


@pytest.mark.parametrize(
    ("wrong", "field", "code"),
    [
        (percent("100"), "value", "out_of_range"),
        (percent("0"), "value", "out_of_range"),
        (percent("0.00001"), "value", "too_many_decimals"),
        (amount("1250.00"), "value", "out_of_range"),
        (amount("0"), "value", "out_of_range"),
        (amount("0.001"), "value", "too_many_decimals"),
        (percent("5", days_before=61), "days_before", "out_of_range"),
        (percent("5", days_before=-1), "days_before", "out_of_range"),
        (percent("5", days_before=30), "days_before", "duplicate"),
    ],
)
def test_a_discount_that_is_none_is_named_by_its_place(
    wrong: RequestedDiscount, field: str, code: str
) -> None:
    detail = refusal(RequestedTerms(discounts=(percent("10", 30), wrong)), CONSUMER)

    assert (detail.field, detail.code) == (f"terms.discounts[1].{field}", code)


def test_a_percentage_that_rounds_to_nothing_or_to_everything_is_no_discount() -> None:
    one_cent = replace(CONSUMER, amount=1)

    for value in ("1", "99.9"):
        detail = refusal(RequestedTerms(discounts=(percent(value),)), one_cent)
        assert detail.code == "out_of_range"


def test_there_are_three_discounts_at_most() -> None:
    tiers = tuple(percent("5", days) for days in range(4))

    detail = refusal(RequestedTerms(discounts=tiers), CONSUMER)

    assert (detail.field, detail.code) == ("terms.discounts", "too_many_items")


@given(
    st.none() | st.integers(0, 12_0000),
    st.builds(replace, st.sampled_from([CONSUMER, COMPANY]), kind=st.sampled_from(ChargeKind)),
)
def test_no_way_leads_to_a_fine_above_the_cap(fine: int | None, basis: TermsBasis) -> None:
    settings = Settings(default_fine_percent_business=10_0000)
    cap = 2_0000 if basis.is_consumer or basis.kind is ChargeKind.CONDO else 10_0000

    try:
        terms = terms_for_charge(RequestedTerms(fine_percent=fine), basis, settings)
    except LegalLimitError:
        assert fine is not None
        assert fine > cap
    else:
        assert terms.fine_percent <= cap


@given(st.integers(2, 10**10), st.integers(1, 99_9999))
def test_an_accepted_discount_leaves_something_to_pay(principal: int, value: int) -> None:
    basis = replace(CONSUMER, amount=principal)
    asked = percent(f"{Decimal(value).scaleb(-4)}")

    try:
        (tier,) = terms_for_charge(RequestedTerms(discounts=(asked,)), basis, Settings()).discounts
    except ValidationError:
        return
    assert 0 < discount_of(tier, principal, RoundingMode.HALF_EVEN) < principal


def of_a_company(*, may_exceed: bool, twice_legal: int = 1_6200) -> TermsBasis:
    limit = InterestLimit(twice_legal=twice_legal, may_exceed=may_exceed)
    return replace(CONSUMER, is_consumer=False, contract_reference="Contrato 9", interest=limit)


def test_an_admin_may_agree_with_a_company_on_up_to_twice_the_legal_rate() -> None:
    wanted = RequestedTerms(interest_percent_month=1_6200)
    terms = terms_for_charge(wanted, of_a_company(may_exceed=True), Settings())
    assert terms.interest_percent_month == 1_6200
    above = replace(wanted, interest_percent_month=1_6201)
    with pytest.raises(LegalLimitError) as refused:
        terms_for_charge(above, of_a_company(may_exceed=True), Settings())
    assert "1,62 %" in refused.value.details[0].message.pt


def test_nobody_else_and_with_nobody_else_above_one_percent() -> None:
    wanted = RequestedTerms(interest_percent_month=1_0001)
    with pytest.raises(RoleLimitError) as refused:
        terms_for_charge(wanted, of_a_company(may_exceed=False), Settings())
    assert refused.value.required_role == "admin"
    for basis in (
        replace(of_a_company(may_exceed=True), is_consumer=True),
        of_a_company(may_exceed=True, twice_legal=0),
    ):
        with pytest.raises(LegalLimitError):
            terms_for_charge(wanted, basis, Settings())
