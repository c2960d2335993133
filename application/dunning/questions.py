"""What a person is asked before a charge is cancelled, written off or deleted, or money undone."""

from datetime import date
from typing import Final

from application.dunning.question_values import (
    counted,
    day,
    debtor_in_words,
    filled,
    money,
    number,
    sentences,
)
from application.dunning.question_words import (
    CANCEL_REASONS,
    DEBTOR_STATUSES,
    HOW_PAID,
    PAYMENT_METHODS,
    REVERSAL_REASONS,
    WRITE_OFF_REASONS,
)
from domain.access.confirmation import Fact, Question
from domain.dunning.amounts import Amounts
from domain.dunning.charge_acts import CancelReason, WriteOffReason
from domain.dunning.charges import Charge
from domain.dunning.debtors import Debtor, DebtorStatus
from domain.dunning.payments import Payment, ReversalReason
from domain.texts import Words

_CANCEL: Final = Words(
    "Cancelar a cobrança {id} do {debtor}, com vencimento em {due} e valor devido hoje de "
    "{amount}.",
    "Anular el cobro {id} del {debtor}, con vencimiento el {due} e importe adeudado hoy de "
    "{amount}.",
    "Cancel charge {id} of {debtor}, due on {due}, with {amount} owed today.",
)
_AFTER_CANCEL: Final = Words(
    "A dívida passará a constar como não devida e nada mais será cobrado por ela. "
    "O cancelamento não pode ser desfeito.",
    "La deuda pasará a constar como no debida y no se cobrará nada más por ella. "
    "La anulación no se puede deshacer.",
    "The debt will be recorded as not owed and nothing more will be collected on it. "
    "The cancellation cannot be undone.",
)
_WRITE_OFF: Final = Words(
    "Baixar como perda (sem pagamento) a cobrança {id} do {debtor}, com vencimento em {due} e "
    "valor devido hoje de {amount}.",
    "Dar de baja como pérdida (sin pago) el cobro {id} del {debtor}, con vencimiento el {due} e "
    "importe adeudado hoy de {amount}.",
    "Write off as a loss (without payment) charge {id} of {debtor}, due on {due}, with {amount} "
    "owed today.",
)
_AFTER_WRITE_OFF: Final = Words(
    "Todo o valor deixará de ser cobrado; a dívida continuará existindo e pagamentos ainda serão "
    "aceitos. A baixa não pode ser desfeita.",
    "Se dejará de cobrar todo el importe; la deuda seguirá existiendo y todavía se aceptarán "
    "pagos. La baja no se puede deshacer.",
    "The whole amount will no longer be collected; the debt will remain owed and payments will "
    "still be accepted. The write-off cannot be undone.",
)
_DELETE: Final = Words(
    "Apagar a cobrança {id} do {debtor}, com vencimento em {due} e valor devido hoje de {amount}.",
    "Eliminar el cobro {id} del {debtor}, con vencimiento el {due} e importe adeudado hoy de "
    "{amount}.",
    "Delete charge {id} of {debtor}, due on {due}, with {amount} owed today.",
)
_AFTER_DELETE: Final = Words(
    "A cobrança deixará de existir neste sistema; dela ficam apenas os registros de auditoria e de "
    "eventos. A exclusão não pode ser desfeita.",
    "El cobro dejará de existir en este sistema; de él solo quedarán los registros de auditoría y "
    "de eventos. La eliminación no se puede deshacer.",
    "The charge will no longer exist in this system; only its audit and event records will "
    "remain. The deletion cannot be undone.",
)
_REVERSE: Final = Words(
    "Estornar o pagamento {id} referente ao {debtor}, de {amount}, feito {how} em {paid}, com data "
    "de estorno em {reversed}.",
    "Revertir el pago {id} correspondiente al {debtor}, de {amount}, hecho {how} el {paid}, con "
    "fecha de reversión {reversed}.",
    "Reverse payment {id} recorded for {debtor}, of {amount}, made {how} on {paid}, with "
    "{reversed} as the date of reversal.",
)
_RECORD_ONLY: Final = Words(
    "O estorno desfaz o registro; nenhum dinheiro é devolvido ao devedor.",
    "La reversión deshace el registro; no se devuelve dinero al deudor.",
    "The reversal undoes the record; no money is returned to the debtor.",
)
_CHARGES_OWED_AGAIN: Final = (
    Words(
        "Nenhuma cobrança voltará a ser devida.",
        "Ningún cobro volverá a deberse.",
        "No charge will be owed again.",
    ),
    Words(
        "1 cobrança voltará a ser devida, no todo ou em parte.",
        "1 cobro volverá a deberse, en todo o en parte.",
        "1 charge will be owed again, in whole or in part.",
    ),
    Words(
        "{count} cobranças voltarão a ser devidas, no todo ou em parte.",
        "{count} cobros volverán a deberse, en todo o en parte.",
        "{count} charges will be owed again, in whole or in part.",
    ),
)
_CREDIT_GOES: Final = Words(
    "O crédito de {credit} que ele gerou será retirado do devedor.",
    "El crédito de {credit} que generó se retirará al deudor.",
    "The credit of {credit} that it left will be taken from the debtor.",
)
_CREDIT_RETURNS: Final = Words(
    "O crédito de {credit} usado nele voltará ao devedor.",
    "El crédito de {credit} utilizado en él volverá al deudor.",
    "The credit of {credit} that it used will return to the debtor.",
)
_ACTIVE_AGAIN: Final = Words(
    "O devedor, que está arquivado, voltará a ficar ativo.",
    "El deudor, que está archivado, volverá a estar activo.",
    "The debtor, who is archived, will be active again.",
)
_AFTER_REVERSAL: Final = Words(
    "O estorno não pode ser desfeito; um pagamento que de fato ocorreu terá de ser registrado de "
    "novo.",
    "La reversión no se puede deshacer; un pago que sí ocurrió tendrá que registrarse de nuevo.",
    "The reversal cannot be undone; a payment that did take place will have to be recorded anew.",
)
_REASON: Final = Words("Motivo: {reason}.", "Motivo: {reason}.", "Reason: {reason}.")

