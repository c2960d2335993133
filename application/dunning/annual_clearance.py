"""The annual clearance: that all debts due in a year are paid (Lei 12.007/2009).

What counts is the due date (art. 2). Debts in court do not exist here yet, so none is told apart.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Final

from msgspec import Meta

from application.dunning.charge_input import DebtorId
from application.dunning.paper import FILE_SENTENCE, MOST_ROWS, debtor_values, paper
from application.dunning.paper_words import amount, day, listed, month
from application.dunning.plain_text import one_line
from application.operations.call import Call
from application.operations.declaration import operation
from application.operations.fields import Input, about
from domain.dunning.charge_states import OWED, ChargeStatus
from domain.dunning.charges import Charge
from domain.errors import Detail, NotFoundError, StateConflictError, ValidationError
from domain.ports.documents import Document
from domain.texts import Text

FIRST_YEAR: Final = 2009
_MONTHS_IN_YEAR: Final = 12

_MOST_NAMED: Final = 20
"""Open charges that a refusal names."""

_NOTHING: Final = Text(
    "Nada venceu nesse ano; não há o que declarar.",
    "Nothing was due in that year; there is nothing to declare.",
)


class DebtorsAnnualClearance(Input):
    """Whose, and for which year."""

    id: Annotated[DebtorId, about("The debtor.")]
    year: Annotated[
        int, Meta(ge=FIRST_YEAR, le=9999), about("A year from 2009 to the last one that is over.")
    ]


@operation(
    "debtors_annual_clearance_pdf",
    "GET /debtors/{id}/annual_clearance/{year}/pdf",
    title="Annual clearance of a debtor",
    description=(
        "The yearly declaration that a debtor's debts are paid (declaração de quitação anual, Lei "
        "12.007/2009), by due date. Refused while something due in that year is unpaid. "
        f"{FILE_SENTENCE}"
    ),
    permission="debtors.read",
    resource="debtors/{id}/annual_clearance/{year}.pdf",
    refuses=("STATE_CONFLICT", "COMPLIANCE_BLOCKED"),
)
async def debtors_annual_clearance_pdf(call: Call, wanted: DebtorsAnnualClearance) -> Document:
    """Declare a year settled, and with it the years before (art. 4) unless something is open."""
    debtor = await call.work.debtors.find(wanted.id)
    if debtor is None:
        raise NotFoundError
    debtor.refuse_anonymized()
    _refuse_unfinished(wanted.year, call.today.year)
    charges = await call.work.charges.of_debtor(debtor.id)
    settled = _settled_in(wanted.year, charges)
    months = sorted({charge.due_date.month for charge in settled})
    open_years = sorted(
        {
            charge.due_date.year
            for charge in charges
            if charge.due_date.year < wanted.year and charge.status in OWED
        }
    )
    values = {
        "debtor": debtor_values(debtor),
        "is_consumer": debtor.is_consumer,
        "year": f"{wanted.year}",
        "months": None if len(months) == _MONTHS_IN_YEAR else listed([month(m) for m in months]),
        "open_years": listed([f"{year}" for year in open_years]) if open_years else None,
        "rows": [_row(charge) for charge in settled[:MOST_ROWS]],
        "rows_left_out": max(0, len(settled) - MOST_ROWS),
        "original": amount(sum(charge.amount for charge in settled)),
        "paid": amount(sum(charge.paid for charge in settled)),
    }
    creditor = await call.work.organization()
    return paper("annual_clearance", f"quitacao-{wanted.year}", creditor, call, values)


def _refuse_unfinished(year: int, this_year: int) -> None:
    if year >= this_year:
        text = Text(
            f"Informe um ano de {FIRST_YEAR} a {this_year - 1}.",
            f"Give a year from {FIRST_YEAR} to {this_year - 1}.",
        )
        raise ValidationError(Detail("year", "out_of_range", text))


def _settled_in(year: int, charges: Sequence[Charge]) -> list[Charge]:
    """What was due in the year, all of it paid; what was canceled was never owed."""
    due = [
        charge
        for charge in charges
        if charge.due_date.year == year and charge.status is not ChargeStatus.CANCELED
    ]
    if not due:
        raise StateConflictError(_NOTHING, current_status="nothing_due")
    due.sort(key=lambda charge: (charge.due_date, charge.id))
    if unpaid := [charge for charge in due if charge.status in OWED]:
        raise _unpaid(unpaid)
    return due


def _unpaid(charges: Sequence[Charge]) -> StateConflictError:
    named = charges[:_MOST_NAMED]
    ids = ", ".join(charge.id for charge in named)
    more = len(charges) - len(named)
    text = Text(
        f"A declaração só pode ser emitida depois de quitados: {ids}"
        f"{f' e mais {more}' if more else ''}.",
        f"The declaration can only be issued once these are paid: {ids}"
        f"{f' and {more} more' if more else ''}.",
    )
    refusal = StateConflictError(text, current_status=charges[0].status.value)
    refusal.details = tuple(_open(charge) for charge in named)
    return refusal


def _open(charge: Charge) -> Detail:
    due = day(charge.due_date)
    text = Text(
        f"{charge.id}: vencida em {due} e não paga; registre o pagamento.",
        f"{charge.id}: due on {charge.due_date.isoformat()} and not paid; record the payment.",
    )
    return Detail("year", "unpaid", text)


def _row(charge: Charge) -> dict[str, Any]:
    return {
        "due_date": day(charge.due_date),
        "description": one_line(charge.description),
        "document_number": one_line(charge.document_number or ""),
        "original": amount(charge.amount),
        "paid": amount(charge.paid),
        "paid_at": "" if charge.paid_at is None else day(charge.paid_at),
    }
