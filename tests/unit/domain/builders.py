"""Valid things by default; a test names only what it is about."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

from domain.access.grant import Environment
from domain.dunning.addresses import Address
from domain.dunning.allocation import Distribution, distribute
from domain.dunning.calendar import NATIONAL_WIDE
from domain.dunning.charges import Charge, CreditorRules
from domain.dunning.debtors import Debtor
from domain.dunning.ledger import Credit
from domain.dunning.moment import Moment
from domain.dunning.money import Cents
from domain.dunning.new_charges import NewCharge
from domain.dunning.new_debtors import NewDebtor
from domain.dunning.organization_settings import Settings
from domain.dunning.organizations import NewOrganization, Organization
from domain.dunning.rates import NO_RATES, Rates
from domain.errors import Detail, ValidationError

TODAY = date(2026, 9, 1)
NOW = Moment(datetime(2026, 9, 1, 13, 0, tzinfo=UTC), TODAY)
RULES = CreditorRules(Settings(), NATIONAL_WIDE, NO_RATES)

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


def a_charge(moment: Moment = NOW, *, charge_id: str = "chg_1", **fields: Any) -> Charge:
    return Charge.create(charge_id, replace(NEW_CHARGE, **fields), a_debtor(), RULES, moment)


def receive(
    money: Cents,
    charges: Sequence[Charge],
    moment: Moment,
    *,
    paid_at: date | None = None,
    payment_id: str = "pay_1",
    rates: Rates = NO_RATES,
) -> Distribution:
    """Money that came, today unless said, given to `charges` in their order and settled."""
    paid_at = paid_at or moment.today
    given = distribute(money, paid_at, charges, rates)
    for share in given.shares:
        credit = Credit(payment_id=payment_id, paid_at=paid_at, settled=share.settled)
        share.charge.settle(credit, moment, rates)
    return given


def the_detail_of(refused: Callable[[], object]) -> Detail:
    """The one detail of the validation error that a call raises."""
    try:
        refused()
    except ValidationError as error:
        (detail,) = error.details
        return detail
    raise AssertionError("nothing was refused")
