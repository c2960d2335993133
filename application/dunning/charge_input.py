"""A new charge as a caller states it."""

from datetime import date
from decimal import Decimal
from typing import Annotated

from msgspec import Meta, Struct

from application.dunning.lists import Tag
from application.operations.fields import Input, Money, Percent, about, id_of
from domain.dunning.charge_kinds import ChargeKind
from domain.dunning.correction import CorrectionIndex
from domain.dunning.money import RoundingMode
from domain.dunning.new_charges import NewCharge, PaymentMethods
from domain.dunning.terms import DiscountType, InterestMode, RequestedDiscount, RequestedTerms

DebtorId = Annotated[str, id_of("dbt")]
MemberId = Annotated[str, id_of("mbr")]
Code = Annotated[str, Meta(min_length=1, max_length=64)]
Guarantors = Annotated[tuple[DebtorId, ...], Meta(max_length=3)]
PaymentCode = Annotated[str, Meta(min_length=1, max_length=512)]
PaymentUrl = Annotated[str, Meta(min_length=1, max_length=2048)]


class DiscountInput(Struct, kw_only=True, forbid_unknown_fields=True):
    """An early discount."""

    days_before: Annotated[
        int, Meta(ge=0, le=60), about("Until so many days before the due date, 0 to 60.")
    ]
    type: Annotated[DiscountType, about("Whether value is a percentage or an amount in BRL.")]
    value: Annotated[Decimal, about("Percent or BRL; above 0, less than the whole amount.")]


class NewTermsInput(Struct, kw_only=True, forbid_unknown_fields=True):
    """What lateness adds and paying early takes off; what is absent comes from the settings."""

    fine_percent: Annotated[Percent | None, about("Late fine, once; needs contract_reference.")] = (
        None
    )
    interest_mode: Annotated[InterestMode | None, about("Where default interest comes from.")] = (
        None
    )
    interest_percent_month: Annotated[
        Percent | None, about("Simple interest a month; only with mode contract.")
    ] = None
    correction_index: Annotated[CorrectionIndex | None, about("Index of monetary correction.")] = (
        None
    )
    charges_on_corrected: Annotated[
        bool, about("Whether fine and interest are taken of the corrected amount.")
    ] = False
    discounts: Annotated[
        tuple[DiscountInput, ...], Meta(max_length=3), about("Up to three early discounts.")
    ] = ()


class TermsInput(NewTermsInput, kw_only=True, forbid_unknown_fields=True):
    """The same with the rounding, which stays as it is for good."""

    rounding_mode: Annotated[RoundingMode | None, about("How an exact half cent is rounded.")] = (
        None
    )


class PaymentMethodsInput(Struct, kw_only=True, forbid_unknown_fields=True):
    """Ways to pay that were made elsewhere."""

    pix_copy_paste: Annotated[PaymentCode | None, about("The Pix copy-and-paste code.")] = None
    boleto_line: Annotated[PaymentCode | None, about("The boleto's typed line.")] = None
    boleto_barcode: Annotated[PaymentCode | None, about("The boleto's barcode digits.")] = None
    payment_url: Annotated[PaymentUrl | None, about("An https page where it can be paid.")] = None


class ChargeFields(Input):
    """What is stated of a new debt, whoever owes it."""

    description: Annotated[
        str, Meta(min_length=2, max_length=200), about("What the debt is, as the debtor reads it.")
    ]
    amount: Annotated[Money, about("The principal.")]
    due_date: Annotated[date, about("The nominal due date.")]
    issue_date: Annotated[date | None, about("When it was issued; today unless given.")] = None
    kind: Annotated[ChargeKind, about("What the debt is for.")] = ChargeKind.SERVICE
    contract_reference: Annotated[
        Annotated[str, Meta(min_length=1, max_length=120)] | None,
        about("The written contract that agrees on fine and interest."),
    ] = None
    document_number: Annotated[Code | None, about("The number on the invoice.")] = None
    external_id: Annotated[
        Code | None, about("Your own id of the charge, unique in the organisation; never a CPF.")
    ] = None
    terms: Annotated[TermsInput | None, about("Fine, interest, correction and discounts.")] = None
    payment_methods: Annotated[
        PaymentMethodsInput | None, about("Ways to pay that were made elsewhere.")
    ] = None
    tags: Annotated[tuple[Tag, ...], Meta(max_length=20), about("Up to 20 tags.")] = ()
    custom_data: Annotated[
        dict[str, object] | None, about("Your own JSON object, at most 8 KB.")
    ] = None
    assigned_member_id: Annotated[
        MemberId | None, about("The member who works with the charge.")
    ] = None
    guarantors: Annotated[
        Guarantors, about("Up to three other debtors who answer for the debt.")
    ] = ()


class ChargesCreate(ChargeFields, kw_only=True):
    """A new debt."""

    debtor_id: Annotated[DebtorId, about("Who owes.")]


def new_charge(wanted: ChargeFields) -> NewCharge:
    """What the caller states, in the words of the rules."""
    return NewCharge(
        description=wanted.description,
        amount=wanted.amount,
        due_date=wanted.due_date,
        issue_date=wanted.issue_date,
        kind=wanted.kind,
        contract_reference=wanted.contract_reference,
        document_number=wanted.document_number,
        external_id=wanted.external_id,
        terms=requested_terms(wanted.terms),
        payment_methods=payment_methods(wanted.payment_methods),
        tags=wanted.tags,
        custom_data=wanted.custom_data,
        assigned_member_id=wanted.assigned_member_id,
        guarantors=wanted.guarantors,
    )


def requested_terms(wanted: NewTermsInput | None) -> RequestedTerms:
    """Terms as a caller states them; None leaves all of them to contract, settings and law."""
    if wanted is None:
        return RequestedTerms()
    return RequestedTerms(
        fine_percent=wanted.fine_percent,
        interest_mode=wanted.interest_mode,
        interest_percent_month=wanted.interest_percent_month,
        correction_index=wanted.correction_index,
        charges_on_corrected=wanted.charges_on_corrected,
        discounts=tuple(
            RequestedDiscount(days_before=d.days_before, type=d.type, value=d.value)
            for d in wanted.discounts
        ),
        rounding_mode=wanted.rounding_mode if isinstance(wanted, TermsInput) else None,
    )


def payment_methods(wanted: PaymentMethodsInput | None) -> PaymentMethods:
    """Ways to pay as a caller states them; None is none."""
    if wanted is None:
        return PaymentMethods()
    return PaymentMethods(
        pix_copy_paste=wanted.pix_copy_paste,
        boleto_line=wanted.boleto_line,
        boleto_barcode=wanted.boleto_barcode,
        payment_url=wanted.payment_url,
    )
