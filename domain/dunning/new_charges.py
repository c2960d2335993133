"""What a caller says of a charge, checked and trimmed before there is one."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final
from urllib.parse import urlsplit

from domain.dunning.calendar import years_after
from domain.dunning.charge_kinds import ChargeKind
from domain.dunning.free_text import (
    EXTERNAL_ID,
    bounded_object,
    distinct_tags,
    external_id_or_none,
    trimmed,
    trimmed_or_none,
)
from domain.dunning.money import CHARGE_AMOUNT, Bounds, Cents
from domain.dunning.terms import RequestedTerms
from domain.errors import Detail, ValidationError
from domain.texts import Text

DESCRIPTION: Final = Bounds(2, 200)
MAX_GUARANTORS: Final = 3

_CONTRACT_REFERENCE: Final = Bounds(1, 120)
_PAYMENT_CODE: Final = Bounds(1, 512)
_PAYMENT_URL: Final = Bounds(1, 2048)
_LONGEST_TERM_YEARS: Final = 10
_FIRST_ISSUE: Final = date(1950, 1, 1)
_LAST_ISSUE: Final = date(2199, 12, 31)


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentMethods:
    """Ways to pay that were made elsewhere; the service issues none."""

    pix_copy_paste: str | None = None
    boleto_line: str | None = None
    boleto_barcode: str | None = None
    payment_url: str | None = None


NO_PAYMENT_METHODS: Final = PaymentMethods()


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCharge:
    """A debt as the caller states it; `issue_date` is today when absent."""

    description: str
    amount: Cents
    due_date: date
    issue_date: date | None = None
    kind: ChargeKind = ChargeKind.SERVICE
    contract_reference: str | None = None
    document_number: str | None = None
    external_id: str | None = None
    terms: RequestedTerms = field(default_factory=RequestedTerms)
    payment_methods: PaymentMethods = field(default_factory=PaymentMethods)
    tags: tuple[str, ...] = ()
    custom_data: Mapping[str, object] | None = None
    assigned_member_id: str | None = None
    guarantors: tuple[str, ...] = ()


def checked(new: NewCharge) -> NewCharge:
    """`new` with its texts trimmed, once every field by itself is allowed.

    Raises:
        ValidationError: an amount, text, tag, link or object outside its range.
    """
    if new.amount not in CHARGE_AMOUNT:
        text = Text("Valor fora da faixa permitida.", "The amount is outside the allowed range.")
        raise ValidationError(Detail("amount", "out_of_range", text))
    return replace(
        new,
        description=trimmed(new.description, "description", DESCRIPTION),
        contract_reference=trimmed_or_none(
            new.contract_reference, "contract_reference", _CONTRACT_REFERENCE
        ),
        document_number=trimmed_or_none(new.document_number, "document_number", EXTERNAL_ID),
        external_id=external_id_or_none(new.external_id),
        payment_methods=checked_payment_methods(new.payment_methods),
        tags=distinct_tags(new.tags),
        custom_data=(
            None if new.custom_data is None else bounded_object(new.custom_data, "custom_data")
        ),
    )


def refuse_bad_dates(issue: date, due: date) -> None:
    """Raise `ValidationError` unless the due date is from the issue date to ten years after it."""
    if not _FIRST_ISSUE <= issue <= _LAST_ISSUE:
        text = Text(
            "Informe uma data de emissão entre 1950 e 2199.",
            "Give an issue date between 1950 and 2199.",
        )
        raise ValidationError(Detail("issue_date", "out_of_range", text))
    if not issue <= due <= years_after(issue, _LONGEST_TERM_YEARS):
        text = Text(
            "O vencimento vai da data de emissão (hoje, se ausente) até 10 anos depois dela.",
            "The due date lies between the issue date (today when absent) and 10 years after it.",
        )
        raise ValidationError(Detail("due_date", "out_of_range", text))


def checked_guarantors(guarantors: tuple[str, ...], debtor_id: str) -> tuple[str, ...]:
    """At most three other debtors, each once; whether they exist is for the caller to find out.

    Raises:
        ValidationError: `too_many_items`, `duplicate`, or `conflicts_with` for who owes anyway.
    """
    if len(guarantors) > MAX_GUARANTORS:
        text = Text(
            f"Informe no máximo {MAX_GUARANTORS} garantidores.",
            f"Give at most {MAX_GUARANTORS} guarantors.",
        )
        raise ValidationError(Detail("guarantors", "too_many_items", text))
    for index, guarantor in enumerate(guarantors):
        field = f"guarantors[{index}]"
        if guarantor == debtor_id:
            text = Text(
                "O próprio devedor não garante a dívida; deixe-o fora da lista.",
                "The debtor is no guarantor of the debt; leave the debtor out.",
            )
            raise ValidationError(Detail(field, "conflicts_with", text))
        if guarantor in guarantors[:index]:
            text = Text("Informe cada garantidor uma vez.", "Give each guarantor once.")
            raise ValidationError(Detail(field, "duplicate", text))
    return guarantors


def checked_payment_methods(methods: PaymentMethods) -> PaymentMethods:
    """Ways to pay with their texts trimmed. Raises `ValidationError` for one that is none."""
    return PaymentMethods(
        pix_copy_paste=_payment_code(methods.pix_copy_paste, "pix_copy_paste"),
        boleto_line=_payment_code(methods.boleto_line, "boleto_line"),
        boleto_barcode=_payment_code(methods.boleto_barcode, "boleto_barcode"),
        payment_url=_payment_url(methods.payment_url),
    )


def _payment_code(code: str | None, name: str) -> str | None:
    return trimmed_or_none(code, f"payment_methods.{name}", _PAYMENT_CODE)


def _payment_url(url: str | None) -> str | None:
    link = trimmed_or_none(url, "payment_methods.payment_url", _PAYMENT_URL)
    if link is not None and not _is_link(link):
        text = Text(
            "Informe um link completo, de https:// em diante e sem espaços.",
            "Give a whole link, from https:// on and without spaces.",
        )
        raise ValidationError(Detail("payment_methods.payment_url", "invalid_url", text))
    return link


def _is_link(text: str) -> bool:
    if any(sign in '<>"' or unicodedata.category(sign)[0] in "CZ" for sign in text):
        return False
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme == "https" and bool(parts.hostname)
