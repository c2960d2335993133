"""Settings are shown with what is in force beside them."""

from datetime import date
from decimal import Decimal
from typing import Final

import msgspec

from adapters.v1.bound import bind
from adapters.v1.output_schema import OutputSchemas
from application.dunning.settings import settings_update
from application.dunning.settings_input import SettingsUpdate, wanted_change
from application.dunning.settings_view import settings_view
from application.strict_json import strict_json
from domain.dunning.rates import NO_RATES, IndexRate, RateCode, Rates
from tests.unit.domain.builders import NOW, an_organization

ENCODER: Final = msgspec.json.Encoder(decimal_format="number")


def a_rate(code: RateCode, month: date, percent: str, published_on: date) -> IndexRate:
    return IndexRate(code=code, month=month, percent=Decimal(percent), published_on=published_on)


def test_of_each_rate_the_last_month_that_is_published_is_shown() -> None:
    rates = Rates(
        [
            a_rate(RateCode.TAXA_LEGAL, date(2026, 8, 1), "0.61", date(2026, 8, 3)),
            a_rate(RateCode.IPCA, date(2026, 7, 1), "0.48", date(2026, 8, 11)),
            a_rate(RateCode.IPCA, date(2026, 6, 1), "-0.11", date(2026, 7, 10)),
            a_rate(RateCode.IPCA, date(2026, 8, 1), "0.30", date(2026, 8, 12)),
        ]
    )

    shown = settings_view(an_organization(), rates, date(2026, 8, 11)).index_rates

    assert ENCODER.encode(shown) == (
        b'[{"code":"ipca","month":"2026-07","percent":0.48,"published_on":"2026-08-11"},'
        b'{"code":"taxa_legal","month":"2026-08","percent":0.61,"published_on":"2026-08-03"}]'
    )


def test_without_rates_none_are_shown() -> None:
    assert settings_view(an_organization(), NO_RATES, NOW.today).index_rates == []


def test_what_is_shown_can_be_sent_back_and_changes_nothing() -> None:
    organization = an_organization()
    shown = strict_json(ENCODER.encode(settings_view(organization, NO_RATES, NOW.today)))
    assert isinstance(shown, dict)
    sent = {name: shown[name] for name in SettingsUpdate.__struct_fields__}

    read = bind(settings_update, OutputSchemas()).read(sent)
    organization.change(wanted_change(read.values, organization.settings), shown["version"], NOW)

    assert (organization.version, organization.events) == (1, [])