_LABEL_CHARGE: Final = Words("Cobrança", "Cobro", "Charge")
_LABEL_AMOUNT: Final = Words("Valor devido hoje", "Importe adeudado hoy", "Owed today")
_LABEL_DUE: Final = Words("Vencimento", "Vencimiento", "Due date")
_LABEL_DAYS_LATE: Final = Words("Dias de atraso", "Días de atraso", "Days late")
_LABEL_STATUS: Final = Words("Situação", "Situación", "Status")
_LABEL_REASON: Final = Words("Motivo", "Motivo", "Reason")
_LABEL_PAYMENT: Final = Words("Pagamento", "Pago", "Payment")
_LABEL_PAID_AMOUNT: Final = Words("Valor do pagamento", "Importe del pago", "Amount paid")
_LABEL_PAID_ON: Final = Words("Data do pagamento", "Fecha del pago", "Date of payment")
_LABEL_HOW: Final = Words("Forma de pagamento", "Forma de pago", "How it was paid")
_LABEL_REVERSED_ON: Final = Words("Data do estorno", "Fecha de la reversión", "Date of reversal")
_LABEL_OWED_AGAIN: Final = Words(
    "Cobranças que voltam a ser devidas",
    "Cobros que vuelven a deberse",
    "Charges owed again",
)
_LABEL_CREDIT_GOES: Final = Words("Crédito retirado", "Crédito retirado", "Credit taken away")
_LABEL_CREDIT_RETURNS: Final = Words("Crédito devolvido", "Crédito devuelto", "Credit returned")
_LABEL_DEBTOR_STATUS: Final = Words(
    "Situação do devedor", "Situación del deudor", "Status of the debtor"
)
_PENDING: Final = Words("pendente", "pendiente", "pending")
_OVERDUE: Final = Words("vencida", "vencido", "overdue")


def cancel_question(
    charge: Charge, debtor: Debtor, owed: Amounts, reason: CancelReason
) -> Question:
    """Before a charge is declared not owed; `owed` are its amounts of today."""
    why = CANCEL_REASONS[reason]
    return Question(
        sentence=sentences(
            _told(_CANCEL, charge, debtor, owed), filled(_REASON, reason=why), _AFTER_CANCEL
        ),
        facts=(*_facts(charge, owed), Fact(_LABEL_REASON, why)),
    )


