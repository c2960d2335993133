"""The memory of a calculation in sentences that a debtor can check with a pencil."""

from dataclasses import replace
from datetime import date

from application.dunning.calculation_words import memory_sentences
from domain.dunning.amounts import Claim, amounts_of
from domain.dunning.correction import CorrectionIndex
from domain.dunning.money import RoundingMode
from domain.dunning.rates import NO_RATES, RateCode, Rates
from domain.dunning.terms import DiscountType, InterestMode
from tests.unit.domain.claims import NOTHING_ADDED, SEPTEMBER, TERMS, monthly, paid, tier

AUGUST = date(2026, 8, 1)
IPCA = Rates(monthly(RateCode.IPCA, AUGUST, ["0.48", "-0.20", "0.33"], published_after=40))
LEGAL = Rates(monthly(RateCode.TAXA_LEGAL, date(2026, 10, 1), ["0.62"]))
CORRECTED = Claim(
    amount=1_000_00,
    effective_due_date=date(2026, 8, 5),
    terms=replace(NOTHING_ADDED, correction_index=CorrectionIndex.IPCA),
)


def told(claim: Claim, on: date, rates: Rates = NO_RATES) -> list[str]:
    """The sentences, with plain blanks."""
    sentences = memory_sentences(amounts_of(claim, on, rates), claim.terms)
    return [sentence.replace("\u00a0", " ") for sentence in sentences]


def test_nothing_is_told_of_a_debt_that_is_on_time() -> None:
    assert told(SEPTEMBER, date(2026, 9, 15)) == []


def test_fine_and_interest_by_base_rate_and_days() -> None:
    assert told(SEPTEMBER, date(2026, 10, 15)) == [
        "Multa de 2% sobre R$ 600,00: R$ 12,00.",
        "Juros de mora simples de 1% ao mês, sobre R$ 600,00 por 30 dias: R$ 6,00.",
    ]
    assert "por 1 dia: R$ 0,20." in told(SEPTEMBER, date(2026, 9, 16))[1]


def test_a_payment_parts_the_interest_and_what_it_paid_is_said_to_be_off() -> None:
    claim = paid(SEPTEMBER, 10_00, date(2026, 10, 15))
    assert told(claim, date(2026, 11, 10)) == [
        "Multa de 2% sobre R$ 600,00, já descontado o que foi pago: R$ 8,00.",
        "Juros de mora simples de 1% ao mês, sobre R$ 600,00 por 26 dias: R$ 5,20.",
    ]
    claim = paid(SEPTEMBER, 2_00, date(2026, 10, 15))
    assert told(claim, date(2026, 11, 10))[1] == (
        "Juros de mora simples de 1% ao mês: de 15/09/2026 a 15/10/2026, R$ 600,00 por 30 dias; de "
        "15/10/2026 a 10/11/2026, R$ 600,00 por 26 dias, já descontado o que foi pago. Total: "
        "R$ 9,20."
    )


def test_correction_month_by_month_and_a_fall_of_prices_with_its_sign() -> None:
    (correction,) = told(CORRECTED, date(2026, 11, 10), IPCA)
    assert correction == (
        "Correção monetária pelo IPCA: de 05/08/2026 a 05/09/2026, R$ 1.000,00 a 0,48%; de "
        "05/09/2026 a 05/10/2026, R$ 1.004,80 a \u22120,2%; de 05/10/2026 a 05/11/2026, "
        "R$ 1.002,79 a 0,33%. Total: R$ 6,10."
    )


def test_the_legal_rate_by_the_days_of_each_month_and_what_is_not_known_yet() -> None:
    claim = Claim(
        amount=1_250_00,
        effective_due_date=date(2026, 10, 13),
        terms=replace(NOTHING_ADDED, interest_mode=InterestMode.LEGAL_RATE),
    )
    (interest,) = told(claim, date(2026, 11, 5), LEGAL)
    assert interest == (
        "Juros de mora simples pela taxa legal (Código Civil, art. 406): de 13/10/2026 a "
        "31/10/2026, R$ 1.250,00 por 18 dias a 0,02% ao dia; de 31/10/2026 a 05/11/2026, "
        "R$ 1.250,00 (taxa ainda não publicada). Total: R$ 4,50. O que ainda não foi publicado "
        "conta como zero."
    )


def test_a_discount_in_percent_or_as_an_amount() -> None:
    early = replace(TERMS, discounts=(tier(date(2026, 9, 10), DiscountType.PERCENT, 10_0000),))
    claim = replace(SEPTEMBER, terms=early)
    assert told(claim, date(2026, 9, 10)) == ["Desconto por antecipação de 10%: R$ 60,00."]
    fixed = replace(TERMS, discounts=(tier(date(2026, 9, 10), DiscountType.AMOUNT, 25_00),))
    claim = replace(SEPTEMBER, terms=fixed)
    assert told(claim, date(2026, 9, 10)) == ["Desconto por antecipação: R$ 25,00."]


def test_costs_are_told_as_what_was_paid() -> None:
    claim = replace(SEPTEMBER, costs=37_50)
    assert told(claim, date(2026, 9, 15)) == ["Custas cartorárias efetivamente pagas: R$ 37,50."]


def test_a_fine_that_ends_in_half_a_cent_is_no_payment() -> None:
    for mode in RoundingMode:
        terms = replace(TERMS, interest_mode=InterestMode.NONE, rounding_mode=mode)
        claim = replace(SEPTEMBER, amount=112_25, terms=terms)
        (fine,) = told(claim, date(2026, 9, 16))
        assert "descontado" not in fine
