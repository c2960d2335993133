"""A charge as answers show it, from an aggregate or straight from a list's columns."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Annotated, Final

from application.dunning.hold_view import HoldView, hold_view
from application.operations.fields import MoneyOut, PercentOut, View, about
from application.operations.numbers import CENTS_IN_REAL, percent, reais
from domain.dunning.aging import AgingBucket, aging_bucket
from domain.dunning.amounts import Amounts
from domain.dunning.charge_acts import CancelReason, WriteOffReason
from domain.dunning.charge_kinds import ChargeKind
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.charges import Charge
from domain.dunning.correction import CorrectionIndex
from domain.dunning.debtors import Debtor
from domain.dunning.holds import Blocks, Hold, ManualHold, holds_of
from domain.dunning.money import Cents, RoundingMode
from domain.dunning.new_charges import NO_PAYMENT_METHODS, PaymentMethods
from domain.dunning.terms import DiscountTier, DiscountType, InterestMode, Terms
from domain.ports.charges import ChargeRow


class DiscountView(View):
    """An early discount."""

    days_before: Annotated[int, about("Until so many days before the due date.")]
    type: Annotated[DiscountType, about("Whether value is a percentage or an amount in BRL.")]
    value: Annotated[float, about("Percent or BRL.")]


class TermsView(View):
    """What lateness adds and paying early takes off; a snapshot of when the charge was made."""

    fine_percent: Annotated[PercentOut, about("Late fine, taken once.")]
    interest_mode: Annotated[InterestMode, about("Where default interest comes from.")]
    interest_percent_month: Annotated[PercentOut, about("Simple interest a month.")]
    correction_index: Annotated[CorrectionIndex, about("Index of monetary correction.")]
    charges_on_corrected: Annotated[
        bool, about("Whether fine and interest are taken of the corrected amount.")
    ]
    discounts: Annotated[list[DiscountView], about("Early discounts.")]
    rounding_mode: Annotated[RoundingMode, about("How an exact half cent is rounded.")]


class PaymentMethodsView(View):
    """Ways to pay that were made elsewhere."""

    pix_copy_paste: Annotated[str | None, about("The Pix copy-and-paste code.")]
    boleto_line: Annotated[str | None, about("The boleto's typed line.")]
    boleto_barcode: Annotated[str | None, about("The boleto's barcode digits.")]
    payment_url: Annotated[str | None, about("A page where it can be paid.")]


class AmountsView(View):
    """What is owed on `as_of`."""

    principal_outstanding: Annotated[MoneyOut, about("Principal still owed.")]
    fine: Annotated[MoneyOut, about("Late fine.")]
    interest: Annotated[MoneyOut, about("Default interest.")]
    correction: Annotated[MoneyOut, about("Monetary correction.")]
    discount: Annotated[MoneyOut, about("Early discount, which the total takes off.")]
    costs: Annotated[MoneyOut, about("Notary costs actually paid.")]
    total_due: Annotated[MoneyOut, about("The sum, less the discount.")]
    paid: Annotated[MoneyOut, about("What has been paid.")]
    as_of: Annotated[date, about("The business date of these amounts.")]


class ManualHoldView(View):
    """A suspension by a person, with how it ended if it did."""

    reason: Annotated[str, about("Why collection was suspended.")]
    since: Annotated[date, about("From this date.")]
    until: Annotated[date | None, about("Up to and including this date; null has no end.")]
    blocks: Annotated[list[Blocks], about("What was suspended.")]
    released_on: Annotated[date | None, about("When a person ended it.")]
    release_note: Annotated[str | None, about("A note for your own team, by who ended it.")]


class ChargeView(View):
    """One debt. Dates are the organisation's business dates, instants are UTC."""

    id: Annotated[str, about("The charge.")]
    debtor_id: Annotated[str, about("Who owes.")]
    debtor_name: Annotated[str, about("The debtor's name.")]
    description: Annotated[str, about("What the debt is, as the debtor reads it.")]
    kind: Annotated[ChargeKind, about("What the debt is for.")]
    document_number: Annotated[str | None, about("The number on the invoice.")]
    external_id: Annotated[str | None, about("Your own id of the charge.")]
    contract_reference: Annotated[str | None, about("The written contract.")]
    amount: Annotated[MoneyOut, about("The original principal.")]
    issue_date: Annotated[date, about("When it was issued.")]
    due_date: Annotated[date, about("The nominal due date.")]
    effective_due_date: Annotated[
        date, about("The last day on time: the due date or the next business day.")
    ]
    terms: Annotated[TermsView, about("Fine, interest, correction and discounts.")]
    payment_methods: Annotated[PaymentMethodsView, about("Ways to pay.")]
    status: Annotated[ChargeStatus, about("What is owed: a canceled charge never was.")]
    holds: Annotated[list[HoldView], about("Why something may not be done today.")]
    manual_hold: Annotated[
        ManualHoldView | None,
        about("The last suspension by a person, also after its end; what holds is in holds."),
    ]
    amounts: Annotated[AmountsView, about("What is owed on `as_of`.")]
    days_late: Annotated[int, about("Calendar days since the effective due date.")]
    aging_bucket: Annotated[AgingBucket, about("The range of days late.")]
    prescription_date: Annotated[date, about("The last day of the limitation period.")]
    listing_limit_date: Annotated[date, about("The last day of a credit bureau listing.")]
    tags: Annotated[list[str], about("Tags.")]
    custom_data: Annotated[dict[str, object] | None, about("Your own JSON object.")]
    assigned_member_id: Annotated[str | None, about("The member who works with the charge.")]
    guarantors: Annotated[list[str], about("Other debtors who answer for the debt.")]
    written_off_at: Annotated[datetime | None, about("When collecting was given up.")]
    write_off_reason: Annotated[WriteOffReason | None, about("Why collecting was given up.")]
    write_off_note: Annotated[str | None, about("A note for your own team, by who gave it up.")]
    written_off_amount: Annotated[MoneyOut | None, about("What was due when it was given up.")]
    canceled_at: Annotated[datetime | None, about("When it was declared not owed.")]
    paid_at: Annotated[date | None, about("The day of the payment that settled it.")]
    cancel_reason: Annotated[CancelReason | None, about("Why it is not owed.")]
    cancel_note: Annotated[str | None, about("A note for your own team, by who cancelled it.")]
    version: Annotated[int, about("Grows with each change.")]
    created_at: Annotated[datetime, about("When it was created.")]
    updated_at: Annotated[datetime, about("When it was last changed.")]