def write_off_question(
    charge: Charge, debtor: Debtor, owed: Amounts, reason: WriteOffReason
) -> Question:
    """Before collecting a charge is given up; `owed` are its amounts of today."""
    why = WRITE_OFF_REASONS[reason]
    return Question(
        sentence=sentences(
            _told(_WRITE_OFF, charge, debtor, owed), filled(_REASON, reason=why), _AFTER_WRITE_OFF
        ),
        facts=(*_facts(charge, owed), Fact(_LABEL_REASON, why)),
    )


def delete_question(charge: Charge, debtor: Debtor, owed: Amounts) -> Question:
    """Before a charge that nothing has touched is erased; `owed` are its amounts of today."""
    return Question(
        sentence=sentences(_told(_DELETE, charge, debtor, owed), _AFTER_DELETE),
        facts=_facts(charge, owed),
    )


def reverse_question(
    payment: Payment, debtor: Debtor, reason: ReversalReason, on: date, owed_again: int
) -> Question:
    """Before a payment is undone as of `on`: on `owed_again` charges more would be due today."""
    why, how = REVERSAL_REASONS[reason], HOW_PAID[payment.method]
    is_brought_back = owed_again > 0 and debtor.status is DebtorStatus.ARCHIVED
    sentence = filled(
        _REVERSE,
        id=Words.same(payment.id),
        debtor=debtor_in_words(debtor),
        amount=money(payment.amount),
        how=how,
        paid=day(payment.paid_at),
        reversed=day(on),
    )
    credit, credit_fact = _credit_moved(payment)
    return Question(
        sentence=sentences(
            sentence,
            _RECORD_ONLY,
            filled(_REASON, reason=why),
            counted(owed_again, *_CHARGES_OWED_AGAIN),
            *credit,
            *((_ACTIVE_AGAIN,) if is_brought_back else ()),
            _AFTER_REVERSAL,
        ),
        facts=(
            Fact(_LABEL_PAYMENT, Words.same(payment.id)),
            Fact(_LABEL_PAID_AMOUNT, money(payment.amount)),
            Fact(_LABEL_PAID_ON, day(payment.paid_at)),
            Fact(_LABEL_HOW, PAYMENT_METHODS[payment.method]),
            Fact(_LABEL_REVERSED_ON, day(on)),
            Fact(_LABEL_REASON, why),
            Fact(_LABEL_OWED_AGAIN, number(owed_again)),
            *credit_fact,
            Fact(_LABEL_DEBTOR_STATUS, DEBTOR_STATUSES[debtor.status]),
        ),
    )


def _credit_moved(payment: Payment) -> tuple[tuple[Words, ...], tuple[Fact, ...]]:
    """What becomes of the debtor's credit, as a sentence and as a fact; nothing where none was."""
    if payment.is_compensation:
        credit, template, label = payment.amount, _CREDIT_RETURNS, _LABEL_CREDIT_RETURNS
    else:
        credit, template, label = payment.unallocated_amount, _CREDIT_GOES, _LABEL_CREDIT_GOES
    if not credit:
        return (), ()
    return (filled(template, credit=money(credit)),), (Fact(label, money(credit)),)


def _told(template: Words, charge: Charge, debtor: Debtor, owed: Amounts) -> Words:
    return filled(
        template,
        id=Words.same(charge.id),
        debtor=debtor_in_words(debtor),
        due=day(charge.due_date),
        amount=money(owed.total_due),
    )


def _facts(charge: Charge, owed: Amounts) -> tuple[Fact, ...]:
    # By the date, as the rules say: the clock may not have noted yet that it has passed.
    status = _OVERDUE if owed.days_late else _PENDING
    return (
        Fact(_LABEL_CHARGE, Words.same(charge.id)),
        Fact(_LABEL_AMOUNT, money(owed.total_due)),
        Fact(_LABEL_DUE, day(charge.due_date)),
        Fact(_LABEL_DAYS_LATE, number(owed.days_late)),
        Fact(_LABEL_STATUS, status),
    )
