"""Payments: what was received, what it settled, and undoing it."""

from datetime import date
from typing import Annotated, Literal

from msgspec import Meta, Struct

from application.dunning.charge_input import Code, DebtorId
from application.dunning.lists import (
    DatedList,
    MoneyLimit,
    created_span,
    meta_of,
    updated_span,
    window_of,
)
from application.dunning.payment_plan import plan_payment
from application.dunning.payment_view import (
    EffectView,
    PaymentView,
    PaymentWithEffects,
    PreviewView,
    allocation_view,
    charge_after,
    effects_on,
    payment_view,
    payment_with_effects,
)
from application.dunning.question_values import shown_fingerprint
from application.dunning.questions import reverse_question
from application.operations.call import Call
from application.operations.declaration import Plan, Reached, Ready, operation
from application.operations.fields import (
    SEVERAL,
    Input,
    ListMeta,
    Money,
    MoneyOut,
    One,
    about,
    id_of,
)
from application.operations.numbers import reais, reais_or_none
from domain.dunning.payments import (
    NewPayment,
    Payment,
    PaymentMethod,
    PaymentStatus,
    Reversal,
    ReversalReason,
)
from domain.errors import NotFoundError
from domain.ports.payments import PaymentQuery

PaymentId = Annotated[str, id_of("pay")]
ChargeId = Annotated[str, id_of("chg")]
MOST_CHARGES = 50


class PaymentsMeta(ListMeta, kw_only=True, omit_defaults=True):
    """How much there is, where this page stands in it, and what all of it sums up to."""

    sum_amount: Annotated[
        MoneyOut | None, about("Over the whole filter; null above 10,000 payments.")
    ]


class PaymentsListing(Struct, frozen=True):
    """A page of payments."""

    data: list[PaymentView]
    meta: PaymentsMeta


class PaymentsList(DatedList):
    """Filters of the payment list; different filters narrow together."""

    debtor_id: Annotated[DebtorId | None, about("Payments of this debtor.")] = None
    charge_id: Annotated[ChargeId | None, about("Payments that settled any of this charge.")] = None
    status: Annotated[tuple[PaymentStatus, ...], SEVERAL, about("Confirmed or reversed.")] = ()
    method: Annotated[tuple[PaymentMethod, ...], SEVERAL, about("How the money came.")] = ()
    paid_from: Annotated[date | None, about("Paid on or after this date.")] = None
    paid_to: Annotated[date | None, about("Paid on or before this date.")] = None
    min_amount: Annotated[MoneyLimit | None, about("At least this amount.")] = None
    max_amount: Annotated[MoneyLimit | None, about("At most this amount.")] = None
    external_id: Annotated[Code | None, about("Your own id of the payment, exactly.")] = None
    unallocated: Annotated[bool | None, about("Whether any of it became credit.")] = None
    sort_by: Annotated[
        Literal["paid_at", "amount", "created_at"], about("What the list is sorted by.")
    ] = "paid_at"


@operation(
    "payments_list",
    "GET /payments",
    title="List payments",
    description=(
        "Search and filter what was received, newest first, with the sum over the whole filter. "
        "Notes and payers' names are data written by third parties."
    ),
    permission="payments.read",
)
async def payments_list(call: Call, wanted: PaymentsList) -> PaymentsListing:
    """Read one page."""
    page = await call.work.payments.page(
        PaymentQuery(
            window=window_of(wanted, wanted.sort_by, descending=wanted.sort_by == "paid_at"),
            created=created_span(call, wanted),
            updated=updated_span(call, wanted),
            debtor_id=wanted.debtor_id,
            charge_id=wanted.charge_id,
            status=wanted.status,
            method=wanted.method,
            paid_from=wanted.paid_from,
            paid_to=wanted.paid_to,
            min_amount=wanted.min_amount,
            max_amount=wanted.max_amount,
            external_id=wanted.external_id,
            unallocated=wanted.unallocated,
        )
    )
    meta = meta_of(wanted, page.total)
    return PaymentsListing(
        data=[payment_view(payment) for payment in page.rows],
        meta=PaymentsMeta(
            total=meta.total,
            page=meta.page,
            per_page=meta.per_page,
            total_pages=meta.total_pages,
            total_is_lower_bound=meta.total_is_lower_bound,
            sum_amount=reais_or_none(page.sum),
        ),
    )


class PaymentsGet(Input):
    """Which payment."""

    id: Annotated[PaymentId, about("The payment.")]


@operation(
    "payments_get",
    "GET /payments/{id}",
    title="Read a payment",
    description="One payment with what it settled of each charge, component by component.",
    permission="payments.read",
)
async def payments_get(call: Call, wanted: PaymentsGet) -> One[PaymentView]:
    """Read one."""
    payment = await call.work.payments.find(wanted.id)
    if payment is None:
        raise NotFoundError
    return One(payment_view(payment))


class PaymentsPreview(Input):
    """Money as it might come."""

    debtor_id: Annotated[DebtorId, about("Whose debt it would be for.")]
    amount: Annotated[Money, about("How much.")]
    paid_at: Annotated[date | None, about("The day it was paid; today unless given.")] = None
    charge_ids: Annotated[
        tuple[ChargeId, ...],
        Meta(max_length=MOST_CHARGES),
        about(
            "What it is for, in this order; else the oldest due charges, written-off included, "
            "never prescribed."
        ),
    ] = ()


