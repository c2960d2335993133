"""The statement as a document: what the data say, with the calculation of what is due."""

from typing import Any, Final

from application.dunning.calculation_words import memory_sentences
from application.dunning.paper import FILE_SENTENCE, debtor_values, paper
from application.dunning.paper_words import LINES, amount, day, money
from application.dunning.plain_text import one_line
from application.dunning.statement import DebtorsStatement, read_statement
from application.operations.call import Call
from application.operations.declaration import operation
from domain.dunning.account import LineType
from domain.dunning.money import Cents
from domain.dunning.statement import Line, Owed, Statement, Totals
from domain.ports.documents import Document

_MOST_EXPLAINED: Final = 300
"""Charges whose calculation is printed; each may have a sentence for every month of its life."""

_ENDS: Final = frozenset({LineType.OPENING, LineType.CLOSING})


@operation(
    "debtors_statement_pdf",
    "GET /debtors/{id}/statement/pdf",
    title="Statement of a debtor as PDF",
    description=(
        "The account of a debtor as a PDF for people (extrato): movements, totals, and how each "
        f"open charge comes to what is due. {FILE_SENTENCE}"
    ),
    permission="debtors.read",
    resource="debtors/{id}/statement.pdf",
    refuses=("COMPLIANCE_BLOCKED", "STATE_CONFLICT"),
)
async def debtors_statement_pdf(call: Call, wanted: DebtorsStatement) -> Document:
    """Lay the same account out that `debtors_statement` gives."""
    statement, debtor = await read_statement(call, wanted)
    debtor.refuse_anonymized()
    values = {
        "debtor": debtor_values(debtor),
        "period": _period(statement),
        "include_paid": statement.period.include_paid,
        "lines": [_line(line) for line in statement.lines],
        "is_truncated": statement.is_truncated,
        "summary": _summary(statement.totals),
        "closing": money(statement.totals.closing),
        "closing_amount": amount(statement.totals.closing),
        **_due_and_to_come(statement),
        "written_off": _money_or_none(statement.totals.written_off),
        "credit": _money_or_none(statement.totals.credit),
        "owed": [_owed(owed) for owed in statement.owed[:_MOST_EXPLAINED]],
        "owed_left_out": max(0, len(statement.owed) - _MOST_EXPLAINED),
    }
    return paper("statement", "extrato", await call.work.organization(), call, values)


def _period(statement: Statement) -> dict[str, str | None]:
    since = statement.period.since
    return {
        "since": None if since is None else day(since),
        "as_of": day(statement.period.as_of),
    }


def _due_and_to_come(statement: Statement) -> dict[str, str]:
    """The closing balance in two: what is past its last day on time, and the rest."""
    past = sum(owed.amounts.total_due for owed in statement.owed if owed.amounts.days_late)
    return {"past_due": money(past), "to_come": money(statement.totals.closing - past)}


def _line(line: Line) -> dict[str, Any]:
    return {
        "date": day(line.date),
        "label": _label(line),
        "description": None if line.description is None else one_line(line.description),
        "debit": _amount_or_empty(line.debit),
        "credit": _amount_or_empty(line.credit),
        "balance": amount(line.balance),
        "is_end": line.type in _ENDS,
    }


def _label(line: Line) -> str:
    if line.type is LineType.DISCOUNT and line.debit:
        return "Perda do desconto por antecipação"
    return LINES[line.type]


def _summary(totals: Totals) -> list[tuple[str, str]]:
    """The sum that leads to the closing balance; what was nothing is left out."""
    rows = [
        ("Saldo anterior", totals.opening),
        ("Cobranças lançadas", totals.charged),
        ("Juros, multa, correção e custas", totals.fees),
        ("Descontos por antecipação", -totals.discounts),
        ("Pagamentos e compensações", -totals.paid),
        ("Resíduos dispensados", -totals.forgiven),
        ("Cancelamentos", -totals.canceled),
    ]
    return [(label, amount(cents)) for label, cents in rows if cents]


def _owed(owed: Owed) -> dict[str, Any]:
    charge, amounts = owed.charge, owed.amounts
    return {
        "description": one_line(charge.description),
        "document_number": one_line(charge.document_number or ""),
        "due_date": day(charge.due_date),
        "last_day_on_time": (
            None if charge.effective_due_date == charge.due_date else day(charge.effective_due_date)
        ),
        "days_late": amounts.days_late,
        "original": money(charge.amount),
        "principal": amount(amounts.principal_outstanding),
        "fees": amount(amounts.fine + amounts.interest + amounts.correction + amounts.costs),
        "discount": _amount_or_empty(amounts.discount),
        "total": amount(amounts.total_due),
        "memory": memory_sentences(amounts, charge.terms),
    }


def _amount_or_empty(cents: Cents) -> str:
    return amount(cents) if cents else ""


def _money_or_none(cents: Cents) -> str | None:
    return money(cents) if cents else None
