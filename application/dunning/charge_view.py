"""A charge as answers show it, from an aggregate or straight from a list's columns."""

from datetime import date, datetime
from functools import lru_cache

from application.operations.fields import MoneyOut, PercentOut, View
from application.operations.numbers import percent, reais
from domain.dunning.aging import aging_bucket
from domain.dunning.charges import Charge
from domain.dunning.new_charges import PaymentMethods
from domain.dunning.terms import DiscountTier, DiscountType, Terms
from domain.ports.storage import ChargeRow


class DiscountView(View):
    """An early discount: `value` in percent or BRL, as `type` says, until `days_before` due."""

    days_before: int
    type: str
    value: float


class TermsView(View):
    """What lateness adds and paying early takes off; a snapshot of when the charge was made."""

    fine_percent: PercentOut
    interest_mode: str
    interest_percent_month: PercentOut
    correction_index: str
    charges_on_corrected: bool
    discounts: list[DiscountView]
    rounding_mode: str


class PaymentMethodsView(View):
    """Ways to pay that were made elsewhere."""

    pix_copy_paste: str | None
    boleto_line: str | None
    boleto_barcode: str | None
    payment_url: str | None


class AmountsView(View):
    """What is owed on `as_of`, in BRL; `total_due` is the sum, less the discount."""

    principal_outstanding: MoneyOut
    fine: MoneyOut
    interest: MoneyOut
    correction: MoneyOut
    discount: MoneyOut
    costs: MoneyOut
    total_due: MoneyOut
    paid: MoneyOut
    as_of: date


class ChargeView(View):
    """One debt. Dates are the organisation's business dates."""

    id: str
    debtor_id: str
    debtor_name: str
    description: str
    kind: str
    document_number: str | None
    external_id: str | None
    contract_reference: str | None
    amount: MoneyOut
    issue_date: date
    due_date: date
    effective_due_date: date
    terms: TermsView
    payment_methods: PaymentMethodsView
    status: str
    amounts: AmountsView
    days_late: int
    aging_bucket: str
    prescription_date: date
    listing_limit_date: date
    tags: list[str]
    custom_data: dict[str, object] | None
    assigned_member_id: str | None
    written_off_at: datetime | None
    canceled_at: datetime | None
    paid_at: datetime | None
    cancel_reason: str | None
    version: int
    created_at: datetime
    updated_at: datetime


def charge_view(charge: Charge | ChargeRow, debtor_name: str) -> ChargeView:
    """The charge as stored, whoever read it."""
    return ChargeView(
        id=charge.id,
        debtor_id=charge.debtor_id,
        debtor_name=debtor_name,
        description=charge.description,
        kind=charge.kind,
        document_number=charge.document_number,
        external_id=charge.external_id,
        contract_reference=charge.contract_reference,
        amount=reais(charge.amount),
        issue_date=charge.issue_date,
        due_date=charge.due_date,
        effective_due_date=charge.effective_due_date,
        terms=terms_view(charge.terms),
        payment_methods=payment_methods_view(charge.payment_methods),
        status=charge.status,
        amounts=AmountsView(
            principal_outstanding=reais(charge.principal_outstanding),
            fine=reais(charge.fine),
            interest=reais(charge.interest),
            correction=reais(charge.correction),
            discount=reais(charge.discount),
            costs=reais(charge.costs),
            total_due=reais(charge.total_due),
            paid=reais(charge.paid),
            as_of=charge.amounts_as_of,
        ),
        days_late=charge.days_late,
        aging_bucket=aging_bucket(charge.days_late),
        prescription_date=charge.prescription_date,
        listing_limit_date=charge.listing_limit_date,
        tags=list(charge.tags),
        custom_data=None if charge.custom_data is None else dict(charge.custom_data),
        assigned_member_id=charge.assigned_member_id,
        written_off_at=charge.written_off_at,
        canceled_at=charge.canceled_at,
        paid_at=charge.paid_at,
        cancel_reason=charge.cancel_reason,
        version=charge.version,
        created_at=charge.created_at,
        updated_at=charge.updated_at,
    )


@lru_cache(maxsize=1024)
def terms_view(terms: Terms) -> TermsView:
    """Terms as an answer shows them; many charges share theirs."""
    return TermsView(
        fine_percent=percent(terms.fine_percent),
        interest_mode=terms.interest_mode,
        interest_percent_month=percent(terms.interest_percent_month),
        correction_index=terms.correction_index,
        charges_on_corrected=terms.charges_on_corrected,
        discounts=[_discount(tier) for tier in terms.discounts],
        rounding_mode=terms.rounding_mode,
    )


@lru_cache(maxsize=1024)
def payment_methods_view(methods: PaymentMethods) -> PaymentMethodsView:
    """Ways to pay as an answer shows them; most charges have none."""
    return PaymentMethodsView(
        pix_copy_paste=methods.pix_copy_paste,
        boleto_line=methods.boleto_line,
        boleto_barcode=methods.boleto_barcode,
        payment_url=methods.payment_url,
    )


def _discount(tier: DiscountTier) -> DiscountView:
    is_percent = tier.type is DiscountType.PERCENT
    return DiscountView(
        days_before=tier.days_before,
        type=tier.type,
        value=percent(tier.value) if is_percent else reais(tier.value),
    )
