"""The two organisations: a school in São Paulo and a wholesaler in Porto Alegre."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final

from domain.access.grant import Environment
from domain.dunning.addresses import Address
from domain.dunning.charge_kinds import ChargeKind
from domain.dunning.correction import CorrectionIndex
from domain.dunning.money import ONE_PERCENT
from domain.dunning.organization_settings import ApprovalAct, Settings
from domain.dunning.organizations import NewOrganization, Organization
from domain.dunning.terms import DiscountType, RequestedDiscount, RequestedTerms
from entrypoints.seed.fixed import fixed_id
from entrypoints.seed.timeline import Timeline


@dataclass(frozen=True, slots=True, kw_only=True)
class Trade:
    """What an organisation charges for; `amounts` are the cents an ordinary charge may have."""

    kind: ChargeKind
    ware: str
    terms: RequestedTerms
    amounts: range


@dataclass(frozen=True, slots=True, kw_only=True)
class Creditor:
    """One organisation of the demo; `key` begins the name of everything that is its own."""

    key: str
    email_domain: str
    since: date
    new: NewOrganization
    trade: Trade

    @property
    def organization_id(self) -> str:
        """The id of the organisation, the same in every seeding."""
        return fixed_id("org", f"{self.key}/organization")

    def register(self, timeline: Timeline) -> Organization:
        """The organisation as it was set up."""
        return Organization.register(self.organization_id, self.new, timeline.at(self.since))


def percent_until(days_before: int, percent: int) -> RequestedDiscount:
    """An early discount of whole `percent` until `days_before` days before the due date."""
    return RequestedDiscount(
        days_before=days_before, type=DiscountType.PERCENT, value=Decimal(percent)
    )


AURORA: Final = Creditor(
    key="A",
    email_domain="aurora.example.com",
    since=date(2021, 1, 4),
    new=NewOrganization(
        name="Colégio Aurora",
        legal_name="Colégio Aurora Ltda.",
        document="11.222.333/0001-81",
        environment=Environment.SANDBOX,
        uf="SP",
        city="São Paulo",
        address=Address(
            street="Rua do Amanhecer",
            number="450",
            district="Jardim Aurora",
            city="São Paulo",
            uf="SP",
            zipcode="04000-100",
        ),
        settings=Settings(
            default_fine_percent=2 * ONE_PERCENT,
            default_interest_percent_month=ONE_PERCENT,
            approval_required_for=frozenset(
                {ApprovalAct.NEGATIVATE, ApprovalAct.PROTEST, ApprovalAct.WRITE_OFF}
            ),
        ),
    ),
    trade=Trade(
        kind=ChargeKind.TUITION,
        ware="Mensalidade",
        terms=RequestedTerms(discounts=(percent_until(5, 5),)),
        amounts=range(450_00, 1_900_00, 50),
    ),
)

PAMPA: Final = Creditor(
    key="B",
    email_domain="pampa.example.com",
    since=date(2023, 3, 6),
    new=NewOrganization(
        name="Pampa Distribuidora",
        legal_name="Pampa Distribuidora S.A.",
        document="12.ABC.345/01DE-35",
        environment=Environment.SANDBOX,
        uf="RS",
        city="Porto Alegre",
        address=Address(
            street="Avenida dos Ventos do Sul",
            number="2200",
            district="Distrito Industrial",
            city="Porto Alegre",
            uf="RS",
            zipcode="91000-200",
        ),
        settings=Settings(
            default_fine_percent_business=5 * ONE_PERCENT,
            default_interest_percent_month=ONE_PERCENT,
            default_correction_index=CorrectionIndex.IPCA,
        ),
    ),
    trade=Trade(
        kind=ChargeKind.PRODUCT,
        ware="Fornecimento",
        terms=RequestedTerms(),
        amounts=range(900_00, 24_000_00, 10),
    ),
)

CREDITORS: Final = (AURORA, PAMPA)
