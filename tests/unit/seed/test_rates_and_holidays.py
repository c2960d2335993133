"""The sample rates, and the holidays of the two organisations."""

from collections import Counter
from datetime import date

from adapters.persistence.demo import DemoOrganization
from domain.dunning.calendar import NATIONAL_NARROW
from domain.dunning.charges import Charge
from domain.dunning.rates import RateCode, checked_rate
from entrypoints.seed.rates import SAMPLE_RATES


def test_every_code_has_the_last_twenty_four_months() -> None:
    assert Counter(rate.code for rate in SAMPLE_RATES) == dict.fromkeys(RateCode, 24)
    months = {rate.month for rate in SAMPLE_RATES}
    assert (min(months), max(months)) == (date(2024, 12, 1), date(2026, 11, 1))


def test_every_sample_could_be_a_published_rate() -> None:
    for rate in SAMPLE_RATES:
        assert checked_rate(rate) is rate
        assert NATIONAL_NARROW.is_business_day(rate.published_on)
        assert 0 <= (rate.published_on - rate.month).days <= 45


def test_a_price_index_is_published_after_its_month_and_the_legal_rate_at_its_beginning() -> None:
    october = date(2026, 10, 1)
    published = {code: SAMPLE_RATES.find(code, october) for code in RateCode}
    days = {code: rate.published_on for code, rate in published.items() if rate is not None}
    assert days[RateCode.IPCA] == days[RateCode.INPC] == date(2026, 11, 10)
    assert days[RateCode.TAXA_LEGAL] == october
    assert (days[RateCode.IPCA15], days[RateCode.IGPM]) == (date(2026, 10, 26), date(2026, 10, 28))


def test_a_birthday_of_the_city_moves_the_due_dates_of_those_who_live_there(
    aurora: DemoOrganization,
) -> None:
    (birthday,) = aurora.holidays
    cities = {debtor.id: debtor.place.city for debtor in aurora.debtors}

    def is_in_the_city(charge: Charge) -> bool:
        return cities[charge.debtor_id] == birthday.city

    due = [charge for charge in aurora.charges if charge.due_date == birthday.date]
    moved = {is_in_the_city(charge): charge.effective_due_date for charge in due}
    assert moved == {True: date(2027, 1, 26), False: date(2027, 1, 25)}


def test_the_wholesaler_keeps_its_states_holiday(pampa: DemoOrganization) -> None:
    (holiday,) = pampa.holidays
    assert (holiday.date, holiday.uf, holiday.scope) == (date(2027, 9, 20), "RS", "uf")
