"""Valid things by default; a test names only what it is about."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

from domain.access.grant import Environment
from domain.dunning.addresses import Address
from domain.dunning.calendar import NATIONAL_WIDE
from domain.dunning.charges import Charge, CreditorRules
from domain.dunning.debtors import Debtor, NewDebtor
from domain.dunning.moment import Moment
from domain.dunning.new_charges import NewCharge
from domain.dunning.organization_settings import Settings
from domain.dunning.organizations import NewOrganization, Organization
from domain.errors import Detail, ValidationError

TODAY = date(2026, 9, 1)
NOW = Moment(datetime(2026, 9, 1, 13, 0, tzinfo=UTC), TODAY)
RULES = CreditorRules(Settings(), NATIONAL_WIDE)

ADDRESS = Address(
    street="Rua das Acácias",
    number="120",
    district="Centro",
    city="São Paulo",
    uf="SP",
    zipcode="01001000",
)
NEW_ORGANIZATION = NewOrganization(
    name="Colégio Aurora",
    legal_name="Colégio Aurora Ltda.",
    document="11.222.333/0001-81",
    environment=Environment.SANDBOX,
    uf="SP",
    city="São Paulo",
    address=ADDRESS,
)
NEW_DEBTOR = NewDebtor(name="Paulo Nogueira", document="529.982.247-25")
NEW_CHARGE = NewCharge(
    description="Mensalidade de outubro",
    amount=1_250_00,
    due_date=date(2026, 10, 10),
    contract_reference="Contrato 17/2026",
)


def on(day: date) -> Moment:
    """A moment on another business day."""
    return Moment(datetime(day.year, day.month, day.day, 12, 0, tzinfo=UTC), day)


def an_organization(**fields: Any) -> Organization:
    return Organization.register("org_1", replace(NEW_ORGANIZATION, **fields), NOW)


def a_debtor(**fields: Any) -> Debtor:
    return Debtor.register("dbt_1", replace(NEW_DEBTOR, **fields), an_organization(), NOW)


def a_charge(moment: Moment = NOW, **fields: Any) -> Charge:
    return Charge.create("chg_1", replace(NEW_CHARGE, **fields), a_debtor(), RULES, moment)


def the_detail_of(refused: Callable[[], object]) -> Detail:
    """The one detail of the validation error that a call raises."""
    try:
        refused()
    except ValidationError as error:
        (detail,) = error.details
        return detail
    raise AssertionError("nothing was refused")