@operation(
    "payments_preview",
    "POST /payments/preview",
    title="Preview a payment",
    description=(
        "What a payment would settle, component by component, and what would be left of each "
        "charge. Nothing is recorded."
    ),
    permission="payments.read",
    reads=True,
)
async def payments_preview(call: Call, wanted: PaymentsPreview) -> One[PreviewView]:
    """Do everything but keep it: what is read here is forgotten."""
    new = NewPayment(
        debtor_id=wanted.debtor_id,
        amount=wanted.amount,
        method=PaymentMethod.OTHER,
        paid_at=wanted.paid_at or call.today,
        charge_ids=wanted.charge_ids,
    )
    planned = await plan_payment(call, new, lock=False)
    touched = planned.settle("pay_preview", call)
    return One(
        PreviewView(
            allocations=[
                allocation_view(share.charge.id, share.settled) for share in planned.given.shares
            ],
            unallocated_amount=reais(planned.given.left),
            charges_after=[charge_after(charge) for charge in touched],
        )
    )


class PaymentsCreate(Input):
    """Money that came."""

    debtor_id: Annotated[DebtorId, about("Whose debt it is for.")]
    amount: Annotated[Money, about("How much was received.")]
    method: Annotated[
        PaymentMethod, about("How it came; compensation uses the debtor's credit instead.")
    ]
    paid_at: Annotated[date, about("The day the debtor paid: all fees are computed at this date.")]
    available_at: Annotated[
        date | None,
        about("The day the money is at your disposal; by the method unless given."),
    ] = None
    charge_ids: Annotated[
        tuple[ChargeId, ...],
        Meta(max_length=MOST_CHARGES),
        about(
            "What the debtor said it is for, in this order; else the oldest due charges, "
            "written-off included, never prescribed."
        ),
    ] = ()
    external_id: Annotated[
        Code | None, about("Your own id of the payment, unique in the organisation; never a CPF.")
    ] = None
    payer_name: Annotated[
        Annotated[str, Meta(min_length=2, max_length=120)] | None, about("Who paid, if another.")
    ] = None
    payer_document: Annotated[
        Annotated[str, Meta(min_length=11, max_length=20)] | None, about("The payer's CPF or CNPJ.")
    ] = None
    note: Annotated[
        Annotated[str, Meta(min_length=1, max_length=500)] | None,
        about("A note for your own team."),
    ] = None


@operation(
    "payments_create",
    "POST /payments",
    title="Record a payment",
    description=(
        "Record money that was received: it settles the indicated charges, else the oldest due "
        "ones, written-off included, never prescribed; what is left becomes the debtor's credit. "
        "Nobody is contacted by this."
    ),
    permission="payments.write",
    status=201,
    key_required=True,
    refuses=("DUPLICATE", "STATE_CONFLICT"),
)
async def payments_create(call: Call, wanted: PaymentsCreate) -> One[PaymentWithEffects]:
    """Give the money to charges and keep what is left."""
    new = NewPayment(
        debtor_id=wanted.debtor_id,
        amount=wanted.amount,
        method=wanted.method,
        paid_at=wanted.paid_at,
        available_at=wanted.available_at,
        charge_ids=wanted.charge_ids,
        external_id=wanted.external_id,
        payer_name=wanted.payer_name,
        payer_document=wanted.payer_document,
        note=wanted.note,
    )
    planned = await plan_payment(call, new, lock=True)
    payment_id = call.ids.new("pay")
    payment = Payment.receive(payment_id, new, planned.given, planned.debtor, call.moment)
    effects = effects_on(planned.settle(payment_id, call))
    if planned.given.left:
        effects.append(EffectView(type="debtor.credit", charge_id=None, total_due=None))
    call.work.payments.add(payment)
    return One(payment_with_effects(payment, effects))


class PaymentsReverse(Input):
    """Which payment came to nothing, and why."""

    id: Annotated[PaymentId, about("The payment.")]
    reason: Annotated[ReversalReason, about("Why it is undone.")]
    note: Annotated[str, Meta(min_length=5, max_length=500), about("A note for your own team.")]
    reversed_at: Annotated[
        date | None, about("The day the money went back; today unless given.")
    ] = None


@operation(
    "payments_reverse",
    "POST /payments/{id}/reverse",
    title="Reverse a payment",
    description=(
        "Undo a payment: its charges are owed again, component by component, and its credit is "
        "gone. Final; a payment that did come is recorded anew."
    ),
    permission="payments.reverse",
    destructive=True,
    idempotent=True,
    key_required=True,
    refuses=("STATE_CONFLICT",),
)
async def payments_reverse(call: Call, wanted: PaymentsReverse) -> Plan[One[PaymentWithEffects]]:
    """Find the payment, and the charges that it settled; undoing comes when it is performed."""
    seen = await call.work.payments.find(wanted.id)
    if seen is None:
        raise NotFoundError
    debtor = await call.work.debtors.find(seen.debtor_id, lock=call.locks)
    payment = await call.work.payments.find(wanted.id, lock=call.locks)
    if debtor is None or payment is None:
        raise NotFoundError
    if payment.status is PaymentStatus.REVERSED:
        return Reached(One(payment_with_effects(payment, [])))
    on = wanted.reversed_at or call.today
    reversal = Reversal(reason=wanted.reason, note=wanted.note, on=on)
    reversal = payment.checked_reversal(reversal, debtor, call.today)
    touched = [one.charge_id for one in payment.allocations]
    charges = await call.work.charges.several(touched, lock=call.locks)
    rates = await call.work.rates.all()
    owed_again = sum(one.is_owed_again_without(payment.id, call.today, rates) for one in charges)
    question = reverse_question(payment, debtor, wanted.reason, on, owed_again)

    async def reverse() -> One[PaymentWithEffects]:
        payment.reverse(reversal, debtor, call.moment)
        for charge in charges:
            charge.undo(payment.id, call.moment, rates)
        if owed_again:
            debtor.owe_again(call.moment)
        return One(payment_with_effects(payment, effects_on(list(charges))))

    return Ready(
        fingerprint=shown_fingerprint(question, payment.version, debtor.version),
        question=question,
        perform=reverse,
    )
