"""The settlement letter: the creditor's word that one debt is paid (CC art. 319 and 320)."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from application.dunning.charge_lookup import charge_and_debtor
from application.dunning.charges import ChargeId
from application.dunning.paper import FILE_SENTENCE, MOST_ROWS, debtor_values, paper
from application.dunning.paper_words import KINDS, METHODS, amount, day, long_day, money
from application.dunning.plain_text import one_line
from application.operations.call import Call
from application.operations.declaration import operation
from application.operations.fields import Input, about
from domain.access.scopes import scope_of
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.charges import Charge
from domain.dunning.ledger import Credit, Settled
from domain.dunning.payments import Payment
from domain.errors import StateConflictError
from domain.ports.documents import Document
from domain.texts import Text

_OWED: Final = Text(
    "Registre o pagamento; a carta existe depois que a cobrança estiver paga.",
    "Record the payment; the letter exists once the charge is paid.",
)
_PAYMENTS: Final = "payments.read"
_ENDED_UNPAID: Final[Mapping[ChargeStatus, Text]] = {
    ChargeStatus.CANCELED: Text(
        "A cobrança está cancelada: nada era devido e não há quitação a declarar.",
        "The charge is canceled: nothing was owed and there is no settlement to declare.",
    ),
    ChargeStatus.WRITTEN_OFF: Text(
        "A cobrança está baixada como perda e não paga; a carta existe depois que for paga.",
        "The charge is written off and not paid; the letter exists once it is paid.",
    ),
}


class ChargesSettlementLetter(Input):
    """Of which charge."""

    id: Annotated[ChargeId, about("The charge, which is paid.")]


@operation(
    "charges_settlement_letter_pdf",
    "GET /charges/{id}/settlement_letter/pdf",
    title="Settlement letter of a charge",
    description=(
        "The creditor's letter that a charge is paid (carta de quitação), with what each payment "
        f"settled. {FILE_SENTENCE}"
    ),
    permission="charges.read",
    resource="charges/{id}/settlement_letter.pdf",
    refuses=("STATE_CONFLICT", "COMPLIANCE_BLOCKED"),
)
async def charges_settlement_letter_pdf(call: Call, wanted: ChargesSettlementLetter) -> Document:
    """Declare one debt settled; refuses while anything of it is owed."""
    charge, debtor = await charge_and_debtor(call, wanted.id)
    debtor.refuse_anonymized()
    if charge.status is not ChargeStatus.PAID or charge.paid_at is None:
        raise _not_paid(charge)
    payments = {one.id: one for one in await call.work.payments.of_debtor(debtor.id)}
    values = {
        "debtor": debtor_values(debtor),
        "debt": _debt(charge),
        "paid_at": long_day(charge.paid_at),
        "paid": money(charge.paid),
        "paid_amount": amount(charge.paid),
        "composition": _composition(charge),
        "payments": [
            _payment(credit, payments[credit.payment_id], names_payer=_may_read_payments(call))
            for credit in sorted(charge.credits, key=lambda credit: credit.paid_at)[:MOST_ROWS]
        ],
        "payments_left_out": max(0, len(charge.credits) - MOST_ROWS),
    }
    creditor = await call.work.organization()
    return paper("settlement_letter", "carta-de-quitacao", creditor, call, values)


def _not_paid(charge: Charge) -> StateConflictError:
    """Offers no act: none that the status allows leads to a letter."""
    text = _ENDED_UNPAID.get(charge.status, _OWED)
    return StateConflictError(text, current_status=charge.status.value)


def _debt(charge: Charge) -> list[dict[str, Any]]:
    """What identifies it; numbers and ids are told from words."""
    words = [
        ("Descrição", charge.description),
        ("Espécie", KINDS[charge.kind]),
        ("Emissão", day(charge.issue_date)),
        ("Vencimento", day(charge.due_date)),
        ("Valor original", money(charge.amount)),
    ]
    codes = [
        ("Contrato", charge.contract_reference),
        ("Documento", charge.document_number),
        ("Identificador", charge.id),
    ]
    return [
        {"label": label, "value": one_line(value), "is_code": rows is codes}
        for rows in (words, codes)
        for label, value in rows
        if value
    ]


def _composition(charge: Charge) -> list[tuple[str, str]]:
    """From what was owed to what was paid; what was nothing is left out."""
    settled = [credit.settled for credit in charge.credits]
    rows = [
        ("Principal", sum(one.principal for one in settled)),
        ("Multa por atraso", sum(one.fine for one in settled)),
        ("Juros de mora", sum(one.interest for one in settled)),
        ("Correção monetária", sum(one.correction for one in settled)),
        ("Custas", sum(one.costs for one in settled)),
        ("Desconto por antecipação", -sum(one.discount for one in settled)),
        ("Resíduo dispensado pelo credor", -sum(one.tolerance for one in settled)),
    ]
    return [(label, amount(cents)) for label, cents in rows if cents]


def _may_read_payments(call: Call) -> bool:
    """Who paid is told to those alone who may read payments."""
    grant = call.grant
    return _PAYMENTS in grant.permissions and scope_of(_PAYMENTS) in grant.scopes


def _payment(credit: Credit, payment: Payment, *, names_payer: bool) -> dict[str, Any]:
    payer = payment.payer_name if names_payer else None
    return {
        "date": day(credit.paid_at),
        "method": METHODS[payment.method],
        "payer": None if payer is None else one_line(payer),
        "amount": amount(credit.settled.money),
        "parts": _parts(credit.settled),
    }


def _parts(settled: Settled) -> str:
    named = {
        "principal": settled.principal,
        "multa": settled.fine,
        "juros": settled.interest,
        "correção": settled.correction,
        "custas": settled.costs,
        "desconto": -settled.discount,
        "resíduo dispensado": -settled.tolerance,
    }
    return "; ".join(f"{name} {money(cents)}" for name, cents in named.items() if cents)
