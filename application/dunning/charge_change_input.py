"""A change of a charge as a caller states it."""

from datetime import date
from typing import Annotated, TypeVar

from msgspec import UNSET, Meta, UnsetType

from application.dunning.charge_input import (
    Guarantors,
    MemberId,
    NewTermsInput,
    PaymentMethodsInput,
    payment_methods,
    requested_terms,
)
from application.dunning.charges import ChargeId
from application.dunning.lists import Tag
from application.operations.fields import Input, Money, about
from domain.dunning.charge_changes import ChargeChange
from domain.dunning.charges import Charge

T = TypeVar("T")


class ChargesUpdate(Input):
    """What is to be different; what is left out stays as it is."""

    id: Annotated[ChargeId, about("The charge.")]
    description: Annotated[
        Annotated[str, Meta(min_length=2, max_length=200)] | UnsetType,
        about("What the debt is, as the debtor reads it."),
    ] = UNSET
    due_date: Annotated[
        date | UnsetType, about("The nominal due date, from today on; once late, only a later one.")
    ] = UNSET
    amount: Annotated[Money | UnsetType, about("The principal; not after a payment.")] = UNSET
    terms: Annotated[
        NewTermsInput | UnsetType,
        about("All terms anew; once late, only in favour of the debtor."),
    ] = UNSET
    payment_methods: Annotated[
        PaymentMethodsInput | UnsetType | None, about("All ways to pay anew.")
    ] = UNSET
    tags: Annotated[
        Annotated[tuple[Tag, ...], Meta(max_length=20)] | UnsetType, about("All tags anew.")
    ] = UNSET
    custom_data: Annotated[
        dict[str, object] | UnsetType | None, about("Your own JSON object anew, at most 8 KB.")
    ] = UNSET
    assigned_member_id: Annotated[
        MemberId | UnsetType | None, about("The member who works with the charge.")
    ] = UNSET
    guarantors: Annotated[
        Guarantors | UnsetType, about("All guarantors anew: up to three other debtors.")
    ] = UNSET
    version: Annotated[
        Annotated[int, Meta(ge=1)] | None, about("The version you read; a stale one is refused.")
    ] = None


def wanted_change(wanted: ChargesUpdate, charge: Charge) -> ChargeChange:
    """The charge as the caller wants it, in the words of the rules."""
    ways = wanted.payment_methods
    return ChargeChange(
        description=_or(wanted.description, charge.description),
        amount=_or(wanted.amount, charge.amount),
        due_date=_or(wanted.due_date, charge.due_date),
        payment_methods=charge.payment_methods if ways is UNSET else payment_methods(ways),
        tags=_or(wanted.tags, charge.tags),
        custom_data=_or(wanted.custom_data, charge.custom_data),
        assigned_member_id=_or(wanted.assigned_member_id, charge.assigned_member_id),
        guarantors=_or(wanted.guarantors, charge.guarantors),
        terms=None if wanted.terms is UNSET else requested_terms(wanted.terms),
        version=wanted.version,
    )


def _or(sent: T | UnsetType, present: T) -> T:
    return present if sent is UNSET else sent