def charge_view(charge: Charge, debtor: Debtor, today: date) -> ChargeView:
    """The charge as stored, with what holds today."""
    holds = holds_of(charge, debtor, today)
    return _view(charge, debtor.name, holds, terms_view(charge.terms))


def row_views(rows: Iterable[ChargeRow], today: date) -> list[ChargeView]:
    """The same from the rows of a list."""
    views = []
    terms, shown = None, None
    for row in rows:
        # Neighbours share their terms more often than not.
        if shown is None or row.terms is not terms:
            terms, shown = row.terms, terms_view(row.terms)
        views.append(_view(row, row.debtor_name, row.holds(today), shown))
    return views


def amounts_view(amounts: Amounts, paid: Cents) -> AmountsView:
    """Amounts of any day, with what had been paid by then."""
    return AmountsView(
        principal_outstanding=reais(amounts.principal_outstanding),
        fine=reais(amounts.fine),
        interest=reais(amounts.interest),
        correction=reais(amounts.correction),
        discount=reais(amounts.discount),
        costs=reais(amounts.costs),
        total_due=reais(amounts.total_due),
        paid=reais(paid),
        as_of=amounts.as_of,
    )


def _view(
    charge: Charge | ChargeRow, debtor_name: str, holds: Sequence[Hold], terms: TermsView
) -> ChargeView:
    # Lists make a hundred of these at a time: what most charges lack is not called for, and values
    # go by their place, since by name they would take three times as long.
    hold, given_up = charge.manual_hold, charge.written_off_amount
    return ChargeView(
        charge.id,
        charge.debtor_id,
        debtor_name,
        charge.description,
        charge.kind,
        charge.document_number,
        charge.external_id,
        charge.contract_reference,
        charge.amount / CENTS_IN_REAL,
        charge.issue_date,
        charge.due_date,
        charge.effective_due_date,
        terms,
        (
            _NO_METHODS
            if charge.payment_methods is NO_PAYMENT_METHODS
            else payment_methods_view(charge.payment_methods)
        ),
        charge.status,
        [hold_view(one) for one in holds] if holds else [],
        None if hold is None else _manual_hold(hold),
        AmountsView(
            principal_outstanding=charge.principal_outstanding / CENTS_IN_REAL,
            fine=charge.fine / CENTS_IN_REAL,
            interest=charge.interest / CENTS_IN_REAL,
            correction=charge.correction / CENTS_IN_REAL,
            discount=charge.discount / CENTS_IN_REAL,
            costs=charge.costs / CENTS_IN_REAL,
            total_due=charge.total_due / CENTS_IN_REAL,
            paid=charge.paid / CENTS_IN_REAL,
            as_of=charge.amounts_as_of,
        ),
        charge.days_late,
        aging_bucket(charge.days_late),
        charge.prescription_date,
        charge.listing_limit_date,
        list(charge.tags),
        None if charge.custom_data is None else dict(charge.custom_data),
        charge.assigned_member_id,
        list(charge.guarantors) if charge.guarantors else [],
        charge.written_off_at,
        charge.write_off_reason,
        charge.write_off_note,
        None if given_up is None else given_up / CENTS_IN_REAL,
        charge.canceled_at,
        charge.paid_at,
        charge.cancel_reason,
        charge.cancel_note,
        charge.version,
        charge.created_at,
        charge.updated_at,
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


def payment_methods_view(methods: PaymentMethods) -> PaymentMethodsView:
    """Ways to pay as an answer shows them."""
    return PaymentMethodsView(
        pix_copy_paste=methods.pix_copy_paste,
        boleto_line=methods.boleto_line,
        boleto_barcode=methods.boleto_barcode,
        payment_url=methods.payment_url,
    )


_NO_METHODS: Final = payment_methods_view(NO_PAYMENT_METHODS)


def _manual_hold(hold: ManualHold) -> ManualHoldView:
    return ManualHoldView(
        reason=hold.reason,
        since=hold.since,
        until=hold.until,
        blocks=list(hold.blocks),
        released_on=hold.released_on,
        release_note=hold.release_note,
    )


def _discount(tier: DiscountTier) -> DiscountView:
    is_percent = tier.type is DiscountType.PERCENT
    return DiscountView(
        days_before=tier.days_before,
        type=tier.type,
        value=percent(tier.value) if is_percent else reais(tier.value),
    )
